Feature: Keeping records
  Whoever runs a shop adds, changes, lists and deletes its records the same way for every kind.

  Background:
    Given a shop

  Rule: What is written can be read

    @spec-2.3-writes @spec-4.1-crud
    Scenario: A record is added, renamed and deleted
      Given the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlicht"
      And the brand "Nordlicht" is in the list
      When the editor deletes the brand "Nordlicht"
      Then the brand "Nordlicht" is not in the list

    @spec-4.1-crud @spec-7.1-errors
    Scenario: A record without its required fields is refused
      When the editor adds a brand without a name
      Then the request is refused because "validation_failed"
      And the refusal points at "name"

    @spec-7.1-errors
    Scenario: A field nobody knows is refused, not dropped
      When the editor adds a brand with a field nobody knows
      Then the request is refused because "validation_failed"
      And the refusal points at "shoeSize"

  Rule: A list comes in pages

    @spec-2.2-list
    Scenario: The last page holds the rest
      Given the shop has the brands "Ahorn, Birke, Cedar, Dornbusch, Eiche"
      When the editor lists 2 brands to a page and opens page 3
      Then it is shown 1 of 5 brands on page 3 of 3
      And it is shown the brands "Eiche"

    @spec-2.2-list
    Scenario: A list can be turned around
      Given the shop has the brands "Ahorn, Birke, Cedar"
      When the editor lists brands by name backwards
      Then it is shown the brands "Cedar, Birke, Ahorn"

  Rule: A list can be narrowed

    @spec-4.1-where
    Scenario: By an exact name
      Given the shop has the brands "Ahorn, Birke, Birkenstock"
      When the editor lists brands whose name is "Birke"
      Then it is shown the brands "Birke"

    @spec-4.1-where
    Scenario: By a part of the name, whatever its case
      Given the shop has the brands "Ahorn, Birke, Birkenstock"
      When the editor lists brands whose name contains "BIRK"
      Then it is shown the brands "Birke, Birkenstock"

    @spec-4.1-where
    Scenario: By several names
      Given the shop has the brands "Ahorn, Birke, Cedar"
      When the editor lists brands whose name among "Ahorn, Cedar"
      Then it is shown the brands "Ahorn, Cedar"

    @spec-4.1-where
    Scenario: By one condition or another
      Given the shop has the brands "Ahorn, Birke, Cedar"
      When the editor lists brands whose name is "Ahorn" or whose name contains "dar"
      Then it is shown the brands "Ahorn, Cedar"

    @spec-4.1-where @spec-7.1-errors
    Scenario: By a field nobody knows is refused
      When the editor lists brands whose shoeSize is "42"
      Then the request is refused because "query_invalid"

  Rule: Shops do not see each other

    @spec-1.2
    Scenario: A foreign record looks like one that never was
      Given the shop has the brands "Ahorn"
      When the other shop looks for the brand "Ahorn"
      Then it sees nothing

    @spec-1.2
    Scenario: A foreign record cannot be changed
      Given the shop has the brands "Ahorn"
      When the other shop renames the brand "Ahorn"
      Then it sees nothing
      And the brand "Ahorn" is in the list

    @spec-1.2
    Scenario: A list holds the shop's own records only
      Given the shop has the brands "Ahorn, Birke"
      And another shop has the brand "Cedar"
      When the editor lists 10 brands to a page and opens page 1
      Then it is shown 2 of 2 brands on page 1 of 1
