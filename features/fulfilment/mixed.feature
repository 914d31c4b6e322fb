Feature: Orders that ship in part
  In an order of shirts and guides the shirts go by carrier, the guides are completed by hand, and the order is done when both are.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: What ships and what does not are two pieces of work

    @spec-3.4.3
    Scenario: The order makes both
      Given a paid order of 2 "shirt" and 1 "guide"
      Then the shipping work is "open"
      And the manual work is "open"

    @spec-3.4.1
    Scenario: A parcel of everything leaves the guide out
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop packs everything that ships
      Then the parcel holds 2 "shirt"
      And the parcel holds 0 "guide"

    @spec-3.4.1
    Scenario: A guide put into a parcel is refused
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop packs 1 "guide"
      Then the fulfilment is refused because "line_not_shippable"
      And the order is "paid"

    @spec-3.4.3
    Scenario: A shirt is not completed by hand
      Given a paid order of 2 "shirt" and 1 "guide"
      When the shop completes 1 "shirt"
      Then the fulfilment is refused because "line_requires_shipping"

  Rule: A mixed order is delivered when both are done

    @spec-3.4.3
    Scenario: The guide first, the shirts later
      Given a paid order of 2 "shirt" and 1 "guide"
      And the shop completes everything that does not ship
      And the order is "preparing"
      And the shop packs everything that ships
      When the shop ships the parcel by "lotte" as "123456789012"
      Then the order is "shipped"

    @spec-3.4.3
    Scenario: The shirts arrive last
      Given a paid order of 2 "shirt" and 1 "guide"
      And the shop completes everything that does not ship
      And the shop packs everything that ships
      And the shop ships the parcel by "lotte" as "123456789012"
      When the parcel arrives
      Then the order is "delivered"

    @spec-3.4.3
    Scenario: The guide is completed last
      Given an order of 1 "shirt" and 1 "guide" whose parcel arrived
      And the order is "shipped"
      When the shop completes everything that does not ship
      Then the order is "delivered"
