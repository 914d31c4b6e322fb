Feature: Files for carriers
  The shop gets a file of what is to be shipped, the carrier fills the tracking numbers in, and the file that comes back ships the goods.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: Lines that do not ship stay out of carrier files

    @spec-3.4.1
    Scenario: The file names what ships and nothing else
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop gets the file for carriers
      Then the file has 1 row
      And the file says that the order has "shirt x2"
      And the file does not speak of "guide"

    @spec-3.4.1
    Scenario: An order of guides alone is not in the file
      Given a paid order of 1 "guide"
      When the shop gets the file for carriers
      Then the file has 0 rows

    @spec-3.4.1
    Scenario: A tracking number for guides is refused, those beside it are taken
      Given a paid order of 2 "shirt" and 1 "guide"
      When the carrier sends a file with the tracking numbers
        | row    | carrier | number       |
        | guides | cj      | 111122223333 |
        | shirts | cj      | 123456789012 |
      Then 1 row is applied and 0 are unchanged
      And row 2 is refused
      And the order is "shipped"

  Rule: Physical lines go through the carrier's file, the others are completed by hand

    @spec-3.4.3
    Scenario: The file that comes back ships the goods
      Given a paid order of 2 "shirt" and 1 "guide"
      And the shop gets the file for carriers
      When the shop fills in "HYUNDAI" and "1234-5678-9012" and sends the file back
      Then the parcel of the order goes by "lotte" as "123456789012"
      And the shipping work is "closed"
      And the manual work is "open"

    @spec-3.4.3
    Scenario: The same file again changes nothing
      Given a paid order of 2 "shirt"
      And the shop gets the file for carriers
      And the shop fills in "cj" and "123456789012" and sends the file back
      When the shop sends the same file again
      Then 0 rows are applied and 1 is unchanged
      And there is 1 parcel

    @spec-3.4.3
    Scenario: Two operators send the same file at once
      Given a paid order of 2 "shirt"
      And the shop gets the file for carriers
      When the shop fills in "cj" and "123456789012" and sends the file 4 times at once
      Then there is 1 parcel
      And the order is "shipped"

    @spec-3.4.3
    Scenario: What was shipped is no longer in the file
      Given a paid order of 2 "shirt"
      And the shop gets the file for carriers
      And the shop fills in "cj" and "123456789012" and sends the file back
      When the shop gets the file for carriers
      Then the file has 0 rows

  Rule: Files are taken as the programs of carriers write them

    @spec-3.4.3
    Scenario: A file in Korean, by order number, of an old program
      Given a paid order of 1 "shirt"
      When the carrier sends an old Korean file with "로젠택배" and "01234567890"
      Then 1 row is applied and 0 are unchanged
      And the parcel of the order goes by "logen" as "01234567890"

    @spec-3.4.3
    Scenario: A number that a spreadsheet rounded is refused
      Given a paid order of 1 "shirt"
      When the carrier sends a file with the tracking numbers
        | row    | carrier | number   |
        | shirts | cj      | 1.23E+11 |
      Then 0 rows are applied and 0 are unchanged
      And row 2 is refused

    @spec-3.4.3
    Scenario: A formula in place of a number is refused
      Given a paid order of 1 "shirt"
      When the carrier sends a file with the tracking numbers
        | row    | carrier | number        |
        | shirts | cj      | =123456789012 |
      Then 0 rows are applied and 0 are unchanged
      And row 2 is refused

    @spec-3.4.3
    Scenario: A number that another order has is taken, with a warning
      Given an order of 1 "shirt" that left in 1 parcel
      And a paid order of 1 "shirt"
      When the carrier sends a file with the tracking numbers
        | row    | carrier | number       |
        | shirts | cj      | 123456789012 |
      Then 1 row is applied and 0 are unchanged
      And row 2 comes with a warning

    @spec-3.4.3
    Scenario: A file without tracking numbers says nothing
      Given a paid order of 1 "shirt"
      And the shop gets the file for carriers
      When the shop sends the file back as it is
      Then 0 rows are applied and 0 are unchanged
      And the shipping work is "open"

    @spec-3.4.3
    Scenario: Another shop's order is not found
      Given a paid order of 1 "shirt"
      When another shop sends a file with a tracking number for it
      Then 0 rows are applied and 0 are unchanged
      And row 2 is refused
      And the shipping work is "open"
