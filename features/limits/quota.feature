@storage
Feature: Plans and quotas
  Rules limits-1, limits-2: a shop may make as many calls a month as its plan includes, and learns how many are left.

  Rule: A plan includes a number of calls per month

    @limits-1
    Scenario Outline: The <plan> plan has its limit
      Given a shop on the "<plan>" plan
      When the shop's server makes a call
      Then the shop may make <limit> calls a month
      And <left> calls are left

      Examples:
        | plan  | limit   | left   |
        | free  | 10000   | 9999   |
        | basic | 100000  | 99999  |
        | pro   | 1000000 | 999999 |

    @limits-1
    Scenario: The largest plan has no limit
      Given a shop on the "enterprise" plan
      When the shop's server makes a call
      Then the calls of the shop are unlimited

    @limits-2
    Scenario: Calls beyond the limit are refused
      Given a shop on the "free" plan
      And the shop has made 9999 calls this month
      When the shop's server makes a call
      Then the request succeeds
      When the shop's server makes a call
      Then the request is refused because "quota_exceeded"

    @limits-1 @limits-3
    Scenario: Calls of visitors count as well
      Given a shop on the "free" plan
      And the shop has made 10000 calls this month
      When a visitor makes a call
      Then the request is refused because "quota_exceeded"

    @limits-3
    Scenario: Calls with an unknown key do not count
      Given a shop on the "free" plan
      When a client makes a call with an unknown key
      And the shop's server makes a call
      Then 9999 calls are left

    @limits-2 @clock
    Scenario: The quota starts again each month
      Given a shop on the "free" plan
      And the shop has made 10000 calls this month
      When 32 days pass
      And the shop's server makes a call
      Then the request succeeds
      And 9999 calls are left

  Rule: A change of plan takes effect within a minute

    @limits-4 @clock
    Scenario: A shop at its limit moves to a larger plan
      Given a shop on the "free" plan
      And the shop has made 10000 calls this month
      When the platform moves the shop to the "basic" plan
      And 1 minute passes
      And the shop's server makes a call
      Then 89999 calls are left

    @limits-4 @clock
    Scenario: A shop moves to a plan smaller than its usage
      Given a shop on the "basic" plan
      And the shop has made 10000 calls this month
      When the platform moves the shop to the "free" plan
      And 1 minute passes
      And the shop's server makes a call
      Then the request is refused because "quota_exceeded"

    @limits-4 @access-26
    Scenario: A shop cannot change its own plan
      Given a shop on the "free" plan
      When the admin tries to move the shop to the "pro" plan
      Then the request is refused because "plan_not_changeable"
      And 9999 calls are left

  Rule: A shop can read its usage

    @limits-6 @clock
    Scenario: Calls are counted by day
      Given a shop on the "basic" plan
      And the shop has made 40 calls this month
      When the shop's server makes a call
      And the shop's server makes a call
      Then the shop has used 42 calls, all of them today
