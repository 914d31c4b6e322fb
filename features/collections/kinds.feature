Feature: Every kind of record
  Whatever a shop keeps is kept the same way, over REST and over GraphQL.

  Background:
    Given a shop

  Rule: Every kind can be listed, opened, added, changed and deleted by both roads

    @spec-1.1 @spec-4.1-crud @spec-4.5-graphql
    Scenario Outline: One of the <kind> over <road>
      When the shop adds, lists, opens, changes and deletes one of its <kind> over <road>
      Then each of these was done

      Examples:
        | kind                 | road    |
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
        | market-prices        | REST    |
        | market-prices        | GraphQL |
        | users                | REST    |
        | users                | GraphQL |
        | provider-connections | REST    |
        | provider-connections | GraphQL |

    @spec-9.1
    Scenario: Addresses carry no version
      When an integrator reads the list of all addresses
      Then the address of every kind is in it
      And no address carries a version
