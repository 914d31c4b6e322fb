Feature: Finalizing a draft order
  Rules drafts-3, drafts-6: finalizing creates a manual order, deducts the stock and links the two, or leaves the draft unchanged.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | sample  | 0     | 5     | digital |
    And the code "TEN" takes 10 percent off

  Rule: A complete draft becomes an order

    @drafts-6 @orders-15
    Scenario: The order waits for its payment
      Given a draft order of 2 "shirt"
      When the operator finalizes the draft
      Then the draft became a "pending" order of 33000 KRW
      And the order was created by hand
      And 8 "shirt" are left in stock
      And no payment is opened

    @drafts-6 @graphql-1
    Scenario: Finalizing over GraphQL has the same result
      When the operator drafts 2 "shirt", calculates 33000 KRW and finalizes them over GraphQL
      Then the draft became a "pending" order of 33000 KRW
      And discarding it over GraphQL is refused because "draft_not_editable"

    @drafts-6
    Scenario: A free order is paid immediately
      Given a draft order of 2 "sample"
      When the operator finalizes the draft
      Then the draft became a "paid" order of 0 KRW
      And 3 "sample" are left in stock

    @drafts-6 @idempotency-1
    Scenario: A repeated request returns the same order
      Given a finalized draft order of 2 "shirt"
      When the operator repeats the request
      Then the request succeeds
      And exactly one order is made from the draft
      And 8 "shirt" are left in stock

    @drafts-6 @concurrency
    Scenario: Twenty concurrent requests create one order
      Given a draft order of 2 "shirt"
      When the operator finalizes the draft 20 times at once
      Then exactly one order is made from the draft
      And exactly 1 request succeeds and the others are refused because "draft_not_editable"
      And 8 "shirt" are left in stock

    @drafts-6
    Scenario: Canceling the order restores the stock
      Given a finalized draft order of 2 "shirt"
      When the shop cancels the order
      Then the order is "canceled"
      And 10 "shirt" are left in stock
      And the order's fulfillment orders are canceled

  Rule: A draft without a valid email cannot be finalized

    @drafts-3
    Scenario: The email is missing
      Given a draft order of 2 "shirt" without an email
      When the operator finalizes the draft
      Then the request is refused because "customer_email_invalid"
      And the draft is "draft"
      And no order is placed
      And 10 "shirt" are left in stock

    @drafts-3
    Scenario Outline: <email> is not an email address
      Given a draft order of 2 "shirt"
      And the operator enters the email "<email>"
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

    @drafts-3
    Scenario: An invalid email is corrected
      Given a draft order of 2 "shirt"
      And the operator enters the email "kim at example"
      And the operator finalizes the draft
      When the operator enters the email "kim@example.com"
      And the operator finalizes the draft
      Then the draft became a "pending" order of 33000 KRW

  Rule: Products and discount code must be valid

    @drafts-7
    Scenario: Too few are in stock
      Given a draft order of 11 "shirt"
      When the operator finalizes the draft
      Then the request is refused because "out_of_stock"
      And the draft is "draft"
      And 10 "shirt" are left in stock

    @drafts-7
    Scenario: A product is no longer published
      Given a draft order of 2 "shirt"
      And "shirt" is unpublished
      When the operator finalizes the draft
      Then the request is refused because "variant_unavailable"
      And the draft is "draft"

    @drafts-7
    Scenario: A code that reached its usage limit
      Given the code "ONCE" takes 1000 KRW off, once
      And a finalized draft order of 1 "shirt" with the code "ONCE"
      And a draft order of 1 "shirt"
      And the operator enters the code "ONCE"
      When the operator finalizes the draft
      Then the request is refused because "discount_usage_limit"

    @drafts-7
    Scenario: Products that ship need an address
      Given a draft order of 2 "shirt" without an address
      When the operator finalizes the draft
      Then the request is refused because "shipping_address_required"
      And the draft is "draft"
