Feature: Posts and pages
  A shop tells its visitors more than what it sells.

  Background:
    Given a shop

  Rule: Visitors read what is published

    @spec-2.4-content
    Scenario: A draft is for the shop alone
      When the editor writes the post "Spring teas" as a draft
      Then visitors do not see the post "Spring teas"
      And the editor sees the post "Spring teas"

    @spec-2.4-content
    Scenario: A published post has a date and an address
      When the editor publishes the post "Spring teas"
      Then visitors see the post "Spring teas"
      And the post "Spring teas" has a date and the handle "spring-teas"

    @spec-2.4-content
    Scenario: A post is taken back
      Given the editor publishes the post "Spring teas"
      When the editor takes the post "Spring teas" back
      Then visitors do not see the post "Spring teas"

    @spec-2.4-content @clock
    Scenario: A post appears when its time has come
      Given the editor publishes the post "Summer sale" from 2 hours from now on
      And visitors do not see the post "Summer sale"
      When 3 hours pass
      Then visitors see the post "Summer sale"

    @spec-2.4-content
    Scenario: Visitors do not learn who runs the shop
      When the admin publishes the post "Hello" under the own name
      Then visitors see the post "Hello"
      And visitors learn nothing of its author but a number

    @spec-2.4-content
    Scenario: A post shows pictures
      Given the editor uploads a picture of 30 by 20 pixels as "cup.png", described as "A cup"
      When the editor publishes the post "Cups" with the picture
      Then visitors see the post "Cups" with a picture described as "A cup"

  Rule: A page is found by its handle

    @spec-2.4-content
    Scenario: The imprint
      When the editor publishes the page "Imprint" at "imprint"
      Then visitors find the page "Imprint" at "imprint"

    @spec-2.4-content
    Scenario: Two pages cannot have the same handle
      Given the editor publishes the page "Imprint" at "imprint"
      When the editor publishes the page "Legal" at "imprint"
      Then the request is refused because "value_not_unique"
