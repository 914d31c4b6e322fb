Feature: A customer's own cart
  Whoever logs in finds the cart again on every device, and nobody else does.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 100   |
    And the customers "kim" and "lee"

  Rule: A cart that a customer made is the customer's

    @spec-4.6-carts @spec-1.5 @spec-5.r4
    Scenario: A customer finds the cart again
      Given a cart of "kim" with 2 "shirt"
      When "kim" asks for the own cart
      Then the own cart holds 2 "shirt"

    @spec-4.6-carts
    Scenario: Another customer does not
      Given a cart of "kim" with 2 "shirt"
      When "lee" asks for the own cart
      Then there is no own cart

    @spec-4.6-carts
    Scenario: Another customer cannot open it
      Given a cart of "kim" with 2 "shirt"
      When "lee" opens the cart of "kim"
      Then the request is refused because "not_found"

    @spec-4.6.r3 @spec-4.6.r4
    Scenario: Its owner needs a key but no revision
      Given a cart of "kim" with 2 "shirt"
      When "kim" adds 1 "shirt"
      And "kim" asks for the own cart
      Then the own cart holds 3 "shirt"
