Feature: Records of operations
  What carts, checkouts, payments and orders leave behind is kept like any other record, and written by its operations alone.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
    And a paid order of 1 "shirt"

  Rule: Every kind that operations write can be listed and opened by both roads

    @spec-1.1 @spec-4.1-crud @spec-4.5-graphql
    Scenario Outline: One of the <kind> over <road>
      When the shop lists and opens one of its <kind> over <road>
      Then both show the same record

      Examples:
        | kind               | road    |
        | carts              | REST    |
        | carts              | GraphQL |
        | checkouts          | REST    |
        | checkouts          | GraphQL |
        | payment-sessions   | REST    |
        | payment-sessions   | GraphQL |
        | transactions       | REST    |
        | transactions       | GraphQL |
        | orders             | REST    |
        | orders             | GraphQL |
        | fulfillment-orders | REST    |
        | fulfillment-orders | GraphQL |

    @spec-1.1 @spec-4.1-crud
    Scenario Outline: Nobody makes one of the <kind> by hand
      When the shop adds one of its <kind> by hand
      Then the request is refused because "collection_operated"

      Examples:
        | kind             |
        | carts            |
        | checkouts        |
        | payment-sessions |
        | transactions     |
        | orders           |
