Feature: Webhook endpoints
  A shop's systems subscribe to events of its records and can verify that a message is authentic.

  Background:
    Given a shop

  Rule: Messages can be authenticated

    @webhooks-9
    Scenario: The signing secret is shown once
      When the shop adds a webhook endpoint for "orders"
      Then the request succeeds
      And the answer shows a signing secret
      And the secret is shown nowhere else

    @webhooks-9
    Scenario: A repeated request returns the same secret
      When the shop adds a webhook endpoint for "orders"
      And the shop repeats the request
      Then the first answer is replayed
      And the shop has 1 webhook endpoint

    @webhooks-9
    Scenario: A secret is rotated
      Given the shop adds a webhook endpoint for "orders"
      When the shop rotates the endpoint's secret
      Then the request succeeds
      And the answer shows a new secret and until when the old one is valid

    @webhooks-13
    Scenario: An address with a password is refused
      When the shop adds a webhook endpoint with a password in its address
      Then the request is refused because "validation_failed"

    @webhooks-1
    Scenario: An unknown collection is refused
      When the shop adds a webhook endpoint for "dreams"
      Then the request is refused because "validation_failed"

  Rule: An endpoint belongs to one environment

    @webhooks-10
    Scenario: A test key creates endpoints of the test environment
      When the shop adds a webhook endpoint for "orders"
      Then the endpoint belongs to the environment "test"
      And the environment "live" lists no webhook endpoint

    @webhooks-10 @webhooks-18
    Scenario: A test key cannot subscribe to live events
      When the shop adds a webhook endpoint for live orders with its test key
      Then the request is refused because "forbidden"

    @webhooks-10
    Scenario: A key that reads nothing cannot subscribe
      Given the admin creates an API key for "writing"
      When a server with the new API key adds a webhook endpoint for "orders"
      Then the request is refused because "forbidden"

    @access-38
    Scenario: A key subscribes to the users of its shop
      When the shop adds a webhook endpoint for "users"
      Then the request succeeds

  Rule: An endpoint can be tested, replayed to and deleted

    @webhooks-12
    Scenario: An endpoint is tested
      Given the shop adds a webhook endpoint for "orders"
      When the shop sends a test message to the endpoint
      Then the request succeeds
      And the delivery log shows 1 message to the endpoint, marked as a test

    @webhooks-11
    Scenario: Events before the endpoint was created are replayed
      Given the shop has the brands "Nord, Sud"
      And the shop adds a webhook endpoint for "brands"
      When the shop replays all events to the endpoint
      Then the request succeeds
      And the delivery log shows 2 messages to the endpoint

    @webhooks-11
    Scenario: Events cannot be replayed to a disabled endpoint
      Given the shop adds a webhook endpoint for "brands"
      And the shop disables the endpoint
      When the shop replays all events to the endpoint
      Then the request is refused because "webhook_endpoint_disabled"

    @webhooks-11
    Scenario: An endpoint is deleted
      Given the shop adds a webhook endpoint for "orders"
      When the shop deletes the endpoint
      Then the shop has 0 webhook endpoints

  Rule: A plan includes a number of webhook endpoints

    @webhooks-14
    Scenario Outline: The <plan> plan includes <limit>
      Given a shop on the "<plan>" plan
      And the shop adds <limit> webhook endpoints
      When the shop adds a webhook endpoint for "orders"
      Then the request is refused because "webhook_endpoint_limit"

      Examples:
        | plan  | limit |
        | free  | 1     |
        | basic | 3     |
        | pro   | 5     |

    @webhooks-14
    Scenario: The largest plan has no limit
      Given a shop on the "enterprise" plan
      When the shop adds 8 webhook endpoints
      Then the shop has 8 webhook endpoints

    @webhooks-14
    Scenario: A deleted endpoint does not count toward the limit
      Given a shop on the "free" plan
      And the shop adds 1 webhook endpoint
      And the shop deletes the endpoint
      When the shop adds a webhook endpoint for "orders"
      Then the request succeeds

    @webhooks-14 @concurrency
    Scenario: Concurrent requests cannot exceed the limit
      Given a shop on the "basic" plan
      When the shop adds 20 webhook endpoints at once
      Then exactly 3 requests succeed
      And the shop has 3 webhook endpoints
