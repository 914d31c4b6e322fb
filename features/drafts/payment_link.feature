Feature: Payment links of draft orders
  Whoever ordered on the phone gets a link, pays on the shop's storefront, and has an order with that.

  Background:
    Given a shop that sells
      | product | price | stock | kind |
      | shirt   | 15000 | 10    |      |

  Rule: The order is placed when it is paid

    @drafts-13
    Scenario: Nothing is taken before the buyer pays
      Given a draft order of 2 "shirt"
      When the operator makes a payment link
      Then the draft is "awaiting_payment"
      And the checkout's total is 33000 KRW
      And 10 "shirt" are left in stock
      And no order is placed

    @drafts-13
    Scenario: The buyer pays by the link
      Given a draft order of 2 "shirt" with a payment link
      And the shopper opens a payment
      And the shopper approves the payment
      When the shop confirms the payment
      Then the draft became a "paid" order of 33000 KRW
      And the order was created by hand

    @drafts-13 @concurrency
    Scenario: A payment that is confirmed twenty times makes one order
      Given a draft order of 2 "shirt" with a payment link
      And the shopper opens a payment
      And the shopper approves the payment
      When the shop confirms the payment 20 times at once
      Then exactly one order is made from the draft
      And 8 "shirt" are left in stock

    @drafts-13
    Scenario: A draft that waits for its payment is not finalized
      Given a draft order of 2 "shirt" with a payment link
      When the operator finalizes the draft
      Then the request is refused because "draft_awaits_payment"

    @drafts-13
    Scenario: A draft that waits for its payment is not edited
      Given a draft order of 2 "shirt" with a payment link
      When the operator sets the shipping fee to 0
      Then the request is refused because "draft_awaits_payment"

    @drafts-13
    Scenario: The buyer cannot change what the shop offered
      Given a draft order of 2 "shirt" with a payment link
      When the shopper enters an address
      Then the request is refused because "checkout_offered_by_shop"

  Rule: A draft has one link

    @drafts-14 @concurrency
    Scenario: Making it many times makes it once
      Given a draft order of 2 "shirt" with a payment link
      When the operator makes a payment link 20 times at once
      Then the payment link is the same as before

  Rule: A link can be revoked

    @drafts-15
    Scenario: A revoked link cannot be paid
      Given a draft order of 2 "shirt" with a payment link
      And the operator revokes the payment link
      When the shopper opens a payment
      Then the request is refused because "checkout_not_open"
      And the checkout is "canceled"

    @drafts-15
    Scenario: After that the draft can be sold otherwise
      Given a draft order of 2 "shirt" with a payment link
      And the operator revokes the payment link
      When the operator finalizes the draft
      Then the draft became a "pending" order of 33000 KRW

    @drafts-15
    Scenario: Nobody revokes a link while the buyer pays
      Given a draft order of 2 "shirt" with a payment link
      And the shopper opens a payment
      When the operator revokes the payment link
      Then the request is refused because "payment_slot_held"
      And the draft is "awaiting_payment"
