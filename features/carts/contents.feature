Feature: What a cart holds
  A shopper collects products and always sees what they cost by today's prices.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |

  Rule: A cart shows what was put into it, at the catalog's prices

    @spec-4.6-carts @spec-2.4-cart
    Scenario: A new cart holds what it was made with
      Given a cart with 2 "shirt" and 1 "mug"
      Then the cart holds 2 "shirt"
      And the cart holds 1 "mug"
      And the cart costs 38000 KRW
      And the cart is at revision 1

    @spec-4.6-carts
    Scenario: More of the same joins its line
      Given a cart with 2 "shirt"
      When the shopper adds 1 "shirt"
      Then the cart holds 3 "shirt"
      And the cart costs 45000 KRW
      And the cart is at revision 2

    @spec-4.6-carts
    Scenario: Every change prices the whole cart anew
      Given a cart with 2 "shirt"
      And the price of "shirt" becomes 12000
      When the shopper adds 1 "mug"
      Then the cart costs 32000 KRW

  Rule: A shopper changes and removes lines

    @spec-4.6-carts
    Scenario: A line gets another quantity
      Given a cart with 2 "shirt"
      When the shopper changes "shirt" to 5
      Then the cart holds 5 "shirt"
      And the cart costs 75000 KRW

    @spec-4.6-carts
    Scenario: A quantity of nothing removes the line
      Given a cart with 2 "shirt" and 1 "mug"
      When the shopper changes "shirt" to 0
      Then the cart holds no "shirt"
      And the cart holds 1 "mug"

    @spec-4.6-carts
    Scenario: A line is removed
      Given a cart with 2 "shirt" and 1 "mug"
      When the shopper removes "mug"
      Then the cart holds no "mug"
      And the cart costs 30000 KRW

    @spec-4.6-carts
    Scenario: Removing what is not there is refused
      Given a cart with 2 "shirt"
      When the shopper removes something that is not in the cart
      Then the change is refused because "line_not_found"
      And the cart is at revision 1

    @spec-4.6-carts
    Scenario: A cart is emptied
      Given a cart with 2 "shirt" and 1 "mug"
      When the shopper empties the cart
      Then the cart is empty
      And the cart is at revision 2

  Rule: A cart carries notes, which are replaced as a whole

    @spec-2.4-cart @spec-4.6-carts
    Scenario: A shopper leaves a note
      Given a cart with 2 "shirt"
      When the shopper notes "gift" as "yes"
      Then the cart's note "gift" is "yes"
      And the cart is at revision 2

    @spec-4.6-carts
    Scenario: New notes take the place of old ones
      Given a cart with 2 "shirt"
      And the shopper notes "gift" as "yes"
      When the shopper notes "ribbon" as "red"
      Then the cart's note "ribbon" is "red"
      And the cart's note "gift" is ""

  Rule: A cart is private to whoever holds its token

    @spec-4.6-carts @spec-5-keys @spec-1.5 @spec-5.r4
    Scenario: The public key alone opens no cart
      Given a cart with 2 "shirt"
      When a stranger with only the public key reads the cart
      Then the request is refused because "unauthenticated"

  Rule: A forgotten cart is abandoned

    @spec-2.4-cart @clock
    Scenario: A cart is abandoned after 30 days
      Given a cart with 2 "shirt"
      When 31 days pass
      Then the cart is "abandoned"

    @spec-2.4-cart @clock
    Scenario: An abandoned cart takes nothing more
      Given a cart with 2 "shirt"
      And 31 days pass
      When the shopper adds 1 "mug"
      Then the change is refused because "cart_not_active"

    @spec-4.6-previous @clock
    Scenario: Not even from an older storefront
      Given a cart with 2 "shirt"
      And 31 days pass
      When an older storefront adds 1 "mug"
      Then the change is refused because "cart_not_active"
