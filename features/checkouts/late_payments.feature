Feature: Late payments
  A payment that can no longer become its order is kept for an operator to resolve, with a suggested action.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 2     |

  Rule: A late payment requires attention

    @payments-20 @checkouts-11
    Scenario: A payment of a replaced checkout
      Given a late payment of 18000 KRW for a checkout that was replaced
      Then the first checkout is "requires_attention"
      And no order is placed
      And the ledger shows one payment of 18000 KRW

    @payments-20 @checkouts-11
    Scenario: The list suggests an action
      Given a late payment of 18000 KRW for a checkout that was replaced
      Then the list of "requires_attention" checkouts holds 1
      And the suggested action is "refund"

    @payments-20 @checkouts-11
    Scenario: A payment of products that are sold out
      Given an open custom payment for 2 "shirt"
      And the shop releases the payment slot
      And another shopper's payment for 2 "shirt" is open
      When the first shopper's payment arrives
      Then the list of "requires_attention" checkouts holds 1
      And the suggested action is "place_after_restock"

    @checkouts-12 @payments-20
    Scenario: A cart that was already ordered cannot be ordered again
      Given a late payment of 18000 KRW for a checkout that was replaced
      And the cart is ordered with another payment
      When the shop places the order of the late payment
      Then the request is refused because "checkout_not_open"
      And exactly one order of 18000 KRW is placed

    @payments-20 @clock
    Scenario: A payment of an expired checkout still becomes its order
      Given an open custom payment for 1 "shirt"
      And 25 hours pass
      And the shop releases the payment slot
      When the shop reports that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed
      And the checkout is "completed"

  Rule: A payment that fits becomes the order, whichever page it was made on

    @payments-38
    Scenario: The buyer pays on a page that was left open
      Given an open custom payment for 1 "shirt"
      And the shop releases the payment slot
      And the shopper opens a payment
      When the shop reports that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed
      And the checkout is "completed"

    @payments-38
    Scenario: No new checkout while a released payment may still be made
      Given an open custom payment for 1 "shirt"
      And the shop releases the payment slot
      When the shopper checks out
      Then the checkout is refused because "payment_slot_held"

    @payments-38
    Scenario: A released payment that its provider can close does not keep the cart
      Given an open payment for 1 "shirt"
      And the shop releases the payment slot
      When the shopper checks out
      Then the checkout is "open"
      And the first checkout is "canceled"

  Rule: An operator resolves a late payment

    @payments-21
    Scenario: The order is placed
      Given a late payment of 18000 KRW for a checkout that was replaced
      When the shop places the order of the late payment
      Then exactly one order of 18000 KRW is placed
      And the first checkout is "completed"
      And the list of "requires_attention" checkouts holds 0

    @payments-21
    Scenario: The payment is refunded
      Given a late payment of 18000 KRW for a checkout that was replaced
      When the shop refunds the late payment
      Then no order is placed
      And the first checkout is "canceled"
      And the ledger shows one refund of 18000 KRW
      And the list of "requires_attention" checkouts holds 0

    @payments-21
    Scenario: The payment is dismissed
      Given a late payment of 18000 KRW for a checkout that was replaced
      When the shop dismisses the late payment
      Then no order is placed
      And the first checkout is "canceled"
      And the list of "requires_attention" checkouts holds 0

    @payments-21
    Scenario: A resolved payment cannot be resolved again
      Given a late payment of 18000 KRW for a checkout that was replaced
      And the shop refunds the late payment
      When the shop places the order of the late payment
      Then the request is refused because "attention_not_required"
      And no order is placed

    @payments-21
    Scenario: A browser cannot resolve a payment
      Given a late payment of 18000 KRW for a checkout that was replaced
      When a browser tries to place the order of the late payment
      Then the request is refused because "forbidden"
      And no order is placed

    @payments-21 @idempotency-1 @concurrency
    Scenario: Eight concurrent refunds refund once
      Given a late payment of 18000 KRW for a checkout that was replaced
      When the shop refunds the late payment 8 times at once
      Then exactly 8 requests succeed
      And the ledger shows one refund of 18000 KRW
