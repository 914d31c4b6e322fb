@storage
Feature: Members of several shops
  A user has a role in each shop that invited them, and no shop decides for another one.

  Background:
    Given a shop

  Rule: Nobody becomes a member of a shop without accepting

    @access-34
    Scenario: A shop invites a user of another shop
      Given "eve" becomes a "tenant-editor" of the shop
      And another shop invites "eve" as a "tenant-viewer"
      When "eve" opens the other shop
      Then the request is refused because "tenant_not_joined"

    @access-34
    Scenario: An invited person chooses a password for the shop
      Given "eve" becomes a "tenant-editor" of the shop
      And another shop invites "eve" as a "tenant-viewer"
      When "eve" accepts the invitation with the password "brand new horse"
      Then "eve" has the role "tenant-viewer" in the other shop with the password "brand new horse"
      And the first password of "eve" does not open the other shop

    @access-34
    Scenario: An invited person accepts after logging in
      Given "eve" becomes a "tenant-editor" of the shop
      And another shop invites "eve" as a "tenant-viewer"
      When "eve" logs in and accepts the invitation
      Then this login has the role "tenant-viewer" in the other shop

    @access-34
    Scenario: An invitation works once
      Given another shop invites "eve" as a "tenant-viewer"
      And "eve" accepts the invitation with the password "brand new horse"
      When "eve" accepts the invitation with the password "newer still, horse"
      Then the request is refused because "token_invalid"

    @access-12
    Scenario: A user cannot open a shop without a membership
      Given "eve" becomes a "tenant-editor" of the shop
      When "eve" opens the other shop
      Then the request is refused because "tenant_not_joined"

  Rule: A shop manages only its own memberships

    @access-13
    Scenario: What a shop calls a user stays in the shop
      Given "eve" becomes a "tenant-editor" of the shop
      And another shop invites "eve" as a "tenant-viewer"
      And "eve" accepts the invitation with the password "brand new horse"
      When the admin renames "eve"
      Then the other shop does not know the new name of "eve"

    @access-42
    Scenario: A shop ends the sessions of a member
      Given "eve" becomes a "tenant-editor" of the shop
      And "eve" logs in to the shop
      When the admin ends the sessions of "eve"
      Then "eve" is logged out

    @access-13
    Scenario: A shop can end a membership
      Given "eve" becomes a "tenant-editor" of the shop
      And another shop invites "eve" as a "tenant-viewer"
      And "eve" accepts the invitation with the password "brand new horse"
      When the admin removes "eve"
      Then the first password of "eve" opens nothing
      And "eve" has the role "tenant-viewer" in the other shop with the password "brand new horse"

    @access-13
    Scenario: The last admin cannot be removed
      When the admin removes their own membership
      Then the request is refused because "last_admin"

    @access-13
    Scenario: An admin cannot become a platform admin
      When the admin changes their own role to "platform-admin"
      Then the request is refused because "role_not_grantable"
