Feature: Storefronts of the previous generation
  Older storefronts go on working, on the same carts as the new ones.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |
    And the code "TEN" takes 10 percent off
    And the code "GONE" takes 5000 KRW off until 2020-01-01

  Rule: Both generations work on the same carts

    @spec-9.3 @spec-4.6-previous
    Scenario: A cart that an older storefront made is a cart like any other
      Given a cart of an older storefront
      When an older storefront adds 2 "shirt"
      And the shopper adds 1 "mug"
      Then the cart holds 2 "shirt"
      And the cart holds 1 "mug"
      And the cart is at revision 3

    @spec-9.3 @spec-4.6-previous
    Scenario: An older storefront shows a cart of today
      Given a cart with 2 "shirt" and the code "TEN"
      When an older storefront shows the cart
      Then it shows goods for 30000, 3000 off and 27000 in all

    @spec-9.3
    Scenario: An older storefront leads to the checkout of today
      Given a cart with 2 "shirt"
      When the shop's staff checks the cart out the old way
      Then the checkout is "open"
      And the checkout costs 33000 KRW
      And no order is placed

  Rule: An older storefront names neither keys nor revisions

    @spec-4.6-previous
    Scenario: A change is made on the cart as it is
      Given a cart with 1 "shirt"
      And the shop's staff adds 1 "mug"
      When an older storefront adds 1 "shirt"
      Then the change succeeds
      And the cart holds 2 "shirt"

    @spec-4.6-previous @concurrency
    Scenario: Twenty changes at once all count
      Given a cart with 1 "shirt"
      When 20 people add 1 "shirt" in an older storefront at once
      Then exactly 20 of them succeed
      And the cart holds 21 "shirt"
      And the cart is at revision 21

  Rule: An older storefront applies codes one by one

    @spec-4.6-previous
    Scenario: A code that can be used is applied
      Given a cart with 2 "shirt"
      When an older storefront applies the code "TEN"
      Then the code "TEN" takes 3000 off the cart

    @spec-4.6-previous
    Scenario: A code that cannot be used is refused and changes nothing
      Given a cart with 2 "shirt"
      When an older storefront applies the code "GONE"
      Then the change is refused because "discount_expired"
      And the cart lists no code "GONE"
      And the cart is at revision 1

    @spec-4.6-previous
    Scenario: A code is taken off again
      Given a cart with 2 "shirt" and the code "TEN"
      When an older storefront takes the code "TEN" off
      Then the cart lists no code "TEN"

    @spec-9.2
    Scenario Outline: A storefront of today <does> no code the old way
      Given a cart with 2 "shirt" and the code "TEN"
      When the shopper <does> the code "TEN" the old way
      Then the request is refused because "route_not_found"
      And the cart is at revision 1

      Examples:
        | does      |
        | applies   |
        | takes off |
