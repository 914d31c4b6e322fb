@storage
Feature: Operations on every collection
  All collections offer the same operations over REST and GraphQL.

  Background:
    Given a shop

  Rule: Records of every collection can be created, listed, read, updated and deleted

    @collections-1 @graphql-1
    Scenario Outline: One of the <collection> over <api>
      When the shop creates, lists, reads, updates and deletes one of its <collection> over <api>
      Then all five operations succeed

      Examples:
        | collection           | api     |
        | products             | REST    |
        | products             | GraphQL |
        | product-options      | REST    |
        | product-options      | GraphQL |
        | product-variants     | REST    |
        | product-variants     | GraphQL |
        | brands               | REST    |
        | brands               | GraphQL |
        | categories           | REST    |
        | categories           | GraphQL |
        | tags                 | REST    |
        | tags                 | GraphQL |
        | videos               | REST    |
        | videos               | GraphQL |
        | posts                | REST    |
        | posts                | GraphQL |
        | pages                | REST    |
        | pages                | GraphQL |
        | customers            | REST    |
        | customers            | GraphQL |
        | markets              | REST    |
        | markets              | GraphQL |
        | discounts            | REST    |
        | discounts            | GraphQL |
        | shipping-policies    | REST    |
        | shipping-policies    | GraphQL |
        | stock-locations      | REST    |
        | stock-locations      | GraphQL |
        | market-prices        | REST    |
        | market-prices        | GraphQL |
        | users                | REST    |
        | users                | GraphQL |
        | provider-connections | REST    |
        | provider-connections | GraphQL |

    @api-1
    Scenario: Paths contain no version
      When an integrator reads the description of all paths
      Then it has a path for every collection
      And no path contains a version
