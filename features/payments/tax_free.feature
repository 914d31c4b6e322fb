Feature: Tax-free goods
  A shop that sells goods with and without value added tax tells its provider which part of each payment and of each refund
  is free of it.

  Background:
    Given a shop that sells
      | product | price | stock | tax  |
      | book    | 20000 | 10    | free |
      | mug     | 12000 | 10    |      |

  Rule: The provider is told the tax-free part of a payment

    @payments-68
    Scenario: A book and a mug
      Given a paid order of 1 "book" and 1 "mug"
      Then 20000 KRW of the order are tax-free
      And the provider knows that 20000 KRW of the payment are tax-free

    @payments-68
    Scenario: A discount reduces both parts
      Given the code "LESS" takes 3200 KRW off
      And a paid order of 1 "book" and 1 "mug" with the code "LESS"
      Then 18000 KRW of the order are tax-free
      And the provider knows that 18000 KRW of the payment are tax-free

    @payments-68
    Scenario: Taxed goods only
      Given a paid order of 1 "mug"
      Then 0 KRW of the order are tax-free
      And the provider knows of no tax-free part

    @payments-68
    Scenario: What was sold stays as it was
      Given a paid order of 1 "book"
      When the shop charges tax on "book" from now on
      Then 20000 KRW of the order are tax-free

  Rule: A refund has the tax-free part of what it refunds

    @payments-69 @returns-17
    Scenario: The book comes back
      Given a delivered order of 1 "book" and 1 "mug"
      And an approved return of 1 "book"
      When the shop refunds the return
      Then the provider and the shop know that 20000 KRW of the refund are tax-free

    @payments-69 @returns-17
    Scenario: The mug comes back, and then the book
      Given a delivered order of 1 "book" and 1 "mug"
      And a refunded return of 1 "mug"
      And an approved return of 1 "book"
      When the shop refunds the return
      Then the provider and the shop know that 0 and 20000 KRW of the refunds are tax-free

    @payments-69
    Scenario: A refund of an amount is of both kinds of goods, and the last one takes the rest
      Given a paid order of 1 "book" and 1 "mug"
      And somebody refunds 7000 KRW in the provider's console
      And the shop learns that 7000 KRW of the order are refunded
      When the shop cancels the order
      Then the provider and the shop know that 4000 and 16000 KRW of the refunds are tax-free
