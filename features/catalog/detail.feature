Feature: A product's page
  A visitor sees what is on sale, at the visitor's market's price, and never how much of it is left.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | secret  | 20000 | 7     | unlisted  |
      | idea    | 30000 | 7     | draft     |

  Rule: What is published or unlisted has a page

    @spec-4.6-catalog
    Scenario: A published product is shown with its price
      When a visitor looks at "shirt"
      Then the product is shown at 15000 KRW

    @spec-4.6-catalog
    Scenario: An unlisted product is shown to whoever knows it
      When a visitor looks at "secret"
      Then the product is shown at 20000 KRW

    @spec-7.3.3 @spec-4.6-catalog
    Scenario: A draft is not shown
      When a visitor looks at "idea"
      Then the product is not shown because "unpublished"

    @spec-7.3.3 @spec-4.6-catalog
    Scenario: What never was is not shown
      When a visitor looks at something the shop never had
      Then the product is not shown because "missing"

    @spec-7.3.3 @spec-4.6-catalog @clock
    Scenario: A shop that sells nothing shows nothing
      Given the shop stops selling
      And 2 seconds pass
      When a visitor looks at "shirt"
      Then the product is not shown because "feature_disabled"

  Rule: The market decides the price

    @spec-1.4 @spec-2.4-price
    Scenario: A price of its own comes first
      Given the shop sells "shirt" for 1700 JPY in market "jp"
      When a visitor from market "jp" looks at "shirt"
      Then the product is shown at 1700 JPY
      And the price is "fixed"

    @spec-1.4 @spec-2.4-price
    Scenario: Otherwise the market's rate is applied
      Given the shop has a market "us" in USD at a rate of 0.00075
      When a visitor from market "us" looks at "shirt"
      Then the product is shown at 11.25 USD
      And the price is "computed"

  Rule: Stock numbers are the shop's own business

    @spec-4.6-catalog
    Scenario: A visitor sees no stock numbers
      When a visitor looks at "shirt"
      Then no stock number is shown

    @spec-4.6-catalog
    Scenario: The shop's own server sees them
      When the shop's server looks at "shirt"
      Then 7 are shown to be left
