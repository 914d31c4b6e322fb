Feature: What will happen is shown before
  Where money moves, a preview tells what would happen: by the same rules as the change itself, and without doing any of it.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: A preview tells what would be done, and does nothing

    @orders-25
    Scenario: A cancel is shown before it is made
      Given a paid order of 2 "shirt"
      When the shop previews to cancel the order
      Then the preview says that 33000 KRW would be given back
      And the preview says that 2 units would be back in stock
      And the preview says that the order would be "canceled"
      And 8 "shirt" are left in stock

    @orders-25
    Scenario: Marking as paid is shown before it is done
      Given a finalized draft order of 2 "shirt"
      When the shop previews to mark the order as paid
      Then the preview says that 33000 KRW would be recorded
      And the order's payment status is "unpaid"

    @orders-25
    Scenario: What cannot be done is refused beforehand
      Given a paid order of 1 "shirt"
      And the shop says that the order was shipped
      When the shop previews to cancel the order
      Then the cancellation is refused because "order_transition_invalid"

    @orders-25 @collections-32
    Scenario: What was previewed is done only while the order is as it was then
      Given a paid order of 2 "shirt"
      And the shop previews to cancel the order
      And the shop refunds 1000 KRW of the order
      When the shop cancels the order as previewed
      Then the request is refused because "changed_meanwhile"
      And the order is "paid"

  Rule: So it is with payments that require attention

    @orders-25
    Scenario: Placing the order of a late payment is shown before
      Given a late payment of 18000 KRW for a checkout that was replaced
      When the shop previews to place the order of the late payment
      Then the preview says that 18000 KRW would be assigned
      And the preview says that 1 unit would leave the stock
      And 10 "shirt" are left in stock

    @orders-25
    Scenario: Refunding a late payment is shown before
      Given a late payment of 18000 KRW for a checkout that was replaced
      When the shop previews to refund the late payment
      Then the preview says that 18000 KRW would be given back
      And the list of "requires_attention" checkouts holds 1
