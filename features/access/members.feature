@storage
Feature: Members of several shops
  A user has one login for all shops, and in each shop the role that the shop assigned.

  Background:
    Given a shop

  Rule: One login works for all shops of a user

    @access-12
    Scenario: A member of two shops has a role in each
      Given "eve" becomes a "tenant-editor" of the shop
      And "eve" becomes a "tenant-viewer" of another shop
      When "eve" opens the shop
      Then "eve" has the role "tenant-editor" there
      When "eve" opens the other shop
      Then "eve" has the role "tenant-viewer" there

    @access-12
    Scenario: A user cannot open a shop without a membership
      Given "eve" becomes a "tenant-editor" of the shop
      When "eve" opens the other shop
      Then the request is refused because "tenant_not_joined"

    @access-12
    Scenario: Becoming a member of another shop does not change the password
      Given "eve" becomes a "tenant-editor" of the shop
      When "eve" becomes a "tenant-viewer" of another shop
      And "eve" opens the shop
      Then "eve" has the role "tenant-editor" there

  Rule: A shop manages only its own memberships

    @access-13
    Scenario: A shop cannot rename a user of several shops
      Given "eve" becomes a "tenant-editor" of the shop
      And "eve" becomes a "tenant-viewer" of another shop
      When the admin renames "eve"
      Then the request is refused because "user_shared"

    @access-13
    Scenario: A shop can end a membership
      Given "eve" becomes a "tenant-editor" of the shop
      And "eve" becomes a "tenant-viewer" of another shop
      When the admin removes "eve"
      And "eve" opens the shop
      Then the request is refused because "tenant_not_joined"

    @access-13
    Scenario: The last admin cannot be removed
      When the admin removes their own membership
      Then the request is refused because "last_admin"

    @access-13
    Scenario: An admin cannot become a platform admin
      When the admin changes their own role to "platform-admin"
      Then the request is refused because "role_not_grantable"
