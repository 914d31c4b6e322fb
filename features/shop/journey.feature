Feature: From the catalog to the return
  Rule shop-1: a shop has a catalog, carts, discounts, shipping, checkouts, payments, orders, drafts and returns, which work together.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |
    And the code "TEN" takes 10 percent off

  Rule: A shopper places an order

    @shop-1
    Scenario: From the catalog to the cart
      Given a visitor lists the products
      And the list shows "shirt" from 15000 KRW
      When the shopper fills a cart with 2 "shirt" and the code "TEN"
      Then the cart's subtotal is 30000 KRW
      And the code "TEN" takes 3000 off the cart
      And shipping an order of 27000 to "04524" costs 3000

    @shop-1
    Scenario: From the cart to the order
      Given a cart with 2 "shirt" and the code "TEN"
      And the shopper checks out
      And the shopper opens a payment
      And the shopper approves the payment
      When the shop confirms the payment
      Then exactly one order of 30000 KRW is placed

  Rule: An operator places an order

    @shop-1
    Scenario: From the draft to the order
      Given a draft order of 2 "shirt"
      And the operator enters the code "TEN"
      When the operator finalizes the draft
      Then the draft became a "pending" order of 30000 KRW
      When the shop moves the order to "paid"
      Then the order's payment status is "paid"

  Rule: Orders are fulfilled and returned

    @shop-1
    Scenario: From the order to the return
      Given a delivered order of 2 "shirt" with the code "TEN"
      And an approved return of 2 "shirt"
      When the shop receives the returned products
      And the shop refunds the return
      Then 27000 KRW of the order are refunded
      And 10 "shirt" are left in stock

    @shop-1
    Scenario: From a mixed order to its delivery
      Given a paid order of 1 "shirt" and 1 "guide"
      And the shop packs everything that ships
      And the shop ships the parcel with "cj" under the number "123456789012"
      And the parcel is delivered
      When the shop completes everything that does not ship
      Then the order is "delivered"
