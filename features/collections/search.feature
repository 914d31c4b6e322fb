@storage
Feature: Searching and bulk changes
  Integrators, who connect the shop to other systems, filter records by any field, choose the fields that they receive, and
  change many records in one request.

  Background:
    Given a shop with the products
      | product       | price | brand | status    |
      | Oak Table     | 90000 | Nord  | published |
      | Oak Chair     | 30000 | Nord  | published |
      | Steel Chair   | 25000 | Süd   | published |
      | Garden Table  | 50000 |       | draft     |
      | 100% Wool Rug | 70000 | Süd   | unlisted  |

  Rule: Products are found by their fields

    @collections-9
    Scenario: By a price range
      When the integrator lists products that cost from 25000 to 50000
      Then it finds the products "Garden Table, Oak Chair, Steel Chair"

    @collections-9
    Scenario: By the name of their brand
      When the integrator lists products of the brand "Süd"
      Then it finds the products "100% Wool Rug, Steel Chair"

    @collections-10
    Scenario: By words in any order, ignoring case
      When the integrator searches products for "CHAIR oak"
      Then it finds the products "Oak Chair"

    @collections-10
    Scenario: A percent sign is an ordinary character
      When the integrator searches products for "%"
      Then it finds the products "100% Wool Rug"

    @collections-9
    Scenario: By the absence of a value
      When the integrator lists products without a brand
      Then it finds the products "Garden Table"

    @collections-8
    Scenario: Sorted by several fields
      When the integrator lists products by brand and descending price
      Then it finds the products "Garden Table, Oak Table, Oak Chair, 100% Wool Rug, Steel Chair"

  Rule: A list shows the requested fields of all matching records

    @collections-2
    Scenario: Each product appears on exactly one page
      When the integrator reads all pages of products, 2 per page
      Then it finds the products "100% Wool Rug, Garden Table, Oak Chair, Oak Table, Steel Chair"

    @collections-6
    Scenario: Related records are included
      When the integrator lists products with their brands
      Then the product "Oak Table" shows the brand "Nord"

    @collections-4
    Scenario: Only the selected fields are returned
      When the integrator lists only the prices of products
      Then the product that costs 90000 shows no other field

    @collections-12
    Scenario: A misspelled filter is refused
      When the integrator lists products by a misspelled filter
      Then the request is refused because "validation_failed"

  Rule: Visitors find published products and learn nothing else

    @collections-13
    Scenario: Drafts and unlisted products are not found
      When a visitor searches products for "a"
      Then it finds the products "Oak Chair, Oak Table, Steel Chair"

    @collections-13 @access-22
    Scenario: Filters do not reveal the stock
      When a visitor lists products with more than 5 in stock
      Then the request is refused because "query_invalid"

  Rule: One request changes many records

    @collections-14
    Scenario: All products of a brand are unpublished
      When the integrator unpublishes all products of the brand "Nord"
      Then 2 products were changed
      And a visitor finds the products "Steel Chair"

    @collections-14 @idempotency-19
    Scenario: A repeated request changes nothing
      Given the integrator unpublishes all products of the brand "Nord"
      And the product "Oak Table" is published again
      When the integrator repeats the request
      Then the first answer is replayed
      And 2 products were changed
      And a visitor finds the products "Oak Table, Steel Chair"

    @collections-14
    Scenario: Records that could not be changed are reported
      When the integrator gives all products of the brand "Nord" the same slug
      Then 1 product was changed
      And 1 product is reported as refused

    @collections-14
    Scenario: A delete without a filter is refused
      When the integrator deletes products without a filter
      Then the request is refused because "validation_failed"
      And a visitor finds the products "Oak Chair, Oak Table, Steel Chair"
