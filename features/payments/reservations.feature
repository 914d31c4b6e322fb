@storage
Feature: Stock reservations
  An open payment reserves its stock for an hour.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 2     |

  Rule: Reserved stock cannot be sold to others

    @payments-18
    Scenario: Stock reserved by a payment is not available
      Given an open payment for 2 "shirt"
      When another shopper opens a payment for 1 "shirt"
      Then the payment is refused because "out_of_stock"

    @payments-18
    Scenario: A cart reserves nothing
      Given a cart with 2 "shirt"
      When another shopper opens a payment for 2 "shirt"
      Then the payment succeeds

    @payments-18
    Scenario: A canceled payment releases its reservation
      Given an open payment for 2 "shirt"
      And the shop cancels the payment
      When another shopper opens a payment for 2 "shirt"
      Then the payment succeeds

    @payments-18
    Scenario: Paid stock is gone
      Given an open payment for 2 "shirt"
      And the shopper approves the payment
      And the shop confirms the payment
      When another shopper tries to buy 1 "shirt"
      Then the purchase is refused because "out_of_stock"
      And 0 "shirt" are left in stock

  Rule: A reservation lasts an hour

    @payments-18 @clock
    Scenario: Stock of an expired reservation is available again
      Given an open payment for 2 "shirt"
      And 61 minutes pass
      When another shopper opens a payment for 2 "shirt"
      Then the payment succeeds

    @payments-3 @clock
    Scenario: A payment with an expired reservation keeps its slot
      Given an open payment for 2 "shirt"
      When 61 minutes pass
      Then the checkout is "payment_pending"
      And the payment slot is held
      And no order is placed

    @payments-19 @clock
    Scenario: The same payment can be opened again while there is stock
      Given an open payment for 2 "shirt"
      And 61 minutes pass
      When the shopper opens the same payment again
      Then the payment is the same as before

    @payments-19 @clock
    Scenario: The same payment cannot be opened again without stock
      Given an open payment for 2 "shirt"
      And 61 minutes pass
      And another shopper's payment for 2 "shirt" is open
      When the first shopper opens the same payment again
      Then the payment is refused because "out_of_stock"
