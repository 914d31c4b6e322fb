@storage
Feature: No edit is lost to another one
  Whoever saves a record can say which revision of it they had before them. If somebody else saved one in between, they
  are told, and the record stays as it is.

  Background:
    Given a shop
    And two of its editors have the same page open

  @collections-32
  Scenario Outline: The one who saves second is told, by <way>
    When the first editor saves another title
    And the second editor saves another title with <way>
    Then they are told that the page was changed meanwhile, and its present revision
    And the page has the title of the first editor

    Examples:
      | way                  |
      | the expectedRevision |
      | the whole record     |
      | If-Match             |
      | GraphQL              |

  @collections-32
  Scenario: The second one reads the page again and saves
    Given the first editor saved another title
    When the second editor opens the page again, and saves another title with the expectedRevision
    Then the page has the title of the second editor

  @collections-32
  Scenario: Nobody deletes what was changed meanwhile
    Given the first editor saved another title
    When the second editor deletes the page as they have it open
    Then they are told that the page was changed meanwhile, and its present revision
    And the page has the title of the first editor
