@storage
Feature: Merging carts
  A shopper who logs in keeps the lines collected before, and learns which did not fit.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 5     |
      | mug     | 8000  | 100   |
    And the customers "kim" and "lee"

  Rule: At login a guest's cart is merged into the customer's cart

    @carts-20
    Scenario: A customer without a cart takes over the guest's cart
      Given a cart with 2 "shirt"
      When "kim" merges the cart into their own
      Then the customer's cart holds 2 "shirt"
      And the cart is "active"

    @carts-20
    Scenario: Quantities are added up
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt" and 1 "mug"
      When "kim" merges the cart into their own
      Then the customer's cart holds 3 "shirt"
      And the customer's cart holds 1 "mug"
      And the cart is "merged"

    @carts-20
    Scenario: Quantities above the stock are reduced with a warning
      Given a cart of "kim" with 4 "shirt"
      And a cart with 3 "shirt"
      When "kim" merges the cart into their own
      Then the customer's cart holds 5 "shirt"
      And the answer warns that 5 of 7 "shirt" were kept

    @carts-20
    Scenario: A merged cart cannot be changed
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt"
      And "kim" merges the cart into their own
      When a legacy storefront adds 1 "mug"
      Then the change is refused because "cart_not_active"

    @carts-21
    Scenario: A customer cannot take over another customer's cart
      Given a cart of "kim" with 1 "shirt"
      When "lee" merges the cart into their own
      Then the change is refused because "not_found"

  Rule: A merge needs an idempotency key but no revision

    @carts-22
    Scenario: A merge without an idempotency key is refused
      Given a cart with 2 "shirt"
      When "kim" merges the cart into their own without an idempotency key
      Then the change is refused because "idempotency_key_required"
      And the cart is at revision 1

    @carts-22
    Scenario: A merge succeeds although the cart has changed
      Given a cart with 1 "shirt"
      And the shop's server adds 1 "mug"
      When "kim" merges the cart into their own
      Then the customer's cart holds 1 "mug"
      And the cart is at revision 3

    @carts-22 @idempotency-9
    Scenario: A merge that is sent twice is made once
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt"
      And "kim" merges the cart into their own
      When the shopper repeats the request
      Then the first answer is replayed
      And the cart is at revision 2

    @carts-22 @concurrency
    Scenario: A merge that arrives ten times at once is made once
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt"
      When "kim" merges the cart into their own 10 times at once with one idempotency key
      Then exactly 10 requests succeed
      And the cart is at revision 2
