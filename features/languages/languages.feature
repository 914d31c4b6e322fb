@storage
Feature: Content in several languages
  A shop writes its products in the languages of its customers.

  Background:
    Given a shop
    And the languages of the shop are "en, ko, ja"
    And a product "Mug" in Korean called "머그"

  Rule: Everybody reads the language they ask for

    @languages-1
    Scenario: A product is read in Korean
      Then the product page reads "머그" in "ko"
      And the product page reads "Mug" in "en"

    @languages-1
    Scenario: A language that the shop does not have is refused
      Then the product cannot be read in "de"

    @languages-2
    Scenario: What is not translated is read in the default language
      Then the product page reads "Mug" in "ja"

    @languages-3
    Scenario: Shoppers read the language of their browser
      Then a shopper whose browser prefers "ko-KR, en;q=0.5" reads "머그"
      And a shopper whose browser prefers "fr" reads "Mug"
      And the shop's server whose program prefers "ko-KR" reads "Mug"

    @languages-6
    Scenario: Products are found by their name in the language that is read
      Then the search for the name "머그" in "ko" finds the product
      And the search for the name "Mug" in "ko" finds nothing

  Rule: A purchase keeps the language of its buyer

    @languages-11
    Scenario: The cart of a Korean shopper
      When a shopper whose browser prefers "ko" puts the product into a new cart
      Then the cart is in "ko" and has a line "머그"
      And its checkout is in "ko" and has a line "머그"
