Feature: Return refunds
  The refund is the lines plus outbound shipping, less restocking fees and return shipping.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | pin     | 4000  | 10    |
    And the code "LESS" takes 2000 KRW off

  Rule: The refund is lines plus shipping, less the fees

    @returns-3 @returns-4
    Scenario: All four parts
      Given a delivered order of 2 "shirt"
      And the operator prepares a return of 2 "shirt"
      And the restocking fee is 1000 KRW
      And 3000 KRW of shipping are refunded and 2500 KRW charged for return shipping
      When the return is requested
      Then the return refunds 29500 KRW

    @returns-4
    Scenario: Outbound shipping is refunded
      Given a delivered order of 2 "shirt"
      And the operator prepares a return of 1 "shirt"
      And 3000 KRW of shipping are refunded and 0 KRW charged for return shipping
      When the return is requested
      Then the return refunds 18000 KRW

    @returns-4
    Scenario: Return shipping is charged
      Given a delivered order of 2 "shirt"
      And the operator prepares a return of 1 "shirt"
      And 0 KRW of shipping are refunded and 2500 KRW charged for return shipping
      When the return is requested
      Then the return refunds 12500 KRW

    @returns-9
    Scenario: Split returns refund the same total
      Given a delivered order of 3 "pin" with the code "LESS"
      When 3 returns of 1 "pin" are refunded one after the other
      Then the returns refunded 3333, 3334 and 3333 KRW
      And 10000 KRW of the order are refunded
      And the order is "returned"

    @returns-3
    Scenario: Fees above the refund are refused
      Given a delivered order of 1 "shirt"
      And the operator prepares a return of 1 "shirt"
      And 0 KRW of shipping are refunded and 15001 KRW charged for return shipping
      When the return is requested
      Then the return is refused because "refund_negative"

    @returns-9
    Scenario: A restocking fee cannot exceed the refund of its line
      Given a delivered order of 1 "shirt"
      And the operator prepares a return of 1 "shirt"
      And the restocking fee is 15001 KRW
      When the return is requested
      Then the return is refused because "restocking_fee_exceeds_line"

  Rule: A return is refunded once

    @returns-10
    Scenario: From the request to the refund
      Given a delivered order of 2 "shirt"
      And an approved return of 2 "shirt"
      When the shop receives the returned products
      And the shop refunds the return
      Then 30000 KRW of the order are refunded
      And 10 "shirt" are left in stock

    @returns-10
    Scenario: Stock that was not tracked at the time of the order is not restored
      Given the shop stops tracking the stock of "shirt"
      And a delivered order of 2 "shirt"
      And the shop starts tracking the stock of "shirt"
      And an approved return of 2 "shirt"
      When the shop receives the returned products
      Then 10 "shirt" are left in stock

    @returns-10
    Scenario: Concurrent refunds refund once
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      When the shop refunds the return 6 times at once
      Then 15000 KRW of the order are refunded
      And the ledger shows 1 refund
      And the order is "delivered"

    @returns-10
    Scenario: A lost answer of the provider refunds once
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      And the next answer of the provider is lost
      And the shop refunds the return
      When the shop refunds the return
      Then the ledger shows 1 refund

    @returns-10
    Scenario: A failed refund can be repeated
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      And the provider completes refunds later
      And the shop refunds the return
      When the provider fails the refund
      Then the return is "approved"

    @returns-12
    Scenario: Editors can approve a return but not refund it
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      When an editor refunds the return
      Then the return is refused because "forbidden"
