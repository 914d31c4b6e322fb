Feature: Carts of customers
  Customers find their cart on every device; nobody else can read it.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
    And the customers "kim" and "lee"

  Rule: A cart belongs to the customer who created it

    @carts-7 @access-10 @access-25
    Scenario: A customer finds the cart again
      Given a cart of "kim" with 2 "shirt"
      When "kim" opens their own cart
      Then the customer's cart holds 2 "shirt"

    @carts-7
    Scenario: Another customer does not find it
      Given a cart of "kim" with 2 "shirt"
      When "lee" opens their own cart
      Then the customer has no cart

    @carts-6
    Scenario: Another customer cannot open it
      Given a cart of "kim" with 2 "shirt"
      When "lee" opens the cart of "kim"
      Then the request is refused because "not_found"

    @idempotency-3 @carts-15
    Scenario: A customer's changes need an idempotency key but no revision
      Given a cart of "kim" with 2 "shirt"
      When "kim" adds 1 "shirt"
      And "kim" opens their own cart
      Then the customer's cart holds 3 "shirt"
