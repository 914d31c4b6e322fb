@storage
Feature: Idempotency of cart changes
  A shopper whose connection breaks can safely repeat a change.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
      | mug     | 8000  | 100   |

  Rule: An idempotency key stands for one change

    @idempotency-3
    Scenario Outline: The shopper <change> without an idempotency key
      Given a cart with 2 "shirt"
      When the shopper <change> without an idempotency key
      Then the change is refused because "idempotency_key_required"
      And the cart is at revision 1

      Examples:
        | change                  |
        | adds a line             |
        | changes a line          |
        | removes a line          |
        | sets the discount codes |
        | sets the attributes     |
        | empties the cart        |

    @idempotency-3
    Scenario: Creating, reading and finding a cart need no idempotency key
      Given the customers "kim" and "lee"
      And "kim" creates a cart with 2 "shirt" without an idempotency key
      When "kim" opens the cart of "kim"
      Then the request succeeds
      When "kim" opens their own cart
      Then the customer's cart holds 2 "shirt"

    @idempotency-9 @idempotency-4
    Scenario: A change that is sent twice is made once
      Given a cart with 1 "shirt"
      And the shopper adds 1 "shirt"
      When the shopper repeats the request
      Then the first answer is replayed
      And the cart holds 2 "shirt"

    @idempotency-8
    Scenario: An idempotency key of another change is refused
      Given a cart with 1 "shirt"
      And the shopper adds 1 "shirt"
      When the shopper adds 5 "mug" with the idempotency key of that request
      Then the change is refused because "idempotency_key_reused"
      And the cart holds no "mug"

    @idempotency-9
    Scenario: A refusal is replayed as well
      Given a cart with 1 "shirt"
      And the shop's server adds 1 "mug"
      And the shopper adds 1 "shirt"
      When the shopper repeats the request
      Then the first answer is replayed
      And the change is refused because "cart_revision_conflict"

    @idempotency-9
    Scenario: Creating a cart twice with one idempotency key creates one cart
      Given a cart with 1 "shirt"
      When the shopper repeats the request
      Then the first answer is replayed

  Rule: An idempotency key is random

    @idempotency-2
    Scenario: An idempotency key derived from the cart's id is refused
      Given a cart with 1 "shirt"
      When the shopper adds 1 "shirt" with an idempotency key derived from the cart's id
      Then the change is refused because "idempotency_key_derived"
      And the cart is at revision 1
