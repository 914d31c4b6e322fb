@concurrency
Feature: Many hands on one cart
  However many people and servers touch a cart at the same moment, each change counts once.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 1000  |
    And a cart with 1 "shirt"

  Rule: Nothing is lost and nothing is doubled

    @spec-4.6.r3
    Scenario: Forty additions at once all count
      When 40 people add 1 "shirt" at once
      Then exactly 40 of them succeed
      And the cart holds 41 "shirt"
      And the cart is at revision 41

    @spec-4.6.r3 @spec-4.6.r6
    Scenario: One addition that arrives ten times counts once
      When the same addition of 1 "shirt" arrives 10 times at once
      Then exactly 10 of the answers succeed
      And the cart holds 2 "shirt"
      And the cart is at revision 2
