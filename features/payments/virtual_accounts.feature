Feature: Paying by virtual account
  The shopper chooses to pay by bank transfer. The bank makes an account for this payment alone, and the shopper is told what to
  transfer where and until when. The transfer makes the order; until it is due, the goods are kept.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 2     |

  Rule: The shopper is told where to pay

    @payments-46 @payments-52
    Scenario: The payment page gives an account
      Given an open payment page for 1 "shirt"
      And the shopper chooses a virtual account
      When the shop looks the payment up
      Then the shopper is told to transfer 18000 KRW to "Sandbox Bank" within 72 hours
      And the payment is "processing"
      And no order is placed

    @payments-46
    Scenario: A payment that the shop confirms gives an account
      Given an open payment for 1 "shirt"
      And the shopper chooses a virtual account
      When the shop confirms the payment
      Then the shopper is told to transfer 18000 KRW to "Sandbox Bank" within 72 hours
      And no order is placed

    @payments-46 @clock
    Scenario: Who returns to the page later is told the same
      Given a virtual account for 1 "shirt"
      And 25 hours pass
      When the shopper's browser looks the payment up
      Then the shopper is told the same as before

  Rule: The shop can write to the shopper where to pay

    @payments-53 @concurrency
    Scenario: One event tells the shop whom to write what
      Given an open payment page for 1 "shirt"
      And the shopper chooses a virtual account
      When the shop looks the payment up 8 times at once
      Then exactly one event tells that "kim@shopper.example" has to transfer 18000 KRW to "Sandbox Bank"

  Rule: The deposit makes the order

    @payments-46
    Scenario: The deposit arrives
      Given a virtual account for 1 "shirt"
      And the shopper transfers the amount
      When the shop looks the payment up
      Then exactly one order of 18000 KRW is placed
      And the ledger shows one payment of 18000 KRW
      And 1 "shirt" are left in stock

    @payments-46
    Scenario: The deposit arrives when nobody looks
      Given a virtual account for 1 "shirt"
      When the shopper transfers the amount
      Then exactly one order of 18000 KRW is placed soon

    @payments-52
    Scenario: The account takes nothing but the exact amount
      Given a virtual account for 1 "shirt"
      When the shopper transfers 17999 KRW
      Then the payment is refused because "sandbox_refused"
      And no order is placed

    @payments-52
    Scenario: The account takes the amount once
      Given a virtual account for 1 "shirt"
      And the shopper transfers the amount
      When the shopper transfers the amount again
      Then the payment is refused because "sandbox_refused"

  Rule: A deposit that the bank takes back stops the order

    @payments-47 @payments-52
    Scenario: The bank takes the deposit back
      Given an order of 1 "shirt" that was paid by virtual account
      When the bank takes the deposit back
      Then the order's payment status is soon "reversed"
      And the shop is asked to look at the payment

    @payments-47 @payments-52
    Scenario: A second deposit makes it a paid order again
      Given an order of 1 "shirt" that was paid by virtual account
      And the bank takes the deposit back
      And the order's payment status is soon "reversed"
      When the shopper transfers the amount again
      Then the order's payment status is soon "paid"

  Rule: The goods are kept until the deposit is due, for a week at most

    @payments-46 @clock
    Scenario: Nobody else gets the goods before the deposit is due
      Given a virtual account for 2 "shirt"
      And 71 hours pass
      When another shopper opens a payment for 1 "shirt"
      Then the payment is refused because "out_of_stock"

    @payments-46 @payments-52 @clock
    Scenario: The deposit never comes
      Given a virtual account for 2 "shirt"
      And 73 hours pass
      When another shopper opens a payment for 1 "shirt"
      Then the payment succeeds

    @payments-52 @clock
    Scenario: The account is closed after its time
      Given a virtual account for 2 "shirt"
      And 73 hours pass
      When the shopper transfers the amount
      Then the payment is refused because "sandbox_refused"
      And no order is placed

    @payments-46 @clock
    Scenario: A deposit after a week becomes the order while there are goods
      Given a virtual account for 1 "shirt" that is open for 10 days
      And 192 hours pass
      And the shopper transfers the amount
      When the shop looks the payment up
      Then exactly one order of 18000 KRW is placed

    @payments-20 @payments-46 @clock
    Scenario: A deposit after a week, when the goods are gone, waits for a decision of the shop
      Given a virtual account for 2 "shirt" that is open for 10 days
      And 192 hours pass
      And another shopper's payment for 2 "shirt" is open
      When the shopper of the virtual account transfers the amount
      Then the list of "requires_attention" checkouts soon holds 1
      And the suggested action is "place_after_restock"

  Rule: The shopper may change their mind

    @payments-4 @payments-52
    Scenario: A canceled payment closes its account
      Given a virtual account for 1 "shirt"
      And the shopper cancels the payment
      When the shopper transfers the amount
      Then the payment is refused because "sandbox_refused"
      And the payment slot is free

  Rule: The money goes back to an account of the shopper

    @payments-59 @payments-60
    Scenario: A refund without the shopper's account is refused
      Given an order of 1 "shirt" that was paid by virtual account
      When the shop cancels the order
      Then the cancellation is refused because "refund_account_required"
      And the order is "paid"
      And the ledger shows 0 refunds

    @payments-59
    Scenario: The shop names the shopper's account
      Given an order of 1 "shirt" that was paid by virtual account
      When the shop cancels the order and names the account "110-123-456789" of "Kim Jiwoo" at bank "088"
      Then the order is "canceled"
      And 18000 KRW of the order are refunded
      And the ledger shows 1 refund

    @payments-59
    Scenario: A number that is none is refused
      Given an order of 1 "shirt" that was paid by virtual account
      When the shop cancels the order and names the account "my savings" of "Kim Jiwoo" at bank "088"
      Then the cancellation is refused because "validation_failed"
      And the order is "paid"
