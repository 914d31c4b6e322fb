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

  Rule: Who bought without an account is forgotten by their address

    @access-63
    Scenario: The order of an erased guest names nobody
      Given a delivered order of 2 "shirt"
      When the shop erases the guest of the order
      And 3 minutes pass
      Then the guest is soon erased
      And the order names the erasure and nobody else

    @access-63
    Scenario: Not a letter of the figures changes
      Given a delivered order of 2 "shirt"
      And the shop notes its figures and settlements
      When the shop erases the guest of the order
      And 3 minutes pass
      Then the guest is soon erased
      And its figures and settlements are what they were, to the last letter

    @access-64
    Scenario: An order that is not delivered is in the way of erasing a guest
      Given a paid order of 2 "shirt"
      When the shop erases the guest of the order
      Then the request is refused because "customer_busy"
      When the shop looks what it holds of the guest of the order
      Then the order is in the way of erasing the guest

  Rule: What is written later is seen, and goes with the next erasure

    @access-65
    Scenario: A note about a guest who was erased
      Given a delivered order of 2 "shirt" by a guest who was erased
      When the shop notes "Kim called" on the payment of the order
      Then what came since about the guest is 1 "transactions"
      When the shop erases the guest again
      And 3 minutes pass
      Then what came since about the guest is soon 0 "transactions"

  Rule: Customers ask for it themselves, and the shop decides when

    @access-66
    Scenario: The shop sees who asks to be erased
      Given "mina" becomes a "support" of the shop
      And "dana" becomes a "tenant-admin" of the shop
      When "kim" asks to be erased
      Then only "kim" asks the shop to be erased
      And "dana" is soon told of 1 "erasureRequested" in live
      And "mina" is soon told of 0 "erasureRequested" in live

    @access-70
    Scenario: The shop declines and says why
      Given "kim" asks to be erased
      When the shop declines to erase "kim" because "The tax office is auditing your orders."
      Then nobody asks the shop to be erased
      And "kim" is told "The tax office is auditing your orders."

    @access-70
    Scenario: Who was declined asks again
      Given "kim" asks to be erased
      And the shop declines to erase "kim" because "The tax office is auditing your orders."
      When "kim" asks to be erased
      Then only "kim" asks the shop to be erased
      And "kim" is told ""
