@storage @clock
Feature: Erasing customers
  A customer who asks for it is forgotten, while the shop keeps what it needs for its accounts.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
    And the customers "kim" and "lee"

  Rule: What is personal goes, money stays

    @access-60
    Scenario: The order of an erased customer names nobody
      Given a delivered order of "kim" with 2 "shirt"
      When the shop erases "kim"
      And 3 minutes pass
      Then "kim" is soon erased
      And the order names nobody
      And no order is found for "kim@shopper.example"

    @access-60
    Scenario: The figures stay as they are
      Given a delivered order of "kim" with 2 "shirt"
      When the shop erases "kim"
      And 3 minutes pass
      Then "kim" is soon erased
      When the shop asks for its figures of the last 30 days
      Then the figures tell 1 order of 2 units, 33000 KRW of revenue and 0 KRW of refunds

    @access-60
    Scenario: An erased customer is logged out, and nobody else is
      When the shop erases "kim"
      Then the earlier session of "kim" has ended
      And "lee" is still logged in

  Rule: Who is owed something is not forgotten

    @access-61
    Scenario: An order that is not delivered is in the way
      Given "kim" has an order
      When the shop erases "kim"
      Then the request is refused because "customer_busy"
      And the order is in the way of erasing "kim"

  Rule: Nothing new is kept about an erased customer

    @access-62
    Scenario: Another system's order for an erased customer is refused
      Given the shop erases "kim"
      When the shop imports an order of "kim"
      Then 0 orders are created, 0 unchanged and 1 refused
