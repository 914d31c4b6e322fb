@concurrency
Feature: Concurrent changes of one cart
  However many people and servers change a cart at the same time, each change is made exactly once.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 1000  |
    And a cart with 1 "shirt"

  Rule: No change is lost or made twice

    @carts-17
    Scenario: Forty concurrent additions are all made
      When 40 people add 1 "shirt" at once
      Then exactly 40 requests succeed
      And the cart holds 41 "shirt"
      And the cart is at revision 41

    @carts-17 @idempotency-9
    Scenario: One addition that arrives ten times is made once
      When the same request to add 1 "shirt" arrives 10 times at once
      Then exactly 10 requests succeed
      And the cart holds 2 "shirt"
      And the cart is at revision 2
