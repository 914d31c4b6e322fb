@storage
Feature: Finding anything
  An operator has a number, an address or half a name, from a call or a message, and wants the record that it belongs to.

  Background:
    Given a shop with the imported orders
      | number       | buyer     | email             | phone            | sku    | status    |
      | 260729000001 | 김민수    | minsu@example.com | 010-1234-5678    | MUG-01 | delivered |
      | 260729000002 | Ann Smith | ann@example.com   | +44 20 7946 0000 | MUG-02 | paid      |
      | 260729000003 | Ann Jones | jones@example.com |                  | MUG-01 | paid      |

  Rule: An order is found by what people tell of it

    @search-2
    Scenario Outline: By <what>
      When the operator searches orders for "<text>"
      Then the orders "<found>" are found

      Examples:
        | what                         | text               | found                      |
        | its number                   | #260729000002      | 260729000002               |
        | the beginning of its number  | 2607               | 260729000003, 260729000002, 260729000001 |
        | the end of its number        | 000001             | 260729000001               |
        | an address in capitals       | Minsu@Example.COM  | 260729000001               |
        | a family name                | 김                 | 260729000001               |
        | a given name                 | 민수               | 260729000001               |
        | a telephone number           | 01012345678        | 260729000001               |
        | the beginning of one, spaced | 010 1234           | 260729000001               |
        | an international number      | +82 10-1234-5678   | 260729000001               |
        | the last digits of a number  | 5678               | 260729000001               |
        | a foreign number from abroad | 020 7946 0000      | 260729000002               |
        | an SKU without its hyphen    | mug01              | 260729000003, 260729000001 |
        | an SKU with a space          | MUG 01             | 260729000003, 260729000001 |
        | two words                    | smith ann          | 260729000002               |
        | a word of each kind          | ann mug-01         | 260729000003               |

    @search-2
    Scenario: Pasted numbers find their orders
      When the operator searches orders for "260729000003, 111111 260729000001"
      Then the orders "260729000003, 260729000001" are found

    @search-2
    Scenario: An order is found by the tracking number of its parcel
      Given the second order was shipped with the number "6012-3456-7890"
      When the operator searches orders for "601234567890"
      Then the orders "260729000002" are found

    @search-1
    Scenario: A search is narrowed by a filter
      When the operator searches delivered orders for "mug01"
      Then the orders "260729000001" are found

  Rule: What is found follows what changes

    @search-7
    Scenario: A corrected address
      Given the email of the first order is corrected to "kim@example.com"
      When the operator searches orders for "kim@example.com"
      Then the orders "260729000001" are found
      And no order is found for "minsu@example.com"

    @search-7
    Scenario: A deleted product
      Given the product "Oak Table" with the SKU "OAK-1"
      And everything is found for "oak1"
        | products | Oak Table |
      When the product "Oak Table" is deleted
      Then nothing is found for "oak1"

  Rule: One search finds records of all kinds

    @search-9
    Scenario: A person who bought and came back
      Given the product "Ann Vase" with the SKU "VASE-1"
      And the customer "Ann Smith" with the phone "020 7946 0000"
      Then everything is found for "ann"
        | orders    | 260729000003, 260729000002 |
        | customers | Ann Smith                  |
        | products  | Ann Vase                   |
      And everything is found for "020 7946 0000"
        | orders    | 260729000002 |
        | customers | Ann Smith    |

  Rule: Nobody finds what they may not read

    @search-6
    Scenario: Another shop finds nothing
      When the other shop searches orders for "260729000001"
      Then no orders are found

    @search-6
    Scenario: A visitor does not search
      When a visitor searches everything for "ann"
      Then the request is refused because "forbidden"

    @search-3
    Scenario: Nothing to find
      When the operator searches orders for "---"
      Then the request is refused because "query_invalid"
