Feature: The life of an order
  An order goes from placed to confirmed one step at a time; whoever moves it by hand may take no step that it does not have.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: An order takes one step after the other

    @spec-3.2-orders
    Scenario: An order goes from paid to confirmed
      Given a paid order of 1 "shirt"
      When the shop calls the order "preparing", then "shipped", then "delivered"
      Then the goods of the order are "fulfilled"
      When the shop calls the order "confirmed"
      Then the order is "confirmed"

    @spec-3.2-orders
    Scenario: No step is left out
      Given a paid order of 1 "shirt"
      When the shop calls the order "delivered"
      Then the step is refused because "order_transition_invalid"
      And the refusal says that the order was "paid"
      And the order is "paid"

    @spec-3.2-orders
    Scenario: Only return requests say that goods come back
      Given an order of another system that is "delivered"
      When the shop calls the order "return_requested"
      Then the step is refused because "order_transition_invalid"

    @spec-3.2-orders
    Scenario: A payment that failed gets another chance
      Given an order of another system that is "failed"
      When the shop calls the order "pending", then "paid"
      Then the order reads as "paid"

    @spec-3.2-orders
    Scenario: Operators who are late learn that they are
      Given a paid order of 1 "shirt"
      When 6 operators call the order "preparing" at once
      Then one of them succeeds, and the others learn that the order was "preparing"

  Rule: A payment by hand is money like any other

    @spec-3.2-orders
    Scenario: The buyer paid by bank transfer
      Given an order of another system that is "pending"
      When the shop calls the order "paid" and notes "By bank transfer"
      Then the order reads as "paid"
      And the books show one payment of 18000 KRW
      And the payment is noted as "By bank transfer"

    @spec-3.2-orders
    Scenario: Money that came by hand goes back by hand
      Given an order of another system that is "pending"
      And the shop calls the order "paid"
      When the shop cancels the order
      Then 18000 KRW of the order went back
      And the books show 1 refund

    @spec-3.2-orders
    Scenario: Calling an order canceled is canceling it
      Given a paid order of 2 "shirt"
      When the shop calls the order "canceled"
      Then 33000 KRW of the order went back
      And 10 "shirt" are left in stock

  Rule: Editors handle goods, admins handle money

    @spec-3.2-orders
    Scenario: An editor prepares an order
      Given "eve" is made a "tenant-editor" of the shop
      And a paid order of 1 "shirt"
      When "eve" calls the order "preparing"
      Then the order is "preparing"

    @spec-3.2-orders
    Scenario: An editor does not say that money came
      Given "eve" is made a "tenant-editor" of the shop
      And an order of another system that is "pending"
      When "eve" calls the order "paid"
      Then the step is refused because "forbidden"
      And the order is "pending"

    @spec-3.2-orders
    Scenario: A viewer moves nothing
      Given "eve" is made a "tenant-viewer" of the shop
      And a paid order of 1 "shirt"
      When "eve" calls the order "preparing"
      Then the step is refused because "forbidden"

    @spec-3.2-orders
    Scenario: A shopper moves nothing
      Given a paid order of 1 "shirt"
      When the shopper tries to call the order "delivered"
      Then the step is refused because "forbidden"

  Rule: Who says nothing for some days is content

    @spec-3.2-orders @clock
    Scenario: A delivered order is confirmed after seven days
      Given an order of another system that is "delivered"
      When 6 days pass
      Then the order is "delivered"
      When 1 day passes
      Then the order is "confirmed"

    @spec-3.2-orders @clock
    Scenario: A shop chooses its days
      Given an order of another system that is "delivered"
      And the shop confirms orders after 2 days
      When 2 days pass
      Then the order is "confirmed"

    @spec-3.2-orders @clock
    Scenario: A shop may leave it to its customers
      Given an order of another system that is "delivered"
      And the shop confirms orders after 0 days
      When 100 days pass
      Then the order is "delivered"

    @spec-3.2-orders @clock
    Scenario: What is coming back is not confirmed
      Given an order of another system that is "return_requested"
      When 100 days pass
      Then the order is "return_requested"
