Feature: From a cart to a checkout
  A checkout fixes what is bought and what it costs; an order exists only after it is paid.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |
      | sample  | 0     | 100   | digital |

  Rule: A checkout keeps the lines and prices it was made with

    @spec-2.4-checkout @spec-4.6-checkouts
    Scenario: A checkout adds shipping to the cart
      Given a checkout of 2 "shirt"
      Then the checkout is "open"
      And the checkout holds 2 "shirt"
      And the checkout costs 33000 KRW
      And no order is placed

    @spec-2.4-checkout
    Scenario: A later price change does not reach it
      Given a checkout of 2 "shirt"
      When the price of "shirt" becomes 99000
      Then the checkout costs 33000 KRW

    @spec-4.6-checkouts
    Scenario: An empty cart cannot be checked out
      Given an empty cart
      When the shopper checks out
      Then the checkout is refused because "cart_empty"

    @spec-4.6-checkouts
    Scenario: A new checkout of a cart takes the place of the one before
      Given a checkout of 1 "shirt"
      When the shopper checks out
      Then the checkout is "open"
      And the first checkout is "canceled"

  Rule: What ships needs an address, what does not ship needs none

    @spec-3.4.2
    Scenario: A shirt cannot be paid for without an address
      Given a checkout of 1 "shirt" without an address
      When the shopper opens a payment
      Then the payment is refused because "shipping_address_required"

    @spec-3.4.2
    Scenario: The address can be given later
      Given a checkout of 1 "shirt" without an address
      And the shopper gives an address
      When the shopper opens a payment
      Then the payment succeeds

    @spec-3.4.1 @spec-3.4.2
    Scenario: Digital goods have no shipping
      Given a checkout of 2 "guide" without an address
      When the shopper opens a payment
      Then the payment succeeds
      And the checkout has no shipping
      And the checkout costs 10000 KRW

  Rule: What costs nothing is ordered without paying

    @spec-4.6-checkouts @spec-3.2-payments
    Scenario: A free order is placed at once
      Given a checkout of 1 "sample" without an address
      When the shopper completes the checkout without paying
      Then exactly one order of 0 KRW is placed
      And the cart is "completed"

    @spec-4.6-checkouts @spec-3.2-payments
    Scenario: Whatever costs something has to be paid
      Given a checkout of 1 "guide" without an address
      When the shopper completes the checkout without paying
      Then the checkout is refused because "payment_required"
      And no order is placed

    @spec-4.6.r1 @concurrency
    Scenario: A free checkout that is completed many times at once gives one order
      Given a checkout of 1 "sample" without an address
      When the shopper completes the checkout 8 times at once
      Then exactly 8 of the answers succeed
      And exactly one order of 0 KRW is placed

  Rule: The shop's server finds checkouts

    @spec-4.6-checkouts
    Scenario: By any of their facts, as the list of records finds them
      Given a checkout of 1 "shirt"
      And a checkout of 2 "guide" without an address
      When the shop's server asks for the checkouts that are "open", the newest first
      Then it finds 2 checkouts, the first of 10000 KRW
      And the list of records says the same

    @spec-4.6-checkouts
    Scenario: A browser finds none
      Given a checkout of 1 "shirt"
      When a browser asks for the checkouts of the shop
      Then the request is refused because "forbidden"

  Rule: The checkout's token is given once

    @spec-2.4-checkout
    Scenario: Reading a checkout never shows its token
      Given a checkout of 1 "shirt"
      Then reading the checkout does not show its token

    @spec-2.4-checkout
    Scenario: The cart's token does not open the checkout
      Given a checkout of 1 "shirt"
      Then the checkout cannot be read with the cart's token

    @spec-4.6.r1
    Scenario: A lost answer is given again, token and all
      Given a checkout of 1 "shirt"
      When the shopper repeats that request
      Then the answer is the same as before, marked as a receipt
