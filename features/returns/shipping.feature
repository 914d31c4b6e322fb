Feature: Shipping of a return
  Return requests, rules 5 to 8: the policy of the order suggests, what was paid is the cap, and only what was shipped counts.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | course  | 30000 | 10    | digital |

  Rule: The order's policy suggests how much outbound shipping is given back

    @spec-3.3.5
    Scenario Outline: One of three shirts comes back under "<policy>"
      Given a shop policy that gives shipping back "<policy>"
      And a delivered order of 3 "shirt"
      When the operator previews a return of 1 "shirt"
      Then <one> KRW of shipping are suggested

      Examples:
        | policy           | one  |
        | always           | 3000 |
        | full_return_only | 0    |
        | proportional     | 1000 |
        | never            | 0    |

    @spec-3.3.5
    Scenario Outline: All three come back under "<policy>"
      Given a shop policy that gives shipping back "<policy>"
      And a delivered order of 3 "shirt"
      When the operator previews a return of 3 "shirt"
      Then <all> KRW of shipping are suggested

      Examples:
        | policy           | all  |
        | always           | 3000 |
        | full_return_only | 3000 |
        | proportional     | 3000 |
        | never            | 0    |

    @spec-3.3.5
    Scenario: The policy at the time of the order counts
      Given a shop policy that gives shipping back "proportional"
      And a delivered order of 3 "shirt"
      And a shop policy that gives shipping back "never"
      When the operator previews a return of 1 "shirt"
      Then 1000 KRW of shipping are suggested

    @spec-3.3.5
    Scenario: A customer gets what the policy suggests
      Given a shop policy that gives shipping back "full_return_only"
      And the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" asks for a return of 2 "shirt"
      Then the return gives 33000 KRW back

    @spec-3.3.5
    Scenario: A customer pays the way back that the policy names
      Given a shop policy that gives shipping back "never" and charges 2500 KRW for the way back
      And the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" asks for a return of 2 "shirt"
      Then the return gives 27500 KRW back

  Rule: All returns together give back at most the shipping that was paid

    @spec-3.3.6 @spec-8-values
    Scenario: Two returns share the shipping
      Given a delivered order of 3 "shirt"
      And a return of 1 "shirt" with 2000 KRW of shipping
      When the operator asks for a return of 1 "shirt" with 1001 KRW of shipping
      Then the return is refused because "shipping_refund_exceeds_cap"

    @spec-3.3.6
    Scenario: Six returns at the same time never pass it
      Given a delivered order of 6 "shirt"
      When a return of 1 "shirt" with 1000 KRW of shipping is asked for 6 times at once
      Then 3 returns are open

    @spec-3.3.6
    Scenario: A rejected return frees its shipping
      Given a delivered order of 3 "shirt"
      And a return of 1 "shirt" with 3000 KRW of shipping
      And the shop rejects the return
      When the operator asks for a return of 1 "shirt" with 3000 KRW of shipping
      Then the request succeeds

  Rule: Without a policy, a note says why shipping is given back

    @spec-3.3.7
    Scenario: Shipping without a note
      Given a delivered order of 2 "shirt" from another system, with 3000 KRW of shipping
      When the operator asks for a return of 1 "shirt" with 1 KRW of shipping
      Then the return is refused because "audit_note_required"

    @spec-3.3.7
    Scenario: Shipping with a note
      Given a delivered order of 2 "shirt" from another system, with 3000 KRW of shipping
      And the operator enters a return of 1 "shirt"
      And 3000 KRW of shipping are given back and 0 KRW charged for the way back
      And the operator notes "It came broken"
      When the return is asked for
      Then the return gives 18000 KRW back

    @spec-3.3.7
    Scenario: The shipping that was paid is the cap
      Given a delivered order of 2 "shirt" from another system, with 3000 KRW of shipping
      And the operator enters a return of 2 "shirt"
      And 3001 KRW of shipping are given back and 0 KRW charged for the way back
      And the operator notes "It came broken"
      When the return is asked for
      Then the return is refused because "shipping_refund_exceeds_cap"

    @spec-3.3.7
    Scenario: The operator is told that a note is needed
      Given a delivered order of 2 "shirt" from another system, with 3000 KRW of shipping
      When the operator looks at what may come back
      Then a note is needed, at most 3000 KRW of shipping go back and 0 KRW are suggested

  Rule: Only what was shipped gives shipping back, or costs a way back

    @spec-3.3.8
    Scenario: A course gives no shipping back
      Given a delivered order of 1 "shirt" and 1 "course"
      When the operator asks for a return of 1 "course" with 1 KRW of shipping
      Then the return is refused because "return_shipping_not_applicable"

    @spec-3.3.8
    Scenario: A course costs no way back
      Given a delivered order of 1 "shirt" and 1 "course"
      And the operator enters a return of 1 "course"
      And 0 KRW of shipping are given back and 2500 KRW charged for the way back
      When the return is asked for
      Then the return is refused because "return_shipping_not_applicable"

    @spec-3.3.8
    Scenario: A course does not go back on the shelf
      Given a delivered order of 1 "shirt" and 1 "course"
      And an approved return of 1 "course"
      When the goods of the return arrive
      And the shop pays the return out
      Then 30000 KRW of the order went back
      And 9 "course" are left in stock

    @spec-3.3.8
    Scenario: The shipped part of a mixed order is a full return of what was shipped
      Given a shop policy that gives shipping back "full_return_only"
      And a delivered order of 1 "shirt" and 1 "course"
      When the operator previews a return of 1 "shirt"
      Then 3000 KRW of shipping are suggested
