Feature: Changes reach a shop's own systems
  Spec 6: every change of a record is told to the receivers that want to hear of it, signed, in order, and again until they took it.

  Background:
    Given a shop

  Rule: Creating, changing and deleting a record are told, each to whom it concerns

    @spec-6.1 @spec-1.6
    Scenario: The life of a brand
      Given a receiver of changes to brands
      And the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlys"
      When the editor deletes the brand "Nordlys"
      Then the receiver hears of the brand "Nordlys": "create, update, delete"
      And the messages hold what the specification names, and nothing else

    @spec-6.1
    Scenario: Messages tell who sent them, and their place
      Given a receiver of changes to brands
      And the editor adds the brand "Nord"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the receiver hears of the brand "Nordlys": "create, update"
      And the messages are numbered by the changes of their record
      And the messages are signed with the receiver's secret

    @spec-6.1
    Scenario: A receiver hears of the kind of record it asked for
      Given a receiver of changes to brands
      When the tag "New" is added
      And the editor adds the brand "Nord"
      Then the receiver hears of the brand "Nord": "create"
      And the receiver heard 1 message in all

    @spec-6.1
    Scenario: A receiver hears of the kind of change it asked for
      Given a receiver of deleted brands
      And the editor adds the brand "Nord"
      When the editor deletes the brand "Nord"
      Then the receiver hears of the brand "Nord": "delete"

    @spec-6.1
    Scenario: A receiver hears of its own shop alone
      Given a receiver of changes to brands
      When another shop has the brand "Elsewhere"
      And the editor adds the brand "Nord"
      Then the receiver hears of the brand "Nord": "create"
      And the receiver heard 1 message in all

    @spec-6.1
    Scenario: Tests do not mix with real business
      Given a receiver of changes to carts
      When a cart is opened in real business, and one among tests
      Then the receiver hears of a cart among tests, and of no other

  Rule: A change is told with what was before

    @spec-6.2
    Scenario: A new name beside the old one
      Given a receiver of changes to brands
      And the editor adds the brand "Nord"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the receiver is told that the name "Nord" became "Nordlys"

  Rule: A receiver that fails is told again

    @spec-6.3 @clock
    Scenario: What a receiver did not take comes again
      Given a receiver of changes to brands that fails once
      And the editor adds the brand "Nord"
      And a message failed
      When 7 seconds pass
      Then the receiver hears of the brand "Nord": "create, create"
      And a repeated message has the number and the text of the first

    @spec-6.3
    Scenario: A failure holds up nothing but later changes of the same record
      Given a receiver of changes to brands that fails once about "Nord"
      And the shop has the brands "Nord, Syd"
      When the editor renames the brand "Nord" to "Nordlys"
      Then the receiver hears of the brand "Syd": "create"
      And the log shows the message about "Nord" as "pending" after 1 attempt
      And the receiver heard 2 messages in all

    @spec-6.3 @clock
    Scenario: Later changes of the record follow in order
      Given a receiver of changes to brands that fails once about "Nord"
      And the editor adds the brand "Nord"
      And the editor renames the brand "Nord" to "Nordlys"
      And a message failed
      When 7 seconds pass
      Then the receiver hears of the brand "Nordlys": "create, create, update"

    @spec-6.3 @clock
    Scenario: What never gets through is laid aside in the end
      Given a receiver of changes to brands that always fails
      And the editor adds the brand "Nord"
      When every repetition on the published schedule failed
      Then the log shows the message about "Nord" as "dead" after 10 attempts

    @spec-6.3 @clock
    Scenario: What was laid aside is delivered once the receiver works
      Given a receiver of changes to brands that always fails
      And the editor adds the brand "Nord"
      And every repetition on the published schedule failed
      And the receiver is mended
      When the shop has the message about "Nord" delivered again
      Then the log shows the message about "Nord" as "succeeded" after 11 attempts

    @spec-6.3 @clock
    Scenario: A receiver that fails for three days is switched off
      Given a receiver of changes to brands that always fails
      And the editor adds the brand "Nord"
      And a message failed
      And 3 days pass
      When the editor adds the brand "Syd"
      Then the receiver is switched off because "failing"

    @spec-6.3
    Scenario: A receiver that says it is gone is switched off
      Given a receiver of changes to brands that is gone
      When the editor adds the brand "Nord"
      Then the receiver is switched off because "gone"
      And the log shows the message about "Nord" as "dead" after 1 attempt

    @spec-6.3
    Scenario: A receiver that points elsewhere has failed
      Given a receiver of changes to brands that points elsewhere
      When the editor adds the brand "Nord"
      Then the log shows the message about "Nord" as "pending" after 1 attempt
      And the receiver heard 1 message in all

  Rule: A receiver answers quickly, or only it has to wait

    @spec-6.4
    Scenario: A receiver that does not answer keeps no other waiting
      Given a receiver of changes to brands that never answers
      And a receiver of changes to brands
      When the editor adds the brand "Nord"
      Then the receiver hears of the brand "Nord": "create"

  Rule: The shop decides what a receiver hears, and when again

    @spec-6-receivers
    Scenario: A receiver that is off hears nothing
      Given a receiver of changes to brands
      And the brand "Nord" is added while the receiver is off
      When the editor adds the brand "Syd"
      Then the receiver hears of the brand "Syd": "create"
      And the receiver heard 1 message in all

    @spec-6-receivers
    Scenario: One message is delivered again
      Given a receiver of changes to brands
      And the shop has the brands "Nord, Syd"
      And the log shows the message about "Nord" as "succeeded" after 1 attempt
      When the shop has the message about "Nord" delivered again
      Then the receiver hears of the brand "Nord": "create, create"
      And a repeated message has the number and the text of the first

    @spec-6-receivers
    Scenario: A part of what happened is told again
      Given a receiver of changes to brands
      And the shop has the brands "Nord, Syd"
      And the log shows the message about "Syd" as "succeeded" after 1 attempt
      When the shop has the receiver told again of the message about "Syd"
      Then the receiver hears of the brand "Syd": "create, create"
      And the receiver hears of the brand "Nord": "create"

    @spec-6-receivers
    Scenario: A message that waits is tried at once
      Given a receiver of changes to brands that fails once
      And the editor adds the brand "Nord"
      And a message failed
      When the shop has the message about "Nord" delivered again
      Then the log shows the message about "Nord" as "succeeded" after 2 attempts

    @spec-6-receivers
    Scenario: A receiver is tried before it is switched on
      Given a receiver of changes to brands
      And the shop switches the receiver off
      When the shop tries the receiver
      Then the receiver is asked once whether it is there

    @spec-6-receivers
    Scenario: While a secret is replaced, both are good
      Given a receiver of changes to brands
      And the shop replaces its secret
      When the editor adds the brand "Nord"
      Then the receiver hears of the brand "Nord": "create"
      And the messages are signed with the new secret and the old one

    @spec-6-receivers @clock
    Scenario: After a day only the new secret is good
      Given a receiver of changes to brands
      And the shop replaces its secret
      And 25 hours pass
      When the editor adds the brand "Nord"
      Then the receiver hears of the brand "Nord": "create"
      And the messages are signed with the new secret only
