@storage
Feature: Roles
  People see and do what their work needs, by the same table as admins and API keys.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: Every shop has roles for packing, support, marketing and accounting

    @access-51
    Scenario Outline: What a <role> reaches
      Given "pia" becomes a "<role>" of the shop
      Then "pia" <orders> read "orders"
      And "pia" <customers> read "customers"
      And "pia" <brands> add a brand

      Examples:
        | role       | orders | customers | brands |
        | packer     | can    | cannot    | cannot |
        | support    | can    | can       | cannot |
        | marketer   | cannot | cannot    | can    |
        | accountant | can    | can       | cannot |

    @access-51 @payments-15
    Scenario: An accountant settles a payment that was never confirmed
      Given "pia" becomes an "accountant" of the shop
      And an open payment page for 1 "shirt"
      And the shopper pays on the provider's page
      When "pia" logs in and reconciles the payment
      Then a "succeeded" payment is found
      And exactly one order of 18000 KRW is placed

    @access-51 @payments-15
    Scenario: A packer settles no payment
      Given "pia" becomes a "packer" of the shop
      And an open payment page for 1 "shirt"
      When "pia" logs in and reconciles the payment
      Then the request is refused because "forbidden"

    @access-51
    Scenario: A marketer changes prices, and counts nothing
      Given "pia" becomes a "marketer" of the shop
      Then "pia" can raise the price of "shirt"
      And "pia" cannot raise the stock of "shirt"

  Rule: A shop makes roles of its own

    @access-52
    Scenario: A role permits what it contains
      Given the admin makes the role "night-shift" of "orders:read, brands:read"
      When "pia" becomes a "night-shift" of the shop
      Then "pia" can read "orders"
      And "pia" cannot read "customers"
      And "pia" cannot add a brand

    @access-52
    Scenario: A changed role applies at once
      Given the admin makes the role "night-shift" of "orders:read"
      And "pia" becomes a "night-shift" of the shop
      When the admin changes the role "night-shift" to "brands:create"
      Then "pia" cannot read "orders"
      And "pia" can add a brand

    @access-52
    Scenario: No role makes people admins
      When the admin makes the role "night-shift" of "orders:read, users:update"
      Then the request is refused because "validation_failed"

    @access-52
    Scenario: A role that somebody has is not deleted
      Given the admin makes the role "night-shift" of "orders:read"
      And "pia" becomes a "night-shift" of the shop
      When the admin deletes the role "night-shift"
      Then the request is refused because "role_in_use"

    @access-52
    Scenario: Nobody has a role that does not exist
      When the admin gives "pia" the role "night-shift"
      Then the request is refused because "validation_failed"
