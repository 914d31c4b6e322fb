Feature: What holds where nobody asks for something else
  Spec 8: the size of a page, the first page, and how deep an answer tells of other records.

  Rule: Lists come ten to a page and begin with the first

    @spec-8-values
    Scenario: A list without a size or a page
      Given a shop
      And the shop has the brands "A, B, C, D, E, F, G, H, I, J, K, L"
      When the editor lists brands without saying how many
      Then it is shown 10 of 12 brands on page 1 of 2

  Rule: What belongs to a record is named, and told on demand

    @spec-8-values
    Scenario: Nobody asked how deep
      Given a shop that sells
        | product | price | stock |
        | shirt   | 15000 | 10    |
      When the editor looks up the sizes of "shirt"
      Then they name the product "shirt"

    @spec-8-values
    Scenario: One step deeper
      Given a shop that sells
        | product | price | stock |
        | shirt   | 15000 | 10    |
      When the editor looks up the sizes of "shirt" with what they belong to
      Then they tell of the product "shirt"
