Feature: Disputed payments
  A buyer may ask their bank for the money back. The bank takes it until the dispute is decided. The shop sees until when it can
  answer, and nothing more of the order leaves the shop meanwhile, unless the shop says so.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 2     |
    And a paid order of 1 "shirt"

  Rule: A dispute stops the order

    @payments-48
    Scenario: The bank takes the money
      When the buyer disputes the payment
      Then the dispute is soon "needs_response"
      And the shop has 7 days to answer it
      And the order is soon on hold because of "payment_disputed"
      And the order's payment status is "reversed"
      And the payment's suggested action is "respond_to_dispute"

    @payments-48 @orders-20
    Scenario: Nothing is packed meanwhile
      Given the buyer disputes the payment
      And the order is soon on hold because of "payment_disputed"
      When the shop packs everything that ships
      Then the request is refused because "order_on_hold"

    @payments-48
    Scenario: The bank only asks
      When the bank asks about the payment
      Then the order is soon on hold because of "payment_disputed"
      And the order's payment status is "paid"

  Rule: The bank decides

    @payments-48
    Scenario: The shop wins
      Given the buyer disputes the payment
      And the order is soon on hold because of "payment_disputed"
      When the bank decides for the shop
      Then the dispute is soon "won"
      And the order's payment status is soon "paid"
      And the order is not on hold

    @payments-48
    Scenario: The buyer wins
      Given the buyer disputes the payment
      And the order is soon on hold because of "payment_disputed"
      When the bank decides for the buyer
      Then the dispute is soon "lost"
      And the order is soon on hold because of "payment_reversed"
      And the payment's suggested action is "cancel_order"

  Rule: The shop may go on all the same

    @payments-48 @orders-20
    Scenario: The shop dismisses the dispute
      Given the buyer disputes the payment
      And the order is soon on hold because of "payment_disputed"
      When the shop dismisses the problem of the payment
      Then the order is not on hold
