Feature: Shipping costs
  Shipping has a base fee and surcharges for remote areas; products that do not ship cost none.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 100   |         |
      | sofa    | 90000 | 100   |         |
      | guide   | 5000  | 100   | digital |

  Rule: Remote areas have a surcharge

    @shipping-4
    Scenario: The mainland, Jeju and an island
      Then shipping an order of 15000 to "04524" costs 3000
      And shipping an order of 15000 to "63001" costs 6000
      And shipping an order of 15000 to "40200" costs 8000

    @shipping-3
    Scenario: An invalid postal code
      When the shopper asks what shipping to "135798" costs
      Then the request is refused because "postal_code_invalid"

    @shipping-4
    Scenario: A checkout to Jeju
      Given a cart with 1 "shirt"
      When the shopper checks out with the postal code "63001"
      Then the checkout's total is 21000 KRW

  Rule: Large orders ship free, but surcharges still apply

    @shipping-5
    Scenario: An order at the threshold, and one just below
      Given shipping is free from 50000
      Then shipping an order of 50000 to "04524" costs 0
      And shipping an order of 49999 to "04524" costs 3000
      And shipping an order of 50000 to "63001" costs 3000
      And shipping an order of 50000 to "40200" costs 5000

    @shipping-5
    Scenario: A surcharge that is waived with free shipping
      Given shipping is free from 50000
      And the surcharge for Jeju is 3000, waived when shipping is free
      Then shipping an order of 50000 to "63001" costs 0
      And shipping an order of 49999 to "63001" costs 6000

  Rule: Products can have their own shipping policy

    @shipping-6
    Scenario: Products of two policies
      Given "sofa" has a shipping policy with a base fee of 9000
      Then shipping 1 "sofa" and 1 "shirt" to "04524" in an order of 105000 costs 9000
      And shipping 1 "sofa" and 1 "shirt" to "63001" in an order of 105000 costs 12000
      And shipping 1 "shirt" to "63001" in an order of 15000 costs 6000

  Rule: Products that do not ship cost no shipping

    @shipping-2
    Scenario: Digital products cost no shipping anywhere
      Then shipping 2 "guide" to "63001" in an order of 10000 costs 0

    @shipping-2
    Scenario: Only lines that ship count toward free shipping
      Given shipping is free from 50000
      Then shipping 3 "shirt" and 2 "guide" to "04524" in an order of 55000 costs 3000
      And shipping 4 "shirt" and 2 "guide" to "04524" in an order of 70000 costs 0

    @shipping-2
    Scenario: A mixed cart pays shipping once
      Given a cart with 1 "shirt" and 1 "guide"
      When the shopper checks out
      Then the checkout's total is 23000 KRW

    @shipping-2
    Scenario: A digital cart has no shipping
      Given a cart with 2 "guide"
      When the shopper checks out
      Then the checkout's total is 10000 KRW
      And the checkout has no shipping
