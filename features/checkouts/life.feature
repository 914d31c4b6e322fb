Feature: How long a checkout lives
  A checkout waits a day for its payment. While a payment of it is open nothing else may take its place.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | sample  | 0     | 100   | digital |

  Rule: What nobody pays for within a day is over

    @spec-4.6-checkouts @clock
    Scenario: After a day the checkout cannot be paid any more
      Given a checkout of 1 "shirt"
      And 24 hours pass
      When the shopper opens a payment
      Then the payment is refused because "checkout_expired"
      And the checkout is "expired"
      And the shop's list of "expired" checkouts holds 1

    @spec-4.6-checkouts @clock
    Scenario: A minute before it is still open
      Given a checkout of 1 "shirt"
      When 1439 minutes pass
      Then the checkout is "open"
      And the shop's list of "expired" checkouts holds 0

    @spec-4.6-checkouts @clock
    Scenario: What costs nothing has to be ordered in time, too
      Given a checkout of 1 "sample" without an address
      And 24 hours pass
      When the shopper completes the checkout without paying
      Then the checkout is refused because "checkout_expired"
      And no order is placed

    @spec-4.6-checkouts @clock
    Scenario: Its cart can be checked out again
      Given a checkout of 1 "shirt"
      And 24 hours pass
      When the shopper checks out
      Then the checkout is "open"
      And the first checkout is "expired"

    @spec-4.6-checkouts @spec-4.6.r9 @clock
    Scenario: One whose payment is open is still waited for
      Given an open payment for 1 "shirt"
      When 24 hours pass
      Then the checkout is "payment_pending"
      And the payment slot is held

  Rule: While a payment is open, its checkout stays as it is

    @spec-4.6-checkouts
    Scenario: The address cannot be changed
      Given an open payment for 1 "shirt"
      When the shopper gives an address
      Then the checkout is refused because "payment_slot_held"

    @spec-4.6-checkouts
    Scenario: No new checkout takes its place
      Given an open payment for 1 "shirt"
      When the shopper checks out
      Then the checkout is refused because "payment_slot_held"
      And the checkout is "payment_pending"

    @spec-4.6-checkouts
    Scenario: A checkout that was replaced cannot be paid
      Given a checkout of 1 "shirt"
      And the shopper checks out
      When the shopper pays the first checkout
      Then the payment is refused because "checkout_not_open"

  Rule: The right to a checkout outlives its payments

    @spec-2.4-checkout
    Scenario: After a payment was declined, canceled and freed by hand
      Given an open payment for 1 "shirt"
      And the buyer declines it
      And the shop cancels the payment
      And the shopper opens a payment
      When the shop frees the payment slot by hand
      Then the checkout is "open"
