Feature: Legacy storefronts
  Storefronts that use the legacy operations keep working, on the same carts as current ones.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |
    And the code "TEN" takes 10 percent off
    And the code "GONE" takes 5000 KRW off until 2020-01-01

  Rule: Legacy and current operations work on the same carts

    @carts-24
    Scenario: A cart of a legacy storefront is a cart like any other
      Given a cart made by a legacy storefront
      When a legacy storefront adds 2 "shirt"
      And the shopper adds 1 "mug"
      Then the cart holds 2 "shirt"
      And the cart holds 1 "mug"
      And the cart is at revision 3

    @carts-24
    Scenario: A legacy storefront shows a current cart
      Given a cart with 2 "shirt" and the code "TEN"
      When a legacy storefront shows the cart
      Then it shows a subtotal of 30000, a discount of 3000 and a total of 27000

    @carts-24 @checkouts-13
    Scenario: The legacy checkout opens a current checkout
      Given a cart with 2 "shirt"
      When the shop's server checks the cart out with the legacy operation
      Then the checkout is "open"
      And the checkout's total is 33000 KRW
      And no order is placed

  Rule: Legacy operations take neither idempotency keys nor revisions

    @carts-24
    Scenario: A change applies to the current state of the cart
      Given a cart with 1 "shirt"
      And the shop's server adds 1 "mug"
      When a legacy storefront adds 1 "shirt"
      Then the change succeeds
      And the cart holds 2 "shirt"

    @carts-24 @concurrency
    Scenario: Twenty concurrent changes are all made
      Given a cart with 1 "shirt"
      When 20 people add 1 "shirt" in a legacy storefront at once
      Then exactly 20 requests succeed
      And the cart holds 21 "shirt"
      And the cart is at revision 21

  Rule: Legacy storefronts apply discount codes one at a time

    @carts-25
    Scenario: A usable code is applied
      Given a cart with 2 "shirt"
      When a legacy storefront applies the code "TEN"
      Then the code "TEN" takes 3000 off the cart

    @carts-25
    Scenario: An unusable code is refused and changes nothing
      Given a cart with 2 "shirt"
      When a legacy storefront applies the code "GONE"
      Then the change is refused because "discount_expired"
      And the cart lists no code "GONE"
      And the cart is at revision 1

    @carts-25
    Scenario: A code is removed
      Given a cart with 2 "shirt" and the code "TEN"
      When a legacy storefront removes the code "TEN"
      Then the cart lists no code "TEN"

    @carts-12
    Scenario Outline: The legacy operation that <does> a code does not exist on current paths
      Given a cart with 2 "shirt" and the code "TEN"
      When the shopper <does> the code "TEN" with the legacy operation
      Then the request is refused because "route_not_found"
      And the cart is at revision 1

      Examples:
        | does    |
        | applies |
        | removes |
