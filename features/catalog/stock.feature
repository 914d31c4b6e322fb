Feature: How much is left
  Visitors ask whether they can have something, and operators are told when to order more.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | mug     | 9000  | 2     | published |
      | idea    | 30000 | 7     | draft     |

  Rule: A stock check answers for this moment

    @spec-4.6-catalog
    Scenario: What is there can be had
      When a visitor asks for 7 "shirt" and 2 "mug"
      Then everything can be had
      And no stock number is shown

    @spec-4.6-catalog
    Scenario: What is asked for twice is added up
      When a visitor asks for 4 "shirt" and 4 "shirt"
      Then "shirt" cannot be had because "out_of_stock"

    @spec-4.6-catalog
    Scenario: What is not on sale cannot be had
      When a visitor asks for 1 "shirt" and 1 "idea"
      Then "idea" cannot be had because "variant_unavailable"

    @spec-4.6-catalog
    Scenario: The shop's server learns how many there are
      When the shop's server asks for 9 "shirt"
      Then "shirt" cannot be had because "out_of_stock"
      And 7 "shirt" can be had at most

  Rule: Operators find what is low

    @spec-4.6-catalog
    Scenario: Nothing is low above the threshold
      When the shop wants to know when 6 "shirt" are left
      Then "shirt" is not low in stock

    @spec-4.6-catalog
    Scenario: What shoppers are paying for is not free any more
      Given the shop wants to know when 5 "shirt" are left
      And an open payment for 2 "shirt"
      Then "shirt" is low in stock
      And "mug" is not low in stock

    @spec-4.6-catalog
    Scenario: A payment given up brings it back
      Given the shop wants to know when 5 "shirt" are left
      And an open payment for 2 "shirt"
      When the shop cancels the payment
      Then "shirt" is not low in stock

    @concurrency @spec-4.6-catalog
    Scenario: Many buyers at once make it low
      Given the shop wants to know when 5 "shirt" are left
      When 10 shoppers with 1 "shirt" each open a payment at once
      Then exactly 7 of them succeed
      And "shirt" is low in stock
