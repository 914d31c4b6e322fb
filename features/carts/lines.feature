Feature: Cart lines
  A shopper collects products and sees what they cost at current prices.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |

  Rule: A cart shows its lines at catalog prices

    @carts-1
    Scenario: A new cart holds the lines it was created with
      Given a cart with 2 "shirt" and 1 "mug"
      Then the cart holds 2 "shirt"
      And the cart holds 1 "mug"
      And the cart's subtotal is 38000 KRW
      And the cart is at revision 1

    @carts-3
    Scenario: Adding the same product increases its line
      Given a cart with 2 "shirt"
      When the shopper adds 1 "shirt"
      Then the cart holds 3 "shirt"
      And the cart's subtotal is 45000 KRW
      And the cart is at revision 2

    @carts-2
    Scenario: Every change reprices the whole cart
      Given a cart with 2 "shirt"
      And the price of "shirt" becomes 12000
      When the shopper adds 1 "mug"
      Then the cart's subtotal is 32000 KRW

  Rule: A shopper changes and removes lines

    @carts-4
    Scenario: The quantity of a line is changed
      Given a cart with 2 "shirt"
      When the shopper sets the quantity of "shirt" to 5
      Then the cart holds 5 "shirt"
      And the cart's subtotal is 75000 KRW

    @carts-4
    Scenario: A quantity of zero removes the line
      Given a cart with 2 "shirt" and 1 "mug"
      When the shopper sets the quantity of "shirt" to 0
      Then the cart holds no "shirt"
      And the cart holds 1 "mug"

    @carts-4
    Scenario: A line is removed
      Given a cart with 2 "shirt" and 1 "mug"
      When the shopper removes "mug"
      Then the cart holds no "mug"
      And the cart's subtotal is 30000 KRW

    @carts-4
    Scenario: Removing an unknown line is refused
      Given a cart with 2 "shirt"
      When the shopper removes something that is not in the cart
      Then the change is refused because "line_not_found"
      And the cart is at revision 1

    @carts-4
    Scenario: A cart is emptied
      Given a cart with 2 "shirt" and 1 "mug"
      When the shopper empties the cart
      Then the cart is empty
      And the cart is at revision 2

  Rule: A cart has attributes, which are replaced as a whole

    @carts-1 @carts-5
    Scenario: A shopper sets an attribute
      Given a cart with 2 "shirt"
      When the shopper sets the attribute "gift" to "yes"
      Then the cart's attribute "gift" is "yes"
      And the cart is at revision 2

    @carts-5
    Scenario: New attributes replace all earlier ones
      Given a cart with 2 "shirt"
      And the shopper sets the attribute "gift" to "yes"
      When the shopper sets the attribute "ribbon" to "red"
      Then the cart's attribute "ribbon" is "red"
      And the cart's attribute "gift" is ""

  Rule: A cart is private to whoever holds its token

    @carts-6 @access-10 @access-14
    Scenario: The public key alone cannot read a cart
      Given a cart with 2 "shirt"
      When a visitor without the cart's token reads the cart
      Then the request is refused because "unauthenticated"

  Rule: A cart without changes is abandoned

    @carts-8 @clock
    Scenario: A cart is abandoned after 30 days
      Given a cart with 2 "shirt"
      When 31 days pass
      Then the cart is "abandoned"

    @carts-8 @clock
    Scenario: An abandoned cart cannot be changed
      Given a cart with 2 "shirt"
      And 31 days pass
      When the shopper adds 1 "mug"
      Then the change is refused because "cart_not_active"

    @carts-8 @carts-24 @clock
    Scenario: An abandoned cart cannot be changed by a legacy storefront
      Given a cart with 2 "shirt"
      And 31 days pass
      When a legacy storefront adds 1 "mug"
      Then the change is refused because "cart_not_active"
