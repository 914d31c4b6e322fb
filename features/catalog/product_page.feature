Feature: Product pages
  A visitor sees a product at the price of the visitor's market, without stock quantities.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | secret  | 20000 | 7     | unlisted  |
      | idea    | 30000 | 7     | draft     |

  Rule: Published and unlisted products have a page

    @catalog-2
    Scenario: A published product is shown with its price
      When a visitor opens the product "shirt"
      Then the product is shown at 15000 KRW

    @catalog-2
    Scenario: An unlisted product is shown to visitors who know its address
      When a visitor opens the product "secret"
      Then the product is shown at 20000 KRW

    @catalog-1 @catalog-2
    Scenario: A draft is not shown
      When a visitor opens the product "idea"
      Then the product is not shown because "unpublished"

    @catalog-1
    Scenario: A product that does not exist is not shown
      When a visitor opens a product that does not exist
      Then the product is not shown because "missing"

    @catalog-1 @access-30 @clock
    Scenario: A shop without commerce shows no products
      Given the shop turns commerce off
      And 2 seconds pass
      When a visitor opens the product "shirt"
      Then the product is not shown because "feature_disabled"

  Rule: The market determines the price

    @catalog-5
    Scenario: A price set for the market comes first
      Given the shop sells "shirt" for 1700 JPY in market "jp"
      When a visitor from market "jp" opens the product "shirt"
      Then the product is shown at 1700 JPY
      And the source of the price is "fixed"

    @catalog-5
    Scenario: Otherwise the market's exchange rate is applied
      Given the shop has a market "us" in USD with an exchange rate of 0.00075
      When a visitor from market "us" opens the product "shirt"
      Then the product is shown at 11.25 USD
      And the source of the price is "computed"

  Rule: Stock quantities are for the shop only

    @catalog-4
    Scenario: A visitor sees no stock quantities
      When a visitor opens the product "shirt"
      Then no stock quantity is shown

    @catalog-4
    Scenario: The shop's server sees stock quantities
      When the shop's server reads the product "shirt"
      Then a stock of 7 is shown
