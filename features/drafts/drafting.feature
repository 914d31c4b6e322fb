Feature: Putting an order together by hand
  Specification 3.1: while it is a draft, a draft order is freely editable, and it holds and makes nothing.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: While it is a draft it can be changed freely

    @spec-3.1.1
    Scenario: The operator changes her mind
      Given a draft order of 2 "shirt"
      When the operator changes the draft to 3 "guide"
      And the operator writes "lee@example.com" as the email
      Then the draft is "draft"
      And the draft comes to 15000 KRW

    @spec-3.1.1
    Scenario: A draft may be as unfinished as it likes
      Given an empty draft order
      When the operator writes "not an address" as the email
      Then the request succeeds
      And the draft is "draft"

    @spec-3.1.1
    Scenario: Whatever it says can be said anew
      Given the code "TEN" takes 10 percent off
      And a draft order of 2 "shirt"
      And the operator asks 500 for delivery
      When the operator enters the code "TEN"
      And the operator asks 700 for delivery
      Then the draft comes to 27700 KRW

    @spec-3.1.1
    Scenario: A discarded draft is over
      Given a draft order of 2 "shirt"
      And the operator discards the draft
      When the operator changes the draft to 1 "shirt"
      Then the change is refused because "draft_not_editable"
      And the draft is "discarded"

    @spec-3.1.1
    Scenario: A discarded draft is not finalized
      Given a draft order of 2 "shirt"
      And the operator discards the draft
      When the operator finalizes the draft
      Then the request is refused because "draft_not_editable"
      And no order is placed

    @spec-3.1.1
    Scenario: A finalized draft does not change any more
      Given a finalized draft order of 2 "shirt"
      When the operator changes the draft to 1 "shirt"
      Then the change is refused because "draft_not_editable"
      And the draft still asks for 2 "shirt"

    @spec-3.1.1
    Scenario: A finalized draft is not discarded
      Given a finalized draft order of 2 "shirt"
      When the operator discards the draft
      Then the request is refused because "draft_not_editable"
      And the draft is "finalized"

    @spec-3.1.1
    Scenario: Drafts are not deleted
      Given a draft order of 2 "shirt"
      When the operator deletes the draft
      Then the request is refused because "method_not_allowed"

  Rule: A draft holds no stock and makes nothing

    @spec-3.1.2
    Scenario: The goods of a draft can be sold to others
      Given a draft order of 10 "shirt"
      Then 10 "shirt" are left in stock
      And no order is placed
      And there is no work and no money of the draft
      And the shop's server asks for 10 "shirt"
      And everything can be had

  Rule: The catalog says what a line costs, in KRW

    @spec-4.4-drafts
    Scenario Outline: The operator cannot say a <what> of a line
      When the operator drafts 1 "shirt" with a "<what>" of 1000
      Then the request is refused because "validation_failed"

      Examples:
        | what      |
        | unitPrice |
        | price     |
        | discount  |

    @spec-1.4 @spec-4.4-drafts @spec-8-values
    Scenario: A draft is in KRW
      When the operator drafts 1 "shirt" in "USD"
      Then the request is refused because "validation_failed"
