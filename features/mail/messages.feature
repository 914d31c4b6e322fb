Feature: Buyers are told by messages to their telephones
  Rules mail-37, mail-39: beside the mail a buyer is sent what the shop's message service has approved, in which only the variables change.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  @storage @mail-37
  Scenario: The buyer is told of the order and its parcel
    Given the admin writes the message "order_placed" in "en" with the text "[이름]님, 주문이 접수되었습니다."
    And the admin writes the message "order_shipped" in "en" with the text "[이름]님, 상품이 출발했습니다."
    And a paid order of 1 "shirt"
    When the shop moves the order to "preparing", then "shipped"
    Then the buyer is soon sent 1 "order_placed" to "+821012345678"
    And the buyer is soon mailed 1 "order_shipped"

  @mail-37
  Scenario: A shop without a template sends no message
    Given a paid order of 1 "shirt"
    Then the buyer is soon mailed 1 "order_placed"
    And the buyer is soon sent 0 "order_placed" to "+821012345678"

  @mail-39
  Scenario: The message is the approved text
    When the admin writes the message "order_placed" in "ko" with the text "[이름]님, 감사합니다."
    Then the message "order_placed" in "ko" says "김하늘님, 감사합니다."

  @mail-39
  Scenario: A variable that nobody knows is refused where it stands
    When the admin writes the message "order_placed" in "ko" with the text "[이름]님, [별명]"
    Then the mail's text is refused because "Line 1, column 9: there is no variable 별명."
