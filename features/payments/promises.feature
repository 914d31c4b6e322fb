Feature: Goods are promised to whoever pays
  From the moment a payment opens its goods are kept for that shopper, and for nobody else.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 2     |

  Rule: What is promised to one cannot be sold to another

    @spec-3.2-payments
    Scenario: Goods in somebody's payment are taken
      Given an open payment for 2 "shirt"
      When another shopper opens a payment for 1 "shirt"
      Then the payment is refused because "out_of_stock"

    @spec-3.2-payments
    Scenario: A cart promises nothing
      Given a cart with 2 "shirt"
      When another shopper opens a payment for 2 "shirt"
      Then the payment succeeds

    @spec-3.2-payments
    Scenario: A canceled payment gives its goods back
      Given an open payment for 2 "shirt"
      And the shop cancels the payment
      When another shopper opens a payment for 2 "shirt"
      Then the payment succeeds

    @spec-3.2-payments
    Scenario: What is paid for is gone
      Given an open payment for 2 "shirt"
      And the buyer approves it
      And the shop confirms the payment
      When another shopper tries to buy 1 "shirt"
      Then the purchase is refused because "out_of_stock"
      And 0 "shirt" are left in stock

  Rule: A promise lasts an hour

    @spec-3.2-payments @clock
    Scenario: Goods nobody paid for are free again
      Given an open payment for 2 "shirt"
      And 61 minutes pass
      When another shopper opens a payment for 2 "shirt"
      Then the payment succeeds

    @spec-3.2-payments @clock
    Scenario: A payment whose time is over still holds its slot
      Given an open payment for 2 "shirt"
      When 61 minutes pass
      Then the checkout is "payment_pending"
      And the payment slot is held
      And no order is placed

    @spec-3.2-payments @clock
    Scenario: The same payment can be opened again while the goods are there
      Given an open payment for 2 "shirt"
      And 61 minutes pass
      When the shopper opens the same payment again
      Then the payment is the same as before

    @spec-3.2-payments @clock
    Scenario: The same payment cannot be opened again once the goods are gone
      Given an open payment for 2 "shirt"
      And 61 minutes pass
      And another shopper's payment for 2 "shirt" is open
      When the first shopper opens the same payment again
      Then the payment is refused because "out_of_stock"
