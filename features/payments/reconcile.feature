Feature: Comparing the provider's list of payments with the shop's
  The shop's server takes a payment by the number the provider knows it by, looks for it here, and has it settled.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: Looking for a payment here asks nobody and changes nothing

    @spec-4.6-payments
    Scenario: A payment is found by the provider's number
      Given an open payment for 1 "shirt"
      When the shop looks for the provider's payment
      Then a "pending" payment is found

    @spec-4.6-payments @spec-4.6.r8
    Scenario: Finding an approved payment does not settle it
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When the shop looks for the provider's payment
      Then a "pending" payment is found
      And the payment slot is held
      And no order is placed

    @spec-4.6-payments
    Scenario: A payment of another shop is not found
      Given an open payment for 1 "shirt"
      When the shop looks for a payment that is not its own
      Then no payment is found

  Rule: Reconciling asks the provider and settles what it says

    @spec-4.6-payments
    Scenario: A payment that nobody paid stays open
      Given an open payment for 1 "shirt"
      When the shop reconciles the provider's payment
      Then a "pending" payment is found
      And no order is placed

    @spec-4.6-payments
    Scenario: A paid payment has its one order
      Given an open payment for 1 "shirt"
      And the buyer approves it
      And the shop confirms the payment
      When the shop reconciles the provider's payment
      Then a "succeeded" payment is found
      And exactly one order of 18000 KRW is placed

    @spec-4.6-payments @spec-4.6.r8
    Scenario: Money that nobody told the shop of becomes the order
      Given an open payment page for 1 "shirt"
      And the buyer pays on the provider's page
      When the shop reconciles the provider's payment
      Then a "succeeded" payment is found
      And exactly one order of 18000 KRW is placed

    @spec-4.6-payments
    Scenario: A payment nobody here knows is for a person
      Given an open payment for 1 "shirt"
      And the buyer approves it
      When the shop reconciles a payment that is not its own
      Then no payment is found
      And a person has to look at it
      And no order is placed

  Rule: Settling needs a key that may write

    @spec-4.6-payments
    Scenario: A server that only reads may look for a payment
      Given an open payment for 1 "shirt"
      And the admin makes a key for "reading"
      When a server with the new key looks for the provider's payment
      Then a "pending" payment is found

    @spec-4.6-payments
    Scenario: A server that only reads may not reconcile
      Given an open payment for 1 "shirt"
      And the admin makes a key for "reading"
      When a server with the new key reconciles the provider's payment
      Then the request is refused because "forbidden"
