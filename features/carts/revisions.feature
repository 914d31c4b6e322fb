@storage
Feature: Cart revisions
  Two devices of one shopper never overwrite each other's changes unnoticed.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |
    And a cart with 1 "shirt"

  Rule: A change names the revision that it is based on

    @carts-15
    Scenario: A change based on an old revision is refused
      Given the shop's server adds 1 "mug"
      When the shopper adds 1 "shirt"
      Then the change is refused because "cart_revision_conflict"
      And the refusal names the current revision 2
      And the cart holds 1 "shirt"

    @carts-15 @carts-16
    Scenario: After a conflict the shopper reads the cart and changes it again
      Given the shop's server adds 1 "mug"
      And the shopper adds 1 "shirt"
      And the cart is at revision 2
      When the shopper adds 1 "shirt"
      Then the cart holds 2 "shirt"
      And the cart is at revision 3

    @carts-15
    Scenario: The same change with the same idempotency key stays refused
      Given the shop's server adds 1 "mug"
      And the shopper adds 1 "shirt"
      And the cart is at revision 2
      When the shopper repeats the request
      Then the change is refused because "cart_revision_conflict"
      And the cart is at revision 2

    @carts-15
    Scenario Outline: The shopper <change> without a revision
      When the shopper <change> without a revision
      Then the change is refused because "expected_revision_required"
      And the cart is at revision 1

      Examples:
        | change                  |
        | adds a line             |
        | changes a line          |
        | removes a line          |
        | sets the discount codes |
        | sets the attributes     |
        | empties the cart        |

  Rule: A replayed answer is a receipt

    @idempotency-4
    Scenario: A receipt does not restore an old cart
      Given the shopper adds 1 "shirt"
      And the shop's server adds 1 "mug"
      When the shopper repeats the request
      Then the first answer is replayed
      And the cart is at revision 3
      And the cart holds 2 "shirt"
