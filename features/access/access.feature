Feature: Who may do what
  Keys and logins open exactly what they are for.

  Background:
    Given a shop

  Rule: A person logs in with a password

    @spec-4.3-sessions @spec-5.r1 @spec-5.r2
    Scenario: An admin logs in
      When the admin logs in
      Then the login succeeds
      And the login ends 7 days from now
      And the admin is recognised

    @spec-4.3-sessions
    Scenario: A wrong password opens nothing
      When the admin logs in with a wrong password
      Then the login is refused because "credentials_invalid"

    @spec-5.r3
    Scenario: A login is refreshed
      Given the admin logs in
      When the admin refreshes the login
      Then the login succeeds
      And the admin is recognised

    @spec-5.r3 @clock
    Scenario: A refreshed login lasts seven days more
      Given the admin logs in
      And 6 days pass
      And the admin refreshes the login
      When 6 days pass
      Then the admin is recognised
      And the login before it is over

    @spec-5.r1 @spec-5.r2
    Scenario: Whoever runs the server says how long a login lasts
      Given a server on which a login lasts 1 hour
      When the admin logs in
      Then the login succeeds
      And the login ends 1 hour from now

    @spec-4.3-sessions
    Scenario: Logging out ends the login
      Given the admin logs in
      When the admin logs out
      Then the request succeeds
      And nobody is recognised

    @spec-5.r1 @clock
    Scenario: A login ends after seven days
      Given the admin logs in
      And 8 days pass
      When the admin lists brands
      Then the request is refused because "token_expired"

    @spec-4.3-sessions
    Scenario: Logging out everywhere ends every login
      Given the admin logs in
      And the admin logs in on another device
      When the admin logs out everywhere
      Then the request succeeds
      And nobody is recognised
      And nobody is recognised on the other device

    @spec-4.3-sessions
    Scenario: Logging out leaves other devices alone
      Given the admin logs in on another device
      And the admin logs in
      When the admin logs out
      Then nobody is recognised
      And the admin is recognised on the other device

  Rule: Guessing ends after five wrong passwords

    @spec-4.3-sessions
    Scenario: After five wrong passwords the right one has to wait
      Given the admin logs in with a wrong password 5 times
      When the admin logs in
      Then the login is refused because "rate_limited"

    @spec-4.3-sessions
    Scenario: A right password ends the count
      Given the admin logs in with a wrong password 4 times
      And the admin logs in
      And the admin logs in with a wrong password 4 times
      When the admin logs in
      Then the login succeeds

    @spec-4.3-sessions @clock
    Scenario: After a quarter of an hour the right password opens again
      Given the admin logs in with a wrong password 5 times
      And 15 minutes pass
      When the admin logs in
      Then the login succeeds

  Rule: A public key reads and never writes

    @spec-5-keys
    Scenario: A browser cannot add records
      When a browser with the public key adds the brand "Nord"
      Then the request is refused because "forbidden"
      And the brand "Nord" is not in the list

  Rule: A secret key stays on servers

    @spec-5-keys
    Scenario: A secret key in a browser is refused
      When a browser sends the secret key along with its page's address
      Then the request is refused because "secret_key_in_browser"

    @spec-5-keys
    Scenario: An invented key opens nothing
      When somebody lists brands with an invented secret key
      Then the request is refused because "key_unknown"

    @spec-5-keys
    Scenario: No key opens nothing
      When somebody without a key lists brands
      Then the request is refused because "unauthenticated"

  Rule: A server shows both keys of one shop

    @spec-1.5 @spec-5.r4
    Scenario: Both keys together are accepted
      When a server lists brands with both keys of the shop
      Then the request succeeds

    @spec-5.r4
    Scenario: Keys of two shops are refused
      When a server lists brands with the public key of another shop
      Then the request is refused because "key_mismatch"
