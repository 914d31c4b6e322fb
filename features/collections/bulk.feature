@storage
Feature: Many records at once
  An operator changes many records in one request, each in its own way.

  Background:
    Given a shop that sells
      | product | price |
      | shirt   | 15000 |
      | mug     | 9000  |
      | teapot  | 30000 |

  @collections-33
  Scenario: Each product gets a price of its own
    When an operator sends these prices in one request
      | product | price |
      | shirt   | 16000 |
      | mug     | 9500  |
      | teapot  | 30000 |
    Then 2 products are updated, 1 is unchanged and 0 are refused
    And a visitor opens the product "mug"
    And the product is shown at 9500 KRW

  @collections-33
  Scenario: A price that cannot be leaves the others alone
    When an operator sends these prices in one request
      | product | price |
      | shirt   | -1    |
      | mug     | 9500  |
    Then 1 product is updated, 0 are unchanged and 1 is refused
    And the refused product is "shirt", because of its price

  @collections-33
  Scenario: All prices or none
    When an operator sends these prices in one request, all or none
      | product | price |
      | mug     | 9500  |
      | shirt   | -1    |
    Then the change is refused because "bulk_refused"
    And a visitor opens the product "mug"
    And the product is shown at 9000 KRW

  @collections-34
  Scenario: A request whose answer got lost is sent again
    Given an operator sent these prices in one request, and its answer got lost
      | product | price |
      | shirt   | 16000 |
      | mug     | 9500  |
    And the price of "mug" becomes 10000
    When the operator repeats the request
    Then 2 products are updated, 0 are unchanged and 0 are refused
    And a visitor opens the product "mug"
    And the product is shown at 10000 KRW
