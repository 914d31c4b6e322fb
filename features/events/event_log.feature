@storage
Feature: The event log
  The shop's programs read events page by page, or receive them as they happen.

  Background:
    Given a shop

  Rule: Every change is an event

    @events-1
    Scenario: Creating, updating and deleting a brand
      Given the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlys"
      When the editor deletes the brand "Nordlys"
      Then the event log shows about the brand "Nordlys": "create, update, delete"

    @events-2
    Scenario: An update holds the previous values
      Given the editor adds the brand "Nord"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the event log shows that the name "Nord" became "Nordlys"

    @events-11
    Scenario: An event names who made the change
      Given the editor adds the brand "Nord"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the event log names who changed the brand "Nordlys"

    @events-1
    Scenario: A refused request makes no event
      Given the shop has the brands "Nord"
      When the editor adds a brand without a name
      Then the event log shows about the brand "Nord": "create"

    @events-5
    Scenario: Visitors cannot read the event log
      When a visitor reads the event log
      Then the request is refused because "forbidden"

  Rule: A program that follows events misses none

    @events-4
    Scenario: It receives an event as it happens
      Given a program follows the events of brands
      When the editor adds the brand "Nord"
      Then it receives the brands "Nord"

    @events-4
    Scenario: It continues after a disconnection
      Given a program follows the events of brands
      And the editor adds the brand "Nord"
      And it receives the brands "Nord"
      And the program disconnects
      When the shop has the brands "Syd, Vest"
      Then the program reconnects and receives the brands "Syd, Vest"

    @events-5
    Scenario: It receives only events of its own shop
      Given a program follows the events of brands
      And another shop has the brand "Elsewhere"
      When the editor adds the brand "Nord"
      Then it receives the brands "Nord"
