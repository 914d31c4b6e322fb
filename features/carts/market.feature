Feature: A cart belongs to one market
  A shopper never pays prices of two markets in one order.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |
    And the shop sells "shirt" for 1700 JPY in market "jp"
    And the shop sells "mug" for 900 JPY in market "jp"
    And the shop sells "mug" for 9000 KRW in market "kr"

  Rule: The market chosen first is the cart's market

    @spec-4.6-previous @spec-7.3.6
    Scenario: A line from another market is refused
      Given a cart of market "jp" with 1 "shirt"
      When the shopper adds 1 "mug" from market "kr"
      Then the change is refused because "cart_market_mismatch"
      And the cart holds no "mug"
      And the cart is at revision 1

    @spec-1.4 @spec-4.6-previous
    Scenario: Prices are those of the cart's market
      Given a cart of market "jp" with 2 "shirt"
      When the shopper adds 1 "mug"
      Then the cart costs 4300 JPY

    @spec-4.6-previous
    Scenario: The first addition can choose the market and prices the cart anew
      Given a cart with 1 "shirt"
      When the shopper adds 1 "mug" from market "jp"
      Then the cart costs 2600 JPY

    @spec-4.6-previous @spec-7.3.6
    Scenario: An emptied cart stays in its market
      Given a cart of market "jp" with 1 "shirt"
      And the shopper empties the cart
      When the shopper adds 1 "mug" from market "kr"
      Then the change is refused because "cart_market_mismatch"

    @spec-4.6-previous @spec-7.3.6
    Scenario: An older storefront is held to the market as well
      Given a cart of market "jp" with 1 "shirt"
      When an older storefront adds 1 "mug" from market "kr"
      Then the change is refused because "cart_market_mismatch"
      And the cart is at revision 1

    @spec-4.6-carts @spec-7.3.6
    Scenario: Carts of two markets are not merged
      Given a cart of market "jp" with 1 "shirt"
      And another cart of market "kr" with 1 "mug"
      When the shopper puts the first cart into the other
      Then the change is refused because "cart_market_mismatch"
      And the cart is at revision 1

    @spec-4.6-carts
    Scenario: A merged cart belongs to the market of either
      Given a cart of market "jp" with 1 "shirt"
      And another cart with 1 "mug"
      When the shopper puts the first cart into the other
      Then the cart costs 2600 JPY

    @spec-4.6-previous
    Scenario: A market that does not exist is refused
      Given a cart with 1 "shirt"
      When the shopper adds 1 "mug" from market "atlantis"
      Then the change is refused because "market_not_found"
