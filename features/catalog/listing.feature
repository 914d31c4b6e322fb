Feature: What a shop lists
  A visitor browses what is on sale, at the prices of the visitor's market, and sees in which choices it comes.

  Background:
    Given a shop that sells
      | product | price | stock | status    |
      | shirt   | 15000 | 7     | published |
      | mug     | 9000  | 0     | published |
      | secret  | 20000 | 7     | unlisted  |
      | idea    | 30000 | 7     | draft     |

  Rule: Only what is published is listed

    @spec-4.6-catalog @spec-2.2-list
    Scenario: The list shows what is published
      When a visitor lists what is on sale
      Then the list shows 2 products
      And the list shows "shirt" from 15000 KRW
      And the list shows "mug" from 9000 KRW

    @spec-4.6-catalog
    Scenario: What is sold out stays listed
      When a visitor lists what is on sale
      Then the list says "mug" is sold out
      And no stock number is shown

    @spec-4.6-catalog
    Scenario: A cheaper one is found by its price
      When a visitor lists what costs at most 9000
      Then the list shows 1 product
      And the list shows "mug" from 9000 KRW

  Rule: A market shows its own prices

    @spec-2.4-price @spec-4.6-catalog
    Scenario: The market's rate is applied to the list
      Given the shop has a market "us" in USD at a rate of 0.00075
      When a visitor from market "us" lists what is on sale
      Then the list shows "shirt" from 11.25 USD
      And the list shows "mug" from 6.75 USD

    @spec-2.4-price @spec-4.6-catalog
    Scenario: A price of its own stands in the list
      Given the shop sells "shirt" for 1700 JPY in market "jp"
      When a visitor from market "jp" lists what is on sale
      Then the list shows "shirt" from 1700 JPY

    @spec-7.3.7
    Scenario: A market's list is not narrowed down by the shop's own prices
      Given the shop has a market "us" in USD at a rate of 0.00075
      When a visitor from market "us" lists what costs at most 9000
      Then the request is refused because "market_filter_not_supported"

    @spec-7.3.7
    Scenario: A market's list is not sorted by the shop's own prices
      Given the shop has a market "us" in USD at a rate of 0.00075
      When a visitor from market "us" lists the cheapest first
      Then the request is refused because "market_filter_not_supported"

    @spec-4.6-catalog
    Scenario: A market that the shop does not have is refused
      When a visitor from market "nowhere" lists what is on sale
      Then the request is refused because "market_not_found"

  Rule: Choices are shown with what they cost

    @spec-4.6-catalog
    Scenario: Each choice has its price
      Given "shirt" comes in "Size" as "Small" for 14000 and "Large" for 18000
      When a visitor looks at the choices of "shirt"
      Then "Small" of "Size" costs 14000 KRW
      And "Large" of "Size" costs 18000 KRW

    @spec-4.6-catalog
    Scenario: What is not published has no choices to show
      Given "secret" comes in "Size" as "Small" for 14000 and "Large" for 18000
      When a visitor looks at the choices of "secret"
      Then there are no choices
