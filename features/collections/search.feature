Feature: Finding and changing many records at once
  An integrator connects the shop to other systems. They find goods by any fact, see no more than they ask for, and change
  many at once without doing anything twice.

  Background:
    Given a shop that offers
      | product       | price | brand | status    |
      | Oak Table     | 90000 | Nord  | published |
      | Oak Chair     | 30000 | Nord  | published |
      | Steel Chair   | 25000 | Süd   | published |
      | Garden Table  | 50000 |       | draft     |
      | 100% Wool Rug | 70000 | Süd   | unlisted  |

  Rule: Goods are found by what is known of them

    @spec-4.1-where
    Scenario: By a price range
      When the integrator lists products from 25000 to 50000
      Then it finds the products "Garden Table, Oak Chair, Steel Chair"

    @spec-4.1-where
    Scenario: By the name of their brand
      When the integrator lists products of the brand "Süd"
      Then it finds the products "100% Wool Rug, Steel Chair"

    @spec-4.1-where
    Scenario: By words in any order and any case
      When the integrator searches products for "CHAIR oak"
      Then it finds the products "Oak Chair"

    @spec-4.1-where
    Scenario: A percent sign is only a percent sign
      When the integrator searches products for "%"
      Then it finds the products "100% Wool Rug"

    @spec-4.1-where
    Scenario: By what they lack
      When the integrator lists products without a brand
      Then it finds the products "Garden Table"

    @spec-4.1-where
    Scenario: In an order of several facts
      When the integrator lists products by brand, the dearest first
      Then it finds the products "Garden Table, Oak Table, Oak Chair, 100% Wool Rug, Steel Chair"

  Rule: A list shows what was asked for, and all of it

    @spec-2.2-list
    Scenario: Page by page, each product comes once
      When the integrator walks through all products, 2 at a time
      Then it finds the products "100% Wool Rug, Garden Table, Oak Chair, Oak Table, Steel Chair"

    @spec-4.1-crud
    Scenario: Related records come along
      When the integrator lists products with their brands
      Then the product "Oak Table" shows the brand "Nord"

    @spec-4.1-crud
    Scenario: Only the chosen facts come
      When the integrator lists nothing but the prices of products
      Then the product costing 90000 shows nothing else

    @spec-4.1-crud @spec-7.1-errors
    Scenario: A misspelt question is no question about everything
      When the integrator lists products by a misspelt filter
      Then the request is refused because "validation_failed"

  Rule: Visitors find what is on the shelves, and learn nothing behind them

    @spec-4.1-where
    Scenario: Drafts and unlisted goods are not found
      When a visitor searches products for "a"
      Then it finds the products "Oak Chair, Oak Table, Steel Chair"

    @spec-4.1-where @spec-7.1-errors
    Scenario: Stock cannot be found out by filters
      When a visitor lists products with more than 5 in stock
      Then the request is refused because "query_invalid"

  Rule: Many records are changed by one request

    @spec-2.3-writes
    Scenario: All goods of a brand leave the shelves
      When the integrator takes all products of the brand "Nord" off the shelves
      Then 2 products were changed
      And a visitor finds the products "Steel Chair"

    @spec-2.3-writes
    Scenario: A request that is repeated changes nothing again
      Given the integrator takes all products of the brand "Nord" off the shelves
      And the product "Oak Table" is put back on the shelves
      When the integrator repeats that request
      Then the answer is the same as before, marked as a receipt
      And 2 products were changed
      And a visitor finds the products "Oak Table, Steel Chair"

    @spec-2.3-writes @spec-7.1-errors
    Scenario: What cannot be changed is reported beside what was
      When the integrator gives all products of the brand "Nord" the same handle
      Then 1 product was changed
      And 1 product is reported as refused

    @spec-2.3-writes @spec-7.1-errors
    Scenario: Nothing is deleted by accident
      When the integrator deletes products without saying which
      Then the request is refused because "validation_failed"
      And a visitor finds the products "Oak Chair, Oak Table, Steel Chair"
