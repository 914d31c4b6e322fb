Feature: Canceling an order
  An order that has not shipped can be called off: what was paid goes back once, and what was taken is there again.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: A cancel gives everything back

    @spec-3.2-payments
    Scenario: A paid order is canceled
      Given a paid order of 2 "shirt"
      When the shop cancels the order
      Then the order is "canceled"
      And 33000 KRW of the order went back
      And 10 "shirt" are left in stock
      And the work of the order is called off

    @spec-3.2-payments @spec-4.6.r1
    Scenario: The same cancel sent twice pays back once
      Given a paid order of 1 "shirt"
      When the shop cancels the order
      And the shop sends the same cancel again
      Then the cancel succeeds
      And 18000 KRW of the order went back
      And the books show 1 refund

    @spec-3.2-payments
    Scenario: Two operators cancel at the same time
      Given a paid order of 1 "shirt"
      When the shop cancels the order 6 times at once
      Then the order is "canceled"
      And 18000 KRW of the order went back
      And the books show 1 refund
      And 10 "shirt" are left in stock

    @spec-3.2-payments
    Scenario: A canceled order is not canceled again
      Given a paid order of 1 "shirt"
      And the shop cancels the order
      When the shop cancels the order
      Then the cancel is refused because "order_transition_invalid"
      And the books show 1 refund

    @spec-3.2-payments
    Scenario: Shoppers cannot cancel by themselves
      Given a paid order of 1 "shirt"
      When the shopper tries to cancel the order
      Then the cancel is refused because "forbidden"
      And the order is "paid"

  Rule: What the sale took is there again, and nothing else

    @spec-3.2-payments
    Scenario: Goods that are counted no longer come back all the same
      Given a paid order of 2 "shirt"
      And the shop counts "shirt" no longer
      When the shop cancels the order
      Then 10 "shirt" are left in stock

    @spec-3.2-payments
    Scenario: Goods that were not counted yet do not come back
      Given the shop counts "shirt" no longer
      And a paid order of 2 "shirt"
      And the shop counts "shirt"
      When the shop cancels the order
      Then 10 "shirt" are left in stock

    @spec-4.4-drafts
    Scenario: An operator's order gives back what it took
      Given a finalized draft order of 2 "shirt"
      When the shop cancels the order
      Then 10 "shirt" are left in stock

  Rule: Money never goes back twice, whatever the provider does

    @spec-4.6.r1
    Scenario: While nobody knows, the order stays as it is
      Given a paid order of 1 "shirt"
      And the provider fails 1000 times
      When the shop cancels the order
      Then the cancel is refused because "provider_unavailable"
      And the order is "paid"

    @spec-4.6.r1
    Scenario: An answer lost on the way pays back once
      Given a paid order of 1 "shirt"
      And the provider loses its next answer
      And the shop cancels the order
      When the shop sends the same cancel again
      Then 18000 KRW of the order went back
      And the books show 1 refund

  Rule: A bank may take its time, and may fail

    @spec-3.2-payments
    Scenario: Until the bank gave it back the money is not refunded
      Given a canceled order of 1 "shirt" whose money the bank gives back later
      Then the order is "canceled"
      And the order reads as "paid"
      And 0 KRW of the order went back

    @spec-3.2-payments
    Scenario: The bank gives the money back later
      Given a canceled order of 1 "shirt" whose money the bank gives back later
      When the bank gives it back
      Then the order reads as "refunded"
      And 18000 KRW of the order went back

    @spec-3.2-payments
    Scenario: What the bank could not give back is owed
      Given a canceled order of 1 "shirt" whose money the bank gives back later
      When the bank cannot give it back
      Then the refund says that it failed
      And the order reads as "paid"

    @spec-3.2-payments
    Scenario: What is owed is given back by another cancel
      Given a canceled order of 1 "shirt" whose money the bank gives back later
      And the bank cannot give it back
      When the shop cancels the order
      Then the order reads as "refunded"
      And 10 "shirt" are left in stock
