Feature: People are told by mail what happens
  Rules mail-1, mail-10, mail-18: a buyer is mailed once about each thing that happens to an order, unless the shop does not want it.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  @storage @mail-1
  Scenario: The buyer is told of the order and its parcel
    Given a paid order of 1 "shirt"
    When the shop moves the order to "preparing", then "shipped"
    Then the buyer is soon mailed 1 "order_placed"
    And the buyer is soon mailed 1 "order_shipped"

  @mail-18
  Scenario: The shop does not want a mail to be sent
    Given the shop sends no "order_placed" mails
    And a paid order of 1 "shirt"
    When the shop cancels the order
    Then the buyer is soon mailed 1 "order_canceled"
    And the buyer is soon mailed 0 "order_placed"

  @mail-10
  Scenario: A mail is sent again
    Given a paid order of 1 "shirt"
    And the mail "order_placed" is soon sent
    When the admin has the mail "order_placed" sent again
    Then the mail "order_placed" is queued
    And the mail "order_placed" is soon sent once more
