Feature: Exports
  A shop gets its records as files for spreadsheets, however many there are.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | cap     | 4000  | 10    |

  Rule: A file has the records that were asked for

    @transfers-1 @transfers-5
    Scenario: An order has a row for each of its lines
      Given a paid order of 2 "shirt" and 1 "cap"
      When the shop exports its "orders"
      Then the export is done with 1 record
      And the exported file has
        | title | quantity | unitPrice | lineTotal |
        | shirt | 2        | 15000     | 30000     |
        | cap   | 1        | 4000      | 4000      |

    @transfers-5
    Scenario: A file has the columns that were named, with headers in Korean
      When the shop exports the columns "title, productPrice" of its "products" with Korean headers
      Then the export is done with 2 records
      And the headers of the exported file are "상품명, 상품 가격"

    @transfers-5
    Scenario: A column that does not exist is refused
      When the shop exports the columns "title, shoeSize" of its "products" with Korean headers
      Then the request is refused because "validation_failed"

    @transfers-5
    Scenario: Stock is what is there
      When the shop exports its "stock"
      Then the export is done with 2 records
      And the exported file has
        | title | onHand | available |
        | shirt | 10     | 10        |
        | cap   | 10     | 10        |

  Rule: Exports are for those who may read what they show

    @transfers-7
    Scenario: Another shop does not find an export
      When the shop exports its "orders"
      Then the export is done with 0 records
      And another shop does not find the export

    @transfers-7
    Scenario: A storefront exports nothing
      When a storefront exports the shop's "orders"
      Then the request is refused because "forbidden"

  Rule: An export can be canceled until it has ended

    @transfers-3
    Scenario: What is done is not canceled
      When the shop exports its "orders"
      Then the export is done with 0 records
      When the shop cancels the export
      Then the request is refused because "job_ended"
