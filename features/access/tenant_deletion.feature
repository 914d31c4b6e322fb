Feature: Closing a shop
  The platform deletes a shop that has stopped, after everything it had was handed over.

  Background:
    Given a shop

  Rule: A shop is deleted only when it has stopped and was exported

    @access-58
    Scenario: A shop that works is not deleted by mistake
      When the platform deletes the shop
      Then the change is refused because "tenant_not_suspended"

    @access-58
    Scenario: A shop whose records nobody has kept is not deleted
      Given the platform suspends the shop
      When the platform deletes the shop
      Then the change is refused because "tenant_not_exported"

    @access-57 @access-58 @access-59
    Scenario: A shop that was handed over is deleted for ever
      Given the platform suspends the shop
      And the platform exports the shop
      When the platform deletes the shop
      Then the request succeeds
      And in the end nothing is left of the shop
