Feature: Second factors of users
  A password that somebody else has learned opens nothing without the person's phone.

  Background:
    Given a shop

  Rule: A login needs the code of the authenticator app

    @access-44 @access-45
    Scenario: The admin logs in with the app
      Given the admin adds an authenticator app
      When the admin logs in with the password alone
      Then the admin is asked for a second factor
      And the admin logs in with a code of the app

    @access-44
    Scenario: A recovery code replaces a lost phone, once
      Given the admin adds an authenticator app
      When the admin logs in with a recovery code
      Then the login succeeds
      And the same recovery code is refused

    @access-45
    Scenario: A wrong code is refused
      Given the admin adds an authenticator app
      When the admin logs in with a wrong code
      Then the login is refused because "second_factor_invalid"

  Rule: A shop may require a second factor of its users

    @access-46
    Scenario: A user without a second factor can do nothing but add one
      Given "eve" becomes a "tenant-editor" of the shop
      And the shop requires a second factor
      When "eve" logs in to the shop and lists brands
      Then the request is refused because "second_factor_required"
