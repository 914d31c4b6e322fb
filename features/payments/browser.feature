Feature: Payments by the shopper's browser
  The browser gets what the provider's program needs to take a card. Whoever copied that can pay with it at any time, so
  it stands for the one payment of the checkout until its money arrives or somebody of the shop decides otherwise.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: The shop alone says what is paid

    @spec-4.6-payments @spec-8-values
    Scenario: A browser payment is opened
      Given a checkout of 1 "shirt"
      When the shopper opens a browser payment
      Then the browser is asked for a card payment of 18000 KRW under a name of letters and digits

    @spec-4.6-payments
    Scenario: A card needs no enabled method
      Given a checkout of 1 "shirt"
      And the shop takes only "KAKAO_PAY" on payment pages
      When the shopper opens a browser payment
      Then the payment succeeds

    @spec-4.6-payments
    Scenario: A browser payment becomes an order
      Given an open browser payment for 2 "shirt"
      And the buyer approves it
      When the shopper's browser asks what became of the payment
      Then exactly one order of 33000 KRW is placed
      And the books show one payment of 33000 KRW
      And 8 "shirt" are left in stock

  Rule: What the browser says about itself does not count

    @spec-4.6.r8
    Scenario: A browser that says it paid has not paid
      Given an open browser payment for 1 "shirt"
      When the shopper's browser asks what became of the payment
      Then no order is placed
      And the payment slot is held

  Rule: A browser payment cannot be taken back

    @spec-4.6.r9
    Scenario: It cannot be canceled
      Given an open browser payment for 1 "shirt"
      When the shopper cancels the payment
      Then the payment is refused because "payment_slot_held"
      And the payment slot is held

    @spec-4.6.r9
    Scenario: One that the provider never heard of keeps its slot for the same payment
      Given an open browser payment for 1 "shirt"
      And the shop asks what became of the payment
      When the shopper opens a browser payment
      Then the payment is the same as before
      And the payment slot is held
      And no order is placed

    @spec-4.6.r9
    Scenario: A declined one keeps its slot for the same payment
      Given an open browser payment for 1 "shirt"
      And the buyer declines it
      And the shop asks what became of the payment
      When the shopper opens a browser payment
      Then the payment is the same as before
      And the payment slot is held

    @spec-4.6.r9
    Scenario: A declined one lets no other payment in
      Given an open browser payment for 1 "shirt"
      And the buyer declines it
      And the shop asks what became of the payment
      When the shopper opens a payment page for "CARD_KR"
      Then the payment is refused because "payment_slot_held"

    @spec-4.6.r9
    Scenario: A declined one can still be paid
      Given an open browser payment for 1 "shirt"
      And the buyer declines it
      And the shop asks what became of the payment
      And the buyer approves it
      When the shop asks what became of the payment
      Then exactly one order of 18000 KRW is placed

    @spec-4.6.r9 @clock
    Scenario: One whose time is over keeps its slot for the same payment
      Given an open browser payment for 1 "shirt"
      And 61 minutes pass
      When the shopper opens a browser payment
      Then the payment is the same as before
      And the payment slot is held

    @spec-4.6.r9 @clock
    Scenario: One whose time is over can still be paid
      Given an open browser payment for 1 "shirt"
      And 61 minutes pass
      And the buyer approves it
      When the shop asks what became of the payment
      Then exactly one order of 18000 KRW is placed
