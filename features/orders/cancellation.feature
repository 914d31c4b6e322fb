Feature: Canceling an order
  An order that has not shipped can be canceled: the payment is refunded once and the stock is restored.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: Canceling refunds the payment and restores the stock

    @orders-7
    Scenario: A paid order is canceled
      Given a paid order of 2 "shirt"
      When the shop cancels the order
      Then the order is "canceled"
      And 33000 KRW of the order are refunded
      And 10 "shirt" are left in stock
      And the order's fulfillment orders are canceled

    @orders-7 @idempotency-1
    Scenario: A repeated cancellation refunds once
      Given a paid order of 1 "shirt"
      When the shop cancels the order
      And the shop repeats the request
      Then the cancellation succeeds
      And 18000 KRW of the order are refunded
      And the ledger shows 1 refund

    @orders-7
    Scenario: Concurrent cancellations refund once
      Given a paid order of 1 "shirt"
      When the shop cancels the order 6 times at once
      Then the order is "canceled"
      And 18000 KRW of the order are refunded
      And the ledger shows 1 refund
      And 10 "shirt" are left in stock

    @orders-7
    Scenario: A canceled order cannot be canceled again
      Given a paid order of 1 "shirt"
      And the shop cancels the order
      When the shop cancels the order
      Then the cancellation is refused because "order_transition_invalid"
      And the ledger shows 1 refund

    @orders-4
    Scenario: Shoppers cannot cancel orders
      Given a paid order of 1 "shirt"
      When the shopper tries to cancel the order
      Then the cancellation is refused because "forbidden"
      And the order is "paid"

  Rule: Exactly the stock that the order took is restored

    @orders-7
    Scenario: Stock is restored although it is no longer tracked
      Given a paid order of 2 "shirt"
      And the shop stops tracking the stock of "shirt"
      When the shop cancels the order
      Then 10 "shirt" are left in stock

    @orders-7
    Scenario: Stock that was not tracked at the time of the order is not restored
      Given the shop stops tracking the stock of "shirt"
      And a paid order of 2 "shirt"
      And the shop starts tracking the stock of "shirt"
      When the shop cancels the order
      Then 10 "shirt" are left in stock

    @drafts-6 @orders-7
    Scenario: A manual order restores its stock
      Given a finalized draft order of 2 "shirt"
      When the shop cancels the order
      Then 10 "shirt" are left in stock

  Rule: A provider failure never causes a second refund

    @orders-9 @idempotency-1
    Scenario: While the provider is unavailable, the order does not change
      Given a paid order of 1 "shirt"
      And the provider fails 1000 times
      When the shop cancels the order
      Then the cancellation is refused because "provider_unavailable"
      And the order is "paid"

    @orders-9 @idempotency-1
    Scenario: A lost answer of the provider refunds once
      Given a paid order of 1 "shirt"
      And the next answer of the provider is lost
      And the shop cancels the order
      When the shop repeats the request
      Then 18000 KRW of the order are refunded
      And the ledger shows 1 refund

  Rule: A refund may complete later, or fail

    @payments-30
    Scenario: A pending refund does not count as refunded
      Given a canceled order of 1 "shirt" whose refund is pending
      Then the order is "canceled"
      And the order's payment status is "paid"
      And 0 KRW of the order are refunded

    @payments-30
    Scenario: A pending refund completes
      Given a canceled order of 1 "shirt" whose refund is pending
      When the provider completes the refund
      Then the order's payment status is "refunded"
      And 18000 KRW of the order are refunded

    @payments-30
    Scenario: A failed refund leaves the order paid
      Given a canceled order of 1 "shirt" whose refund is pending
      When the provider fails the refund
      Then the refund is marked as failed
      And the order's payment status is "paid"

    @payments-30
    Scenario: Another cancellation retries a failed refund
      Given a canceled order of 1 "shirt" whose refund is pending
      And the provider fails the refund
      When the shop cancels the order
      Then the order's payment status is "refunded"
      And 10 "shirt" are left in stock
