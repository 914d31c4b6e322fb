Feature: Orders that ship partly
  In a mixed order the physical lines are shipped, the others are completed by hand, and the order is delivered when both are.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: A mixed order has two fulfillment orders

    @fulfillment-1
    Scenario: The order creates both
      Given a paid order of 2 "shirt" and 1 "guide"
      Then the shipping fulfillment order is "open"
      And the manual fulfillment order is "open"

    @shipping-1
    Scenario: A parcel of everything contains no digital line
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop packs everything that ships
      Then the parcel holds 2 "shirt"
      And the parcel holds 0 "guide"

    @fulfillment-8
    Scenario: A digital line in a parcel is refused
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop packs 1 "guide"
      Then the fulfillment is refused because "line_not_shippable"
      And the order is "paid"

    @fulfillment-8
    Scenario: A line that ships cannot be completed by hand
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop completes 1 "shirt"
      Then the fulfillment is refused because "line_requires_shipping"

  Rule: A mixed order is delivered when both are fulfilled

    @fulfillment-2
    Scenario: The digital line first, the parcel later
      Given a paid order of 2 "shirt" and 1 "guide"
      And the shop completes everything that does not ship
      And the order is "preparing"
      And the shop packs everything that ships
      When the shop ships the parcel with "lotte" under the number "123456789012"
      Then the order is "shipped"

    @fulfillment-2
    Scenario: The parcel is delivered last
      Given a paid order of 2 "shirt" and 1 "guide"
      And the shop completes everything that does not ship
      And the shop packs everything that ships
      And the shop ships the parcel with "lotte" under the number "123456789012"
      When the parcel is delivered
      Then the order is "delivered"

    @fulfillment-2
    Scenario: The digital line is completed last
      Given an order of 1 "shirt" and 1 "guide" whose parcel was delivered
      And the order is "shipped"
      When the shop completes everything that does not ship
      Then the order is "delivered"
