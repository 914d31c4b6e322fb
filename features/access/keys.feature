Feature: Keys to a shop
  Admins make the keys that shops and servers show, and take them back.

  Background:
    Given a shop

  Rule: A key is shown once and does what it is for

    @spec-5-keys
    Scenario: A new key opens the shop
      Given the admin makes a key for "reading and writing"
      When a server with the new key adds a brand
      Then the request succeeds

    @spec-5-keys
    Scenario: A key for reading does not write
      Given the admin makes a key for "reading"
      When a server with the new key adds a brand
      Then the request is refused because "forbidden"

    @spec-5-keys
    Scenario: A key is never shown again
      Given the admin makes a key for "reading"
      When the admin lists the keys
      Then the new key is listed by its last characters only

    @spec-5-keys
    Scenario: A repeated request makes no second key
      Given the admin makes a key for "reading"
      When the admin repeats the request for it
      Then the answer is the same as before, marked as a receipt

    @spec-5-keys
    Scenario: A key makes no keys
      When a server tries to make a key
      Then the request is refused because "forbidden"

  Rule: A key can be replaced and taken back

    @spec-5-keys @clock
    Scenario: A revoked key opens nothing
      Given the admin makes a key for "reading and writing"
      When the admin revokes it
      And 2 seconds pass
      And a server with the new key adds a brand
      Then the request is refused because "key_unknown"

    @spec-5-keys @clock
    Scenario: A rotated key replaces the old one
      Given the admin makes a key for "reading and writing"
      When the admin rotates it
      And 2 seconds pass
      And a server with the new key adds a brand
      Then the request succeeds
      And the old key is unknown
