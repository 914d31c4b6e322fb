Feature: Nobody takes the service for themselves
  Spec 8: who calls too often within a minute has to wait a moment; others do not notice.

  Rule: Each key, person, cart and visitor has so many calls a minute

    @spec-8-bursts @clock
    Scenario: Too many calls in a minute
      Given a shop
      When the shop's server makes 600 calls at once
      And the shop's server makes a call
      Then the request is refused because "rate_limited"
      And the answer says when to come back

    @spec-8-bursts @clock
    Scenario: A moment later
      Given a shop
      When the shop's server makes 600 calls at once
      And 1 minute passes
      And the shop's server makes a call
      Then the request succeeds

    @spec-8-bursts @clock
    Scenario: A busy server does not keep visitors out
      Given a shop
      When the shop's server makes 601 calls at once
      And a visitor makes a call
      Then the request succeeds
