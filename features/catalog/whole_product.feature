@storage
Feature: Products in one piece
  An operator writes a product with everything that belongs to it in one request, and reads it back in the same form.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 7     |

  Rule: All of a product, or nothing of it

    @catalog-28
    Scenario: A product with its sizes, prices and stock
      When an operator creates "teapot" in one request, with these sizes
        | size | price | stock |
        | S    | 30000 | 5     |
        | L    | 40000 | 2     |
      Then the product in one piece has these sizes
        | size | price | stock |
        | S    | 30000 | 5     |
        | L    | 40000 | 2     |

    @catalog-28
    Scenario: A mistake in one size is told, and nothing is stored
      When an operator creates "teapot" in one request, with these sizes
        | size | price | stock |
        | S    | 30000 | 5     |
        | L    | -1    | 2     |
      Then the request is refused because "validation_failed"
      And the refusal names the field "variants.1.price"
      And the shop has no product "teapot"

    @catalog-27 @catalog-28
    Scenario: What a product costs the shop is told to nobody else
      Given an operator set the cost price of "shirt" to 6000
      When a visitor opens the product "shirt"
      Then no stock quantity is shown
      And the product in one piece of "shirt" costs 6000

  Rule: Nobody undoes what somebody else changed

    @catalog-29
    Scenario: Two operators have the same product open
      Given two operators have "shirt" open in one piece
      When the first one saves it with a price of 16000
      And the second one saves it with a price of 17000
      Then the change is refused because "changed_meanwhile"
      And a visitor opens the product "shirt"
      And the product is shown at 16000 KRW

    @catalog-29
    Scenario: What was opened and saved is not changed
      Given two operators have "shirt" open in one piece
      When the first one saves it as it is
      And the second one saves it as it is
      Then the change succeeds

    @catalog-29
    Scenario: A sale is not undone by a form
      Given two operators have "shirt" open in one piece
      And a finalized draft order of 4 "shirt"
      When the first one saves it as it is
      Then the change is refused because "stock_changed"
      And 3 "shirt" are left in stock

  Rule: A copy is where the next product begins

    @catalog-30
    Scenario: A product is duplicated
      When an operator duplicates "shirt" as "longsleeve"
      Then the copy is a draft at 15000 without stock
      And 7 "shirt" are left in stock
