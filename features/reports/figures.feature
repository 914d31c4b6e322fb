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

    @reports-7 @storage
    Scenario: An order waits to be packed, and then to be shipped
      Given a paid order of 2 "shirt"
      Then only 1 order to pack waits for the shop
      When the shop moves the order to "preparing"
      Then only 1 order to ship waits for the shop
      When the shop moves the order to "shipped"
      Then nothing waits for the shop

    @reports-7 @storage
    Scenario: A payment waits for its deposit
      Given a virtual account for 1 "shirt"
      Then only 1 deposit waits for the shop
      When the shopper transfers the amount
      And exactly one order of 18000 KRW is placed soon
      Then only 1 order to pack waits for the shop

    @reports-7 @storage
    Scenario: A payment waits for a decision when the bank takes its deposit back
      Given an order of 1 "shirt" that was paid by virtual account
      When the bank takes the deposit back
      Then soon only 1 payment to look at waits for the shop
      When the shopper transfers the amount again
      Then soon only 1 order to pack waits for the shop

    @reports-7 @storage
    Scenario: Goods run low until they are delivered
      Given the shop sets a low-stock threshold of 10 for "shirt"
      Then only 1 product to reorder waits for the shop
      When the operator adds 1 "shirt" because "delivered"
      Then nothing waits for the shop

    @reports-7 @storage
    Scenario: A return waits until it is decided
      Given a paid order of 2 "shirt"
      And the shop moves the order to "preparing", then "shipped", then "delivered"
      When a return of 1 "shirt" is requested
      Then only 1 return waits for the shop
      When the shop rejects the return
      Then nothing waits for the shop

  Rule: A shop sees what its providers owe

    @reports-8
    Scenario: What a provider captured and gave back
      Given a paid order of 2 "shirt"
      And the shop refunds 1000 KRW of the order
      When the shop asks what its providers owe
      Then "sandbox" captured 33000 KRW and gave 1000 KRW back
      And the provider says that it settles 31010 KRW and keeps 990 KRW

    @reports-8
    Scenario: No provider tells of what was paid past it
      Given an imported order that is "pending"
      When the shop moves the order to "paid" with the note "By bank transfer"
      And the shop asks what its providers owe
      Then the provider's own figures are missing because "no_provider"

  Rule: Figures are for those who may read orders

    @reports-10
    Scenario: A storefront sees no figures
      When a storefront asks for the shop's figures
      Then the request is refused because "forbidden"
