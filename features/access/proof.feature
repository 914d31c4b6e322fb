@storage
Feature: Proving a session again
  Whoever finds an open console must not be able to stay, nor give the shop's money away.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: What a thief of a session would stay by takes a proof

    @access-67 @clock
    Scenario: An old session makes no API key
      Given the admin logged in 11 minutes ago
      When the admin makes an API key in that session
      Then the request is refused because "reauthentication_required"
      And the shop has no further API key

    @access-67 @clock
    Scenario: The password proves the session
      Given the admin logged in 11 minutes ago
      When the admin proves the session with the password
      And the admin makes an API key in that session
      Then the request succeeds

    @access-67 @clock
    Scenario: A wrong password proves nothing
      Given the admin logged in 11 minutes ago
      When the admin proves the session with a wrong password
      Then the request is refused because "password_wrong"
      And the admin is logged in

    @access-67 @clock
    Scenario: Taking rights away needs no proof
      Given the admin creates an API key for "reading"
      And 11 minutes pass
      When the admin revokes the API key
      Then the request succeeds

  Rule: A shop may ask for a proof before large refunds

    @access-68 @clock
    Scenario: A refund above the shop's limit
      Given a paid order of 1 "shirt"
      And the shop asks for a proof before refunds above 10000 KRW
      And the admin logged in 11 minutes ago
      When the admin refunds 10001 KRW of the order in that session
      Then the request is refused because "reauthentication_required"
      And 0 KRW of the order are refunded

    @access-68 @clock
    Scenario: A refund up to the limit
      Given a paid order of 1 "shirt"
      And the shop asks for a proof before refunds above 10000 KRW
      And the admin logged in 11 minutes ago
      When the admin refunds 10000 KRW of the order in that session
      Then the request succeeds
      And 10000 KRW of the order are refunded
