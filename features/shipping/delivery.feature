Feature: What delivery costs
  Delivery has a base fee, far places cost more, and what is not delivered costs nothing.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 100   |         |
      | sofa    | 90000 | 100   |         |
      | guide   | 5000  | 100   | digital |

  Rule: Far places cost more than the mainland

    @spec-4.6-estimates
    Scenario: The mainland, Jeju and an island
      Then delivery of an order of 15000 to "04524" costs 3000
      And delivery of an order of 15000 to "63001" costs 6000
      And delivery of an order of 15000 to "40200" costs 8000

    @spec-4.6-estimates
    Scenario: A place that is none
      When the shopper asks for delivery to "135798"
      Then the request is refused because "postal_code_invalid"

    @spec-4.6-checkouts
    Scenario: A checkout to Jeju
      Given a cart with 1 "shirt"
      When the shopper checks out to "63001"
      Then the checkout costs 21000 KRW

  Rule: Large orders are delivered free, far places still cost their surcharge

    @spec-4.6-estimates
    Scenario: An order at the threshold, and one just below
      Given delivery is free from 50000
      Then delivery of an order of 50000 to "04524" costs 0
      And delivery of an order of 49999 to "04524" costs 3000
      And delivery of an order of 50000 to "63001" costs 3000
      And delivery of an order of 50000 to "40200" costs 5000

    @spec-4.6-estimates
    Scenario: A surcharge that falls away with the fee
      Given delivery is free from 50000
      And Jeju costs 3000 more, unless delivery is free
      Then delivery of an order of 50000 to "63001" costs 0
      And delivery of an order of 49999 to "63001" costs 6000

  Rule: Goods with terms of their own are delivered by those

    @spec-4.6-estimates
    Scenario: A sofa beside a shirt
      Given "sofa" is delivered for 9000
      Then delivery of 1 "sofa" and 1 "shirt" to "04524" for 105000 costs 9000
      And delivery of 1 "sofa" and 1 "shirt" to "63001" for 105000 costs 12000
      And delivery of 1 "shirt" to "63001" for 15000 costs 6000

  Rule: What is not delivered costs no delivery

    @spec-3.4.2
    Scenario: Digital goods cost nothing, wherever the shopper lives
      Then delivery of 2 "guide" to "63001" for 10000 costs 0

    @spec-3.4.2
    Scenario: In a mixed order the goods that are delivered count
      Given delivery is free from 50000
      Then delivery of 3 "shirt" and 2 "guide" to "04524" for 55000 costs 3000
      And delivery of 4 "shirt" and 2 "guide" to "04524" for 70000 costs 0

    @spec-3.4.2
    Scenario: A mixed cart pays for its goods' delivery once
      Given a cart with 1 "shirt" and 1 "guide"
      When the shopper checks out
      Then the checkout costs 23000 KRW

    @spec-3.4.2
    Scenario: A digital cart has no delivery
      Given a cart with 2 "guide"
      When the shopper checks out
      Then the checkout costs 10000 KRW
      And the checkout has no shipping
