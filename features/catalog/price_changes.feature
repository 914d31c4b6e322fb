@storage
Feature: Many prices at once
  An operator raises or lowers many prices by a percentage, and sees them before they change.

  Background:
    Given a shop that sells
      | product | price |
      | shirt   | 15000 |
      | mug     | 9000  |

  @catalog-31 @catalog-32
  Scenario: A preview changes nothing
    When an operator previews raising all prices by 10 percent, to prices that end in 900
    Then "shirt" would cost 16900 instead of 15000
    And "mug" would cost 9900 instead of 9000
    And a visitor opens the product "shirt"
    And the product is shown at 15000 KRW

  @catalog-32
  Scenario: What was previewed is done, but for what changed meanwhile
    Given an operator previewed raising all prices by 10 percent, to prices that end in 900
    And the price of "mug" becomes 9500
    When the operator does what was previewed
    Then 1 product is updated, 0 are unchanged and 1 is refused
    And a visitor opens the product "shirt"
    And the product is shown at 16900 KRW

  @catalog-32
  Scenario: No price is raised twice
    Given an operator previewed raising all prices by 10 percent, to prices that end in 900
    And the operator does what was previewed
    When the operator repeats the request
    Then 2 products are updated, 0 are unchanged and 0 are refused
    And a visitor opens the product "mug"
    And the product is shown at 9900 KRW
