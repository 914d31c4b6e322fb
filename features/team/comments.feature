@storage
Feature: A team works on an order together
  Those who run a shop say who is on an order, find orders by labels of their own, and talk about them. Buyers see none of it.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
    And "mina" becomes a "tenant-editor" of the shop
    And "joon" becomes a "tenant-editor" of the shop
    And a paid order of 1 "shirt"

  @team-1
  Scenario: Somebody takes an order over
    When "mina" puts "joon" on the order and labels it "Call Back"
    Then the orders of "joon" are this one
    And the orders labeled "call back" are this one
    And the order's timeline says "Tags changed, and one more field" by "mina"

  @team-2 @team-3
  Scenario: Two of the team talk about an order
    Given "mina" comments "Where is the parcel?" on the order, for "joon"
    When "joon" comments "At the gate" on the order, for "mina"
    Then the order's timeline says "At the gate" by "joon"
    And the order's timeline says "Where is the parcel?" by "mina"
    And the comments for "joon" are "Where is the parcel?"

  @team-3
  Scenario: Nobody changes what another one said
    Given "mina" comments "Call the buyer" on the order, for "joon"
    When "joon" changes the comment to "Do not call"
    Then the request is refused because "comment_of_another"
    And the order's timeline says "Call the buyer" by "mina"

  @team-2
  Scenario: Nobody outside of the shop is mentioned
    When "mina" comments "Look at this" on the order, for somebody of another shop
    Then the request is refused because "mention_unknown"

  @team-9
  Scenario: Who is mentioned or put on an order is told
    When "mina" comments "Can you call?" on the order, for "joon"
    And "mina" puts "joon" on the order and labels it "call back"
    Then "joon" is told "mentioned, assigned" of the order
    And "mina" is told "" of the order
