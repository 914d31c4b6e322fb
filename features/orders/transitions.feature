Feature: Order status transitions
  An order moves from status to status; only the defined transitions are allowed.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: An order moves along its defined transitions

    @orders-1
    Scenario: An order goes from paid to confirmed
      Given a paid order of 1 "shirt"
      When the shop moves the order to "preparing", then "shipped", then "delivered"
      Then the order's fulfillment status is "fulfilled"
      When the shop moves the order to "confirmed"
      Then the order is "confirmed"

    @orders-1
    Scenario: No status is skipped
      Given a paid order of 1 "shirt"
      When the shop moves the order to "delivered"
      Then the transition is refused because "order_transition_invalid"
      And the refusal names the current status "paid"
      And the order is "paid"

    @orders-2
    Scenario: Only return requests move an order to a return status
      Given an imported order that is "delivered"
      When the shop moves the order to "return_requested"
      Then the transition is refused because "order_transition_invalid"

    @orders-1
    Scenario: An order with a failed payment can still be paid
      Given an imported order that is "failed"
      When the shop moves the order to "pending", then "paid"
      Then the order's payment status is "paid"

    @orders-16
    Scenario: Concurrent transitions succeed once
      Given a paid order of 1 "shirt"
      When 6 operators move the order to "preparing" at once
      Then exactly 1 request succeeds and the others name the current status "preparing"

  Rule: A manual payment is recorded like any other

    @orders-3
    Scenario: The shopper paid by bank transfer
      Given an imported order that is "pending"
      When the shop moves the order to "paid" with the note "By bank transfer"
      Then the order's payment status is "paid"
      And the ledger shows one payment of 18000 KRW
      And the ledger's payment has the note "By bank transfer"

    @orders-3
    Scenario: A manual payment is refunded by hand
      Given an imported order that is "pending"
      And the shop moves the order to "paid"
      When the shop cancels the order
      Then 18000 KRW of the order are refunded
      And the ledger shows 1 refund

    @orders-7
    Scenario: Moving an order to canceled cancels it
      Given a paid order of 2 "shirt"
      When the shop moves the order to "canceled"
      Then 33000 KRW of the order are refunded
      And 10 "shirt" are left in stock

  Rule: Editors fulfill orders, only admins record payments

    @orders-4
    Scenario: An editor prepares an order
      Given "eve" becomes a "tenant-editor" of the shop
      And a paid order of 1 "shirt"
      When "eve" moves the order to "preparing"
      Then the order is "preparing"

    @orders-4 @access-33
    Scenario: An editor cannot record a payment
      Given "eve" becomes a "tenant-editor" of the shop
      And an imported order that is "pending"
      When "eve" moves the order to "paid"
      Then the transition is refused because "forbidden"
      And the order is "pending"

    @orders-4
    Scenario: A viewer cannot change an order
      Given "eve" becomes a "tenant-viewer" of the shop
      And a paid order of 1 "shirt"
      When "eve" moves the order to "preparing"
      Then the transition is refused because "forbidden"

    @orders-4
    Scenario: A shopper cannot change an order
      Given a paid order of 1 "shirt"
      When the shopper tries to move the order to "delivered"
      Then the transition is refused because "forbidden"

  Rule: Delivered orders are confirmed automatically after a number of days

    @orders-5 @clock
    Scenario: A delivered order is confirmed after seven days
      Given an imported order that is "delivered"
      When 6 days pass
      Then the order is "delivered"
      When 1 day passes
      Then the order is "confirmed"

    @orders-5 @clock
    Scenario: A shop can set the number of days
      Given an imported order that is "delivered"
      And the shop confirms delivered orders after 2 days
      When 2 days pass
      Then the order is "confirmed"

    @orders-5 @clock
    Scenario: A shop can turn automatic confirmation off
      Given an imported order that is "delivered"
      And the shop confirms delivered orders after 0 days
      When 100 days pass
      Then the order is "delivered"

    @orders-5 @clock
    Scenario: An order with a return request is not confirmed
      Given an imported order that is "return_requested"
      When 100 days pass
      Then the order is "return_requested"
