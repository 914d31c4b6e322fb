Feature: From a payment to an order
  A captured payment becomes exactly one order, and there is no order without one.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: A payment that the provider confirms places the order

    @payments-1 @payments-9 @orders-15
    Scenario: An approved payment becomes a paid order
      Given an open payment for 2 "shirt"
      And the shopper approves the payment
      When the shop confirms the payment
      Then exactly one order of 33000 KRW is placed
      And the ledger shows one payment of 33000 KRW
      And 8 "shirt" are left in stock

    @payments-34
    Scenario: A shopper pays on the provider's page
      Given an open payment for 1 "shirt"
      And the shopper declines on the provider's page
      And the shopper pays on the provider's page
      When the shop confirms the payment
      Then exactly one order of 18000 KRW is placed

    @checkouts-12
    Scenario: A paid cart cannot be changed
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      And the shop confirms the payment
      When the shopper adds 1 "shirt"
      Then the change is refused because "cart_not_active"
      And the cart is "completed"

    @payments-9 @idempotency-1
    Scenario: Confirming twice places one order
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      And the shop confirms the payment
      When the shop confirms the payment
      Then the payment succeeds
      And exactly one order of 18000 KRW is placed

    @idempotency-1
    Scenario: A lost answer of the provider does not lose the payment
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      And the next answer of the provider is lost
      When the shop confirms the payment
      And the shop confirms the payment
      Then exactly one order of 18000 KRW is placed

  Rule: Only the provider's confirmation counts

    @payments-6
    Scenario: A shopper who returns has not necessarily paid
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When the shopper's browser returns to the shop
      Then the checkout is "payment_pending"
      And no order is placed

    @payments-6
    Scenario: A payment that was not approved is refused
      Given an open payment for 1 "shirt"
      When the shop confirms the payment with an invented payment key
      Then the payment is refused because "provider_rejected"
      And no order is placed
      And the payment slot is held

    @payments-9
    Scenario: A browser cannot confirm
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When a browser tries to confirm the payment itself
      Then the request is refused because "forbidden"
      And no order is placed

  Rule: The amount must be the checkout's total

    @payments-8
    Scenario: Another amount is refused
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When the shop confirms the payment with an amount of 100
      Then the payment is refused because "payment_amount_mismatch"
      And no order is placed

    @payments-8
    Scenario: A wrong amount captured by the provider places no order
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      And the provider captures a wrong amount
      When the shop confirms the payment
      Then no order is placed
      And the checkout is "requires_attention"

  Rule: A failed attempt keeps the slot for the same payment

    @payments-3
    Scenario: A declined payment stays open
      Given an open payment for 1 "shirt"
      And the shopper declines the payment
      When the shopper opens the same payment again
      Then the payment is the same as before
      And the payment slot is held
      And no order is placed

    @payments-3
    Scenario: The second attempt can succeed
      Given an open payment for 1 "shirt"
      And the shopper declines the payment
      And the shopper approves the payment
      When the shop confirms the payment
      Then exactly one order of 18000 KRW is placed

    @payments-2
    Scenario: Another payment is refused while one is open
      Given an open payment for 1 "shirt"
      When the shopper opens a payment with another return address
      Then the payment is refused because "payment_slot_held"

    @payments-4
    Scenario: A canceled payment releases the slot
      Given an open payment for 1 "shirt"
      When the shop cancels the payment
      Then the payment is "canceled"
      And the payment slot is free

  Rule: Provider failures can be retried

    @api-12
    Scenario: A temporary refusal says when to retry
      Given a checkout of 1 "shirt"
      And the provider fails 1 time
      When the shopper opens a payment
      Then the payment is refused because "provider_unavailable"
      And the refusal says when to retry
      And the refusal holds the request's id

    @api-12
    Scenario: A permanent refusal says not to retry
      Given a checkout of 1 "shirt" without an address
      When the shopper opens a payment
      Then the payment is refused because "shipping_address_required"
      And the refusal says not to retry
      And the refusal holds the request's id

    @payments-24 @payments-26 @api-12 @idempotency-1
    Scenario: A payment opens when the provider is available again
      Given a checkout of 1 "shirt"
      And the provider fails 1 time
      And the shopper opens a payment
      When the shopper repeats the request
      Then the payment succeeds
      And the payment slot is held

  Rule: Concurrent confirmations place one order

    @payments-7 @payments-9 @idempotency-1 @concurrency
    Scenario: Eight confirmations at once
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When the shop confirms the payment 8 times at once
      Then exactly 8 requests succeed
      And exactly one order of 18000 KRW is placed

  Rule: The last unit is reserved once

    @payments-18 @concurrency
    Scenario: Twelve shoppers compete for the last ten units
      When 12 shoppers with 1 "shirt" each open a payment at once
      Then exactly 10 requests succeed
