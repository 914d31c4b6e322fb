@storage
Feature: Posts and pages
  A shop publishes posts and pages besides its products.

  Background:
    Given a shop

  Rule: Visitors read published posts

    @content-1
    Scenario: A draft is visible to the shop only
      When the editor writes the post "Spring teas" as a draft
      Then visitors do not see the post "Spring teas"
      And the editor sees the post "Spring teas"

    @content-2 @content-3
    Scenario: A published post has a date and a slug
      When the editor publishes the post "Spring teas"
      Then visitors see the post "Spring teas"
      And the post "Spring teas" has a publication date and the slug "spring-teas"

    @content-1 @content-2
    Scenario: A post is unpublished
      Given the editor publishes the post "Spring teas"
      When the editor unpublishes the post "Spring teas"
      Then visitors do not see the post "Spring teas"

    @content-1 @clock
    Scenario: A scheduled post appears at its time
      Given the editor schedules the post "Summer sale" for 2 hours from now
      And visitors do not see the post "Summer sale"
      When 3 hours pass
      Then visitors see the post "Summer sale"

    @content-4
    Scenario: Visitors see the name of the author and nothing that is for the shop
      When the admin publishes the post "Hello" as its author
      Then visitors see the post "Hello"
      And visitors see the name of its author, but neither address nor role

    @content-1
    Scenario: A post shows images
      Given the editor uploads an image of 30 by 20 pixels as "cup.png" with the description "A cup"
      When the editor publishes the post "Cups" with the image
      Then visitors see the post "Cups" with an image described as "A cup"

  Rule: A page is found by its slug

    @content-3
    Scenario: A page is published
      When the editor publishes the page "Imprint" at "imprint"
      Then visitors find the page "Imprint" at "imprint"

    @content-3
    Scenario: Two pages cannot have the same slug
      Given the editor publishes the page "Imprint" at "imprint"
      When the editor publishes the page "Legal" at "imprint"
      Then the request is refused because "value_not_unique"
