@storage
Feature: Product listings
  A visitor lists published products at the prices of the visitor's market, with their options.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | mug     | 9000  | 0     | published |
      | secret  | 20000 | 7     | unlisted  |
      | idea    | 30000 | 7     | draft     |

  Rule: Only published products are listed

    @catalog-3 @collections-2
    Scenario: The list shows published products
      When a visitor lists the products
      Then the list shows 2 products
      And the list shows "shirt" from 15000 KRW
      And the list shows "mug" from 9000 KRW

    @catalog-3 @catalog-4
    Scenario: A product that is sold out stays listed
      When a visitor lists the products
      Then the list shows "mug" as sold out
      And no stock quantity is shown

    @catalog-3
    Scenario: Products are filtered by price
      When a visitor lists the products that cost at most 9000
      Then the list shows 1 product
      And the list shows "mug" from 9000 KRW

  Rule: A market shows its own prices

    @catalog-5
    Scenario: The market's exchange rate applies to the list
      Given the shop has a market "us" in USD with an exchange rate of 0.00075
      When a visitor from market "us" lists the products
      Then the list shows "shirt" from 11.25 USD
      And the list shows "mug" from 6.75 USD

    @catalog-5
    Scenario: A price set for the market is listed
      Given the shop sells "shirt" for 1700 JPY in market "jp"
      When a visitor from market "jp" lists the products
      Then the list shows "shirt" from 1700 JPY

    @catalog-6
    Scenario: A market's list cannot be filtered by base prices
      Given the shop has a market "us" in USD with an exchange rate of 0.00075
      When a visitor from market "us" lists the products that cost at most 9000
      Then the request is refused because "market_filter_not_supported"

    @catalog-6
    Scenario: A market's list cannot be sorted by base prices
      Given the shop has a market "us" in USD with an exchange rate of 0.00075
      When a visitor from market "us" lists the products by price
      Then the request is refused because "market_filter_not_supported"

    @catalog-7
    Scenario: An unknown market is refused
      When a visitor from market "nowhere" lists the products
      Then the request is refused because "market_not_found"

  Rule: Options are listed with their prices

    @catalog-8
    Scenario: Each option value has its price
      Given "shirt" comes in "Size" as "Small" for 14000 and "Large" for 18000
      When a visitor lists the options of "shirt"
      Then "Small" of the option "Size" costs 14000 KRW
      And "Large" of the option "Size" costs 18000 KRW

    @catalog-8
    Scenario: An unpublished product lists no options
      Given "secret" comes in "Size" as "Small" for 14000 and "Large" for 18000
      When a visitor lists the options of "secret"
      Then no options are listed
