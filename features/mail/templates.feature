Feature: What mails say
  Rules mail-21, mail-24: a shop has words of its own for its mails, which are checked when they are saved, and sees how a mail will look.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  @mail-21
  Scenario: The shop says it in its own words
    When the admin writes the mail "order_placed" in "ko" with the subject "Thanks," and the variable "name"
    Then the mail "order_placed" in "ko" begins with "Thanks, "

  @mail-21
  Scenario: A variable that mails of the kind do not have is refused where it stands
    When the admin writes the mail "order_placed" in "ko" with the subject "Thanks," and the variable "nickname"
    Then the mail's text is refused because "Line 1, column 9: there is no variable nickname."

  @mail-21
  Scenario: One template for a kind and a language
    Given the admin writes the mail "order_placed" in "ko" with the subject "First"
    When the admin writes the mail "order_placed" in "KO" with the subject "Second"
    Then the change is refused because "value_not_unique"

  @mail-24
  Scenario: The default words are there from the beginning
    Then the mail "refund_made" in "en" begins with "Your refund for order"
    And the mail "refund_made" in "ko" begins with "["
