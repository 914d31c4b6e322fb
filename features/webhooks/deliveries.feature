@storage
Feature: Webhook deliveries
  Rules webhooks-1, webhooks-2, webhooks-7: every change of a record is sent to the webhook endpoints that subscribe to it: signed, in order, and repeated until accepted.

  Background:
    Given a shop

  Rule: Creating, updating and deleting a record is sent to its subscribers

    @webhooks-1 @events-1
    Scenario: Creating, updating and deleting a brand
      Given a webhook endpoint for brands
      And the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlys"
      When the editor deletes the brand "Nordlys"
      Then the endpoint receives about the brand "Nordlys": "create, update, delete"
      And the messages have the specified members and no others

    @webhooks-2
    Scenario: Messages are signed and numbered
      Given a webhook endpoint for brands
      And the editor adds the brand "Nord"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the endpoint receives about the brand "Nordlys": "create, update"
      And the messages carry the sequence numbers of their record
      And the messages are signed with the endpoint's secret

    @webhooks-1
    Scenario: An endpoint receives only the collections it subscribes to
      Given a webhook endpoint for brands
      When the tag "New" is added
      And the editor adds the brand "Nord"
      Then the endpoint receives about the brand "Nord": "create"
      And the endpoint has received 1 message in total

    @webhooks-1
    Scenario: An endpoint receives only the operations it subscribes to
      Given a webhook endpoint for deleted brands
      And the editor adds the brand "Nord"
      When the editor deletes the brand "Nord"
      Then the endpoint receives about the brand "Nord": "delete"

    @webhooks-1
    Scenario: An endpoint receives only events of its own shop
      Given a webhook endpoint for brands
      When another shop has the brand "Elsewhere"
      And the editor adds the brand "Nord"
      Then the endpoint receives about the brand "Nord": "create"
      And the endpoint has received 1 message in total

    @webhooks-1 @webhooks-10
    Scenario: Events of test and live are separate
      Given a webhook endpoint for carts
      When a live cart and a test cart are created
      Then the endpoint receives the test cart only

  Rule: An update message holds the previous values

    @webhooks-3
    Scenario: A new name and the previous one
      Given a webhook endpoint for brands
      And the editor adds the brand "Nord"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the endpoint receives that the name "Nord" became "Nordlys"

  Rule: Failed deliveries are retried

    @webhooks-4 @clock
    Scenario: A failed delivery is retried
      Given a webhook endpoint for brands that fails once
      And the editor adds the brand "Nord"
      And a delivery has failed
      When 7 seconds pass
      Then the endpoint receives about the brand "Nord": "create, create"
      And a redelivered message has the id and the body of the first

    @webhooks-7
    Scenario: A failure delays only later events of the same record
      Given a webhook endpoint for brands that fails once for "Nord"
      And the shop has the brands "Nord, Syd"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the endpoint receives about the brand "Syd": "create"
      And the delivery log shows the message about "Nord" as "pending" after 1 attempt
      And the endpoint has received 2 messages in total

    @webhooks-7 @clock
    Scenario: Later events of the record follow in order
      Given a webhook endpoint for brands that fails once for "Nord"
      And the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlys"
      And a delivery has failed
      When 7 seconds pass
      Then the endpoint receives about the brand "Nordlys": "create, create, update"

    @webhooks-5 @clock
    Scenario: A delivery that always fails is given up in the end
      Given a webhook endpoint for brands that always fails
      And the editor adds the brand "Nord"
      When every retry of the published schedule has failed
      Then the delivery log shows the message about "Nord" as "dead" after 10 attempts

    @webhooks-5 @clock
    Scenario: A delivery that was given up can be redelivered
      Given a webhook endpoint for brands that always fails
      And the editor adds the brand "Nord"
      And every retry of the published schedule has failed
      And the endpoint works again
      When the shop redelivers the message about "Nord"
      Then the delivery log shows the message about "Nord" as "succeeded" after 11 attempts

    @webhooks-6 @clock
    Scenario: An endpoint that fails for three days is disabled
      Given a webhook endpoint for brands that always fails
      And the editor adds the brand "Nord"
      And a delivery has failed
      And 3 days pass
      When the editor adds the brand "Syd"
      Then the endpoint is disabled because "failing"

    @webhooks-6
    Scenario: An endpoint that answers that it is gone is disabled
      Given a webhook endpoint for brands that is gone
      When the editor adds the brand "Nord"
      Then the endpoint is disabled because "gone"
      And the delivery log shows the message about "Nord" as "dead" after 1 attempt

    @webhooks-4
    Scenario: A redirect counts as a failure
      Given a webhook endpoint for brands that redirects
      When the editor adds the brand "Nord"
      Then the delivery log shows the message about "Nord" as "pending" after 1 attempt
      And the endpoint has received 1 message in total

  Rule: A slow endpoint delays only itself

    @webhooks-8
    Scenario: An endpoint that does not answer does not delay others
      Given a webhook endpoint for brands that never answers
      And a webhook endpoint for brands
      When the editor adds the brand "Nord"
      Then the endpoint receives about the brand "Nord": "create"

  Rule: The shop controls deliveries

    @webhooks-11
    Scenario: A disabled endpoint receives nothing
      Given a webhook endpoint for brands
      And the brand "Nord" is added while the endpoint is disabled
      When the editor adds the brand "Syd"
      Then the endpoint receives about the brand "Syd": "create"
      And the endpoint has received 1 message in total

    @webhooks-5
    Scenario: One message is redelivered
      Given a webhook endpoint for brands
      And the shop has the brands "Nord, Syd"
      And the delivery log shows the message about "Nord" as "succeeded" after 1 attempt
      When the shop redelivers the message about "Nord"
      Then the endpoint receives about the brand "Nord": "create, create"
      And a redelivered message has the id and the body of the first

    @webhooks-11
    Scenario: A range of events is replayed
      Given a webhook endpoint for brands
      And the shop has the brands "Nord, Syd"
      And the delivery log shows the message about "Syd" as "succeeded" after 1 attempt
      When the shop replays the event about "Syd"
      Then the endpoint receives about the brand "Syd": "create, create"
      And the endpoint receives about the brand "Nord": "create"

    @webhooks-5
    Scenario: A waiting delivery is attempted immediately
      Given a webhook endpoint for brands that fails once
      And the editor adds the brand "Nord"
      And a delivery has failed
      When the shop redelivers the message about "Nord"
      Then the delivery log shows the message about "Nord" as "succeeded" after 2 attempts

    @webhooks-12
    Scenario: A disabled endpoint receives test messages
      Given a webhook endpoint for brands
      And the shop disables the endpoint
      When the shop sends a test message to the endpoint
      Then the endpoint receives one test message

    @webhooks-9
    Scenario: For a day after a rotation both secrets sign
      Given a webhook endpoint for brands
      And the shop rotates the endpoint's secret
      When the editor adds the brand "Nord"
      Then the endpoint receives about the brand "Nord": "create"
      And the messages are signed with the new secret and the old one

    @webhooks-9 @clock
    Scenario: After a day only the new secret signs
      Given a webhook endpoint for brands
      And the shop rotates the endpoint's secret
      And 25 hours pass
      When the editor adds the brand "Nord"
      Then the endpoint receives about the brand "Nord": "create"
      And the messages are signed with the new secret only
