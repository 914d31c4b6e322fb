Feature: Payments at a provider the shop has no connection for
  The shop's own server opens the payment there, checks itself that the money arrived, and says so. The order is made on its word.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: No order before the shop says that the money arrived

    @spec-4.6-payments @spec-3.2-payments
    Scenario: Opening the payment makes no order
      Given a checkout of 1 "shirt"
      When the shop opens a payment of its own bank
      Then the payment is "pending"
      And the payment slot is held
      And no order is placed

    @spec-4.6-payments @spec-3.2-payments
    Scenario: The confirm makes the order
      Given an open payment of the shop's own bank for 2 "shirt"
      When the shop says that 33000 KRW arrived
      Then exactly one order of 33000 KRW is placed
      And the books show one payment of 33000 KRW
      And 8 "shirt" are left in stock

    @spec-4.6-payments
    Scenario: The payment can be looked up by the bank's own numbers
      Given an open payment of the shop's own bank for 1 "shirt"
      And the shop says that 18000 KRW arrived
      When the shop asks what became of the bank's payment
      Then it is told "succeeded", 18000 KRW and the order, and nothing else

  Rule: What arrived is exactly what was asked for

    @spec-4.6-payments
    Scenario Outline: <amount> <currency> are refused and the payment stays open
      Given an open payment of the shop's own bank for 1 "shirt"
      When the shop says that <amount> <currency> arrived
      Then the payment is refused because "payment_amount_mismatch"
      And the payment is "pending"
      And no order is placed

      Examples:
        | amount | currency |
        | 17999  | KRW      |
        | 18001  | KRW      |
        | 18000  | JPY      |

    @spec-4.6-payments
    Scenario: The right amount can be told afterwards
      Given an open payment of the shop's own bank for 1 "shirt"
      And the shop says that 100 KRW arrived
      When the shop says that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed

  Rule: The same news twice is one order

    @spec-4.6.r1
    Scenario: The bank's news are told again
      Given an open payment of the shop's own bank for 1 "shirt"
      And the shop says that 18000 KRW arrived
      When the shop says again that 18000 KRW arrived
      Then the payment succeeds
      And exactly one order of 18000 KRW is placed

    @concurrency @spec-4.6.r1
    Scenario: The bank's news are told eight times at once
      Given an open payment of the shop's own bank for 1 "shirt"
      When the shop says 8 times at once that 18000 KRW arrived
      Then exactly 8 of the answers succeed
      And exactly one order of 18000 KRW is placed

  Rule: One payment of the bank pays once

    @spec-4.6-payments
    Scenario: A payment that paid one purchase does not pay another
      Given an open payment of the shop's own bank for 1 "shirt"
      And the shop says that 18000 KRW arrived
      And another open payment of the shop's own bank for 1 "shirt"
      When the shop says that the bank's first payment arrived for it
      Then the payment is refused because "payment_already_recorded"
      And the payment is "pending"

    @spec-4.6-payments
    Scenario: News that told of one payment do not tell of another
      Given an open payment of the shop's own bank for 1 "shirt"
      And the shop says that 18000 KRW arrived
      And another open payment of the shop's own bank for 1 "shirt"
      When the shop takes the bank's first news for another payment
      Then the payment is refused because "provider_event_reused"
      And the payment is "pending"

  Rule: Only the shop's server vouches for a payment

    @spec-4.6-payments
    Scenario: A browser cannot open such a payment
      Given a checkout of 1 "shirt"
      When a browser tries to open a payment of the shop's own bank
      Then the request is refused because "forbidden"

    @spec-4.6-payments
    Scenario: A browser cannot say that the money arrived
      Given an open payment of the shop's own bank for 1 "shirt"
      When a browser says that 18000 KRW arrived
      Then the request is refused because "forbidden"
      And no order is placed

    @spec-3.2-payments
    Scenario: A shopper cannot free the slot
      Given an open payment of the shop's own bank for 1 "shirt"
      When the shop cancels the payment
      Then the payment is refused because "payment_slot_held"
      And the payment slot is held

    @spec-3.2-payments
    Scenario: The shop's server can, once the bank closed the payment
      Given an open payment of the shop's own bank for 1 "shirt"
      When the shop's server says that the bank closed the payment
      Then the payment is "canceled"
      And the payment slot is free

  Rule: Money is never dropped

    @spec-3.2-payments @clock
    Scenario: Money that arrives after the goods were released still buys them
      Given an open payment of the shop's own bank for 1 "shirt"
      And 61 minutes pass
      When the shop says that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed

    @spec-3.2-payments
    Scenario: Money for a payment the bank had closed still buys the goods
      Given an open payment of the shop's own bank for 1 "shirt"
      And the shop's server says that the bank closed the payment
      When the shop says that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed
