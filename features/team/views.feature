@storage
Feature: Lists that people come back to
  Whoever runs a shop keeps the lists they work through under a name, for themselves or for all of the team.

  Background:
    Given a shop
    And "mina" becomes a "tenant-editor" of the shop
    And "joon" becomes a "tenant-editor" of the shop

  @team-6 @team-7
  Scenario: A view is its owner's own
    When "mina" saves a view "To pack" of orders by "status"
    Then "mina" has the views "To pack"
    And "joon" has the views ""

  @team-7
  Scenario: A shared view is for all, and changed by its owner
    Given "mina" saves a view "To pack" of orders by "status"
    And "mina" shares the view
    When "joon" renames the view to "Mine"
    Then the request is refused because "view_of_another"
    And "joon" has the views "To pack"

  @team-6
  Scenario: A view names fields that there are
    When "mina" saves a view "Red ones" of orders by "colour"
    Then the request is refused because "query_invalid"
    And "mina" has the views ""
