Feature: Correcting an order
  What is wrong with an order can be put right: units that cannot be sent are canceled, an amount is given back, an address is corrected.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: Units that have not left can be canceled

    @orders-22
    Scenario: One of two units is canceled
      Given a paid order of 2 "shirt"
      When the shop cancels 1 unit of the order
      Then the order is "paid"
      And the order's payment status is "partially_refunded"
      And 15000 KRW of the order are refunded
      And 9 "shirt" are left in stock

    @orders-22
    Scenario: A preview tells what would be given back and changes nothing
      Given a paid order of 2 "shirt"
      When the shop previews to cancel 1 unit of the order
      Then the preview says that 15000 KRW would be given back of the units
      And 0 KRW of the order are refunded
      And 8 "shirt" are left in stock

    @orders-22 @collections-32
    Scenario: What was previewed is done only while the order is as it was then
      Given a paid order of 3 "shirt"
      And the shop previews to cancel 1 unit of the order
      And the shop refunds 1000 KRW of the order
      When the shop cancels 1 unit of the order as previewed
      Then the request is refused because "changed_meanwhile"
      And 1000 KRW of the order are refunded

    @orders-22
    Scenario: An order is not emptied unit by unit
      Given a paid order of 2 "shirt"
      When the shop cancels 2 units of the order
      Then the cancellation is refused because "cancel_whole_order"
      And 0 KRW of the order are refunded

    @orders-22
    Scenario: A repeated request cancels once
      Given a paid order of 3 "shirt"
      When the shop cancels 1 unit of the order
      And the shop repeats the request
      Then the cancellation succeeds
      And 15000 KRW of the order are refunded
      And 8 "shirt" are left in stock

    @orders-22 @orders-9
    Scenario: While the provider is unavailable, the order does not change
      Given a paid order of 2 "shirt"
      And the provider fails 1000 times
      When the shop cancels 1 unit of the order
      Then the cancellation is refused because "provider_unavailable"
      And 0 KRW of the order are refunded
      And 8 "shirt" are left in stock

    @orders-22
    Scenario: An unpaid order comes to less
      Given a finalized draft order of 2 "shirt"
      When the shop cancels 1 unit of the order
      Then the order's payment status is "unpaid"
      And the order comes to 15000 KRW less
      And 9 "shirt" are left in stock

  Rule: An amount can be given back for any reason

    @orders-23
    Scenario: A part of the payment is given back
      Given a paid order of 1 "shirt"
      When the shop refunds 5000 KRW of the order
      Then 5000 KRW of the order are refunded
      And 9 "shirt" are left in stock

    @orders-23
    Scenario: No more is given back than was paid
      Given a paid order of 1 "shirt"
      And the shop refunds 10000 KRW of the order
      When the shop refunds 10000 KRW of the order
      Then the request is refused because "refund_exceeds_paid"
      And the refusal says that 8000 KRW can still be refunded

  Rule: Where an order goes can be corrected until it is shipped

    @orders-24
    Scenario: An address and an email are corrected
      Given a paid order of 1 "shirt"
      When the shop corrects the order's address to "2 Other Street" and its email to "right@example.com"
      Then the order goes to "2 Other Street"
      And the order's buyer is "right@example.com"

    @orders-24
    Scenario: A shipped order keeps its address
      Given a paid order of 1 "shirt"
      And the shop says that the order was shipped
      When the shop corrects the order's address to "2 Other Street" and its email to "right@example.com"
      Then the change is refused because "address_not_editable"

    @orders-24
    Scenario: A correction is previewed before it is made
      Given a paid order of 1 "shirt"
      When the shop previews to correct the order's address to "2 Other Street"
      Then the preview says that the order would go to "2 Other Street"
      And the order goes to "110 Sejong-daero"

    @orders-24 @collections-32
    Scenario: What was previewed is corrected only while the order is as it was then
      Given a paid order of 1 "shirt"
      And the shop previews to correct the order's address to "2 Other Street"
      And the shop corrects the order's address to "3 Third Street" and its email to "right@example.com"
      When the shop corrects the order's address to "2 Other Street" as previewed
      Then the request is refused because "changed_meanwhile"
      And the order goes to "3 Third Street"

    @orders-24
    Scenario: A preview says that an address cannot be corrected any more
      Given a paid order of 1 "shirt"
      And the shop says that the order was shipped
      When the shop previews to correct the order's address to "2 Other Street"
      Then the change is refused because "address_not_editable"
