@storage
Feature: Discount codes in a cart
  A usable code lowers the total; a code that cannot be used is listed with the reason.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
    And the code "TEN" takes 10 percent off
    And the code "ONCE" takes 5000 KRW off, once
    And the code "GONE" takes 5000 KRW off until 2020-01-01

  Rule: A usable code lowers the total

    @carts-9
    Scenario: A percentage is taken off the lines
      Given a cart with 2 "shirt" and the code "TEN"
      Then the code "TEN" takes 3000 off the cart

    @carts-9
    Scenario: Codes ignore upper and lower case
      Given a cart with 2 "shirt" and the code "ten"
      Then the code "TEN" takes 3000 off the cart

  Rule: A code that cannot be used stays listed with its reason

    @carts-9
    Scenario: An expired code
      Given a cart with 2 "shirt" and the code "GONE"
      Then the code "GONE" takes nothing off because "discount_expired"

    @carts-9
    Scenario: An unknown code
      Given a cart with 2 "shirt" and the code "WISHFUL"
      Then the code "WISHFUL" takes nothing off because "discount_not_found"

  Rule: The list of codes is replaced as a whole

    @carts-9
    Scenario: New codes replace the earlier ones
      Given a cart with 2 "shirt" and the code "TEN"
      When the shopper sets the discount codes "GONE, WISHFUL"
      Then the code "GONE" takes nothing off because "discount_expired"
      And the cart lists no code "TEN"
      And the cart is at revision 2

    @carts-9
    Scenario: An empty list removes all codes
      Given a cart with 2 "shirt" and the code "TEN"
      When the shopper clears the discount codes
      Then the cart lists no code "TEN"
      And the cart's subtotal is 30000 KRW

  Rule: A code is never used more often than its limit

    @discounts-6 @concurrency
    Scenario: A code with one use applies to one of several concurrent payments
      When 4 shoppers with 1 "shirt" and the code "ONCE" each open a payment at once
      Then exactly 1 request succeeds
