@storage
Feature: API keys
  Admins create the keys that storefronts and servers send, and revoke them.

  Background:
    Given a shop

  Rule: A key is shown once and works within its scopes

    @access-17
    Scenario: A new key works
      Given the admin creates an API key for "reading and writing"
      When a server with the new API key adds a brand
      Then the request succeeds

    @access-17
    Scenario: A key for reading cannot write
      Given the admin creates an API key for "reading"
      When a server with the new API key adds a brand
      Then the request is refused because "forbidden"

    @access-17
    Scenario: A key is never shown again
      Given the admin creates an API key for "reading"
      When the admin lists the API keys
      Then the new API key is listed by its last characters only

    @access-17 @idempotency-9
    Scenario: A repeated request creates no second key
      Given the admin creates an API key for "reading"
      When the admin repeats the request
      Then the first answer is replayed

    @access-17
    Scenario: A key cannot create other keys
      When a server tries to create an API key
      Then the request is refused because "forbidden"

  Rule: A key can be rotated and revoked

    @access-18 @clock
    Scenario: A revoked key is refused
      Given the admin creates an API key for "reading and writing"
      When the admin revokes the API key
      And 2 seconds pass
      And a server with the new API key adds a brand
      Then the request is refused because "key_unknown"

    @access-18 @clock
    Scenario: A rotated key replaces the old one
      Given the admin creates an API key for "reading and writing"
      When the admin rotates the API key
      And 2 seconds pass
      And a server with the new API key adds a brand
      Then the request succeeds
      And the old API key no longer works
