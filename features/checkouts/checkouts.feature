Feature: From a cart to a checkout
  A checkout fixes lines and prices; an order exists only once it is paid.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |
      | sample  | 0     | 100   | digital |

  Rule: A checkout keeps the lines and prices it was created with

    @checkouts-1 @checkouts-9
    Scenario: A checkout adds shipping to the cart
      Given a checkout of 2 "shirt"
      Then the checkout is "open"
      And the checkout holds 2 "shirt"
      And the checkout's total is 33000 KRW
      And no order is placed

    @checkouts-1
    Scenario: A later price change does not affect it
      Given a checkout of 2 "shirt"
      When the price of "shirt" becomes 99000
      Then the checkout's total is 33000 KRW

    @checkouts-2
    Scenario: An empty cart cannot be checked out
      Given an empty cart
      When the shopper checks out
      Then the checkout is refused because "cart_empty"

    @checkouts-3
    Scenario: A new checkout of a cart replaces the previous one
      Given a checkout of 1 "shirt"
      When the shopper checks out
      Then the checkout is "open"
      And the first checkout is "canceled"

  Rule: Only checkouts that ship need an address

    @checkouts-4
    Scenario: A checkout that ships cannot be paid without an address
      Given a checkout of 1 "shirt" without an address
      When the shopper opens a payment
      Then the payment is refused because "shipping_address_required"

    @checkouts-4
    Scenario: The address can be entered later
      Given a checkout of 1 "shirt" without an address
      And the shopper enters an address
      When the shopper opens a payment
      Then the payment succeeds

    @shipping-1 @shipping-2 @checkouts-4
    Scenario: Digital products have no shipping
      Given a checkout of 2 "guide" without an address
      When the shopper opens a payment
      Then the payment succeeds
      And the checkout has no shipping
      And the checkout's total is 10000 KRW

  Rule: A free checkout is completed without payment

    @checkouts-5
    Scenario: A free order is placed at once
      Given a checkout of 1 "sample" without an address
      When the shopper completes the checkout without paying
      Then exactly one order of 0 KRW is placed
      And the cart is "completed"

    @checkouts-5
    Scenario: A checkout with a total must be paid
      Given a checkout of 1 "guide" without an address
      When the shopper completes the checkout without paying
      Then the checkout is refused because "payment_required"
      And no order is placed

    @checkouts-5 @idempotency-1 @concurrency
    Scenario: A free checkout that is completed concurrently makes one order
      Given a checkout of 1 "sample" without an address
      When the shopper completes the checkout 8 times at once
      Then exactly 8 requests succeed
      And exactly one order of 0 KRW is placed

  Rule: The shop's server finds checkouts

    @checkouts-10
    Scenario: Checkouts are filtered and sorted like any collection
      Given a checkout of 1 "shirt"
      And a checkout of 2 "guide" without an address
      When the shop's server lists the "open" checkouts, newest first
      Then it finds 2 checkouts, the first of 10000 KRW
      And the collection lists the same checkouts

    @checkouts-10
    Scenario: A browser cannot list checkouts
      Given a checkout of 1 "shirt"
      When a browser lists the shop's checkouts
      Then the request is refused because "forbidden"

  Rule: The checkout's token is shown once

    @checkouts-8 @idempotency-17
    Scenario: Reading a checkout never shows its token
      Given a checkout of 1 "shirt"
      Then reading the checkout does not show its token

    @checkouts-8
    Scenario: The cart's token cannot read the checkout
      Given a checkout of 1 "shirt"
      Then the checkout cannot be read with the cart's token

    @idempotency-1 @idempotency-9
    Scenario: A repeated request replays the answer including the token
      Given a checkout of 1 "shirt"
      When the shopper repeats the request
      Then the first answer is replayed
