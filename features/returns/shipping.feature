Feature: Shipping costs of a return
  The order's shipping policy suggests the shipping refund, the paid shipping is its cap, and only shipped lines count.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | course  | 30000 | 10    | digital |

  Rule: The order's shipping policy suggests the refund of outbound shipping

    @returns-5
    Scenario Outline: One of three units is returned under "<policy>"
      Given a shipping policy that refunds shipping "<policy>"
      And a delivered order of 3 "shirt"
      When the operator previews a return of 1 "shirt"
      Then a shipping refund of <one> KRW is suggested

      Examples:
        | policy           | one  |
        | always           | 3000 |
        | full_return_only | 0    |
        | proportional     | 1000 |
        | never            | 0    |

    @returns-5
    Scenario Outline: All three units are returned under "<policy>"
      Given a shipping policy that refunds shipping "<policy>"
      And a delivered order of 3 "shirt"
      When the operator previews a return of 3 "shirt"
      Then a shipping refund of <all> KRW is suggested

      Examples:
        | policy           | all  |
        | always           | 3000 |
        | full_return_only | 3000 |
        | proportional     | 3000 |
        | never            | 0    |

    @returns-5 @shipping-11
    Scenario: The policy at the time of the order applies
      Given a shipping policy that refunds shipping "proportional"
      And a delivered order of 3 "shirt"
      And a shipping policy that refunds shipping "never"
      When the operator previews a return of 1 "shirt"
      Then a shipping refund of 1000 KRW is suggested

    @returns-5
    Scenario: A customer's return uses the suggestion of the policy
      Given a shipping policy that refunds shipping "full_return_only"
      And the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" requests a return of 2 "shirt"
      Then the return refunds 33000 KRW

    @returns-5
    Scenario: A customer's return is charged the policy's return shipping
      Given a shipping policy that refunds shipping "never" and charges 2500 KRW for return shipping
      And the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" requests a return of 2 "shirt"
      Then the return refunds 27500 KRW

  Rule: All returns together refund at most the shipping that was paid

    @returns-6 @collections-5
    Scenario: Two returns share the cap
      Given a delivered order of 3 "shirt"
      And a return of 1 "shirt" with 2000 KRW of shipping
      When the operator requests a return of 1 "shirt" with 1001 KRW of shipping
      Then the return is refused because "shipping_refund_exceeds_cap"

    @returns-6
    Scenario: Concurrent returns never exceed the cap
      Given a delivered order of 6 "shirt"
      When a return of 1 "shirt" with 1000 KRW of shipping is requested 6 times at once
      Then 3 returns are open

    @returns-6
    Scenario: A rejected return releases its share of the cap
      Given a delivered order of 3 "shirt"
      And a return of 1 "shirt" with 3000 KRW of shipping
      And the shop rejects the return
      When the operator requests a return of 1 "shirt" with 3000 KRW of shipping
      Then the request succeeds

  Rule: Without a policy, a shipping refund needs a note

    @returns-7
    Scenario: A shipping refund without a note
      Given an imported delivered order of 2 "shirt" with 3000 KRW of shipping
      When the operator requests a return of 1 "shirt" with 1 KRW of shipping
      Then the return is refused because "audit_note_required"

    @returns-7
    Scenario: A shipping refund with a note
      Given an imported delivered order of 2 "shirt" with 3000 KRW of shipping
      And the operator prepares a return of 1 "shirt"
      And 3000 KRW of shipping are refunded and 0 KRW charged for return shipping
      And the operator adds the note "It came broken"
      When the return is requested
      Then the return refunds 18000 KRW

    @returns-7
    Scenario: The shipping that was paid is the cap
      Given an imported delivered order of 2 "shirt" with 3000 KRW of shipping
      And the operator prepares a return of 2 "shirt"
      And 3001 KRW of shipping are refunded and 0 KRW charged for return shipping
      And the operator adds the note "It came broken"
      When the return is requested
      Then the return is refused because "shipping_refund_exceeds_cap"

    @returns-7
    Scenario: The operator learns that a note is required
      Given an imported delivered order of 2 "shirt" with 3000 KRW of shipping
      When the operator lists what can be returned
      Then a note is required, at most 3000 KRW of shipping can be refunded and 0 KRW are suggested

  Rule: Only shipped lines have shipping refunds and return shipping

    @returns-8
    Scenario: A line that did not ship has no shipping refund
      Given a delivered order of 1 "shirt" and 1 "course"
      When the operator requests a return of 1 "course" with 1 KRW of shipping
      Then the return is refused because "return_shipping_not_applicable"

    @returns-8
    Scenario: A line that did not ship has no return shipping
      Given a delivered order of 1 "shirt" and 1 "course"
      And the operator prepares a return of 1 "course"
      And 0 KRW of shipping are refunded and 2500 KRW charged for return shipping
      When the return is requested
      Then the return is refused because "return_shipping_not_applicable"

    @returns-8
    Scenario: A returned line that did not ship is not restocked
      Given a delivered order of 1 "shirt" and 1 "course"
      And an approved return of 1 "course"
      When the shop receives the returned products
      And the shop refunds the return
      Then 30000 KRW of the order are refunded
      And 9 "course" are left in stock

    @returns-8
    Scenario: Returning all shipped lines of a mixed order counts as a full return
      Given a shipping policy that refunds shipping "full_return_only"
      And a delivered order of 1 "shirt" and 1 "course"
      When the operator previews a return of 1 "shirt"
      Then a shipping refund of 3000 KRW is suggested
