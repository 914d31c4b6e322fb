Feature: Whose order it is
  Customers see their own orders and nobody else's; the number on a parcel opens nothing.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
    And the customers "ann" and "bob"
    And "ann" has an order

  Rule: Customers see their own orders

    @spec-3.2-orders
    Scenario: A customer finds her order
      When "ann" lists her orders
      Then she finds 1 order
      When "ann" opens the order
      Then the request succeeds

    @spec-3.2-orders
    Scenario: A customer finds nobody else's
      When "bob" lists his orders
      Then he finds 0 orders
      When "bob" opens the order
      Then the request is refused because "not_found"

    @spec-3.2-orders
    Scenario: What the staff notes is not for customers
      Given the shop calls the order "preparing" and notes "Difficult customer"
      When "ann" opens the order
      Then the answer does not say "Difficult customer"

  Rule: An order number opens nothing

    @spec-3.2-orders
    Scenario: Another customer knows the number
      When "bob" looks for the order's number
      Then he finds 0 orders
      When "bob" opens the order by its number
      Then the request is refused because "not_found"

    @spec-3.2-orders
    Scenario: A visitor knows the number
      When a visitor looks for the order's number
      Then the request is refused because "forbidden"
