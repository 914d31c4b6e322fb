Feature: Being told of changes
  A shop's own systems hear of changes to its records: each names what it wants to hear of, and can tell that it was the shop who spoke.

  Background:
    Given a shop

  Rule: A receiver is told in a way it can trust

    @spec-6-receivers
    Scenario: The secret of a receiver is shown once
      When the shop adds a receiver for "orders"
      Then the request succeeds
      And the answer shows a secret to sign with
      And the secret is shown nowhere else

    @spec-6-receivers
    Scenario: A repeated request shows the same secret again
      When the shop adds a receiver for "orders"
      And the shop repeats the request for the receiver
      Then the answer is the same as before, marked as a receipt
      And the shop has 1 receiver

    @spec-6-receivers
    Scenario: A secret is replaced
      Given the shop adds a receiver for "orders"
      When the shop replaces its secret
      Then the request succeeds
      And the answer shows another secret, beside which the old one holds for a day

    @spec-6-receivers
    Scenario: A receiver is refused where others could listen
      When the shop adds a receiver whose address holds a password
      Then the request is refused because "validation_failed"

    @spec-6-receivers
    Scenario: A receiver of what does not exist is refused
      When the shop adds a receiver for "dreams"
      Then the request is refused because "validation_failed"

  Rule: A receiver hears of its own environment

    @spec-6-receivers
    Scenario: What tests make stays among tests
      When the shop adds a receiver for "orders"
      Then the receiver belongs to "test"
      And the receiver is not seen among those of "live"

    @spec-6-receivers
    Scenario: A test key does not listen to real business
      When the shop's test key adds a receiver for real orders
      Then the request is refused because "forbidden"

    @spec-6-receivers
    Scenario: A key does not listen to what only admins see
      When the shop adds a receiver for "users"
      Then the request is refused because "forbidden"

  Rule: A receiver can be tried, told again, and taken away

    @spec-6-receivers
    Scenario: A receiver is tried
      Given the shop adds a receiver for "orders"
      When the shop tries the receiver
      Then the request succeeds
      And the log shows 1 message to the receiver, marked as a test

    @spec-6-receivers
    Scenario: A receiver is told again of what happened before it was there
      Given the brands "Nord" and "Sud" were added
      And the shop adds a receiver for "brands"
      When the shop has the receiver told again from the beginning
      Then the request succeeds
      And the log shows 2 messages to the receiver

    @spec-6-receivers
    Scenario: A receiver that is off is told nothing again
      Given the shop adds a receiver for "brands"
      And the shop switches the receiver off
      When the shop has the receiver told again from the beginning
      Then the request is refused because "webhook_endpoint_disabled"

    @spec-6-receivers
    Scenario: A receiver is taken away
      Given the shop adds a receiver for "orders"
      When the shop takes the receiver away
      Then the shop has 0 receivers

  Rule: A plan includes so many receivers

    @spec-1.7 @spec-6-receivers
    Scenario Outline: The <plan> plan includes <most>
      Given a shop on the "<plan>" plan
      And the shop adds <most> receivers
      When the shop adds a receiver for "orders"
      Then the request is refused because "webhook_endpoint_limit"

      Examples:
        | plan  | most |
        | free  | 1    |
        | basic | 3    |
        | pro   | 5    |

    @spec-1.7 @spec-6-receivers
    Scenario: The largest plan has no limit
      Given a shop on the "enterprise" plan
      When the shop adds 8 receivers
      Then the shop has 8 receivers

    @spec-1.7 @spec-6-receivers
    Scenario: A receiver that was taken away leaves room for another
      Given a shop on the "free" plan
      And the shop adds 1 receiver
      And the shop takes the receiver away
      When the shop adds a receiver for "orders"
      Then the request succeeds

    @spec-1.7 @spec-6-receivers @concurrency
    Scenario: A crowd gets no further than one
      Given a shop on the "basic" plan
      When the shop adds 20 receivers at once
      Then exactly 3 of them succeed
      And the shop has 3 receivers
