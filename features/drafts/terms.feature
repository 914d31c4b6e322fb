Feature: Prices agreed for a draft order
  On the phone a shop agrees on a price: for a thing with a scratch, for a regular, for a hundred of them.

  Background:
    Given a shop that sells
      | product | price | stock | kind |
      | shirt   | 15000 | 10    |      |

  Rule: A line has a price or discount of its own, with a reason

    @drafts-16
    Scenario: A price for one line
      Given a draft order of 2 "shirt"
      And the operator agrees on a "unitPrice" of 12000 because of "a scratch"
      When the operator calculates the draft
      Then the draft costs 24000 less 0 discount plus 3000 shipping, 27000 KRW in total
      And the calculation tells "a scratch" and the catalog's price of 15000

    @drafts-16
    Scenario: Percent off a line, and a code after it
      Given the code "TEN" takes 10 percent off
      And a draft order of 2 "shirt"
      And the operator agrees on a "discountPercent" of 50 because of "a regular"
      And the operator enters the code "TEN"
      When the operator calculates the draft
      Then the draft costs 30000 less 16500 discount plus 3000 shipping, 16500 KRW in total

    @drafts-16
    Scenario: A discount takes no more than the line costs
      Given a draft order of 2 "shirt"
      And the operator agrees on a "discountAmount" of 90000 because of "broken last time"
      When the operator calculates the draft
      Then the draft costs 30000 less 30000 discount plus 3000 shipping, 3000 KRW in total

    @drafts-16
    Scenario: The order has what was agreed, and its timeline tells it
      Given a draft order of 2 "shirt"
      And the operator agrees on a "unitPrice" of 12000 because of "a scratch"
      When the operator finalizes the draft
      Then the draft became a "pending" order of 27000 KRW
      And the order's timeline tells "a scratch"

    @drafts-13 @drafts-16
    Scenario: The buyer pays what was agreed
      Given a draft order of 2 "shirt"
      And the operator agrees on a "discountAmount" of 5000 because of "a regular", and makes a payment link
      And the shopper opens a payment
      And the shopper approves the payment
      When the shop confirms the payment
      Then the draft became a "paid" order of 28000 KRW

    @drafts-16
    Scenario: No price without a reason
      Given a draft order of 2 "shirt"
      When the operator agrees on a "unitPrice" of 12000 because of ""
      Then the request is refused because "validation_failed"

  Rule: Everything ships the way the operator chooses

    @drafts-18
    Scenario: A policy for this order
      Given a draft order of 2 "shirt"
      And the operator has it shipped by "Express" for 9000
      When the operator finalizes the draft
      Then the draft became a "pending" order of 39000 KRW
      And the order's timeline tells "Express"
