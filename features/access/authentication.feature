Feature: Authentication
  Keys and sessions allow exactly what they were issued for.

  Background:
    Given a shop

  Rule: Users log in with a password

    @access-1 @access-2 @access-3
    Scenario: An admin logs in
      When the admin logs in
      Then the login succeeds
      And the session expires 7 days from now
      And the admin is logged in

    @access-1
    Scenario: A wrong password is refused
      When the admin logs in with a wrong password
      Then the login is refused because "credentials_invalid"

    @access-4
    Scenario: A session is refreshed
      Given the admin logs in
      When the admin refreshes the session
      Then the login succeeds
      And the admin is logged in

    @access-4 @clock
    Scenario: A refreshed session lasts another seven days
      Given the admin logs in
      And 6 days pass
      And the admin refreshes the session
      When 6 days pass
      Then the admin is logged in
      And the previous token no longer works

    @access-2 @access-3
    Scenario: The length of sessions can be configured
      Given a server whose sessions last 1 hour
      When the admin logs in
      Then the login succeeds
      And the session expires 1 hour from now

    @access-5
    Scenario: Logging out ends the session
      Given the admin logs in
      When the admin logs out
      Then the request succeeds
      And the admin is logged out

    @access-2 @clock
    Scenario: A session expires after seven days
      Given the admin logs in
      And 8 days pass
      When the admin lists brands
      Then the request is refused because "token_expired"

    @access-5
    Scenario: Logging out everywhere ends every session
      Given the admin logs in
      And the admin logs in on another device
      When the admin logs out everywhere
      Then the request succeeds
      And the admin is logged out
      And the admin is logged out on the other device

    @access-5
    Scenario: Logging out does not affect other devices
      Given the admin logs in on another device
      And the admin logs in
      When the admin logs out
      Then the admin is logged out
      And the admin is logged in on the other device

  Rule: People see where they are logged in

    @access-41
    Scenario: A session of a lost device is ended from another one
      Given the admin logs in on another device
      And the admin logs in
      When the admin ends the session of the other device
      Then the admin has 1 session
      And the admin is logged out on the other device
      And the admin is logged in

    @access-41
    Scenario: All other sessions are ended
      Given the admin logs in on another device
      And the admin logs in
      When the admin ends all other sessions
      Then the admin has 1 session
      And the admin is logged out on the other device
      And the admin is logged in

  Rule: Five wrong passwords lock the login for a while

    @access-6
    Scenario: After five wrong passwords even the right one is refused
      Given the admin logs in with a wrong password 5 times
      When the admin logs in
      Then the login is refused because "rate_limited"

    @access-6
    Scenario: A successful login resets the count of wrong passwords
      Given the admin logs in with a wrong password 4 times
      And the admin logs in
      And the admin logs in with a wrong password 4 times
      When the admin logs in
      Then the login succeeds

    @access-6 @clock
    Scenario: After fifteen minutes the right password is accepted again
      Given the admin logs in with a wrong password 5 times
      And 15 minutes pass
      When the admin logs in
      Then the login succeeds

  Rule: A public key can read but never write

    @access-14
    Scenario: A browser cannot add records
      When a browser with the public key adds the brand "Nord"
      Then the request is refused because "forbidden"
      And the brand "Nord" is not in the list

  Rule: A secret key stays on servers

    @access-15
    Scenario: A secret key in a browser is refused
      When a browser sends the secret key
      Then the request is refused because "secret_key_in_browser"

    @access-16
    Scenario: An unknown key is refused
      When a client lists brands with an invented secret key
      Then the request is refused because "key_unknown"

    @access-16
    Scenario: A request without a key is refused
      When a client without a key lists brands
      Then the request is refused because "unauthenticated"

  Rule: A public key and a secret key sent together must belong to one shop

    @access-10
    Scenario: Both keys together are accepted
      When a server lists brands with both keys of the shop
      Then the request succeeds

    @access-10
    Scenario: Keys of two shops are refused
      When a server lists brands with the public key of another shop
      Then the request is refused because "key_mismatch"
