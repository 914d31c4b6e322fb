Feature: Defaults of lists
  Rules collections-5, collections-6: the page size, the first page, and the depth of related records.

  Rule: Lists return the first page of ten records

    @collections-5
    Scenario: A list without a page or a limit
      Given a shop
      And the shop has the brands "A, B, C, D, E, F, G, H, I, J, K, L"
      When the editor lists brands without a page or a limit
      Then the list shows 10 of 12 brands on page 1 of 2

  Rule: Related records are ids unless requested

    @collections-6
    Scenario: Without a depth
      Given a shop that sells
        | product | price | stock |
        | shirt   | 15000 | 10    |
      When the editor lists the variants of "shirt"
      Then they name the product "shirt" by its id

    @collections-6
    Scenario: With a depth of one
      Given a shop that sells
        | product | price | stock |
        | shirt   | 15000 | 10    |
      When the editor lists the variants of "shirt" with their related records
      Then they include the product "shirt"
