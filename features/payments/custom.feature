Feature: Custom payments
  At a provider without a connection the shop's server opens the payment itself and reports that it arrived; the report places the order.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: There is no order before the shop reports the payment

    @payments-1 @payments-5
    Scenario: Opening the payment places no order
      Given a checkout of 1 "shirt"
      When the shop opens a custom payment
      Then the payment is "pending"
      And the payment slot is held
      And no order is placed

    @payments-16
    Scenario: The report places the order
      Given an open custom payment for 2 "shirt"
      When the shop reports that 33000 KRW arrived
      Then exactly one order of 33000 KRW is placed
      And the ledger shows one payment of 33000 KRW
      And 8 "shirt" are left in stock

    @payments-16
    Scenario: The payment can be looked up by the provider's id
      Given an open custom payment for 1 "shirt"
      And the shop reports that 18000 KRW arrived
      When the shop looks the payment up by the provider's id
      Then the answer holds the status "succeeded", 18000 KRW and the order, and nothing else

  Rule: The reported amount must be the amount of the payment

    @payments-16
    Scenario Outline: <amount> <currency> are refused and the payment stays open
      Given an open custom payment for 1 "shirt"
      When the shop reports that <amount> <currency> arrived
      Then the payment is refused because "payment_amount_mismatch"
      And the payment is "pending"
      And no order is placed

      Examples:
        | amount | currency |
        | 17999  | KRW      |
        | 18001  | KRW      |
        | 18000  | JPY      |

    @payments-16
    Scenario: The right amount can be reported afterwards
      Given an open custom payment for 1 "shirt"
      And the shop reports that 100 KRW arrived
      When the shop reports that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed

  Rule: A payment reported twice is one order

    @payments-17 @idempotency-1
    Scenario: The report is repeated
      Given an open custom payment for 1 "shirt"
      And the shop reports that 18000 KRW arrived
      When the shop reports again that 18000 KRW arrived
      Then the payment succeeds
      And exactly one order of 18000 KRW is placed

    @payments-17 @idempotency-1 @concurrency
    Scenario: The report is repeated eight times at once
      Given an open custom payment for 1 "shirt"
      When the shop reports 8 times at once that 18000 KRW arrived
      Then exactly 8 requests succeed
      And exactly one order of 18000 KRW is placed

  Rule: A provider's payment is used once

    @payments-17
    Scenario: A payment id cannot be used for a second payment
      Given an open custom payment for 1 "shirt"
      And the shop reports that 18000 KRW arrived
      And another open custom payment for 1 "shirt"
      When the shop reports the second payment with the payment id of the first
      Then the payment is refused because "payment_already_recorded"
      And the payment is "pending"

    @payments-17
    Scenario: An event id cannot be used for a second payment
      Given an open custom payment for 1 "shirt"
      And the shop reports that 18000 KRW arrived
      And another open custom payment for 1 "shirt"
      When the shop reports the second payment with the event id of the first
      Then the payment is refused because "provider_event_reused"
      And the payment is "pending"

  Rule: Only the shop's server can report a payment

    @payments-16
    Scenario: A browser cannot open a custom payment
      Given a checkout of 1 "shirt"
      When a browser tries to open a custom payment
      Then the request is refused because "forbidden"

    @payments-16
    Scenario: A browser cannot report a payment
      Given an open custom payment for 1 "shirt"
      When a browser reports that 18000 KRW arrived
      Then the request is refused because "forbidden"
      And no order is placed

    @payments-4
    Scenario: A shopper cannot release the payment slot
      Given an open custom payment for 1 "shirt"
      When the shop cancels the payment
      Then the payment is refused because "payment_slot_held"
      And the payment slot is held

    @payments-4
    Scenario: The shop's server can cancel the payment
      Given an open custom payment for 1 "shirt"
      When the shop's server cancels the custom payment
      Then the payment is "canceled"
      And the payment slot is free

  Rule: A payment that arrives late still places its order

    @payments-20 @clock
    Scenario: A payment that arrives after its reservation expired
      Given an open custom payment for 1 "shirt"
      And 61 minutes pass
      When the shop reports that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed

    @payments-20
    Scenario: A payment that arrives after it was canceled
      Given an open custom payment for 1 "shirt"
      And the shop's server cancels the custom payment
      When the shop reports that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed
