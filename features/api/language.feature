@storage
Feature: The language of the reader
  What the shop tells people, it tells in their language where it speaks it: Korean or English. What is for programs stays the same.

  Background:
    Given a shop that sells
      | product | price |
      | shirt   | 15000 |

  @api-27
  Scenario Outline: Why a price is refused, for a reader of <language>
    When an operator who reads "<language>" makes the price of "shirt" -1
    Then the request is refused because "validation_failed"
    And they are told "<words>" about the price

    Examples:
      | language | words                      |
      | ko       | 0 이상으로 입력하세요.     |
      | ko-KR    | 0 이상으로 입력하세요.     |
      | en       | This field takes 0 or more. |
      | fr       | This field takes 0 or more. |
