Feature: Changes are made on what was seen
  Two devices of one shopper never overwrite each other unnoticed.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |
    And a cart with 1 "shirt"

  Rule: A change names the revision it was made on

    @spec-4.6.r4 @spec-7.3.2
    Scenario: A change on an old view is refused
      Given the shop's staff adds 1 "mug"
      When the shopper adds 1 "shirt"
      Then the change is refused because "cart_revision_conflict"
      And the refusal names the current revision 2
      And the cart holds 1 "shirt"

    @spec-4.6.r4
    Scenario: After a conflict the shopper looks again and makes a new change
      Given the shop's staff adds 1 "mug"
      And the shopper adds 1 "shirt"
      And the cart is at revision 2
      When the shopper adds 1 "shirt"
      Then the cart holds 2 "shirt"
      And the cart is at revision 3

    @spec-4.6.r4
    Scenario: The same change under the same key stays refused
      Given the shop's staff adds 1 "mug"
      And the shopper adds 1 "shirt"
      And the cart is at revision 2
      When the shopper repeats that request
      Then the change is refused because "cart_revision_conflict"
      And the cart is at revision 2

    @spec-4.6.r4
    Scenario Outline: Whoever <change> says which revision was seen
      When the shopper <change> without saying which revision was seen
      Then the change is refused because "expected_revision_required"
      And the cart is at revision 1

      Examples:
        | change           |
        | adds to the cart |
        | changes a line   |
        | takes a line out |
        | sets the codes   |
        | notes something  |
        | empties the cart |

  Rule: A repeated answer is a receipt

    @spec-4.6.r6
    Scenario: A receipt does not bring an old cart back
      Given the shopper adds 1 "shirt"
      And the shop's staff adds 1 "mug"
      When the shopper repeats that request
      Then the answer is the same as before, marked as a receipt
      And the cart is at revision 3
      And the cart holds 2 "shirt"
