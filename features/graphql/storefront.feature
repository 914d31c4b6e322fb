Feature: Storefronts over GraphQL
  One document reads all that a page needs. GraphQL returns and allows the same as REST.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | mug     | 9000  | 3     | published |
      | idea    | 30000 | 7     | draft     |

  Rule: One document reads a page

    @graphql-1
    Scenario: The catalog with prices and variants
      When a storefront queries all products over GraphQL
      Then the answer has "shirt" at 15000 with 1 variant
      And the answer has "mug" at 9000 with 1 variant
      And the answer does not have "idea"

    @graphql-2
    Scenario: GraphQL and REST return the same product
      When a storefront reads "shirt" over GraphQL and over REST
      Then both answers have the same product

    @graphql-5 @graphql-4
    Scenario: A document that asks for too much is refused
      When a storefront queries all products 101 times in one document
      Then the document is refused because "graphql_limit"

  Rule: A storefront can read and change no more than over REST

    @graphql-12 @graphql-4 @access-22
    Scenario: Stock quantities are for the shop only
      When a storefront queries the stock of "shirt" over GraphQL
      Then that field is refused as "FORBIDDEN" and the others are answered

    @graphql-2 @graphql-4 @access-14
    Scenario: A storefront cannot change the catalog
      When a storefront tries to rename "shirt" over GraphQL
      Then the mutation is refused as "FORBIDDEN" and nothing is changed

  Rule: Changes over GraphQL are the same changes

    @graphql-1 @graphql-2
    Scenario: A cart created over GraphQL is the cart over REST
      When a visitor creates a cart with 2 "shirt" over GraphQL
      Then the cart over REST holds 2 "shirt" for 30000

    @graphql-3
    Scenario: The same change over GraphQL and REST is made once
      When a visitor creates a cart with 2 "shirt" over GraphQL
      And the visitor adds 1 "mug" over GraphQL and again over REST with the same idempotency key
      Then the cart over REST holds 1 "mug" for 9000

    @graphql-8
    Scenario: An admin logs in over GraphQL
      When the admin logs in over GraphQL
      Then the answer names the admin's role and shop
