Feature: A cart belongs to one market
  One order never mixes prices of two markets.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |
    And the shop sells "shirt" for 1700 JPY in market "jp"
    And the shop sells "mug" for 900 JPY in market "jp"
    And the shop sells "mug" for 9000 KRW in market "kr"

  Rule: The first market chosen is the cart's market

    @carts-13
    Scenario: A line from another market is refused
      Given a cart of market "jp" with 1 "shirt"
      When the shopper adds 1 "mug" from market "kr"
      Then the change is refused because "cart_market_mismatch"
      And the cart holds no "mug"
      And the cart is at revision 1

    @carts-2 @catalog-5
    Scenario: Lines are priced in the cart's market
      Given a cart of market "jp" with 2 "shirt"
      When the shopper adds 1 "mug"
      Then the cart's subtotal is 4300 JPY

    @carts-14
    Scenario: The first addition with a market sets it and reprices the cart
      Given a cart with 1 "shirt"
      When the shopper adds 1 "mug" from market "jp"
      Then the cart's subtotal is 2600 JPY

    @carts-13
    Scenario: An emptied cart keeps its market
      Given a cart of market "jp" with 1 "shirt"
      And the shopper empties the cart
      When the shopper adds 1 "mug" from market "kr"
      Then the change is refused because "cart_market_mismatch"

    @carts-13 @carts-24
    Scenario: A legacy storefront cannot mix markets either
      Given a cart of market "jp" with 1 "shirt"
      When a legacy storefront adds 1 "mug" from market "kr"
      Then the change is refused because "cart_market_mismatch"
      And the cart is at revision 1

    @carts-23
    Scenario: Carts of two markets cannot be merged
      Given a cart of market "jp" with 1 "shirt"
      And another cart of market "kr" with 1 "mug"
      When the shopper merges the first cart into the second
      Then the change is refused because "cart_market_mismatch"
      And the cart is at revision 1

    @carts-23
    Scenario: A merged cart takes the market of the cart that has one
      Given a cart of market "jp" with 1 "shirt"
      And another cart with 1 "mug"
      When the shopper merges the first cart into the second
      Then the cart's subtotal is 2600 JPY

    @catalog-7
    Scenario: A market that does not exist is refused
      Given a cart with 1 "shirt"
      When the shopper adds 1 "mug" from market "atlantis"
      Then the change is refused because "market_not_found"
