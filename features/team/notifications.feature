Feature: A team is told what happens
  Whoever may do something about it is told what happens in the shop, and says which of it they want to know.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
    And "mina" becomes a "support" of the shop
    And "joon" becomes a "packer" of the shop

  @storage @team-10
  Scenario: A return is told those who decide on returns
    Given a delivered order of 2 "shirt"
    When a return of 1 "shirt" is requested
    Then "mina" is soon told of 1 "returnRequested"
    And "joon" is soon told of 0 "returnRequested"

  @team-10
  Scenario: Orders are told those who ask for it
    Given "joon" asks to be told of "orderPlaced"
    When a paid order of 1 "shirt"
    Then "joon" is soon told of 1 "orderPlaced"
    And "mina" is soon told of 0 "orderPlaced"
