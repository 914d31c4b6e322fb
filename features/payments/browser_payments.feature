Feature: Browser payments
  The browser gets the parameters with which the provider's script takes a card. They can be used at any time, so the payment
  stays the only one of its checkout until it is paid or the shop releases it.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: The server determines what is paid

    @payments-1 @payments-11
    Scenario: A browser payment is opened
      Given a checkout of 1 "shirt"
      When the shopper opens a browser payment
      Then the browser gets a card payment of 18000 KRW with a payment id of letters and digits

    @payments-11
    Scenario: A card payment needs no enabled method
      Given a checkout of 1 "shirt"
      And the shop enables only "KAKAO_PAY" for payment pages
      When the shopper opens a browser payment
      Then the payment succeeds

    @payments-73
    Scenario: The buyer asks for a cash receipt
      Given a checkout of 1 "shirt"
      When the shopper opens a browser payment with a personal cash receipt under "010-1234-5678"
      Then the provider is told of a PERSONAL cash receipt under "01012345678"
      And the shop sees a personal cash receipt under "01012345678" in the payment

    @payments-73
    Scenario: A cash receipt needs a number that can be right
      Given a checkout of 1 "shirt"
      When the shopper opens a browser payment with a corporate cash receipt under "120-88-00768"
      Then the payment is refused because "validation_failed"
      And the payment slot is free

    @payments-73
    Scenario: A page asks for cash receipts by itself
      Given a checkout of 1 "shirt"
      When the shopper opens a payment page with a personal cash receipt under "010-1234-5678"
      Then the payment is refused because "cash_receipt_unsupported"
      And the payment slot is free

    @payments-11
    Scenario: A browser payment becomes an order
      Given an open browser payment for 2 "shirt"
      And the shopper approves the payment
      When the shopper's browser looks the payment up
      Then exactly one order of 33000 KRW is placed
      And the ledger shows one payment of 33000 KRW
      And 8 "shirt" are left in stock

  Rule: A report of the browser is not trusted

    @payments-6
    Scenario: A browser that returns without a payment has not paid
      Given an open browser payment for 1 "shirt"
      When the shopper's browser looks the payment up
      Then no order is placed
      And the payment slot is held

  Rule: A browser payment keeps its slot

    @payments-4
    Scenario: It cannot be canceled
      Given an open browser payment for 1 "shirt"
      When the shopper cancels the payment
      Then the payment is refused because "payment_slot_held"
      And the payment slot is held

    @payments-3
    Scenario: A payment that the provider does not know keeps its slot
      Given an open browser payment for 1 "shirt"
      And the shop looks the payment up
      When the shopper opens a browser payment
      Then the payment is the same as before
      And the payment slot is held
      And no order is placed

    @payments-3
    Scenario: A declined payment keeps its slot
      Given an open browser payment for 1 "shirt"
      And the shopper declines the payment
      And the shop looks the payment up
      When the shopper opens a browser payment
      Then the payment is the same as before
      And the payment slot is held

    @payments-3
    Scenario: A declined payment blocks other payments
      Given an open browser payment for 1 "shirt"
      And the shopper declines the payment
      And the shop looks the payment up
      When the shopper opens a payment page for "CARD_KR"
      Then the payment is refused because "payment_slot_held"

    @payments-3
    Scenario: A declined payment can still be paid
      Given an open browser payment for 1 "shirt"
      And the shopper declines the payment
      And the shop looks the payment up
      And the shopper approves the payment
      When the shop looks the payment up
      Then exactly one order of 18000 KRW is placed

    @payments-3 @clock
    Scenario: An expired payment keeps its slot
      Given an open browser payment for 1 "shirt"
      And 61 minutes pass
      When the shopper opens a browser payment
      Then the payment is the same as before
      And the payment slot is held

    @payments-3 @clock
    Scenario: An expired payment can still be paid
      Given an open browser payment for 1 "shirt"
      And 61 minutes pass
      And the shopper approves the payment
      When the shop looks the payment up
      Then exactly one order of 18000 KRW is placed
