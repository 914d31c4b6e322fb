Feature: What a plan includes
  Spec 8 and 1.7: a shop may make as many calls a month as its plan includes, and is told how many are left.

  Rule: A plan includes so many calls a month

    @spec-1.7 @spec-8-quota
    Scenario Outline: The <plan> plan has its limit
      Given a shop on the "<plan>" plan
      When the shop's server makes a call
      Then the shop may make <limit> calls a month
      And <left> of them are left

      Examples:
        | plan  | limit   | left   |
        | free  | 10000   | 9999   |
        | basic | 100000  | 99999  |
        | pro   | 1000000 | 999999 |

    @spec-1.7 @spec-8-quota
    Scenario: The largest plan has no limit
      Given a shop on the "enterprise" plan
      When the shop's server makes a call
      Then the shop may make as many calls as it likes

    @spec-1.7 @spec-8-quota
    Scenario: The last call is the one before the limit
      Given a shop on the "free" plan
      And the shop has made 9999 calls this month
      When the shop's server makes a call
      Then the request succeeds
      When the shop's server makes a call
      Then the request is refused because "quota_exceeded"

    @spec-1.7 @spec-8-quota
    Scenario: Visitors spend the same calls
      Given a shop on the "free" plan
      And the shop has made 10000 calls this month
      When a visitor makes a call
      Then the request is refused because "quota_exceeded"

    @spec-8-quota
    Scenario: Nobody else can spend them
      Given a shop on the "free" plan
      When somebody makes a call with a key that is none
      And the shop's server makes a call
      Then 9999 of them are left

    @spec-8-quota @clock
    Scenario: The next month begins anew
      Given a shop on the "free" plan
      And the shop has made 10000 calls this month
      When 32 days pass
      And the shop's server makes a call
      Then the request succeeds
      And 9999 of them are left

  Rule: Another plan counts soon after

    @spec-1.7 @spec-8-plans @clock
    Scenario: A shop at its limit moves to a larger plan
      Given a shop on the "free" plan
      And the shop has made 10000 calls this month
      When the platform moves the shop to the "basic" plan
      And 1 minute passes
      And the shop's server makes a call
      Then 89999 of them are left

    @spec-1.7 @spec-8-plans @clock
    Scenario: A shop moves to a smaller plan than it used
      Given a shop on the "basic" plan
      And the shop has made 10000 calls this month
      When the platform moves the shop to the "free" plan
      And 1 minute passes
      And the shop's server makes a call
      Then the request is refused because "quota_exceeded"

    @spec-1.7 @spec-8-plans
    Scenario: A shop cannot give itself a plan
      Given a shop on the "free" plan
      When the owner moves the shop to the "pro" plan
      Then the request is refused because "plan_not_changeable"
      And 9999 of them are left

  Rule: A shop can look up what it used

    @spec-1.7 @spec-8-usage @clock
    Scenario: The days add up
      Given a shop on the "basic" plan
      And the shop has made 40 calls this month
      When the shop's server makes a call
      And the shop's server makes a call
      Then the shop has used 42 calls, all of them today
