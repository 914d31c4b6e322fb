Feature: Shipping an order
  What ships leaves the house in parcels, in as many as it takes, and no unit leaves twice.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | mug     | 9000  | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: An order follows its parcels

    @spec-3.4-parcels
    Scenario: A parcel is packed
      Given a paid order of 2 "shirt"
      When the shop packs everything that ships
      Then the parcel is "pending"
      And the parcel holds 2 "shirt"
      And the order is "preparing"
      And 0 "shirt" of the order are fulfilled

    @spec-3.4-parcels
    Scenario: A parcel leaves the house
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop ships the parcel by "cj" as "123456789012"
      Then the parcel is "shipped"
      And the order is "shipped"
      And 2 "shirt" of the order are fulfilled

    @spec-3.4-parcels
    Scenario: A parcel arrives
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      And the shop ships the parcel by "cj" as "123456789012"
      When the parcel arrives
      Then the parcel is "delivered"
      And the order is "delivered"

  Rule: An order may leave in several parcels

    @spec-3.4-parcels
    Scenario: A part is sent ahead
      Given a paid order of 2 "shirt" and 1 "mug"
      And the shop packs 1 "shirt"
      When the shop ships the parcel by "cj" as "123456789012"
      Then the order is "preparing"
      And 1 "shirt" of the order is fulfilled
      And the shipping work is "in_progress"

    @spec-3.4-parcels
    Scenario: The rest follows
      Given a paid order of 2 "shirt" and 1 "mug"
      And the shop packs 1 "shirt"
      And the shop ships the parcel by "cj" as "123456789012"
      When the shop packs everything that ships
      Then the parcel holds 1 "shirt"
      And the parcel holds 1 "mug"

    @spec-3.4-parcels
    Scenario: The order is delivered with the last parcel
      Given an order of 2 "shirt" that left in 2 parcels
      When the first parcel arrives
      Then the order is "shipped"
      When the second parcel arrives
      Then the order is "delivered"

  Rule: No unit leaves twice

    @spec-3.4-parcels
    Scenario: More than was ordered
      Given a paid order of 2 "shirt"
      When the shop packs 3 "shirt"
      Then the fulfilment is refused because "fulfillment_quantity_exceeded"
      And the order is "paid"

    @spec-3.4-parcels
    Scenario: What waits in another parcel
      Given a paid order of 2 "shirt"
      And the shop packs 2 "shirt"
      When the shop packs 1 "shirt"
      Then the fulfilment is refused because "fulfillment_quantity_exceeded"

    @spec-3.4-parcels
    Scenario: The same request arrives twice
      Given a paid order of 2 "shirt"
      And the shop packs 1 "shirt"
      When the shop sends the same fulfilment again
      Then the fulfilment succeeds
      And there is 1 parcel

    @spec-3.4-parcels @concurrency
    Scenario: Twenty operators pack the last shirts
      Given a paid order of 5 "shirt"
      When 20 operators each pack 1 "shirt" at once
      Then exactly 5 of them succeed
      And there are 5 parcels

  Rule: A parcel that is still here can be changed, one that left cannot be called back

    @spec-3.4-parcels
    Scenario: A parcel is unpacked
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop unpacks the parcel
      Then the parcel is "canceled"
      And the shipping work is "open"

    @spec-3.4-parcels
    Scenario: What was unpacked is packed again
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      And the shop unpacks the parcel
      When the shop packs 2 "shirt"
      Then the parcel holds 2 "shirt"

    @spec-3.4-parcels
    Scenario: A parcel that left is not unpacked
      Given an order of 2 "shirt" that left in 2 parcels
      When the shop unpacks the parcel
      Then the fulfilment is refused because "fulfillment_transition_invalid"
      And the parcel is "shipped"

    @spec-3.4-parcels
    Scenario: A parcel does not arrive before it left
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the parcel arrives
      Then the fulfilment is refused because "fulfillment_transition_invalid"

    @spec-3.4-parcels
    Scenario: A mistyped number is corrected
      Given an order of 1 "shirt" that left in 1 parcel
      When the shop corrects the parcel's number to "210987654321"
      Then the parcel is followed by "cj" as "210987654321"

    @spec-3.4-parcels
    Scenario: Nothing leaves without a carrier
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop ships the parcel without a carrier
      Then the fulfilment is refused because "validation_failed"
      And the parcel is "pending"

  Rule: Only paid orders are shipped, by those who may

    @spec-3.4-parcels
    Scenario: A canceled order stays here
      Given a paid order of 2 "shirt"
      And the shop cancels the order
      When the shop packs everything that ships
      Then the fulfilment is refused because "order_transition_invalid"

    @spec-3.4-parcels
    Scenario: A cancel unpacks what waits
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop cancels the order
      Then the parcel is "canceled"
      And 10 "shirt" are left in stock

    @spec-3.4-parcels
    Scenario: What left is not put back on the shelf
      Given a paid order of 3 "shirt"
      And the shop packs 1 "shirt"
      And the shop ships the parcel by "cj" as "123456789012"
      When the shop cancels the order
      Then the parcel is "shipped"
      And 9 "shirt" are left in stock

    @spec-3.4-parcels
    Scenario: An order that left as a whole is not canceled
      Given an order of 1 "shirt" that left in 1 parcel
      When the shop cancels the order
      Then the cancel is refused because "order_transition_invalid"

    @spec-3.4-parcels
    Scenario: An editor ships
      Given a paid order of 2 "shirt"
      And "eve" is made a "tenant-editor" of the shop
      When "eve" packs everything that ships
      Then the fulfilment succeeds
      And the order is "preparing"

    @spec-3.4-parcels
    Scenario: A viewer only looks
      Given a paid order of 2 "shirt"
      And "vic" is made a "tenant-viewer" of the shop
      When "vic" packs everything that ships
      Then the fulfilment is refused because "forbidden"
      And the order is "paid"
