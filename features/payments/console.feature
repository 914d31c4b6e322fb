Feature: Refunds made at the provider
  Orders and payments: money that a person gives back in the provider's own console is known to the shop, too.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: The order follows its money

    @spec-3.2-payments
    Scenario: The provider tells of it
      Given a paid order of 1 "shirt"
      When somebody refunds 5000 KRW in the provider's console
      Then the shop learns that 5000 KRW of the order went back
      And the order reads as "partially_refunded"
      And the order is "paid"

    @spec-3.2-payments
    Scenario: Giving everything back cancels nothing by itself
      Given a paid order of 1 "shirt"
      When somebody refunds 18000 KRW in the provider's console
      Then the shop learns that 18000 KRW of the order went back
      And the order reads as "refunded"
      And the order is "paid"
      And 9 "shirt" are left in stock

  Rule: What the shop gives back afterwards comes from what is left

    @spec-3.2-payments
    Scenario: A cancel gives the rest back
      Given a paid order of 1 "shirt"
      And somebody refunds 5000 KRW in the provider's console
      When the shop cancels the order
      Then the order is "canceled"
      And 18000 KRW of the order went back

    @spec-3.2-payments
    Scenario: A cancel of an order whose money is back already
      Given a paid order of 1 "shirt"
      And somebody refunds 18000 KRW in the provider's console
      When the shop cancels the order
      Then the order is "canceled"
      And 18000 KRW of the order went back
      And 10 "shirt" are left in stock

    @spec-3.3.3
    Scenario: A return is paid out of the rest
      Given a delivered order of 1 "shirt"
      And an approved return of 1 "shirt"
      And somebody refunds 3000 KRW in the provider's console
      When the shop pays the return out
      Then 18000 KRW of the order went back
      And the order is "returned"

    @spec-3.3.3
    Scenario: A return that wants more than is left
      Given a delivered order of 1 "shirt"
      And an approved return of 1 "shirt"
      And somebody refunds 5000 KRW in the provider's console
      When the shop pays the return out
      Then the return is refused because "refund_exceeds_paid"
      And the shop reads that 13000 KRW are left
