Feature: Validating a discount code
  A shopper learns what a code would take off an order without creating a cart.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 100   |         |
      | mug     | 5000  | 100   |         |
      | sample  | 0     | 100   | digital |

  Rule: Discounts that depend on amounts need a currency or a market

    @discounts-1
    Scenario: A fixed amount without a currency
      Given the code "FIVE" takes 5000 KRW off
      When the shopper validates the code "FIVE" for an order of 20000
      Then the code is invalid because "discount_context_required"

    @discounts-1
    Scenario: A fixed amount in another currency
      Given the code "FIVE" takes 5000 KRW off
      When the shopper validates the code "FIVE" for an order of 20 USD
      Then the code is invalid because "discount_context_required"

    @discounts-1
    Scenario: A fixed amount in a market of another currency
      Given the code "FIVE" takes 5000 KRW off
      And the shop sells "shirt" for 20 USD in market "us"
      When the shopper validates the code "FIVE" for an order of 20 in market "us"
      Then the code is invalid because "discount_context_required"

    @discounts-1
    Scenario: A fixed amount in its own currency
      Given the code "FIVE" takes 5000 KRW off
      When the shopper validates the code "FIVE" for an order of 20000 KRW
      Then the code would take 5000 off

    @discounts-1
    Scenario: A fixed amount in a market of its currency
      Given the code "FIVE" takes 5000 KRW off
      And the shop sells "shirt" for 14000 KRW in market "kr"
      When the shopper validates the code "FIVE" for an order of 14000 in market "kr"
      Then the code would take 5000 off

    @discounts-1
    Scenario: A minimum without a currency
      Given the code "LEAST" takes 10 percent off orders of 20000 KRW or more
      When the shopper validates the code "LEAST" for an order of 50000
      Then the code is invalid because "discount_context_required"

    @discounts-1
    Scenario: A cap without a currency
      Given the code "HALF" takes 50 percent off, at most 6000 KRW
      When the shopper validates the code "HALF" for an order of 50000
      Then the code is invalid because "discount_context_required"

    @discounts-1
    Scenario: Tiers without a currency
      Given the code "STEPS" takes 1000 KRW off orders from 10000, and 5000 off orders from 30000
      When the shopper validates the code "STEPS" for an order of 50000
      Then the code is invalid because "discount_context_required"

    @discounts-1 @discounts-10
    Scenario: A plain percentage needs no currency
      Given the code "TEN" takes 10 percent off
      When the shopper validates the code "TEN" for an order of 25005
      Then the code would take 2501 off

  Rule: A code takes off its discount and no more

    @discounts-2
    Scenario: A discount never exceeds its cap
      Given the code "HALF" takes 50 percent off, at most 6000 KRW
      When the shopper validates the code "HALF" for an order of 50000 KRW
      Then the code would take 6000 off

    @discounts-3
    Scenario: An order that reaches the minimum exactly
      Given the code "LEAST" takes 10 percent off orders of 20000 KRW or more
      When the shopper validates the code "LEAST" for an order of 20000 KRW
      Then the code would take 2000 off

    @discounts-3
    Scenario: An order just below the minimum
      Given the code "LEAST" takes 10 percent off orders of 20000 KRW or more
      When the shopper validates the code "LEAST" for an order of 19999 KRW
      Then the code is invalid because "discount_min_order"

    @discounts-4
    Scenario: The highest tier that is reached applies
      Given the code "STEPS" takes 1000 KRW off orders from 10000, and 5000 off orders from 30000
      When the shopper validates the code "STEPS" for an order of 30000 KRW
      Then the code would take 5000 off

    @discounts-4
    Scenario: No tier is reached
      Given the code "STEPS" takes 1000 KRW off orders from 10000, and 5000 off orders from 30000
      When the shopper validates the code "STEPS" for an order of 9999 KRW
      Then the code is invalid because "discount_min_order"

    @discounts-2
    Scenario: A discount never exceeds the order
      Given the code "FIVE" takes 5000 KRW off
      When the shopper validates the code "FIVE" for an order of 3000 KRW
      Then the code would take 3000 off

    @discounts-5
    Scenario: A code for one product applies to that product only
      Given the code "SHIRTS" takes 10 percent off "shirt" only
      When the shopper validates the code "SHIRTS" for an order of 1 "shirt" and 1 "mug" at 20000
      Then the code would take 1500 off

    @discounts-5
    Scenario: A code for one product needs the lines of the order
      Given the code "SHIRTS" takes 10 percent off "shirt" only
      When the shopper validates the code "SHIRTS" for an order of 20000
      Then the code is invalid because "discount_not_applicable"

  Rule: A code that reached its usage limit is invalid

    @discounts-6 @discounts-10
    Scenario: The only use is taken
      Given the code "ONCE" takes 5000 KRW off, once
      And a cart with 1 "sample" and the code "ONCE"
      And the shopper checks out
      And the shopper completes the checkout without paying
      When the shopper validates the code "ONCE" for an order of 20000 KRW
      Then the code is invalid because "discount_usage_limit"
