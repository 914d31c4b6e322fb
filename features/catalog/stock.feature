@storage
Feature: Stock checks
  Visitors check whether products are available; operators find products that are low in stock.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | mug     | 9000  | 2     | published |
      | idea    | 30000 | 7     | draft     |

  Rule: A stock check reports current availability

    @catalog-9
    Scenario: Products in stock are available
      When a visitor checks the stock for 7 "shirt" and 2 "mug"
      Then everything is available
      And no stock quantity is shown

    @catalog-9
    Scenario: Lines of the same product are added up
      When a visitor checks the stock for 4 "shirt" and 4 "shirt"
      Then "shirt" is not available because "out_of_stock"

    @catalog-9
    Scenario: An unpublished product is not available
      When a visitor checks the stock for 1 "shirt" and 1 "idea"
      Then "idea" is not available because "variant_unavailable"

    @catalog-9 @catalog-4
    Scenario: The shop's server sees the available quantity
      When the shop's server checks the stock for 9 "shirt"
      Then "shirt" is not available because "out_of_stock"
      And at most 7 "shirt" are available

  Rule: An operator who writes stock does not undo a sale

    @catalog-23
    Scenario: A form that was opened before a sale is refused
      Given an operator has opened the form of "shirt"
      And a finalized draft order of 4 "shirt"
      When the operator saves the form with a stock of 7
      Then the change is refused because "stock_changed"
      And 3 "shirt" are left in stock

    @catalog-22
    Scenario: Units that arrive are added to what is left
      Given a finalized draft order of 4 "shirt"
      When the operator adds 10 "shirt" because "a delivery arrived"
      Then 13 "shirt" are left in stock
      And the stock of "shirt" moved by 7, -4, 10

  Rule: Units lie at locations, and sales take them from the last one

    @catalog-36
    Scenario: A sale takes units that lie nowhere in particular first
      Given the locations "store" and "cellar"
      And the operator has moved 2 "shirt" to the "store"
      And the operator has moved 3 "shirt" to the "cellar"
      And a finalized draft order of 4 "shirt"
      Then "shirt" lie as "store: 2, cellar: 1, nowhere: 0"

    @catalog-36
    Scenario: Units that arrive are where they were said to be
      Given the locations "store" and "cellar"
      And the operator has moved 7 "shirt" to the "cellar"
      And a finalized draft order of 4 "shirt"
      When the operator adds 5 "shirt" to the "store"
      Then "shirt" lie as "store: 5, cellar: 3, nowhere: 0"

    @catalog-37
    Scenario: More units than lie there are not moved
      Given the locations "store" and "cellar"
      And the operator has moved 2 "shirt" to the "store"
      When the operator moves 3 "shirt" from the "store" to the "cellar"
      Then the change is refused because "not_at_location"
      And "shirt" lie as "store: 2, cellar: 0, nowhere: 5"

  Rule: Operators find products that are low in stock

    @catalog-10
    Scenario: Stock above the threshold is not low
      When the shop sets a low-stock threshold of 6 for "shirt"
      Then "shirt" is not low in stock

    @catalog-10
    Scenario: Reserved stock does not count as available
      Given the shop sets a low-stock threshold of 5 for "shirt"
      And an open payment for 2 "shirt"
      Then "shirt" is low in stock
      And "mug" is not low in stock

    @catalog-10
    Scenario: A canceled payment releases its reserved stock
      Given the shop sets a low-stock threshold of 5 for "shirt"
      And an open payment for 2 "shirt"
      When the shop cancels the payment
      Then "shirt" is not low in stock

    @catalog-10 @concurrency
    Scenario: Concurrent payments make a product low in stock
      Given the shop sets a low-stock threshold of 5 for "shirt"
      When 10 shoppers with 1 "shirt" each open a payment at once
      Then exactly 7 requests succeed
      And "shirt" is low in stock
