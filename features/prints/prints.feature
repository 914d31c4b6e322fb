Feature: Printing packing slips, labels and invoices
  What goes into a parcel, onto it, and to its buyer, as PDF in English and Korean.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | mug     | 9000  | 10    |

  Rule: A packing slip lists what is in its parcel, without prices

    @prints-1
    Scenario: Each parcel of an order has its own packing slip
      Given a paid order of 2 "shirt" and 1 "mug"
      And the shop packs 2 "shirt"
      When the shop prints the packing slip of the parcel
      Then page 1 reads "Packing slip, shirt, 2"
      And page 1 does not read "mug"
      And page 1 does not read "15,000"

    @prints-6
    Scenario: The packing slip is in the language that is asked for
      Given a paid order of 2 "shirt" and 1 "mug"
      And the shop packs everything that ships
      When the shop prints the packing slip of the parcel in "ko"
      Then page 1 reads "포장명세서, 주문번호, shirt, mug"

  Rule: The packing slip is there before the parcel is

    @storage @prints-9
    Scenario: Packers pack by the slip of what is to be packed
      Given "pia" becomes a "packer" of the shop
      And a paid order of 2 "shirt" and 1 "mug"
      When the packer "pia" prints the packing slip of what is to be packed
      Then page 1 reads "Packing slip, shirt, 2, mug, 1"

    @prints-9
    Scenario: What is in a parcel is not packed again
      Given a paid order of 2 "shirt" and 1 "mug"
      And the shop packs 2 "shirt"
      When the shop prints the packing slip of what is to be packed
      Then page 1 reads "mug, 1"
      And page 1 does not read "shirt"

    @prints-9
    Scenario: Nothing is left to pack
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop prints the packing slip of what is to be packed
      Then the request is refused because "nothing_to_pack"

    @prints-9
    Scenario: Another shop's packing slip is not printed
      Given a paid order of 2 "shirt"
      When another shop prints the packing slip of what is to be packed
      Then the request is refused because "not_found"

    @storage @prints-11
    Scenario: The packing slips of a carrier batch
      Given a paid order of 2 "shirt"
      And a paid order of 1 "mug"
      And the shop makes a carrier batch
      When the shop prints the packing slips of the batch
      Then there are 2 printed pages

    @prints-11
    Scenario: Labels of a carrier batch have the order number as barcode
      Given a paid order of 2 "shirt"
      And the shop makes a carrier batch
      When the shop prints the labels of the batch
      Then there is 1 printed page
      And page 1 reads "Parcel, Units 2"

    @prints-12
    Scenario: Documents of the test environment say so
      Given a paid order of 2 "shirt"
      When the shop prints the packing slip of what is to be packed
      Then page 1 reads "TEST"
      When the shop prints the invoice of the order in "ko"
      Then page 1 reads "시험"

  Rule: Labels have the tracking number and the address

    @prints-2 @prints-3
    Scenario: The labels of all parcels of a morning
      Given an order of 2 "shirt" shipped in 2 parcels
      When the shop prints the labels of all parcels
      Then there are 2 printed pages
      And page 2 reads "CJ Logistics, 123456789012"

    @prints-2
    Scenario: The label of a canceled parcel warns
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      And the shop cancels the parcel
      When the shop prints the label of the parcel
      Then page 1 reads "Canceled"

    @prints-3
    Scenario: Another shop's parcel is not printed
      Given an order of 2 "shirt" shipped in 2 parcels
      When another shop prints the labels of all parcels
      Then the request is refused because "not_found"

  Rule: An invoice says what an order came to

    @prints-4
    Scenario: An invoice of a business in Korea
      Given the shop's business is "Soban Ceramics Co." in "KR", registered as "2208162517"
      And a paid order of 2 "shirt" and 1 "mug"
      When the shop prints the invoice of the order in "ko"
      Then page 1 reads "거래명세서, Soban Ceramics Co., 220-81-62517, 결제 완료"
      And page 1 reads "15,000원, 30,000원, 9,000원, 39,000원"
      And page 1 reads "세금계산서가 아닙니다"

    @prints-5
    Scenario: Buyers print invoices of their own orders
      Given the customers "ann" and "bob"
      And "ann" has an order
      When "ann" prints the invoice of the order
      Then page 1 reads "Invoice"
      When "bob" prints the invoice of the order
      Then the request is refused because "not_found"

    @prints-5
    Scenario: Packers print what they pack
      Given "pia" becomes a "packer" of the shop
      And a paid order of 2 "shirt"
      And "pia" packs everything that ships
      When the packer "pia" prints the packing slip of the parcel
      Then page 1 reads "shirt, 2"
