Feature: Following what happens
  A shop's own programs learn what changed: later, page by page, or the moment it happens.

  Background:
    Given a shop

  Rule: Every change announces itself

    @spec-6.1 @spec-1.6
    Scenario: The life of a brand
      Given the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlys"
      When the editor deletes the brand "Nordlys"
      Then the log tells of the brand "Nordlys": "create, update, delete"

    @spec-6.2
    Scenario: A change tells what was before
      Given the editor adds the brand "Nord"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the log tells that the name "Nord" became "Nordlys"

    @spec-6-log
    Scenario: What was refused is no change
      Given the shop has the brands "Nord"
      When the editor adds a brand without a name
      Then the log tells of the brand "Nord": "create"

    @spec-6-log
    Scenario: Visitors do not learn what changes
      When a visitor asks what happened
      Then the request is refused because "forbidden"

  Rule: A program that follows misses nothing

    @spec-6-log
    Scenario: It hears of a change at once
      Given a program follows the brands
      When the editor adds the brand "Nord"
      Then it hears of the brands "Nord"

    @spec-6-log
    Scenario: It was away for a while
      Given a program follows the brands
      And the editor adds the brand "Nord"
      And it hears of the brands "Nord"
      And the program is cut off
      When the shop has the brands "Syd, Vest"
      Then the program follows again and hears of the brands "Syd, Vest"

    @spec-6-log
    Scenario: It hears of its own shop alone
      Given a program follows the brands
      And another shop has the brand "Elsewhere"
      When the editor adds the brand "Nord"
      Then it hears of the brands "Nord"
