Feature: Return requests
  Delivered orders can be returned line by line, as long as units remain.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | mug     | 8000  | 10    |

  Rule: Only delivered orders can be returned

    @returns-1
    Scenario: A delivered order is returned
      Given a delivered order of 2 "shirt"
      When a return of 1 "shirt" is requested
      Then the request succeeds
      And the return is "requested"
      And the order is "return_requested"

    @returns-1
    Scenario: A confirmed order is returned
      Given a delivered order of 2 "shirt"
      And the shop moves the order to "confirmed"
      When a return of 2 "shirt" is requested
      Then the order is "return_requested"

    @returns-1
    Scenario: An order that is not delivered cannot be returned
      Given a paid order of 2 "shirt"
      When a return of 1 "shirt" is requested
      Then the return is refused because "return_not_eligible"
      And the order is "paid"

    @returns-1
    Scenario Outline: An order that is "<status>" cannot be returned
      Given an imported order of 2 "shirt" that is "<status>"
      When a return of 1 "shirt" is requested
      Then the return is refused because "return_not_eligible"
      And the order is "<status>"

      Examples:
        | status    |
        | pending   |
        | failed    |
        | preparing |
        | shipped   |
        | canceled  |

    @returns-1
    Scenario: A returned order cannot be returned again
      Given a delivered order of 1 "shirt"
      And a refunded return of 1 "shirt"
      When a return of 1 "shirt" is requested
      Then the return is refused because "return_not_eligible"
      And the order is "returned"

    @returns-1 @returns-11
    Scenario: A rejected return restores the status of the order
      Given a delivered order of 2 "shirt"
      And the shop moves the order to "confirmed"
      And an approved return of 2 "shirt"
      When the shop rejects the return
      Then the return is "rejected"
      And the order is "confirmed"

  Rule: The operator chooses among the remaining units

    @returns-2
    Scenario: Ordered, returned and remaining units
      Given a delivered order of 3 "shirt"
      And an approved return of 1 "shirt"
      When the operator lists what can be returned
      Then of 3 "shirt" 1 was returned and 2 remain
      And returning one more "shirt" would refund 15000 KRW

    @returns-2
    Scenario: Each line has its own restocking fee, and the return one fee for return shipping
      Given a delivered order of 2 "shirt" and 1 "mug"
      And the operator prepares a return of 1 "shirt"
      And the restocking fee is 1000 KRW
      And the operator adds 1 "mug" to the return with a restocking fee of 500 KRW
      When the return is requested with 2500 KRW for return shipping
      Then the return refunds 19000 KRW

    @returns-2
    Scenario: A line that is not chosen remains
      Given a delivered order of 2 "shirt" and 1 "mug"
      And an approved return of 2 "shirt"
      When the operator lists what can be returned
      Then of 2 "shirt" 2 were returned and 0 remain
      And of 1 "mug" 0 were returned and 1 remains

    @returns-2
    Scenario: A second return is requested while the first is open
      Given a delivered order of 3 "shirt"
      And an approved return of 1 "shirt"
      When a return of 2 "shirt" is requested
      Then the request succeeds
      And the order is "return_processing"

    @returns-2
    Scenario: More than remains is refused
      Given a delivered order of 3 "shirt"
      And an approved return of 1 "shirt"
      When a return of 3 "shirt" is requested
      Then the return is refused because "return_quantity_exceeded"

    @returns-2
    Scenario: Concurrent requests return the last units once
      Given a delivered order of 3 "shirt"
      When a return of 2 "shirt" is requested 6 times at once
      Then 1 return is open

    @returns-13
    Scenario: Listing and previewing change nothing
      Given a delivered order of 3 "shirt"
      When the operator previews a return of 2 "shirt"
      Then it would refund 30000 KRW
      And 0 returns are open
      And the order is "delivered"

  Rule: Customers request returns of their own orders

    @returns-12
    Scenario: A customer returns an own order
      Given the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" requests a return of 2 "shirt"
      Then the request succeeds
      And the order is "return_requested"

    @returns-12
    Scenario: A customer cannot return an order of another customer
      Given the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "lee" requests a return of 2 "shirt"
      Then the return is refused because "not_found"

    @returns-12
    Scenario: A customer cannot set shipping refunds
      Given the customers "kim" and "lee"
      And a delivered order of "kim" with 2 "shirt"
      When "kim" requests a return of 2 "shirt" with 3000 KRW of shipping
      Then the return is refused because "validation_failed"

  Rule: What arrives is counted

    @returns-18
    Scenario: Fewer units than were asked for refund less
      Given a delivered order of 2 "shirt"
      And an approved return of 2 "shirt"
      When the shop receives 1 of the returned products, "opened"
      Then the return is "received"
      And the return refunds 15000 KRW
      And 8 "shirt" are left in stock

    @returns-18
    Scenario: What did not arrive can be returned again
      Given a delivered order of 2 "shirt"
      And an approved return of 2 "shirt"
      And the shop receives 1 of the returned products, "as_new"
      When a return of 1 "shirt" is requested
      Then the request succeeds

    @returns-18
    Scenario: Nobody receives more than was asked for
      Given a delivered order of 2 "shirt"
      And an approved return of 1 "shirt"
      When the shop receives 2 of the returned products, "as_new"
      Then the request is refused because "validation_failed"
