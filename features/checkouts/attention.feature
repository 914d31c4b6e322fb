Feature: Money that came too late
  Money is never lost and never makes a second order: what cannot become an order waits for a person, who is told what to do.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 2     |

  Rule: Late money waits for a person

    @spec-3.2-payments @spec-4.6-checkouts
    Scenario: The money of a checkout that was replaced
      Given late money of 18000 KRW for a checkout that was replaced
      Then the first checkout is "requires_attention"
      And no order is placed
      And the books show one payment of 18000 KRW

    @spec-3.2-payments @spec-4.6-checkouts
    Scenario: The list says what to do
      Given late money of 18000 KRW for a checkout that was replaced
      Then the shop's list of "requires_attention" checkouts holds 1
      And the list suggests "refund"

    @spec-3.2-payments @spec-4.6-checkouts
    Scenario: The money of goods that are gone
      Given an open payment of the shop's own bank for 2 "shirt"
      And the shop frees the payment slot by hand
      And another shopper's payment for 2 "shirt" is open
      When the money of the first shopper arrives
      Then the shop's list of "requires_attention" checkouts holds 1
      And the list suggests "place_after_restock"

    @spec-3.2-payments @spec-4.6-checkouts
    Scenario: A cart that was ordered is not ordered again
      Given late money of 18000 KRW for a checkout that was replaced
      And the cart was ordered with other money
      When the shop places the order of the late money
      Then the request is refused because "checkout_not_open"
      And exactly one order of 18000 KRW is placed

    @spec-3.2-payments @clock
    Scenario: Money for a checkout that merely expired still becomes its order
      Given an open payment of the shop's own bank for 1 "shirt"
      And 25 hours pass
      And the shop frees the payment slot by hand
      When the shop says that 18000 KRW arrived
      Then exactly one order of 18000 KRW is placed
      And the checkout is "completed"

  Rule: A person ends it

    @spec-3.2-payments @spec-4.6-payments
    Scenario: The order is placed after all
      Given late money of 18000 KRW for a checkout that was replaced
      When the shop places the order of the late money
      Then exactly one order of 18000 KRW is placed
      And the first checkout is "completed"
      And the shop's list of "requires_attention" checkouts holds 0

    @spec-3.2-payments @spec-4.6-payments
    Scenario: The money is given back
      Given late money of 18000 KRW for a checkout that was replaced
      When the shop gives the late money back
      Then no order is placed
      And the first checkout is "canceled"
      And the books show 18000 KRW given back
      And the shop's list of "requires_attention" checkouts holds 0

    @spec-3.2-payments @spec-4.6-payments
    Scenario: It was dealt with elsewhere
      Given late money of 18000 KRW for a checkout that was replaced
      When the shop notes that the late money was dealt with
      Then no order is placed
      And the first checkout is "canceled"
      And the shop's list of "requires_attention" checkouts holds 0

    @spec-3.2-payments @spec-4.6-payments
    Scenario: What was dealt with is not dealt with again
      Given late money of 18000 KRW for a checkout that was replaced
      And the shop gives the late money back
      When the shop places the order of the late money
      Then the request is refused because "attention_not_required"
      And no order is placed

    @spec-4.6-payments
    Scenario: A browser cannot
      Given late money of 18000 KRW for a checkout that was replaced
      When a browser tries to place the order of the late money
      Then the request is refused because "forbidden"
      And no order is placed

    @spec-4.6.r1 @concurrency
    Scenario: Eight people give it back at once
      Given late money of 18000 KRW for a checkout that was replaced
      When the shop gives the late money back 8 times at once
      Then exactly 8 of the answers succeed
      And the books show 18000 KRW given back
