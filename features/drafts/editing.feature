Feature: Editing a draft order
  Rules drafts-1, drafts-2: while it is a draft, a draft order can be edited freely, reserves no stock and creates no other records.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: A draft can be edited freely

    @drafts-1
    Scenario: The operator replaces lines and email
      Given a draft order of 2 "shirt"
      When the operator changes the draft to 3 "guide"
      And the operator enters the email "lee@example.com"
      Then the draft is "draft"
      And the draft's total is 15000 KRW

    @drafts-1
    Scenario: A draft may be incomplete
      Given an empty draft order
      When the operator enters the email "not an address"
      Then the request succeeds
      And the draft is "draft"

    @drafts-1
    Scenario: Every field can be changed again
      Given the code "TEN" takes 10 percent off
      And a draft order of 2 "shirt"
      And the operator sets the shipping fee to 500
      When the operator enters the code "TEN"
      And the operator sets the shipping fee to 700
      Then the draft's total is 27700 KRW

    @drafts-1
    Scenario: A discarded draft cannot be edited
      Given a draft order of 2 "shirt"
      And the operator discards the draft
      When the operator changes the draft to 1 "shirt"
      Then the change is refused because "draft_not_editable"
      And the draft is "discarded"

    @drafts-1
    Scenario: A discarded draft cannot be finalized
      Given a draft order of 2 "shirt"
      And the operator discards the draft
      When the operator finalizes the draft
      Then the request is refused because "draft_not_editable"
      And no order is placed

    @drafts-1
    Scenario: A finalized draft cannot be edited
      Given a finalized draft order of 2 "shirt"
      When the operator changes the draft to 1 "shirt"
      Then the change is refused because "draft_not_editable"
      And the draft still holds 2 "shirt"

    @drafts-1
    Scenario: A finalized draft cannot be discarded
      Given a finalized draft order of 2 "shirt"
      When the operator discards the draft
      Then the request is refused because "draft_not_editable"
      And the draft is "finalized"

    @drafts-1
    Scenario: Drafts cannot be deleted
      Given a draft order of 2 "shirt"
      When the operator deletes the draft
      Then the request is refused because "method_not_allowed"

  Rule: A draft reserves no stock and creates no other records

    @drafts-2
    Scenario: The products of a draft can be sold to others
      Given a draft order of 10 "shirt"
      Then 10 "shirt" are left in stock
      And no order is placed
      And the draft has no fulfillment orders, payments or checkouts
      And the shop's server checks the stock for 10 "shirt"
      And everything is available

  Rule: Lines are priced by the catalog, in KRW

    @drafts-8
    Scenario Outline: The operator cannot set the <what> of a line
      When the operator drafts 1 "shirt" with a "<what>" of 1000
      Then the request is refused because "validation_failed"

      Examples:
        | what      |
        | unitPrice |
        | price     |
        | discount  |

    @drafts-8
    Scenario: A shop without a market in a currency does not draft in it
      When the operator drafts 1 "shirt" in "USD"
      Then the request is refused because "draft_market_required"

    @drafts-8
    Scenario: A draft has the prices of its market
      Given the shop has a market "us" in USD with an exchange rate of 0.00075
      And a draft order of 2 "shirt" for market "us" with a shipping fee of 4.50
      When the operator finalizes the draft
      Then the draft became a "pending" order of 27 USD
