Feature: Figures of a shop
  A shop sees what it sold and what its buyers paid, and can trust the figures to the last unit.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | cap     | 4000  | 10    |

  Rule: Figures are those of orders and of money

    @reports-1
    Scenario: A sale counts at once
      Given a paid order of 2 "shirt"
      When the shop asks for its figures of the last 30 days
      Then the figures tell 1 order of 2 units, 33000 KRW of revenue and 0 KRW of refunds

    @reports-1
    Scenario: What is given back is told apart from what was paid
      Given a paid order of 2 "shirt"
      And the shop cancels 1 unit of the order
      When the shop asks for its figures of the last 30 days
      Then the figures tell 1 order of 2 units, 33000 KRW of revenue and 15000 KRW of refunds
      And 1 unit of them was canceled

    @reports-1
    Scenario: An order that was paid elsewhere brings no revenue
      Given an imported order of 3 "shirt"
      When the shop asks for its figures by "product"
      Then the figures tell 1 order of 3 units, 0 KRW of revenue and 0 KRW of refunds

    @reports-2
    Scenario: Days are checked
      When the shop asks for its figures from "2026-02-30" to "2026-03-01"
      Then the request is refused because "validation_failed"
      When the shop asks for its figures from "2026-03-02" to "2026-03-01"
      Then the request is refused because "validation_failed"

    @reports-2
    Scenario: Days on which nothing happened have no figures
      Given a paid order of 2 "shirt"
      When the shop asks for its figures from "2020-01-01" to "2020-12-31"
      Then there are no figures

    @reports-6
    Scenario: Products are ranked by their units
      Given a paid order of 2 "shirt"
      And a paid order of 3 "cap"
      When the shop asks for its figures by "product"
      Then there are 2 groups, with 3 units in the first

    @reports-6 @reports-9
    Scenario: Figures are downloaded as a file
      Given a paid order of 2 "shirt"
      When the shop downloads its figures by "day"
      Then the file has the columns "day, currency, orders, ordersCanceled, ordered, units, unitsCanceled, average, payments, revenue, refunds, net"

  Rule: A shop sees what waits for it

    @reports-7
    Scenario: Orders wait to be packed
      Given a paid order of 2 "shirt"
      When the shop asks for its figures of the last 30 days
      Then 1 order waits to be packed

  Rule: A shop sees what its providers owe

    @reports-8
    Scenario: What a provider captured and gave back
      Given a paid order of 2 "shirt"
      And the shop refunds 1000 KRW of the order
      When the shop asks what its providers owe
      Then "sandbox" captured 33000 KRW and gave 1000 KRW back
      And the provider's own figures are missing because "provider_does_not_tell"

  Rule: Figures are for those who may read orders

    @reports-10
    Scenario: A storefront sees no figures
      When a storefront asks for the shop's figures
      Then the request is refused because "forbidden"
