Feature: Forgotten passwords and proven addresses
  Who can read the mail of an address can set its password and prove that it is theirs.

  Background:
    Given a shop

  Rule: A forgotten password is replaced by a mailed token

    @spec-4.3-sessions
    Scenario: A customer sets a new password
      Given the customer "kim" has registered
      When "kim" asks for a new password
      And "kim" sets the password "brand new horse" with the mailed token
      Then the login succeeds
      And "kim" can log in with "brand new horse"
      And "kim" cannot log in with the first password

    @spec-4.3-sessions
    Scenario: The admin of a shop sets a new password
      Given the admin asks for a new password
      When the admin sets the password "brand new horse" with the mailed token
      Then the login succeeds
      And the admin is recognised

    @spec-4.3-sessions
    Scenario: A token works once
      Given the customer "kim" has registered
      And "kim" asks for a new password
      And "kim" sets the password "brand new horse" with the mailed token
      When "kim" sets the password "newer still, horse" with the same token
      Then the request is refused because "token_invalid"
      And "kim" can log in with "brand new horse"

    @spec-4.3-sessions
    Scenario: A new password ends earlier logins
      Given the customer "kim" has registered
      And "kim" logs in
      When "kim" asks for a new password
      And "kim" sets the password "brand new horse" with the mailed token
      Then the earlier login of "kim" is over

    @spec-4.3-sessions
    Scenario: Nobody learns who is a customer
      Given the customer "kim" has registered
      When "kim" asks for a new password
      And "nobody" asks for a new password
      Then both got the same answer

    @spec-4.3-sessions @clock
    Scenario: A token is good for an hour
      Given the customer "kim" has registered
      And "kim" asks for a new password
      And 1 hour passes
      When "kim" sets the password "brand new horse" with the mailed token
      Then the request is refused because "token_invalid"

  Rule: A shop may want proven addresses

    @spec-4.3-sessions
    Scenario: A new customer is kept out until the address is proven
      Given the shop wants proven addresses
      And the customer "kim" has registered
      When "kim" logs in
      Then the login is refused because "email_not_verified"

    @spec-4.3-sessions
    Scenario: The mailed token proves the address
      Given the shop wants proven addresses
      And the customer "kim" has registered
      When "kim" proves the address with the mailed token
      And "kim" logs in
      Then the login succeeds

    @spec-4.3-sessions @clock
    Scenario: A lost token can be replaced
      Given the shop wants proven addresses
      And the customer "kim" has registered
      And 4 days pass
      When "kim" asks for another token
      And "kim" proves the address with the mailed token
      Then the request succeeds
