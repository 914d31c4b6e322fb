Feature: Every change happens once
  A shopper whose connection breaks can press the button again.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |

  Rule: A key stands for one change

    @spec-4.6.r3
    Scenario Outline: Nobody <change> without a key
      Given a cart with 2 "shirt"
      When the shopper <change> without a key
      Then the change is refused because "idempotency_key_required"
      And the cart is at revision 1

      Examples:
        | change           |
        | adds to the cart |
        | changes a line   |
        | takes a line out |
        | sets the codes   |
        | notes something  |
        | empties the cart |

    @spec-4.6.r3
    Scenario: Making a cart, reading it and finding it again take no key
      Given the customers "kim" and "lee"
      And "kim" makes a cart with 2 "shirt" without a key
      When "kim" opens the cart of "kim"
      Then the request succeeds
      When "kim" asks for the own cart
      Then the own cart holds 2 "shirt"

    @spec-4.6.r3 @spec-4.6.r6
    Scenario: A change that is sent twice happens once
      Given a cart with 1 "shirt"
      And the shopper adds 1 "shirt"
      When the shopper repeats that request
      Then the answer is the same as before, marked as a receipt
      And the cart holds 2 "shirt"

    @spec-4.6.r3
    Scenario: A key that was used for something else is refused
      Given a cart with 1 "shirt"
      And the shopper adds 1 "shirt"
      When the shopper adds 5 "mug" under the key of that request
      Then the change is refused because "idempotency_key_reused"
      And the cart holds no "mug"

    @spec-4.6.r6
    Scenario: A refusal is repeated as well
      Given a cart with 1 "shirt"
      And the shop's staff adds 1 "mug"
      And the shopper adds 1 "shirt"
      When the shopper repeats that request
      Then the answer is the same as before, marked as a receipt
      And the change is refused because "cart_revision_conflict"

    @spec-4.6.r3
    Scenario: Making a cart twice under one key makes one cart
      Given a cart with 1 "shirt"
      When the shopper repeats that request
      Then the answer is the same as before, marked as a receipt

  Rule: A key is random

    @spec-4.6.r2
    Scenario: A key made from the cart's number is refused
      Given a cart with 1 "shirt"
      When the shopper adds 1 "shirt" under a key made from the cart's number
      Then the change is refused because "idempotency_key_derived"
      And the cart is at revision 1
