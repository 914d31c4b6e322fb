@storage
Feature: Collections written by operations
  Carts, checkouts, payments and orders can be read like any record, but only their own operations write them.

  Background:
    Given a shop that sells
      | product | price | stock | kind |
      | shirt   | 15000 | 10    |      |
    And a paid order of 1 "shirt"

  Rule: Their records can be listed and read over REST and GraphQL

    @collections-1 @graphql-1
    Scenario Outline: One of the <collection> over <api>
      When the shop lists and reads one of its <collection> over <api>
      Then both show the same record

      Examples:
        | collection         | api     |
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

    @collections-17
    Scenario Outline: The <collection> cannot be created directly
      When the shop tries to create one of its <collection>
      Then the request is refused because "collection_operated"

      Examples:
        | collection       |
        | carts            |
        | checkouts        |
        | payment-sessions |
        | transactions     |
        | disputes         |
        | orders           |
