# Rules search-10 to search-16: what shoppers find in the shop.
@storage
Feature: Finding goods
  A shopper types what they want as they know it, and narrows what is found until it is the right thing.

  Background:
    Given a shop with the goods
      | product       | brand   | category | price |
      | 청자 찻잔     | 달가마  | 식기     | 28000 |
      | 청자 접시     | 달가마  | 식기     | 42000 |
      | Walnut Board  | Nord    | Kitchen  | 60000 |
      | Walnut Spoon  | Nord    | Kitchen  | 15000 |
      | Linen Curtain | Loom    | Living   | 90000 |

  Rule: Goods are found as people type them

    @search-12
    Scenario: With a spelling mistake
      When a shopper looks for "walnt board"
      Then the goods "Walnut Board" are found
      And "walnt" was taken for "walnut"

    @search-11
    Scenario Outline: In Korean, <how>
      When a shopper looks for "<text>"
      Then the goods "<found>" are found

      Examples:
        | how                                   | text     | found                |
        | by initial consonants                 | ㅊㅈㅊㅈ | 청자 찻잔            |
        | without the space                     | 청자접시 | 청자 접시            |
        | on the other layout of the keyboard   | cjdwk    | 청자 접시, 청자 찻잔 |

    @search-13
    Scenario: Nothing is found
      When a shopper looks for "umbrella"
      Then no goods are found

  Rule: What is found is narrowed by what it has

    @search-14
    Scenario: Each value tells how many goods have it
      When a shopper looks for "walnut"
      Then the goods "Walnut Board, Walnut Spoon" are found
      And the brands to choose from are "Nord 2"
      And the categories to choose from are "Kitchen 2"

    @search-14
    Scenario: A chosen brand leaves the others to choose
      When a shopper looks for all goods of the brands "Nord, Loom"
      Then the goods "Linen Curtain, Walnut Board, Walnut Spoon" are found
      And the brands to choose from are "달가마 2, Nord 2, Loom 1"
      And the categories to choose from are "Kitchen 2, Living 1"

    @search-15
    Scenario: Prices are those of the shopper's market
      Given the shop has a market "us" in USD with an exchange rate of 0.001
      When a shopper from market "us" looks for goods from 15 to 42
      Then the goods "Walnut Spoon, 청자 접시, 청자 찻잔" are found

  Rule: Only what is for sale in the shop is found

    @search-16
    Scenario: What is taken off the shelf
      When a shopper looks for "curtain"
      Then the goods "Linen Curtain" are found
      When "Linen Curtain" is unpublished
      And a shopper looks for "curtain"
      Then no goods are found

    @search-10
    Scenario: The goods of another shop
      Given the other shop sells the goods "Walnut Tray"
      When a shopper looks for "walnut"
      Then the goods "Walnut Board, Walnut Spoon" are found
      When a shopper of the other shop looks for "walnut"
      Then the goods "Walnut Tray" are found
