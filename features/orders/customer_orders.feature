Feature: Orders of customers
  Customers see only their own orders; knowing an order number gives no access.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
    And the customers "ann" and "bob"
    And "ann" has an order

  Rule: Customers see their own orders

    @orders-6 @access-25
    Scenario: A customer finds their order
      When "ann" lists their orders
      Then the list holds 1 order
      When "ann" opens the order
      Then the request succeeds

    @orders-6
    Scenario: A customer does not find orders of others
      When "bob" lists their orders
      Then the list holds 0 orders
      When "bob" opens the order
      Then the request is refused because "not_found"

    @orders-6
    Scenario: Customers do not see internal notes
      Given the shop moves the order to "preparing" with the note "Difficult customer"
      When "ann" opens the order
      Then the answer does not contain "Difficult customer"

  Rule: An order number gives no access

    @orders-6
    Scenario: Another customer knows the number
      When "bob" searches for the order number
      Then the list holds 0 orders
      When "bob" opens the order by its number
      Then the request is refused because "not_found"

    @orders-6
    Scenario: A visitor knows the number
      When a visitor searches for the order number
      Then the request is refused because "forbidden"
