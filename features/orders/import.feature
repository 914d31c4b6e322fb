Feature: Orders of another system
  A shop that moves here brings its orders along: each as it is, by its number, once.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: An order comes in as it is

    @spec-2.4-orders
    Scenario: A delivered order is one here
      Given an order of another system that is "delivered"
      Then the order is "delivered"
      And the order reads as "paid"
      And the goods of the order are "fulfilled"
      And the order has no return policy

    @spec-2.4-orders
    Scenario: What the other system did not send is sent from here
      Given an order of another system that is "paid"
      When the shop calls the order "preparing", then "shipped"
      Then the goods of the order are "fulfilled"

    @spec-2.4-orders
    Scenario: The shelf is left alone
      Given an order of another system with 3 "shirt"
      Then 10 "shirt" are left in stock

  Rule: The same order comes in once

    @spec-2.4-orders
    Scenario: An import sent again changes nothing
      Given an order of another system that is "paid"
      And the shop calls the order "preparing"
      When the shop imports the same order again
      Then 0 orders came in, 1 was there already, and 0 were refused
      And the order is "preparing"

    @spec-2.4-orders
    Scenario: An order is never overwritten
      Given an order of another system that is "paid"
      When the shop imports that number as "delivered"
      Then 0 orders came in, 0 were there already, and 1 was refused
      And the order is "paid"

  Rule: What is wrong with one order keeps no other one out

    @spec-2.4-orders
    Scenario: Sums that are wrong are refused
      When the shop imports three orders, of which the second costs 1 KRW too much
      Then 2 orders came in, 0 were there already, and 1 was refused
      And the refusal of the second names the total

    @spec-2.4-orders
    Scenario: A person does not import
      When the admin imports an order
      Then the request is refused because "forbidden"
