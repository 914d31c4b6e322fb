Feature: Two carts become one
  A shopper who logs in keeps what was collected before, and knows what did not fit.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 5     |
      | mug     | 8000  | 100   |
    And the customers "kim" and "lee"

  Rule: At login a guest's cart joins the customer's

    @spec-4.6-carts
    Scenario: Whoever has no cart yet keeps the guest's
      Given a cart with 2 "shirt"
      When "kim" takes the cart in
      Then the own cart holds 2 "shirt"
      And the cart is "active"

    @spec-4.6-carts
    Scenario: Quantities add up in the cart of before
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt" and 1 "mug"
      When "kim" takes the cart in
      Then the own cart holds 3 "shirt"
      And the own cart holds 1 "mug"
      And the cart is "merged"

    @spec-4.6-carts
    Scenario: What the shop does not have stays out, and is told
      Given a cart of "kim" with 4 "shirt"
      And a cart with 3 "shirt"
      When "kim" takes the cart in
      Then the own cart holds 5 "shirt"
      And the shopper is told that 5 of 7 "shirt" were kept

    @spec-4.6-carts
    Scenario: A cart that was merged takes nothing more
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt"
      And "kim" takes the cart in
      When an older storefront adds 1 "mug"
      Then the change is refused because "cart_not_active"

    @spec-4.6-carts
    Scenario: Somebody else's cart stays theirs
      Given a cart of "kim" with 1 "shirt"
      When "lee" takes the cart in
      Then the change is refused because "not_found"

  Rule: A merge needs a key but no revision

    @spec-4.6.r5
    Scenario: A merge without a key is refused
      Given a cart with 2 "shirt"
      When "kim" takes the cart in without a key
      Then the change is refused because "idempotency_key_required"
      And the cart is at revision 1

    @spec-4.6.r5
    Scenario: It goes through whatever changed since
      Given a cart with 1 "shirt"
      And the shop's staff adds 1 "mug"
      When "kim" takes the cart in
      Then the own cart holds 1 "mug"
      And the cart is at revision 3

    @spec-4.6.r5 @spec-4.6.r6
    Scenario: A merge that is sent twice happens once
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt"
      And "kim" takes the cart in
      When the shopper repeats that request
      Then the answer is the same as before, marked as a receipt
      And the cart is at revision 2

    @spec-4.6.r5 @concurrency
    Scenario: A merge that arrives ten times at once happens once
      Given a cart of "kim" with 1 "shirt"
      And a cart with 2 "shirt"
      When "kim" takes the cart in 10 times at once under one key
      Then exactly 10 of the answers succeed
      And the cart is at revision 2
