Feature: Burst limits
  Rule limits-7: whoever calls too often within a minute has to wait; others are not affected.

  Rule: Each key, user, cart and visitor has a limit of calls per minute

    @limits-7 @clock
    Scenario: Too many calls in a minute
      Given a shop
      When the shop's server makes 600 calls
      And the shop's server makes a call
      Then the request is refused because "rate_limited"
      And the answer says to retry within a minute

    @limits-7 @clock
    Scenario: A minute later
      Given a shop
      When the shop's server makes 600 calls
      And 1 minute passes
      And the shop's server makes a call
      Then the request succeeds

    @limits-7 @clock
    Scenario: A busy server does not affect visitors
      Given a shop
      When the shop's server makes 601 calls
      And a visitor makes a call
      Then the request succeeds
