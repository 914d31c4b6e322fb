Feature: A storefront that speaks GraphQL
  One question brings all a page needs. What it is told, and what it may do, is what REST tells and allows.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | mug     | 9000  | 3     | published |
      | idea    | 30000 | 7     | draft     |

  Rule: One question brings a page

    @spec-4.5-graphql
    Scenario: The catalog with prices and variants
      When a storefront asks over GraphQL for everything on sale
      Then it is told of "shirt" at 15000 with 1 variant
      And it is told of "mug" at 9000 with 1 variant
      And it is not told of "idea"

    @spec-4.5-graphql @spec-4.6-catalog
    Scenario: Both roads tell the same of a product
      When a storefront reads "shirt" over GraphQL and over REST
      Then both tell the same

    @spec-4.5-graphql @spec-7.2-errors
    Scenario: A question that asks for too much is not answered
      When a storefront asks over GraphQL for everything a hundred times over
      Then the question is refused because of "graphql_limit"

  Rule: A storefront sees and changes no more than over REST

    @spec-4.5-graphql @spec-7.2-errors
    Scenario: Stock numbers stay with the shop
      When a storefront asks over GraphQL how much of "shirt" is left
      Then that part is refused as "FORBIDDEN" and the rest is told

    @spec-4.5-graphql @spec-7.2-errors
    Scenario: The catalog is not for storefronts to change
      When a storefront tries to rename "shirt" over GraphQL
      Then that part is refused as "FORBIDDEN" and nothing is changed

  Rule: What is done over GraphQL is done

    @spec-4.5-graphql @spec-4.6-carts
    Scenario: A cart filled over GraphQL is the cart over REST
      When a visitor puts 2 of "shirt" into a new cart over GraphQL
      Then the cart over REST has 2 of "shirt" for 30000

    @spec-4.5-graphql @spec-4.6-carts
    Scenario: The same change sent again by the other road is made once
      When a visitor puts 2 of "shirt" into a new cart over GraphQL
      And the visitor adds 1 of "mug" over GraphQL and again over REST under the same key
      Then the cart over REST has 1 of "mug" for 9000

    @spec-4.5-graphql @spec-4.3-sessions
    Scenario: A shop's owner logs in and sees their shop
      When the owner logs in over GraphQL
      Then the owner is told of their role and their shop
