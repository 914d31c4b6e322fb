Feature: Refunds made at the provider
  Refunds that somebody makes in the provider's console are recorded in the shop as well.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: The order's payment status follows refunds at the provider

    @payments-29
    Scenario: The provider reports a partial refund
      Given a paid order of 1 "shirt"
      When somebody refunds 5000 KRW in the provider's console
      Then the shop learns that 5000 KRW of the order are refunded
      And the order's payment status is "partially_refunded"
      And the order is "paid"

    @payments-29
    Scenario: A full refund does not cancel the order
      Given a paid order of 1 "shirt"
      When somebody refunds 18000 KRW in the provider's console
      Then the shop learns that 18000 KRW of the order are refunded
      And the order's payment status is "refunded"
      And the order is "paid"
      And 9 "shirt" are left in stock

  Rule: Later refunds are limited to the remaining amount

    @payments-29
    Scenario: A cancellation refunds the rest
      Given a paid order of 1 "shirt"
      And somebody refunds 5000 KRW in the provider's console
      When the shop cancels the order
      Then the order is "canceled"
      And 18000 KRW of the order are refunded

    @payments-29
    Scenario: A cancellation of a fully refunded order
      Given a paid order of 1 "shirt"
      And somebody refunds 18000 KRW in the provider's console
      When the shop cancels the order
      Then the order is "canceled"
      And 18000 KRW of the order are refunded
      And 10 "shirt" are left in stock

    @payments-29 @returns-3
    Scenario: A return is refunded from the rest
      Given a delivered order of 1 "shirt"
      And an approved return of 1 "shirt"
      And somebody refunds 3000 KRW in the provider's console
      When the shop refunds the return
      Then 18000 KRW of the order are refunded
      And the order is "returned"

    @payments-28 @returns-3
    Scenario: A return of more than the rest is refused
      Given a delivered order of 1 "shirt"
      And an approved return of 1 "shirt"
      And somebody refunds 5000 KRW in the provider's console
      When the shop refunds the return
      Then the return is refused because "refund_exceeds_paid"
      And the refusal says that 13000 KRW can still be refunded
