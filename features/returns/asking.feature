Feature: Asking for a return
  Return requests, rules 1 and 2: what was delivered can come back, line by line, as often as units remain.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | mug     | 8000  | 10    |

  Rule: Only what was delivered comes back

    @spec-3.3.1
    Scenario: A delivered order is returned
      Given a delivered order of 2 "shirt"
      When a return of 1 "shirt" is asked for
      Then the request succeeds
      And the return is "requested"
      And the order is "return_requested"

    @spec-3.3.1
    Scenario: A confirmed order is returned
      Given a delivered order of 2 "shirt"
      And the shop calls the order "confirmed"
      When a return of 2 "shirt" is asked for
      Then the order is "return_requested"

    @spec-3.3.1
    Scenario: What was not delivered yet cannot come back
      Given a paid order of 2 "shirt"
      When a return of 1 "shirt" is asked for
      Then the return is refused because "return_not_eligible"
      And the order is "paid"

    @spec-3.3.1
    Scenario Outline: An order that is "<status>" cannot come back
      Given an order of another system with 2 "shirt" that is "<status>"
      When a return of 1 "shirt" is asked for
      Then the return is refused because "return_not_eligible"
      And the order is "<status>"

      Examples:
        | status    |
        | pending   |
        | failed    |
        | preparing |
        | shipped   |
        | canceled  |

    @spec-3.3.1
    Scenario: An order that came back cannot come back again
      Given a delivered order of 1 "shirt"
      And a return of 1 "shirt" that was paid out
      When a return of 1 "shirt" is asked for
      Then the return is refused because "return_not_eligible"
      And the order is "returned"

    @spec-3.3.1
    Scenario: Rejected, the order is where it was before
      Given a delivered order of 2 "shirt"
      And the shop calls the order "confirmed"
      And an approved return of 2 "shirt"
      When the shop rejects the return
      Then the return is "rejected"
      And the order is "confirmed"

  Rule: The operator sees what remains and picks from it

    @spec-3.3.2
    Scenario: Ordered, returned and remaining units
      Given a delivered order of 3 "shirt"
      And an approved return of 1 "shirt"
      When the operator looks at what may come back
      Then of 3 "shirt" 1 was returned and 2 remain
      And one more "shirt" would give 15000 KRW back

    @spec-3.3.2
    Scenario: Lines are picked, each with its own fee, and one fee for the way back
      Given a delivered order of 2 "shirt" and 1 "mug"
      And the operator enters a return of 1 "shirt"
      And 1000 KRW are kept for restocking
      And the operator adds 1 "mug" to the return, of which 500 KRW are kept
      When it is asked for, with 2500 KRW for the way back
      Then the return gives 19000 KRW back

    @spec-3.3.2
    Scenario: A line that is not picked stays
      Given a delivered order of 2 "shirt" and 1 "mug"
      And an approved return of 2 "shirt"
      When the operator looks at what may come back
      Then of 2 "shirt" 2 were returned and 0 remain
      And of 1 "mug" 0 were returned and 1 remains

    @spec-3.3.2
    Scenario: A second return while the first is open
      Given a delivered order of 3 "shirt"
      And an approved return of 1 "shirt"
      When a return of 2 "shirt" is asked for
      Then the request succeeds
      And the order is "return_processing"

    @spec-3.3.2
    Scenario: More than remains
      Given a delivered order of 3 "shirt"
      And an approved return of 1 "shirt"
      When a return of 3 "shirt" is asked for
      Then the return is refused because "return_quantity_exceeded"

    @spec-3.3.2
    Scenario: Six operators ask for the last units at the same time
      Given a delivered order of 3 "shirt"
      When a return of 2 "shirt" is asked for 6 times at once
      Then 1 return is open

    @spec-3.3.2
    Scenario: Looking and previewing change nothing
      Given a delivered order of 3 "shirt"
      When the operator previews a return of 2 "shirt"
      Then it would give 30000 KRW back
      And 0 returns are open
      And the order is "delivered"

  Rule: Customers ask for themselves

    @spec-3.3.1
    Scenario: A customer returns an own order
      Given the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" asks for a return of 2 "shirt"
      Then the request succeeds
      And the order is "return_requested"

    @spec-3.3.1
    Scenario: Nobody returns the order of somebody else
      Given the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "lee" asks for a return of 2 "shirt"
      Then the return is refused because "not_found"

    @spec-3.3.2
    Scenario: A customer enters no fees
      Given the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" asks for a return of 2 "shirt" with 3000 KRW of shipping
      Then the return is refused because "validation_failed"
