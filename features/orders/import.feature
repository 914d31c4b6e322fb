Feature: Importing orders
  A shop imports the orders of its previous system: each with its status and number, once.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: An order is imported with its status

    @orders-10
    Scenario: A delivered order stays delivered
      Given an imported order that is "delivered"
      Then the order is "delivered"
      And the order's payment status is "paid"
      And the order's fulfillment status is "fulfilled"
      And the order has no return shipping policy

    @orders-11
    Scenario: An imported order that was not shipped is shipped here
      Given an imported order that is "paid"
      When the shop moves the order to "preparing", then "shipped"
      Then the order's fulfillment status is "fulfilled"

    @orders-10
    Scenario: An import does not change the stock
      Given an imported order of 3 "shirt"
      Then 10 "shirt" are left in stock

  Rule: An order is imported once

    @orders-10
    Scenario: A repeated import changes nothing
      Given an imported order that is "paid"
      And the shop moves the order to "preparing"
      When the shop imports the same order again
      Then 0 orders are created, 1 unchanged and 0 refused
      And the order is "preparing"

    @orders-10
    Scenario: An order is never overwritten
      Given an imported order that is "paid"
      When the shop imports the same order number as "delivered"
      Then 0 orders are created, 0 unchanged and 1 refused
      And the order is "paid"

  Rule: An invalid order does not prevent the others

    @orders-10
    Scenario: Wrong totals are refused
      When the shop imports three orders, the second with a total that is 1 KRW too high
      Then 2 orders are created, 0 unchanged and 1 refused
      And the refusal names the total of the second order

    @orders-12
    Scenario: An admin imports orders
      When the admin imports an order
      Then 1 orders are created, 0 unchanged and 0 refused

    @orders-12
    Scenario: An editor cannot import orders
      Given "eve" becomes a "tenant-editor" of the shop
      When "eve" imports an order
      Then the request is refused because "forbidden"
