Feature: Trying a discount code
  A shopper learns what a code would take off an order before there is a cart.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 100   |         |
      | mug     | 5000  | 100   |         |
      | sample  | 0     | 100   | digital |

  Rule: What depends on amounts needs a currency or a market

    @spec-7.3.5
    Scenario: A fixed amount without a currency
      Given the code "FIVE" takes 5000 KRW off
      When the shopper tries the code "FIVE" on 20000
      Then the code is no good because "discount_context_required"

    @spec-7.3.5
    Scenario: A fixed amount in another currency
      Given the code "FIVE" takes 5000 KRW off
      When the shopper tries the code "FIVE" on 20 USD
      Then the code is no good because "discount_context_required"

    @spec-7.3.5
    Scenario: A fixed amount in a market of another currency
      Given the code "FIVE" takes 5000 KRW off
      And the shop sells "shirt" for 20 USD in market "us"
      When the shopper tries the code "FIVE" on 20 in market "us"
      Then the code is no good because "discount_context_required"

    @spec-7.3.5
    Scenario: A fixed amount in its own currency
      Given the code "FIVE" takes 5000 KRW off
      When the shopper tries the code "FIVE" on 20000 KRW
      Then the code would take 5000 off

    @spec-7.3.5
    Scenario: A fixed amount in a market of its currency
      Given the code "FIVE" takes 5000 KRW off
      And the shop sells "shirt" for 14000 KRW in market "kr"
      When the shopper tries the code "FIVE" on 14000 in market "kr"
      Then the code would take 5000 off

    @spec-7.3.5
    Scenario: A minimum without a currency
      Given the code "LEAST" takes 10 percent off orders of 20000 KRW or more
      When the shopper tries the code "LEAST" on 50000
      Then the code is no good because "discount_context_required"

    @spec-7.3.5
    Scenario: A cap without a currency
      Given the code "HALF" takes 50 percent off, at most 6000 KRW
      When the shopper tries the code "HALF" on 50000
      Then the code is no good because "discount_context_required"

    @spec-7.3.5
    Scenario: Steps without a currency
      Given the code "STEPS" takes 1000 KRW off from 10000, and 5000 from 30000
      When the shopper tries the code "STEPS" on 50000
      Then the code is no good because "discount_context_required"

    @spec-7.3.5
    Scenario: A plain percentage needs none
      Given the code "TEN" takes 10 percent off
      When the shopper tries the code "TEN" on 25005
      Then the code would take 2501 off

  Rule: A code takes off what it promises, and no more

    @spec-4.6-estimates
    Scenario: A cap is never passed
      Given the code "HALF" takes 50 percent off, at most 6000 KRW
      When the shopper tries the code "HALF" on 50000 KRW
      Then the code would take 6000 off

    @spec-4.6-estimates
    Scenario: An order that reaches the minimum exactly
      Given the code "LEAST" takes 10 percent off orders of 20000 KRW or more
      When the shopper tries the code "LEAST" on 20000 KRW
      Then the code would take 2000 off

    @spec-4.6-estimates
    Scenario: An order one won too small
      Given the code "LEAST" takes 10 percent off orders of 20000 KRW or more
      When the shopper tries the code "LEAST" on 19999 KRW
      Then the code is no good because "discount_min_order"

    @spec-4.6-estimates
    Scenario: The highest step that is reached counts
      Given the code "STEPS" takes 1000 KRW off from 10000, and 5000 from 30000
      When the shopper tries the code "STEPS" on 30000 KRW
      Then the code would take 5000 off

    @spec-4.6-estimates
    Scenario: No step is reached
      Given the code "STEPS" takes 1000 KRW off from 10000, and 5000 from 30000
      When the shopper tries the code "STEPS" on 9999 KRW
      Then the code is no good because "discount_min_order"

    @spec-4.6-estimates
    Scenario: A code never takes more than the order
      Given the code "FIVE" takes 5000 KRW off
      When the shopper tries the code "FIVE" on 3000 KRW
      Then the code would take 3000 off

    @spec-4.6-estimates
    Scenario: A code for one product looks at that product
      Given the code "SHIRTS" takes 10 percent off "shirt" only
      When the shopper tries the code "SHIRTS" on 1 "shirt" and 1 "mug" for 20000
      Then the code would take 1500 off

    @spec-4.6-estimates
    Scenario: Nobody knows what an order holds
      Given the code "SHIRTS" takes 10 percent off "shirt" only
      When the shopper tries the code "SHIRTS" on 20000
      Then the code is no good because "discount_not_applicable"

  Rule: A code that was used as often as allowed is used up

    @spec-4.6-estimates
    Scenario: The only use is gone
      Given the code "ONCE" takes 5000 KRW off, once
      And a cart with 1 "sample" and the code "ONCE"
      And the shopper checks out
      And the shopper completes the checkout without paying
      When the shopper tries the code "ONCE" on 20000 KRW
      Then the code is no good because "discount_usage_limit"
