@storage
Feature: The lifecycle of a checkout
  A checkout expires after a day unless a payment is open. An open payment blocks changes.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | sample  | 0     | 100   | digital |

  Rule: An unpaid checkout expires after a day

    @checkouts-6 @clock
    Scenario: After a day the checkout can no longer be paid
      Given a checkout of 1 "shirt"
      And 24 hours pass
      When the shopper opens a payment
      Then the payment is refused because "checkout_expired"
      And the checkout is "expired"
      And the list of "expired" checkouts holds 1

    @checkouts-6 @clock
    Scenario: A minute earlier the checkout is still open
      Given a checkout of 1 "shirt"
      When 1439 minutes pass
      Then the checkout is "open"
      And the list of "expired" checkouts holds 0

    @checkouts-6 @clock
    Scenario: A free checkout expires as well
      Given a checkout of 1 "sample" without an address
      And 24 hours pass
      When the shopper completes the checkout without paying
      Then the checkout is refused because "checkout_expired"
      And no order is placed

    @checkouts-6 @clock
    Scenario: The cart of an expired checkout can be checked out again
      Given a checkout of 1 "shirt"
      And 24 hours pass
      When the shopper checks out
      Then the checkout is "open"
      And the first checkout is "expired"

    @checkouts-7 @payments-3 @clock
    Scenario: A checkout with an open payment does not expire
      Given an open payment for 1 "shirt"
      When 24 hours pass
      Then the checkout is "payment_pending"
      And the payment slot is held

  Rule: An open payment blocks changes of its checkout

    @checkouts-7
    Scenario: The address cannot be changed
      Given an open payment for 1 "shirt"
      When the shopper enters an address
      Then the checkout is refused because "payment_slot_held"

    @checkouts-7
    Scenario: No new checkout replaces it
      Given an open payment for 1 "shirt"
      When the shopper checks out
      Then the checkout is refused because "payment_slot_held"
      And the checkout is "payment_pending"

    @checkouts-3
    Scenario: A checkout that was replaced cannot be paid
      Given a checkout of 1 "shirt"
      And the shopper checks out
      When the shopper opens a payment for the first checkout
      Then the payment is refused because "checkout_not_open"

  Rule: A checkout stays open after its payment ends

    @checkouts-8
    Scenario: After a payment was declined, canceled and released
      Given an open payment for 1 "shirt"
      And the shopper declines the payment
      And the shop cancels the payment
      And the shopper opens a payment
      When the shop releases the payment slot
      Then the checkout is "open"
