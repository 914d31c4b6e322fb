Feature: From a payment to an order
  Money that was taken becomes exactly one order, and nothing becomes an order without it.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: A payment that the provider confirms places the order

    @spec-4.6-payments @spec-3.2-payments
    Scenario: An approved payment becomes a paid order
      Given an open payment for 2 "shirt"
      And the buyer approves it
      When the shop confirms the payment
      Then exactly one order of 33000 KRW is placed
      And the books show one payment of 33000 KRW
      And 8 "shirt" are left in stock

    @spec-4.6-payments @spec-3.2-payments
    Scenario: A person pays on the provider's page
      Given an open payment for 1 "shirt"
      And the buyer declines on the provider's page
      And the buyer pays on the provider's page
      When the shop confirms the payment
      Then exactly one order of 18000 KRW is placed

    @spec-4.6-payments
    Scenario: A paid cart takes no more changes
      Given an open payment for 1 "shirt"
      And the buyer approves it
      And the shop confirms the payment
      When the shopper adds 1 "shirt"
      Then the change is refused because "cart_not_active"
      And the cart is "completed"

    @spec-4.6.r1
    Scenario: Confirming twice places one order
      Given an open payment for 1 "shirt"
      And the buyer approves it
      And the shop confirms the payment
      When the shop confirms the payment
      Then the payment succeeds
      And exactly one order of 18000 KRW is placed

    @spec-4.6.r1
    Scenario: An answer lost on the way does not lose the payment
      Given an open payment for 1 "shirt"
      And the buyer approves it
      And the provider loses its next answer
      When the shop confirms the payment
      And the shop confirms the payment
      Then exactly one order of 18000 KRW is placed

  Rule: Only the provider's own word counts

    @spec-4.6.r8
    Scenario: A buyer who comes back has not paid
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When the buyer's browser comes back to the shop
      Then the checkout is "payment_pending"
      And no order is placed

    @spec-4.6.r8
    Scenario: A payment nobody approved is refused
      Given an open payment for 1 "shirt"
      When the shop confirms a payment nobody approved
      Then no order is placed
      And the payment slot is held

    @spec-4.6-payments
    Scenario: A browser cannot confirm
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When a browser tries to confirm the payment itself
      Then the request is refused because "forbidden"
      And no order is placed

  Rule: The amount is the checkout's amount

    @spec-4.6-payments
    Scenario: Another amount is refused
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When the shop confirms the payment as 100
      Then the payment is refused because "payment_amount_mismatch"
      And no order is placed

    @spec-4.6-payments
    Scenario: A provider that takes a wrong amount places no order
      Given an open payment for 1 "shirt"
      And the buyer approves it
      And the provider captures a wrong amount
      When the shop confirms the payment
      Then no order is placed
      And the checkout is "requires_attention"

  Rule: A failed attempt keeps the slot for the same payment

    @spec-3.2-payments
    Scenario: A declined buyer keeps the payment
      Given an open payment for 1 "shirt"
      And the buyer declines it
      When the shopper opens the same payment again
      Then the payment is the same as before
      And the payment slot is held
      And no order is placed

    @spec-3.2-payments
    Scenario: The second attempt can succeed
      Given an open payment for 1 "shirt"
      And the buyer declines it
      And the buyer approves it
      When the shop confirms the payment
      Then exactly one order of 18000 KRW is placed

    @spec-3.2-payments
    Scenario: Another payment has to wait
      Given an open payment for 1 "shirt"
      When the shopper opens a payment that returns elsewhere
      Then the payment is refused because "payment_slot_held"

    @spec-3.2-payments
    Scenario: A canceled payment gives the slot back
      Given an open payment for 1 "shirt"
      When the shop cancels the payment
      Then the payment is "canceled"
      And the payment slot is free

  Rule: A provider in trouble is tried again

    @spec-7.3.1
    Scenario: A refusal tells how to go on
      Given a checkout of 1 "shirt"
      And the provider fails 1 time
      When the shopper opens a payment
      Then the payment is refused because "provider_unavailable"
      And the refusal says when to try again
      And the refusal names the request

    @spec-7.3.1
    Scenario: A refusal for good says so
      Given a checkout of 1 "shirt" without an address
      When the shopper opens a payment
      Then the payment is refused because "shipping_address_required"
      And the refusal invites to no second try
      And the refusal names the request

    @spec-4.6.r1 @spec-7.3.1
    Scenario: A payment opens once the provider is back
      Given a checkout of 1 "shirt"
      And the provider fails 1 time
      And the shopper opens a payment
      When the shopper repeats that request
      Then the payment succeeds
      And the payment slot is held

  Rule: However many confirm at once, there is one order

    @concurrency @spec-4.6.r1
    Scenario: Eight confirmations at once
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When the shop confirms the payment 8 times at once
      Then exactly 8 of the answers succeed
      And exactly one order of 18000 KRW is placed

  Rule: The last piece is promised once

    @concurrency @spec-3.2-payments
    Scenario: Twelve shoppers want the last ten shirts
      When 12 shoppers with 1 "shirt" each open a payment at once
      Then exactly 10 of them succeed
