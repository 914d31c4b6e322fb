Feature: Discount codes in a cart
  A code takes off what it promises, as long as it may be used.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
    And the code "TEN" takes 10 percent off
    And the code "ONCE" takes 5000 KRW off, once
    And the code "GONE" takes 5000 KRW off until 2020-01-01

  Rule: A usable code lowers the total

    @spec-4.6-carts
    Scenario: A percentage is taken off the lines
      Given a cart with 2 "shirt" and the code "TEN"
      Then the code "TEN" takes 3000 off the cart

    @spec-4.6-carts
    Scenario: A code is found whatever its case
      Given a cart with 2 "shirt" and the code "ten"
      Then the code "TEN" takes 3000 off the cart

  Rule: A code that cannot be used stays listed with its reason

    @spec-4.6-carts
    Scenario: A code from the past
      Given a cart with 2 "shirt" and the code "GONE"
      Then the code "GONE" takes nothing off because "discount_expired"

    @spec-4.6-carts
    Scenario: A code nobody gave out
      Given a cart with 2 "shirt" and the code "WISHFUL"
      Then the code "WISHFUL" takes nothing off because "discount_not_found"

  Rule: The list of codes is replaced as a whole

    @spec-4.6-carts
    Scenario: Other codes take the place of the first
      Given a cart with 2 "shirt" and the code "TEN"
      When the shopper sets the codes "GONE, WISHFUL"
      Then the code "GONE" takes nothing off because "discount_expired"
      And the cart lists no code "TEN"
      And the cart is at revision 2

    @spec-4.6-carts
    Scenario: An empty list clears them
      Given a cart with 2 "shirt" and the code "TEN"
      When the shopper clears the codes
      Then the cart lists no code "TEN"
      And the cart costs 30000 KRW

  Rule: A code is used no more often than allowed

    @concurrency @spec-4.6-checkouts
    Scenario: A code for one use serves one of many
      When 4 shoppers with 1 "shirt" and the code "ONCE" each open a payment at once
      Then exactly 1 of them succeeds
