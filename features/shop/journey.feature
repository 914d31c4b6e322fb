Feature: From the shelf to the return
  Specification 1, rule 3: a shop has a catalog, carts, discounts, shipping, checkouts, payments, orders, drafts and returns, and one leads to the next.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |
    And the code "TEN" takes 10 percent off

  Rule: A shopper comes from the shelf to an order

    @spec-1.3
    Scenario: From the shelf into the cart
      Given a visitor lists what is on sale
      And the list shows "shirt" from 15000 KRW
      When the shopper fills a cart with 2 "shirt" and the code "TEN"
      Then the cart costs 30000 KRW
      And the code "TEN" takes 3000 off the cart
      And delivery of an order of 27000 to "04524" costs 3000

    @spec-1.3
    Scenario: From the cart to the order
      Given a cart with 2 "shirt" and the code "TEN"
      And the shopper checks out
      And the shopper opens a payment
      And the buyer approves it
      When the shop confirms the payment
      Then exactly one order of 30000 KRW is placed

  Rule: An operator comes from a draft to an order

    @spec-1.3
    Scenario: From the draft to the order
      Given a draft order of 2 "shirt"
      And the operator enters the code "TEN"
      When the operator finalizes the draft
      Then the draft became a "pending" order of 30000 KRW
      When the shop calls the order "paid"
      Then the order reads as "paid"

  Rule: Goods come to the buyer, and back

    @spec-1.3
    Scenario: From the order to the return
      Given a delivered order of 2 "shirt" with the code "TEN"
      And an approved return of 2 "shirt"
      When the goods of the return arrive
      And the shop pays the return out
      Then 27000 KRW of the order went back
      And 10 "shirt" are left in stock

    @spec-1.3
    Scenario: From a mixed order to its buyer
      Given a paid order of 1 "shirt" and 1 "guide"
      And the shop packs everything that ships
      And the shop ships the parcel by "cj" as "123456789012"
      And the parcel arrives
      When the shop completes everything that does not ship
      Then the order is "delivered"
