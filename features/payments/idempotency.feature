@storage
Feature: Idempotency of checkouts and payments
  Each step has its own random idempotency key, which is used again after a lost answer.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: Every step needs an idempotency key

    @idempotency-1
    Scenario Outline: The <who> <step> without an idempotency key
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When the <who> <step> without an idempotency key
      Then the request is refused because "idempotency_key_required"
      And no order is placed
      And the checkout is "payment_pending"

      Examples:
        | who     | step                      |
        | shopper | checks out                |
        | shopper | changes the checkout      |
        | shopper | completes the checkout    |
        | shopper | opens a payment           |
        | shop    | cancels the payment       |
        | shop    | confirms the payment      |
        | shopper | opens a payment page      |
        | shopper | cancels the payment page  |
        | shop    | reconciles the payment    |
        | shop    | opens a custom payment    |
        | shop    | confirms a custom payment |

  Rule: An idempotency key is not derived from an id

    @idempotency-2
    Scenario Outline: The <who> <step> with an idempotency key derived from the <thing>
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When the <who> <step> with an idempotency key derived from the id of the <thing>
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

    @idempotency-2
    Scenario: An order cannot be canceled with an idempotency key derived from its id
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      And the shop confirms the payment
      When the shop cancels the order with an idempotency key derived from its id
      Then the request is refused because "idempotency_key_derived"
      And exactly one order of 18000 KRW is placed

  Rule: One idempotency key has one result

    @idempotency-1
    Scenario: A confirmation whose answer was lost is repeated with its key
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      And the next answer of the provider is lost
      And the shop confirms the payment
      When the shopper repeats the request
      Then exactly one order of 18000 KRW is placed

    @idempotency-8
    Scenario: One idempotency key cannot be used for two requests
      Given a checkout of 1 "shirt"
      And the shopper opens a payment
      When the shopper opens a payment with another return address and the idempotency key of that request
      Then the request is refused because "idempotency_key_reused"
      And the payment slot is held
