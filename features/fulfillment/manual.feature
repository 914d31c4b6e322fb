Feature: Fulfilling what does not ship
  Digital products, services and events need no carrier: an operator marks them as completed.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | guide   | 5000  | 100   | digital |
      | course  | 30000 | 20    | service |

  Rule: An order that does not ship is delivered when its last unit is completed

    @fulfillment-1 @fulfillment-2
    Scenario: Units are completed one by one
      Given a paid order of 2 "course"
      When the shop completes 1 "course"
      Then the order is "preparing"
      And 1 "course" of the order is fulfilled
      When the shop completes 1 "course"
      Then the order is "delivered"

    @fulfillment-1 @fulfillment-2
    Scenario: All units are completed together
      Given a paid order of 2 "course" and 1 "guide"
      When the shop completes everything that does not ship
      Then the order is "delivered"
      And the manual fulfillment order is "closed"

    @fulfillment-3
    Scenario: More units than were ordered are refused
      Given a paid order of 2 "course"
      And the shop completes 1 "course"
      When the shop completes 2 "course"
      Then the fulfillment is refused because "fulfillment_quantity_exceeded"
      And 1 "course" of the order is fulfilled

    @fulfillment-1 @idempotency-9
    Scenario: A repeated completion is applied once
      Given a paid order of 2 "course"
      And the shop completes 1 "course"
      When the shop repeats the request
      Then the fulfillment succeeds
      And 1 "course" of the order is fulfilled

  Rule: Lines that do not ship are not packed

    @shipping-1 @fulfillment-8
    Scenario: A digital line cannot be packed
      Given a paid order of 1 "guide"
      When the shop packs what does not ship
      Then the fulfillment is refused because "line_not_shippable"
      And there are 0 parcels
