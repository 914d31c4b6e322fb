Feature: Carrier batches
  What was exported to a carrier is remembered, so that no parcel is exported twice and none is forgotten.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |
      | mug     | 5000  | 10    |

  @storage @fulfillment-17
  Scenario: What was exported is not exported again
    Given a paid order of 2 "shirt"
    And the shop makes a carrier batch
    And a paid order of 1 "mug"
    When the shop makes a carrier batch
    Then the file of the batch lists "mug x1" alone
    And nothing is left to export

  @fulfillment-17
  Scenario: There is no empty batch
    When the shop makes a carrier batch
    Then the request is refused because "carrier_batch_empty"

  @storage @concurrency @fulfillment-17
  Scenario: Packers who press at once share no parcel
    Given a paid order of 2 "shirt"
    When the shop makes 8 carrier batches at once
    Then there is 1 carrier batch

  @fulfillment-18 @fulfillment-19
  Scenario: The file of a batch is written again after its parcel left
    Given a paid order of 2 "shirt"
    And the shop makes a carrier batch
    When the shop ships the batch as "cj" and "123456789012"
    Then the file of the batch lists "shirt x2" alone
    And the row says "closed" and the tracking number "123456789012"
    And 1 of 1 of the batch is shipped

  @storage @fulfillment-19
  Scenario: The carrier lost the file
    Given a paid order of 2 "shirt"
    And the shop makes a carrier batch
    When the shop releases the batch
    And the shop makes a carrier batch
    Then the file of the batch lists "shirt x2" alone

  @storage @fulfillment-20
  Scenario: The buyer moved after the export
    Given a paid order of 2 "shirt"
    And the shop makes a carrier batch
    When the shop corrects the address of the order
    Then the file of the batch says that the "address" changed
