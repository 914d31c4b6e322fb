Feature: Capturing a payment after the order
  A shop may have its provider hold the shopper's money when they order, and collect it later: when everything was shipped, or
  when an operator says so. What is not collected is released. No money has moved until then.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 5     |

  Rule: The approval of the shopper places the order, and moves no money

    @payments-63
    Scenario: The payment is authorized
      Given the shop captures payments when an operator says so
      When a shopper orders 1 "shirt" and approves the payment
      Then the order is "authorized"
      And the order's payment status is "authorized"
      And the payment is "authorized"
      And 4 "shirt" are left in stock

    @payments-63
    Scenario: What was not captured is not refunded, and not marked as paid
      Given an order of 1 "shirt" that is captured when an operator says so
      When the shop says that the order was paid otherwise
      Then the request is refused because "order_transition_invalid"

  Rule: The payment is captured once, in part or whole

    @payments-64
    Scenario: An operator captures all of it
      Given an order of 1 "shirt" that is captured when an operator says so
      When the shop captures the payment
      Then the order is "paid"
      And the order's payment status is "paid"
      And the ledger shows one payment of 18000 KRW

    @payments-64
    Scenario: An operator captures a part, and the rest is released
      Given an order of 1 "shirt" that is captured when an operator says so
      When the shop captures 15000 KRW of the payment
      Then the order's payment status is "partially_paid"
      And the ledger shows one payment of 15000 KRW

    @payments-64
    Scenario: It is not captured twice
      Given an order of 1 "shirt" that is captured when an operator says so
      And the shop captures 15000 KRW of the payment
      When the shop captures 3000 KRW of the payment
      Then the request is refused because "payment_not_authorized"
      And the ledger shows one payment of 15000 KRW

    @payments-64
    Scenario: More than was authorized is not captured
      Given an order of 1 "shirt" that is captured when an operator says so
      When the shop captures 18001 KRW of the payment
      Then the request is refused because "capture_exceeds_authorized"
      And the order's payment status is "authorized"

    @payments-64 @concurrency
    Scenario: Eight operators capture it at once
      Given an order of 1 "shirt" that is captured when an operator says so
      When 8 operators capture the payment at once
      Then the ledger shows one payment of 18000 KRW

  Rule: Shipping captures the payment, if the shop wants that

    @payments-65
    Scenario: Everything is shipped
      Given an order of 1 "shirt" that is captured when everything was shipped
      And the shop packs everything that ships
      When the shop ships the parcel with "cj" under the number "123456789012"
      Then the order's payment status is soon "paid"
      And the order is "shipped"
      And the ledger shows one payment of 18000 KRW

    @payments-65
    Scenario: A part is shipped
      Given an order of 2 "shirt" that is captured when everything was shipped
      And the shop packs 1 "shirt"
      When the shop ships the parcel with "cj" under the number "123456789012"
      Then the order's payment status is "authorized"

  Rule: A cancel releases the payment

    @payments-66
    Scenario: The order is canceled before the payment is captured
      Given an order of 1 "shirt" that is captured when everything was shipped
      When the shop cancels the order
      Then the order is "canceled"
      And the payment is released
      And the ledger shows 0 refunds
      And 5 "shirt" are left in stock

  Rule: A payment that ends before it is captured stops the order

    @payments-67 @orders-20
    Scenario: The provider releases it
      Given an order of 1 "shirt" that is captured when everything was shipped
      When the provider releases the payment
      Then the order is soon on hold because of "payment_voided"
      And the order's payment status is "unpaid"
      And the payment's suggested action is "cancel_order"

    @payments-67
    Scenario: The shopper pays otherwise
      Given an order of 1 "shirt" that is captured when everything was shipped
      And the provider releases the payment
      And the order is soon on hold because of "payment_voided"
      When the shop says that the order was paid otherwise
      Then the order is "paid"
      And the order is not on hold

    @payments-67
    Scenario: Somebody captures it in the provider's console
      Given an order of 1 "shirt" that is captured when an operator says so
      When somebody captures the payment in the provider's console
      Then the order's payment status is soon "paid"
      And the ledger shows one payment of 18000 KRW
