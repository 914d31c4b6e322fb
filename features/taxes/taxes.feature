Feature: Taxes
  A shop says for each market whether its prices contain taxes or taxes are added to them, and which rates apply where. Without
  that nothing changes.

  Background:
    Given a shop that sells
      | product | price | stock | tax     |
      | mug     | 11000 | 10    |         |
      | bread   | 2000  | 10    | reduced |
      | book    | 20000 | 10    | free    |
    And a tax "VAT" of 10 % on "standard" goods
    And a tax "Low VAT" of 5 % on "reduced" goods
    And shipping is free from 1

  Rule: A market includes taxes in its prices, adds them, or has none

    @taxes-1 @taxes-3
    Scenario: Taxes that are included do not change what is paid
      Given the market "kr" includes taxes in its prices
      And a cart of market "kr" with 2 "mug"
      When the shopper checks out
      Then the checkout's total is 22000 KRW
      And 2000 KRW of "VAT" are included in the checkout

    @taxes-1 @taxes-3
    Scenario: Taxes that are added are paid on top
      Given the market "kr" adds taxes to its prices
      And a cart of market "kr" with 2 "mug" and 1 "bread"
      When the shopper checks out
      Then the checkout's total is 26300 KRW
      And 2200 KRW of "VAT" are added to the checkout
      And 100 KRW of "Low VAT" are added to the checkout

    @taxes-1
    Scenario: A market says nothing of taxes
      Given the market "kr" has no taxes
      And a cart of market "kr" with 2 "mug"
      When the shopper checks out
      Then the checkout's total is 22000 KRW
      And the checkout says nothing of taxes

  Rule: Taxes are an estimate until the address is known

    @taxes-5
    Scenario: A cart shows what its market's country asks for
      Given the market "kr" adds taxes to its prices
      And a cart of market "kr" with 1 "mug"
      Then the cart's taxes of 1100 KRW are an estimate
      When the shopper checks out
      Then 1100 KRW of "VAT" are added to the checkout

  Rule: Some goods and some buyers have no taxes

    @taxes-6
    Scenario: A book is exempt
      Given the market "kr" adds taxes to its prices
      And a cart of market "kr" with 1 "mug" and 1 "book"
      When the shopper checks out
      Then the checkout's total is 32100 KRW
      And 1100 KRW of "VAT" are added to the checkout

    @taxes-6
    Scenario: A customer whose exemption the shop has verified
      Given the market "kr" adds taxes to its prices
      And a cart of market "kr" with 2 "mug"
      When the shop checks it out for a customer who is exempt from taxes
      Then the checkout's total is 22000 KRW

  Rule: What was sold keeps its taxes

    @taxes-10
    Scenario: A rate changes after the checkout
      Given the market "kr" adds taxes to its prices
      And a cart of market "kr" with 1 "mug"
      And the shopper checks out
      When the tax "VAT" becomes 20 %
      Then the checkout's total is 12100 KRW

    @taxes-10
    Scenario: Another address is taxed anew
      Given the market "kr" adds taxes to its prices
      And a cart of market "kr" with 1 "mug"
      And the shopper checks out
      When the shopper sends the goods to "DE" instead
      Then the checkout's total is 11000 KRW

  Rule: A tax service computes the taxes of the markets that ask it

    @taxes-16
    Scenario: A cart is an estimate, and asks nobody
      Given the market "kr" asks a tax service that charges 20 %
      And a cart of market "kr" with 2 "mug"
      Then the cart's taxes of 2200 KRW are an estimate
      And the tax service has been asked 0 times

    @taxes-13
    Scenario: A checkout has the taxes of the service
      Given the market "kr" asks a tax service that charges 20 %
      And a cart of market "kr" with 2 "mug"
      When the shopper checks out
      Then the checkout's total is 26400 KRW
      And 4400 KRW of "Service tax" are added to the checkout
      And the checkout was taxed by the service

    @taxes-15
    Scenario: Nothing is sold while the service is wrong
      Given the market "kr" asks a tax service that charges 20 %
      And a cart of market "kr" with 2 "mug"
      And the tax service answers with sums that are wrong
      When the shopper checks out
      Then the checkout is refused because "tax_unavailable"

    @taxes-17
    Scenario: The shop's own taxes stand in
      Given the market "kr" asks a tax service that charges 20 %, or else the shop's taxes count
      And a cart of market "kr" with 2 "mug"
      And the tax service answers with sums that are wrong
      When the shopper checks out
      Then the checkout's total is 24200 KRW
      And the checkout was taxed by the fallback

    @taxes-17
    Scenario: The shop's own taxes do not stand in where it has none
      Given the market "kr" asks a tax service that charges 20 %, or else the shop's taxes count
      And a cart of market "kr" with 2 "mug"
      And the shopper checks out
      When the tax service answers with sums that are wrong
      And the shopper sends the goods to "DE" instead
      Then the change is refused because "tax_unavailable"

    @taxes-10 @taxes-13
    Scenario: Another address is asked about
      Given the market "kr" asks a tax service that charges 20 %
      And a cart of market "kr" with 1 "mug"
      And the shopper checks out
      When the shopper sends the goods to "DE" instead
      Then the tax service has been asked 2 times
      And the checkout's total is 13200 KRW
