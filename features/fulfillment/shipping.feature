Feature: Shipping an order
  Orders ship in one or more parcels; no unit is shipped twice.

  Background:
    Given a shop that sells
      | product | price | stock | kind    |
      | shirt   | 15000 | 10    |         |
      | mug     | 9000  | 10    |         |
      | guide   | 5000  | 100   | digital |

  Rule: The status of an order follows its parcels

    @fulfillment-2
    Scenario: A parcel is packed
      Given a paid order of 2 "shirt"
      When the shop packs everything that ships
      Then the parcel is "pending"
      And the parcel holds 2 "shirt"
      And the order is "preparing"
      And 0 "shirt" of the order are fulfilled

    @fulfillment-2
    Scenario: A parcel is shipped
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop ships the parcel with "cj" under the number "123456789012"
      Then the parcel is "shipped"
      And the order is "shipped"
      And 2 "shirt" of the order are fulfilled

    @fulfillment-2
    Scenario: A parcel is delivered
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      And the shop ships the parcel with "cj" under the number "123456789012"
      When the parcel is delivered
      Then the parcel is "delivered"
      And the order is "delivered"

  Rule: An order may ship in several parcels

    @fulfillment-3
    Scenario: A part is shipped first
      Given a paid order of 2 "shirt" and 1 "mug"
      And the shop packs 1 "shirt"
      When the shop ships the parcel with "cj" under the number "123456789012"
      Then the order is "preparing"
      And 1 "shirt" of the order is fulfilled
      And the shipping fulfillment order is "in_progress"

    @fulfillment-3
    Scenario: The rest is packed later
      Given a paid order of 2 "shirt" and 1 "mug"
      And the shop packs 1 "shirt"
      And the shop ships the parcel with "cj" under the number "123456789012"
      When the shop packs everything that ships
      Then the parcel holds 1 "shirt"
      And the parcel holds 1 "mug"

    @fulfillment-3
    Scenario: The order is delivered with the last parcel
      Given an order of 2 "shirt" shipped in 2 parcels
      When the first parcel is delivered
      Then the order is "shipped"
      When the second parcel is delivered
      Then the order is "delivered"

  Rule: No unit is shipped twice

    @fulfillment-3
    Scenario: More than was ordered is refused
      Given a paid order of 2 "shirt"
      When the shop packs 3 "shirt"
      Then the fulfillment is refused because "fulfillment_quantity_exceeded"
      And the order is "paid"

    @fulfillment-3
    Scenario: Units of another parcel are refused
      Given a paid order of 2 "shirt"
      And the shop packs 2 "shirt"
      When the shop packs 1 "shirt"
      Then the fulfillment is refused because "fulfillment_quantity_exceeded"

    @fulfillment-3
    Scenario: A repeated request packs once
      Given a paid order of 2 "shirt"
      And the shop packs 1 "shirt"
      When the shop repeats the request
      Then the fulfillment succeeds
      And there is 1 parcel

    @fulfillment-3 @concurrency
    Scenario: Twenty concurrent requests pack the last units once
      Given a paid order of 5 "shirt"
      When 20 operators each pack 1 "shirt" at once
      Then exactly 5 requests succeed
      And there are 5 parcels

  Rule: A parcel can be canceled until it is shipped

    @fulfillment-5
    Scenario: A parcel is canceled
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop cancels the parcel
      Then the parcel is "canceled"
      And the shipping fulfillment order is "open"

    @fulfillment-5
    Scenario: Units of a canceled parcel are packed again
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      And the shop cancels the parcel
      When the shop packs 2 "shirt"
      Then the parcel holds 2 "shirt"

    @fulfillment-5
    Scenario: A shipped parcel cannot be canceled
      Given an order of 2 "shirt" shipped in 2 parcels
      When the shop cancels the parcel
      Then the fulfillment is refused because "fulfillment_transition_invalid"
      And the parcel is "shipped"

    @fulfillment-5
    Scenario: A parcel cannot be delivered before it is shipped
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the parcel is delivered
      Then the fulfillment is refused because "fulfillment_transition_invalid"

    @fulfillment-4
    Scenario: A tracking number is corrected
      Given an order of 1 "shirt" shipped in 1 parcel
      When the shop changes the parcel's tracking number to "210987654321"
      Then the parcel has the carrier "cj" and the tracking number "210987654321"

    @fulfillment-4
    Scenario: A parcel cannot be shipped without a carrier
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop ships the parcel without a carrier
      Then the fulfillment is refused because "validation_failed"
      And the parcel is "pending"

  Rule: Only paid orders are shipped, by roles that may

    @fulfillment-6
    Scenario: A canceled order cannot be packed
      Given a paid order of 2 "shirt"
      And the shop cancels the order
      When the shop packs everything that ships
      Then the fulfillment is refused because "order_transition_invalid"

    @fulfillment-6
    Scenario: Canceling an order cancels its pending parcels
      Given a paid order of 2 "shirt"
      And the shop packs everything that ships
      When the shop cancels the order
      Then the parcel is "canceled"
      And 10 "shirt" are left in stock

    @orders-8
    Scenario: Shipped units are not restocked
      Given a paid order of 3 "shirt"
      And the shop packs 1 "shirt"
      And the shop ships the parcel with "cj" under the number "123456789012"
      When the shop cancels the order
      Then the parcel is "shipped"
      And 9 "shirt" are left in stock

    @orders-8
    Scenario: A fully shipped order cannot be canceled
      Given an order of 1 "shirt" shipped in 1 parcel
      When the shop cancels the order
      Then the cancellation is refused because "order_transition_invalid"

    @fulfillment-7
    Scenario: An editor can pack an order
      Given a paid order of 2 "shirt"
      And "eve" becomes a "tenant-editor" of the shop
      When "eve" packs everything that ships
      Then the fulfillment succeeds
      And the order is "preparing"

    @fulfillment-7
    Scenario: A viewer cannot pack an order
      Given a paid order of 2 "shirt"
      And "vic" becomes a "tenant-viewer" of the shop
      When "vic" packs everything that ships
      Then the fulfillment is refused because "forbidden"
      And the order is "paid"
