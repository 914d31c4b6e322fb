Feature: Product kinds in a cart
  A cart takes what the shop can deliver, and knows what needs shipping.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 3     |         |
      | guide   | 5000  | 100   | digital |
      | concert | 60000 | 100   | event   |

  Rule: A cart cannot hold more than the stock

    @carts-10
    Scenario: More than the stock is refused
      Given a cart with 2 "shirt"
      When the shopper adds 2 "shirt"
      Then the change is refused because "out_of_stock"
      And the cart holds 2 "shirt"

    @carts-10
    Scenario: The whole stock can be added
      Given a cart with 2 "shirt"
      When the shopper adds 1 "shirt"
      Then the cart holds 3 "shirt"
      And 3 "shirt" are left in stock

  Rule: Products that do not ship require no shipping

    @shipping-2
    Scenario: A cart of digital products requires no shipping
      Given a cart with 2 "guide"
      Then the cart requires no shipping

    @shipping-2
    Scenario: A mixed cart requires shipping
      Given a cart with 1 "guide" and 1 "shirt"
      Then the cart requires shipping

    @shipping-2
    Scenario: A cart of digital products is checked out without an address
      Given a cart with 2 "guide"
      When the shopper checks out without an address
      Then the checkout has no shipping
      And the checkout's total is 10000 KRW

    @shipping-2
    Scenario: A mixed cart pays shipping for what ships
      Given a cart with 1 "guide" and 1 "shirt"
      When the shopper checks out
      Then the checkout's total is 23000 KRW

    @shipping-2 @checkouts-4
    Scenario: A mixed cart cannot be paid for without an address
      Given a cart with 1 "guide" and 1 "shirt"
      And the shopper checks out without an address
      When the shopper opens a payment
      Then the payment is refused because "shipping_address_required"

  Rule: An event line names one guest per seat

    @carts-11
    Scenario: An event line with as many guests as seats is accepted
      Given an empty cart
      When the shopper adds 2 "concert" for the guests "Kim, Lee"
      Then the change succeeds
      And the cart holds 2 "concert"
      And the guests of "concert" are "Kim, Lee"

    @carts-11
    Scenario: A seat without a guest is refused
      Given an empty cart
      When the shopper adds 2 "concert" for the guests "Kim"
      Then the change is refused because "admissions_mismatch"
      And the cart is empty

    @carts-11
    Scenario: A product that is not an event takes no guests
      Given an empty cart
      When the shopper adds 1 "shirt" for the guests "Kim"
      Then the change is refused because "admissions_mismatch"

    @carts-12
    Scenario: The removed field for a single guest is refused
      Given an empty cart
      When the shopper adds 1 "concert" with the removed field "admission"
      Then the change is refused because "validation_failed"
      And the refusal names the field "admission"
