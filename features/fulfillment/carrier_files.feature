Feature: Carrier files
  The shop downloads a file of what is to be shipped and uploads it with tracking numbers, which ships the orders.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: Lines that do not ship are not in carrier files

    @shipping-1 @fulfillment-9
    Scenario: The file lists only what ships
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop downloads the carrier file
      Then the file has 1 row
      And the file lists "shirt x2"
      And the file does not contain "guide"

    @shipping-1 @fulfillment-9
    Scenario: An order that does not ship is not in the file
      Given a paid order of 1 "guide"
      When the shop downloads the carrier file
      Then the file has 0 rows

    @fulfillment-8 @fulfillment-12
    Scenario: A tracking number for a digital line is refused, the others are applied
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop uploads a file with the tracking numbers
        | row    | carrier | number       |
        | guides | cj      | 111122223333 |
        | shirts | cj      | 123456789012 |
      Then 1 row is applied and 0 are unchanged
      And row 2 is refused
      And the order is "shipped"

  Rule: Lines that ship are fulfilled by carrier file, the others by hand

    @fulfillment-1 @fulfillment-10
    Scenario: The uploaded file ships the order
      Given a paid order of 2 "shirt" and 1 "guide"
      And the shop downloads the carrier file
      When the shop fills in "HYUNDAI" and "1234-5678-9012" and uploads the file
      Then the order's parcel has the carrier "lotte" and the tracking number "123456789012"
      And the shipping fulfillment order is "closed"
      And the manual fulfillment order is "open"

    @fulfillment-1 @fulfillment-10
    Scenario: The same file again changes nothing
      Given a paid order of 2 "shirt"
      And the shop downloads the carrier file
      And the shop fills in "cj" and "123456789012" and uploads the file
      When the shop repeats the request
      Then 0 rows are applied and 1 is unchanged
      And there is 1 parcel

    @fulfillment-1 @fulfillment-10
    Scenario: Concurrent uploads of the same file ship once
      Given a paid order of 2 "shirt"
      And the shop downloads the carrier file
      When the shop fills in "cj" and "123456789012" and uploads the file 4 times at once
      Then there is 1 parcel
      And the order is "shipped"

    @fulfillment-1 @fulfillment-10
    Scenario: A shipped order is no longer in the file
      Given a paid order of 2 "shirt"
      And the shop downloads the carrier file
      And the shop fills in "cj" and "123456789012" and uploads the file
      When the shop downloads the carrier file
      Then the file has 0 rows

  Rule: Files are accepted as carriers' programs write them

    @fulfillment-11
    Scenario: A Korean file by order number
      Given a paid order of 1 "shirt"
      When the shop uploads a file in an old Korean encoding with "로젠택배" and "01234567890"
      Then 1 row is applied and 0 are unchanged
      And the order's parcel has the carrier "logen" and the tracking number "01234567890"

    @fulfillment-12
    Scenario: A number that a spreadsheet rounded is refused
      Given a paid order of 1 "shirt"
      When the shop uploads a file with the tracking numbers
        | row    | carrier | number   |
        | shirts | cj      | 1.23E+11 |
      Then 0 rows are applied and 0 are unchanged
      And row 2 is refused

    @fulfillment-12
    Scenario: A formula in place of a number is refused
      Given a paid order of 1 "shirt"
      When the shop uploads a file with the tracking numbers
        | row    | carrier | number        |
        | shirts | cj      | =123456789012 |
      Then 0 rows are applied and 0 are unchanged
      And row 2 is refused

    @fulfillment-12
    Scenario: A tracking number of another order is applied with a warning
      Given an order of 1 "shirt" shipped in 1 parcel
      And a paid order of 1 "shirt"
      When the shop uploads a file with the tracking numbers
        | row    | carrier | number       |
        | shirts | cj      | 123456789012 |
      Then 1 row is applied and 0 are unchanged
      And row 2 has a warning

    @fulfillment-12
    Scenario: A file without tracking numbers changes nothing
      Given a paid order of 1 "shirt"
      And the shop downloads the carrier file
      When the shop uploads the file unchanged
      Then 0 rows are applied and 0 are unchanged
      And the shipping fulfillment order is "open"

    @fulfillment-12
    Scenario: Another shop's order is not found
      Given a paid order of 1 "shirt"
      When another shop uploads a tracking number for the order
      Then 0 rows are applied and 0 are unchanged
      And row 2 is refused
      And the shipping fulfillment order is "open"

  Rule: What a file would do can be seen before anything leaves

    @fulfillment-21
    Scenario: Trying a file changes nothing
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop tries a file with the tracking numbers
        | row    | carrier | number       |
        | guides | cj      | 111122223333 |
        | shirts | cj      | 123456789012 |
      Then 1 row is applied and 0 are unchanged
      And row 2 is refused
      And the shipping fulfillment order is "open"
      And there are 0 parcels
