Feature: What can be put into a cart
  A cart takes what the shop can deliver, and knows what needs shipping.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 3     |         |
      | guide   | 5000  | 100   | digital |
      | concert | 60000 | 100   | event   |

  Rule: A cart takes no more than the shop has

    @spec-4.6-carts
    Scenario: More than there is is refused
      Given a cart with 2 "shirt"
      When the shopper adds 2 "shirt"
      Then the change is refused because "out_of_stock"
      And the cart holds 2 "shirt"

    @spec-4.6-carts
    Scenario: All there is can be taken
      Given a cart with 2 "shirt"
      When the shopper adds 1 "shirt"
      Then the cart holds 3 "shirt"
      And 3 "shirt" are left in stock

  Rule: What does not ship needs no shipping

    @spec-3.4.2
    Scenario: A cart of digital goods needs no shipping
      Given a cart with 2 "guide"
      Then the cart needs no shipping

    @spec-3.4.2
    Scenario: A mixed cart needs shipping
      Given a cart with 1 "guide" and 1 "shirt"
      Then the cart needs shipping

    @spec-3.4.2
    Scenario: A cart of digital goods is checked out without an address
      Given a cart with 2 "guide"
      When the shopper checks out without an address
      Then the checkout has no shipping
      And the checkout costs 10000 KRW

    @spec-3.4.2
    Scenario: A mixed cart pays for sending what is sent
      Given a cart with 1 "guide" and 1 "shirt"
      When the shopper checks out
      Then the checkout costs 23000 KRW

    @spec-3.4.2
    Scenario: A mixed cart is not paid for without an address
      Given a cart with 1 "guide" and 1 "shirt"
      And the shopper checks out without an address
      When the shopper opens a payment
      Then the payment is refused because "shipping_address_required"

  Rule: Each seat has a guest

    @spec-2.4-cart
    Scenario: An event line takes as many guests as seats
      Given an empty cart
      When the shopper adds 2 "concert" for "Kim, Lee"
      Then the change succeeds
      And the cart holds 2 "concert"

    @spec-2.4-cart
    Scenario: A seat without a guest is refused
      Given an empty cart
      When the shopper adds 2 "concert" for "Kim"
      Then the change is refused because "admissions_mismatch"
      And the cart is empty

    @spec-2.4-cart
    Scenario: A shirt takes no guests
      Given an empty cart
      When the shopper adds 1 "shirt" for "Kim"
      Then the change is refused because "admissions_mismatch"

    @spec-9.2
    Scenario: The old word for a single guest is refused
      Given an empty cart
      When the shopper adds 1 "concert" with the old word for a guest
      Then the change is refused because "validation_failed"
      And the refusal points at "admission"
