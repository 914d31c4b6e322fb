Feature: Reconciliation of payments
  The shop's server finds a payment by the provider's id and settles it.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: Searching a payment changes nothing

    @payments-14
    Scenario: A payment is found by the provider's id
      Given an open payment for 1 "shirt"
      When the shop searches by the provider's payment id
      Then a "pending" payment is found

    @payments-6 @payments-14
    Scenario: Finding an approved payment does not settle it
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When the shop searches by the provider's payment id
      Then a "pending" payment is found
      And the payment slot is held
      And no order is placed

    @payments-14
    Scenario: A payment of another shop is not found
      Given an open payment for 1 "shirt"
      When the shop searches by the payment id of another shop
      Then no payment is found

  Rule: Reconciling settles the payment by the provider's state

    @payments-15
    Scenario: An unpaid payment stays open
      Given an open payment for 1 "shirt"
      When the shop reconciles the payment
      Then a "pending" payment is found
      And no order is placed

    @payments-15
    Scenario: A settled payment keeps its one order
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      And the shop confirms the payment
      When the shop reconciles the payment
      Then a "succeeded" payment is found
      And exactly one order of 18000 KRW is placed

    @payments-6 @payments-15
    Scenario: A payment that was never confirmed becomes its order
      Given an open payment page for 1 "shirt"
      And the shopper pays on the provider's page
      When the shop reconciles the payment
      Then a "succeeded" payment is found
      And exactly one order of 18000 KRW is placed

    @payments-15
    Scenario: An unknown payment requires attention
      Given an open payment for 1 "shirt"
      And the shopper approves the payment
      When the shop reconciles the payment id of another shop
      Then no payment is found
      And the payment requires attention
      And no order is placed

  Rule: Reconciling needs a key that can write

    @payments-14
    Scenario: A key for reading can search a payment
      Given an open payment for 1 "shirt"
      And the admin creates an API key for "reading"
      When a server with the new API key searches by the provider's payment id
      Then a "pending" payment is found

    @payments-13 @payments-15
    Scenario: A key for reading cannot reconcile
      Given an open payment for 1 "shirt"
      And the admin creates an API key for "reading"
      When a server with the new API key reconciles the payment
      Then the request is refused because "forbidden"
