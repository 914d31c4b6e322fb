@storage
Feature: Password reset and email verification
  Mailed tokens reset passwords and verify email addresses.

  Background:
    Given a shop

  Rule: A mailed token resets a forgotten password

    @access-43
    Scenario: A password that is guessed first is refused
      Given the customer "kim" has registered
      And "kim" requests a password reset
      When "kim" sets the password "qwertyuiop" with the mailed token
      Then the request is refused because "validation_failed"

    @access-7 @access-9
    Scenario: A customer resets the password
      Given the customer "kim" has registered
      When "kim" requests a password reset
      And "kim" sets the password "brand new horse" with the mailed token
      Then the login succeeds
      And "kim" can log in with "brand new horse"
      And "kim" cannot log in with the first password

    @access-7
    Scenario: The admin of a shop resets the password
      Given the admin requests a password reset
      When the admin sets the password "brand new horse" with the mailed token
      Then the login succeeds
      And the admin is logged in

    @access-7
    Scenario: A reset token works once
      Given the customer "kim" has registered
      And "kim" requests a password reset
      And "kim" sets the password "brand new horse" with the mailed token
      When "kim" sets the password "newer still, horse" with the same token
      Then the request is refused because "token_invalid"
      And "kim" can log in with "brand new horse"

    @access-7
    Scenario: A new password ends earlier sessions
      Given the customer "kim" has registered
      And "kim" logs in
      When "kim" requests a password reset
      And "kim" sets the password "brand new horse" with the mailed token
      Then the earlier session of "kim" has ended

    @access-7
    Scenario: The answer does not reveal who is a customer
      Given the customer "kim" has registered
      When "kim" requests a password reset
      And "nobody" requests a password reset
      Then both answers are the same

    @access-7 @clock
    Scenario: A reset token expires after an hour
      Given the customer "kim" has registered
      And "kim" requests a password reset
      And 1 hour passes
      When "kim" sets the password "brand new horse" with the mailed token
      Then the request is refused because "token_invalid"

  Rule: A shop can require verified email addresses

    @access-8
    Scenario: A customer with an unverified address cannot log in
      Given the shop requires verified email addresses
      And the customer "kim" has registered
      When "kim" logs in
      Then the login is refused because "email_not_verified"

    @access-8
    Scenario: The mailed token verifies the address
      Given the shop requires verified email addresses
      And the customer "kim" has registered
      When "kim" verifies the address with the mailed token
      And "kim" logs in
      Then the login succeeds

    @access-8 @clock
    Scenario: A lost token can be sent again
      Given the shop requires verified email addresses
      And the customer "kim" has registered
      And 4 days pass
      When "kim" requests another verification email
      And "kim" verifies the address with the mailed token
      Then the request succeeds
