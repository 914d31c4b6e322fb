Feature: People who run several shops
  A person has one login everywhere, and in each shop the role that shop gave.

  Background:
    Given a shop

  Rule: One login opens every shop of the person

    @spec-1.2
    Scenario: A member of two shops has a role in each
      Given "eve" is made a "tenant-editor" of the shop
      And "eve" is made a "tenant-viewer" of another shop
      When "eve" enters the shop
      Then "eve" is a "tenant-editor" there
      When "eve" enters the other shop
      Then "eve" is a "tenant-viewer" there

    @spec-1.2
    Scenario: A person does not enter a shop of others
      Given "eve" is made a "tenant-editor" of the shop
      When "eve" enters the other shop
      Then the request is refused because "tenant_not_joined"

    @spec-1.2
    Scenario: Becoming a member elsewhere changes no password
      Given "eve" is made a "tenant-editor" of the shop
      When "eve" is made a "tenant-viewer" of another shop
      And "eve" enters the shop
      Then "eve" is a "tenant-editor" there

  Rule: A shop rules over its own memberships only

    @spec-1.2
    Scenario: A shared person keeps their name
      Given "eve" is made a "tenant-editor" of the shop
      And "eve" is made a "tenant-viewer" of another shop
      When the admin renames "eve"
      Then the request is refused because "user_shared"

    @spec-1.2
    Scenario: A shop takes back what it gave
      Given "eve" is made a "tenant-editor" of the shop
      And "eve" is made a "tenant-viewer" of another shop
      When the admin removes "eve"
      And "eve" enters the shop
      Then the request is refused because "tenant_not_joined"

    @spec-1.2
    Scenario: The last admin stays
      When the admin removes themselves
      Then the request is refused because "last_admin"

    @spec-1.2
    Scenario: An admin does not rise above the shop
      When the admin makes themselves a "platform-admin"
      Then the request is refused because "role_not_grantable"
