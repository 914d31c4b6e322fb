Feature: What a return gives back
  Return requests, rules 3 and 4: the lines and the outbound shipping, less restocking fees and the fee for the way back.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | pin     | 4000  | 10    |
    And the code "LESS" takes 2000 KRW off

  Rule: Lines plus shipping, less the fees

    @spec-3.3.3 @spec-3.3.4
    Scenario: All four parts
      Given a delivered order of 2 "shirt"
      And the operator enters a return of 2 "shirt"
      And 1000 KRW are kept for restocking
      And 3000 KRW of shipping are given back and 2500 KRW charged for the way back
      When the return is asked for
      Then the return gives 29500 KRW back

    @spec-3.3.4
    Scenario: Outbound shipping is given to the customer
      Given a delivered order of 2 "shirt"
      And the operator enters a return of 1 "shirt"
      And 3000 KRW of shipping are given back and 0 KRW charged for the way back
      When the return is asked for
      Then the return gives 18000 KRW back

    @spec-3.3.4
    Scenario: The way back is charged to the customer
      Given a delivered order of 2 "shirt"
      And the operator enters a return of 1 "shirt"
      And 0 KRW of shipping are given back and 2500 KRW charged for the way back
      When the return is asked for
      Then the return gives 12500 KRW back

    @spec-3.3.3
    Scenario: Units give back what they cost together, however they are split
      Given a delivered order of 3 "pin" with the code "LESS"
      When 3 returns of 1 "pin" are paid out one after the other
      Then the returns gave 3333, 3334 and 3333 KRW back
      And 10000 KRW of the order went back
      And the order is "returned"

    @spec-3.3.3
    Scenario: Fees above what comes back
      Given a delivered order of 1 "shirt"
      And the operator enters a return of 1 "shirt"
      And 0 KRW of shipping are given back and 15001 KRW charged for the way back
      When the return is asked for
      Then the return is refused because "refund_negative"

    @spec-3.3.3
    Scenario: A restocking fee is at most what its line gives back
      Given a delivered order of 1 "shirt"
      And the operator enters a return of 1 "shirt"
      And 15001 KRW are kept for restocking
      When the return is asked for
      Then the return is refused because "restocking_fee_exceeds_line"

  Rule: The money goes back once

    @spec-3.3.3
    Scenario: From the wish to the money
      Given a delivered order of 2 "shirt"
      And an approved return of 2 "shirt"
      When the goods of the return arrive
      And the shop pays the return out
      Then 30000 KRW of the order went back
      And 10 "shirt" are left in stock

    @spec-3.3.3
    Scenario: Goods that were not counted when they were sold
      Given the shop counts "shirt" no longer
      And a delivered order of 2 "shirt"
      And the shop counts "shirt"
      And an approved return of 2 "shirt"
      When the goods of the return arrive
      Then 10 "shirt" are left in stock

    @spec-3.3.3
    Scenario: Six operators pay out at the same time
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      When the shop pays the return out 6 times at once
      Then 15000 KRW of the order went back
      And the books show 1 refund
      And the order is "delivered"

    @spec-3.3.3
    Scenario: An answer lost on the way pays out once
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      And the provider loses its next answer
      And the shop pays the return out
      When the shop pays the return out
      Then the books show 1 refund

    @spec-3.3.3
    Scenario: What the bank could not give back is paid out again
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      And the bank gives money back later
      And the shop pays the return out
      When the bank cannot give it back
      Then the return is "approved"

    @spec-3.3.3
    Scenario: Editors decide about a return, but do not pay it out
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      When an editor pays the return out
      Then the return is refused because "forbidden"
