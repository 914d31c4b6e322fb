Feature: Calculating a draft order
  Rule drafts-5: a preview of subtotal, discount, shipping and total, with everything that prevents the sale.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |
    And the code "TEN" takes 10 percent off

  Rule: Calculating returns the totals and changes nothing

    @drafts-4
    Scenario: Neither the draft nor the shop changes
      Given a draft order of 2 "shirt"
      When the operator calculates the draft 3 times
      Then nothing has changed in the draft or in the shop
      And 10 "shirt" are left in stock

    @drafts-5
    Scenario: Lines, discount and shipping add up
      Given a draft order of 2 "shirt"
      And the operator enters the code "ten"
      When the operator calculates the draft
      Then the draft costs 30000 less 3000 discount plus 3000 shipping, 30000 KRW in total
      And the draft's code is valid

    @drafts-9
    Scenario: The operator can set the shipping fee
      Given a draft order of 2 "shirt"
      And the operator sets the shipping fee to 500
      When the operator calculates the draft
      Then the draft costs 30000 less 0 discount plus 500 shipping, 30500 KRW in total

    @shipping-1 @drafts-9
    Scenario: Products that do not ship cost no shipping
      Given a draft order of 2 "guide"
      And the operator sets the shipping fee to 500
      When the operator calculates the draft
      Then the draft costs 10000 less 0 discount plus 0 shipping, 10000 KRW in total

    @drafts-5
    Scenario: Without an address the cost of shipping is not known
      Given a draft order of 2 "shirt" without an address
      When the operator calculates the draft
      Then the draft's total is 30000 KRW
      And the cost of shipping is not known yet

  Rule: Calculating reports what prevents the sale

    @drafts-5
    Scenario: Too few are in stock
      Given a draft order of 11 "shirt"
      When the operator calculates the draft
      Then the calculation reports "shirt" as "out_of_stock", 11 requested and 10 available
      And the draft is "draft"

    @drafts-5
    Scenario: A product is no longer published
      Given a draft order of 2 "shirt"
      And "shirt" is unpublished
      When the operator calculates the draft
      Then the calculation reports "shirt" as "variant_unavailable", 2 requested and 0 available

    @drafts-5
    Scenario: An invalid code
      Given a draft order of 2 "shirt"
      And the operator enters the code "NOPE"
      When the operator calculates the draft
      Then the draft's code is invalid because "discount_not_found"
      And the draft's total is 33000 KRW
