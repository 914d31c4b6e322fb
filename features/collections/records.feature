@storage
Feature: Records
  The records of every collection are created, updated, listed and deleted in the same way.

  Background:
    Given a shop

  Rule: Records are written and read

    @collections-1 @collections-3
    Scenario: A record is added, renamed and deleted
      Given the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlicht"
      And the brand "Nordlicht" is in the list
      When the editor deletes the brand "Nordlicht"
      Then the brand "Nordlicht" is not in the list

    @api-5 @api-11
    Scenario: A record without its required fields is refused
      When the editor adds a brand without a name
      Then the request is refused because "validation_failed"
      And the refusal names the field "name"

    @api-5
    Scenario: An unknown field is refused, not ignored
      When the editor adds a brand with an unknown field
      Then the request is refused because "validation_failed"
      And the refusal names the field "shoeSize"

  Rule: Lists are paginated

    @collections-2
    Scenario: The last page holds the remaining records
      Given the shop has the brands "Ahorn, Birke, Cedar, Dornbusch, Eiche"
      When the editor lists brands 2 per page and opens page 3
      Then the list shows 1 of 5 brands on page 3 of 3
      And the list shows the brands "Eiche"

    @collections-8
    Scenario: A list can be sorted in descending order
      Given the shop has the brands "Ahorn, Birke, Cedar"
      When the editor lists brands by name in descending order
      Then the list shows the brands "Cedar, Birke, Ahorn"

  Rule: Lists can be filtered

    @collections-9
    Scenario: By an exact name
      Given the shop has the brands "Ahorn, Birke, Birkenstock"
      When the editor lists brands whose name is "Birke"
      Then the list shows the brands "Birke"

    @collections-9 @collections-10
    Scenario: By a part of the name, ignoring case
      Given the shop has the brands "Ahorn, Birke, Birkenstock"
      When the editor lists brands whose name contains "BIRK"
      Then the list shows the brands "Birke, Birkenstock"

    @collections-9
    Scenario: By several names
      Given the shop has the brands "Ahorn, Birke, Cedar"
      When the editor lists brands whose name is one of "Ahorn, Cedar"
      Then the list shows the brands "Ahorn, Cedar"

    @collections-9
    Scenario: By one condition or another
      Given the shop has the brands "Ahorn, Birke, Cedar"
      When the editor lists brands whose name is "Ahorn" or whose name contains "dar"
      Then the list shows the brands "Ahorn, Cedar"

    @collections-12
    Scenario: A filter on an unknown field is refused
      When the editor lists brands whose shoeSize is "42"
      Then the request is refused because "query_invalid"

  Rule: Shops are isolated from each other

    @access-11 @api-16
    Scenario: A record of another shop looks like one that does not exist
      Given the shop has the brands "Ahorn"
      When the other shop reads the brand "Ahorn"
      Then the brand is not found

    @access-11 @api-16
    Scenario: A record of another shop cannot be changed
      Given the shop has the brands "Ahorn"
      When the other shop renames the brand "Ahorn"
      Then the brand is not found
      And the brand "Ahorn" is in the list

    @access-11 @api-16
    Scenario: A list holds only the shop's own records
      Given the shop has the brands "Ahorn, Birke"
      And another shop has the brand "Cedar"
      When the editor lists brands 10 per page and opens page 1
      Then the list shows 2 of 2 brands on page 1 of 1
