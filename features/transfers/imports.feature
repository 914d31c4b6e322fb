Feature: Imports
  A shop brings the rows of a spreadsheet in: its goods and customers, its counts of stock, orders of before.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | cap     | 4000  | 10    |

  Rule: A row changes what it says, and nothing else

    @transfers-10 @transfers-11
    Scenario: What was counted is what is there
      When the shop imports its counts of stock
        | product | counted |
        | shirt   | 7       |
        | cap     | 10      |
      Then the import is done: 1 row applied, 1 unchanged, 0 rejected
      And the stock of "shirt" moved by 10, -3
      And the stock of "cap" moved by 10

    @transfers-12
    Scenario: Rows of one handle are one product
      When the shop imports "products"
        | Handle | Title | Status    | Product price | Option values | SKU   | Stock |
        | mug    | Mug   | published | 9000          | Color=Red     | MUG-R | 3     |
        | mug    |       |           |               | Color=Blue    | MUG-B | 5     |
        | shirt  | Tee   |           | 14000         |               |       |       |
      Then the import is done: 2 rows applied, 0 unchanged, 1 rejected
      And row 4 was rejected for "status" because "validation_failed"

    @transfers-13
    Scenario: The same file again changes nothing
      When the shop imports "customers"
        | 이메일            | 이름   | 전화번호      |
        | kim@example.com | 김민지 | 010-1234-5678 |
      Then the import is done: 1 row applied, 0 unchanged, 0 rejected
      When the shop imports "customers"
        | 이메일            | 이름   | 전화번호      |
        | kim@example.com | 김민지 | 010-1234-5678 |
      Then the import is done: 0 rows applied, 1 unchanged, 0 rejected

  Rule: What is wrong is told where it stands

    @transfers-10
    Scenario: A rejected row keeps no other out
      When the shop imports "discounts"
        | code   | type       | value |
        | SPRING | percentage | 10    |
        | SUMMER | percentage | 110   |
        | SPRING | percentage | 20    |
      Then the import is done: 1 row applied, 0 unchanged, 2 rejected
      And row 3 was rejected for "value" because "validation_failed"
      And row 4 was rejected for "code" because "row_repeated"

    @transfers-9
    Scenario: A file with other columns is refused at once
      When the shop imports "customers"
        | email           | shoe size |
        | kim@example.com | 42        |
      Then the request is refused because "import_columns"

    @transfers-14
    Scenario: A trial says what would happen
      When the shop tries out an import of "customers"
        | email           |
        | kim@example.com |
        | nobody          |
      Then the import is done: 1 row applied, 0 unchanged, 1 rejected
      When the shop imports "customers"
        | email           |
        | kim@example.com |
      Then the import is done: 1 row applied, 0 unchanged, 0 rejected

    @transfers-17
    Scenario: A trial tells of a SKU that another row takes
      When the shop tries out an import of "products"
        | Handle | Title | Status | Product price | SKU  |
        | mug    | Mug   | draft  | 9000          | M-1  |
        | bowl   | Bowl  | draft  | 9000          | m-1  |
        | plate  | Plate | draft  | 9000          | P-1  |
      Then the import is done: 2 rows applied, 0 unchanged, 1 rejected
      And row 3 was rejected for "sku" because "value_not_unique"

  Rule: Imports are for those who may write what the rows are about

    @transfers-8
    Scenario: Another shop does not find an import
      When the shop imports "customers"
        | email           |
        | kim@example.com |
      Then another shop does not find the import

    @transfers-8
    Scenario: A storefront imports nothing
      When a storefront imports "customers"
        | email           |
        | kim@example.com |
      Then the request is refused because "forbidden"

    @transfers-15
    Scenario: What is done is not canceled
      When the shop imports "customers"
        | email           |
        | kim@example.com |
      Then the import is done: 1 row applied, 0 unchanged, 0 rejected
      When the shop cancels the import
      Then the request is refused because "job_ended"
