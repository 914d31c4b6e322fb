Feature: Completing what does not ship
  Digital goods, services and events need no carrier: somebody says that they are done.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | guide   | 5000  | 100   | digital |
      | course  | 30000 | 20    | service |

  Rule: An order that ships nothing is delivered with its last unit

    @spec-3.4.3
    Scenario: One unit after the other
      Given a paid order of 2 "course"
      When the shop completes 1 "course"
      Then the order is "preparing"
      And 1 "course" of the order is fulfilled
      When the shop completes 1 "course"
      Then the order is "delivered"

    @spec-3.4.3
    Scenario: All of it at once
      Given a paid order of 2 "course" and 1 "guide"
      When the shop completes everything that does not ship
      Then the order is "delivered"
      And the manual work is "closed"

    @spec-3.4.3
    Scenario: More units than were bought
      Given a paid order of 2 "course"
      And the shop completes 1 "course"
      When the shop completes 2 "course"
      Then the fulfilment is refused because "fulfillment_quantity_exceeded"
      And 1 "course" of the order is fulfilled

    @spec-3.4.3
    Scenario: The same completion arrives twice
      Given a paid order of 2 "course"
      And the shop completes 1 "course"
      When the shop sends the same fulfilment again
      Then the fulfilment succeeds
      And 1 "course" of the order is fulfilled

  Rule: What does not ship has nothing to do with carriers

    @spec-3.4.1
    Scenario: There is no parcel for a guide
      Given a paid order of 1 "guide"
      When the shop packs what does not ship
      Then the fulfilment is refused because "line_not_shippable"
      And there are 0 parcels
