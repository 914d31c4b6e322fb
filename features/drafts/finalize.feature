Feature: Making a draft order real
  Specification 3.1: finalizing makes a manual order, takes the goods and links the two, or leaves the draft as it was.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | sample  | 0     | 5     | digital |
    And the code "TEN" takes 10 percent off

  Rule: A good draft becomes an order

    @spec-4.4-drafts
    Scenario: The order waits for its money
      Given a draft order of 2 "shirt"
      When the operator finalizes the draft
      Then the draft became a "pending" order of 33000 KRW
      And the order came by hand
      And 8 "shirt" are left in stock
      And no payment was asked for

    @spec-4.4-drafts @spec-4.5-graphql
    Scenario: Over GraphQL it is the same
      When the operator drafts 2 "shirt", calculates 33000 KRW and finalizes them over GraphQL
      Then the draft became a "pending" order of 33000 KRW
      And discarding it over GraphQL is refused because "draft_not_editable"

    @spec-4.4-drafts
    Scenario: What costs nothing is paid at once
      Given a draft order of 2 "sample"
      When the operator finalizes the draft
      Then the draft became a "paid" order of 0 KRW
      And 3 "sample" are left in stock

    @spec-4.4-drafts @spec-4.6.r1
    Scenario: The same request again gives the same order
      Given a finalized draft order of 2 "shirt"
      When the operator sends the same request again
      Then the request succeeds
      And exactly one order came of the draft
      And 8 "shirt" are left in stock

    @spec-4.4-drafts @concurrency
    Scenario: Twenty operators finalize at once
      Given a draft order of 2 "shirt"
      When the operator finalizes the draft 20 times at once
      Then exactly one order came of the draft
      And 1 of them succeeds and the others are refused because "draft_not_editable"
      And 8 "shirt" are left in stock

    @spec-4.4-drafts
    Scenario: Canceling the order puts the goods back
      Given a finalized draft order of 2 "shirt"
      When the shop cancels the order
      Then the order is "canceled"
      And 10 "shirt" are left in stock
      And the work of the order is called off

  Rule: Without a usable email nothing happens

    @spec-3.1.3 @spec-7.3.4
    Scenario: The email is missing
      Given a draft order of 2 "shirt" without an email
      When the operator finalizes the draft
      Then the request is refused because "customer_email_invalid"
      And the draft is "draft"
      And no order is placed
      And 10 "shirt" are left in stock

    @spec-3.1.3 @spec-7.3.4
    Scenario Outline: <email> is no email
      Given a draft order of 2 "shirt"
      And the operator writes "<email>" as the email
      When the operator finalizes the draft
      Then the request is refused because "customer_email_invalid"
      And the draft is "draft"
      And no order is placed

      Examples:
        | email         |
        | kim           |
        | kim at home   |
        | kim@          |
        | @home.example |

    @spec-3.1.3 @spec-7.3.4
    Scenario: The email is wrong, and is corrected
      Given a draft order of 2 "shirt"
      And the operator writes "kim at example" as the email
      And the operator finalizes the draft
      When the operator writes "kim@example.com" as the email
      And the operator finalizes the draft
      Then the draft became a "pending" order of 33000 KRW

  Rule: Goods and code have to be good

    @spec-4.4-drafts
    Scenario: Too few are left
      Given a draft order of 11 "shirt"
      When the operator finalizes the draft
      Then the request is refused because "out_of_stock"
      And the draft is "draft"
      And 10 "shirt" are left in stock

    @spec-4.4-drafts
    Scenario: Something is no longer on sale
      Given a draft order of 2 "shirt"
      And "shirt" is taken off the shop
      When the operator finalizes the draft
      Then the request is refused because "variant_unavailable"
      And the draft is "draft"

    @spec-4.4-drafts
    Scenario: A code that is used up
      Given the code "ONCE" takes 1000 KRW off, once
      And a finalized draft order of 1 "shirt" with the code "ONCE"
      And a draft order of 1 "shirt"
      And the operator enters the code "ONCE"
      When the operator finalizes the draft
      Then the request is refused because "discount_usage_limit"

    @spec-4.4-drafts
    Scenario: Goods that ship need an address
      Given a draft order of 2 "shirt" without an address
      When the operator finalizes the draft
      Then the request is refused because "shipping_address_required"
      And the draft is "draft"
