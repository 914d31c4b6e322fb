Feature: Keys of checkouts and payments
  Each step has one random key of its own: it is kept, and used again after a lost answer.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: No step without a key

    @spec-4.6.r1
    Scenario Outline: <who> <step> without a key
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When the <who> <step> without a key
      Then the request is refused because "idempotency_key_required"
      And no order is placed
      And the checkout is "payment_pending"

      Examples:
        | who     | step                   |
        | shopper | checks out             |
        | shopper | changes the checkout   |
        | shopper | completes the checkout |
        | shopper | opens a payment        |
        | shop    | cancels the payment    |
        | shop    | confirms the payment   |
        | shopper | opens a payment page   |
        | shopper | cancels the page       |
        | shop    | reconciles the payment |
        | shop    | opens its own payment  |
        | shop    | says that money came   |

  Rule: A key is not made from the number of anything it acts on

    @spec-4.6.r2
    Scenario Outline: <who> <step> under a key made from the <thing>
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When the <who> <step> under a key made from the number of the <thing>
      Then the request is refused because "idempotency_key_derived"
      And no order is placed
      And the checkout is "payment_pending"

      Examples:
        | who     | step                   | thing              |
        | shopper | checks out             | cart               |
        | shopper | changes the checkout   | checkout           |
        | shopper | completes the checkout | checkout           |
        | shopper | opens a payment        | checkout           |
        | shop    | cancels the payment    | payment            |
        | shop    | cancels the payment    | checkout           |
        | shop    | confirms the payment   | payment            |
        | shop    | confirms the payment   | provider's payment |

    @spec-4.6.r2
    Scenario: The number of an order is no key for canceling it
      Given an open payment for 1 "shirt"
      And the buyer approves it
      And the shop confirms the payment
      When the shop cancels the order under a key made from its number
      Then the request is refused because "idempotency_key_derived"
      And exactly one order of 18000 KRW is placed

  Rule: One key, one result

    @spec-4.6.r1
    Scenario: A confirmation whose answer was lost is asked for again under its key
      Given an open payment for 1 "shirt"
      And the buyer approves it
      And the provider loses its next answer
      And the shop confirms the payment
      When the shopper repeats that request
      Then exactly one order of 18000 KRW is placed

    @spec-4.6.r1
    Scenario: One key does not serve two requests
      Given a checkout of 1 "shirt"
      And the shopper opens a payment
      When the shopper opens a payment that returns elsewhere under the key of that request
      Then the request is refused because "idempotency_key_reused"
      And the payment slot is held
