Feature: What a draft order comes to
  Specification 4.4: a preview of subtotal, discount, shipping and total, with whatever stands in the way of the sale.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |
    And the code "TEN" takes 10 percent off

  Rule: Calculating tells the totals and changes nothing

    @spec-3.1.4
    Scenario: The draft and the shop are as before
      Given a draft order of 2 "shirt"
      When the operator calculates the draft 3 times
      Then the draft and everything in the shop is as before

    @spec-4.4-drafts
    Scenario: Lines, discount and delivery add up
      Given a draft order of 2 "shirt"
      And the operator enters the code "ten"
      When the operator calculates the draft
      Then the draft comes to 30000 less 3000 plus 3000 for delivery: 30000 KRW
      And the code of the draft is good

    @spec-4.4-drafts
    Scenario: The operator may say what delivery costs
      Given a draft order of 2 "shirt"
      And the operator asks 500 for delivery
      When the operator calculates the draft
      Then the draft comes to 30000 less 0 plus 500 for delivery: 30500 KRW

    @spec-3.4.1 @spec-4.4-drafts
    Scenario: What does not ship costs no delivery
      Given a draft order of 2 "guide"
      And the operator asks 500 for delivery
      When the operator calculates the draft
      Then the draft comes to 10000 less 0 plus 0 for delivery: 10000 KRW

    @spec-4.4-drafts
    Scenario: Until the address is known delivery is not either
      Given a draft order of 2 "shirt" without an address
      When the operator calculates the draft
      Then the draft comes to 30000 KRW
      And delivery is not known yet

  Rule: Calculating says what stands in the way

    @spec-4.4-drafts
    Scenario: Too few are left
      Given a draft order of 11 "shirt"
      When the operator calculates the draft
      Then the calculation names "shirt": "out_of_stock", 11 asked for, 10 to be had
      And the draft is "draft"

    @spec-4.4-drafts
    Scenario: Something is no longer on sale
      Given a draft order of 2 "shirt"
      And "shirt" is taken off the shop
      When the operator calculates the draft
      Then the calculation names "shirt": "variant_unavailable", 2 asked for, 0 to be had

    @spec-4.4-drafts
    Scenario: A code that is not good
      Given a draft order of 2 "shirt"
      And the operator enters the code "NOPE"
      When the operator calculates the draft
      Then the code of the draft is refused because "discount_not_found"
      And the draft comes to 33000 KRW
