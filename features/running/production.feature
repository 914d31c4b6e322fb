Feature: Production settings
  Settings that are fine for development are refused in production.

  Rule: Production requires HTTPS

    @running-1
    Scenario: A public address without HTTPS is refused
      When production starts with a public address without HTTPS
      Then the start is refused because of the public address

    @running-1
    Scenario: A public address with HTTPS is accepted
      When production starts with a public address with HTTPS
      Then the start succeeds
