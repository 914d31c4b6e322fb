Feature: Passkeys of users
  A device that checks its owner, by a fingerprint or a PIN, logs in without a password that others could learn.

  Background:
    Given a server with the address "shop.example"

  Rule: A passkey is a second factor, and logs its owner in alone

    @access-55
    Scenario: The admin logs in with the passkey alone
      Given the admin adds a passkey
      When the admin logs in with the passkey alone
      Then the login succeeds

    @access-55
    Scenario: The admin proves the passkey after the password
      Given the admin adds a passkey
      When the admin logs in with the password alone
      Then the admin is asked for a second factor
      And the admin logs in with the password and the passkey

  Rule: What a device answered counts once, and on the shop's own pages only

    @access-56
    Scenario: Somebody who recorded a login cannot repeat it
      Given the admin adds a passkey
      And the admin logs in with the passkey alone
      When the same answer of the device is sent again
      Then the login is refused because "challenge_invalid"

    @access-56
    Scenario: A page that imitates the shop gets nothing that opens it
      Given the admin adds a passkey
      When the admin uses the passkey on a page of "shop-example.evil"
      Then the login is refused because "passkey_invalid"
