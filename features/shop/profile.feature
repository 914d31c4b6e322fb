Feature: The profile of a shop
  A shop tells who is behind it and by which terms it sells, and decides how its orders are numbered.

  Background:
    Given a shop

  Rule: Admins write the profile, and everybody may read what the law wants on each page

    @shop-2 @shop-4
    Scenario: Visitors read who is behind the shop
      Given the shop's business is "Soban Ceramics Co." in "KR", registered as "2208162517"
      When a visitor looks at who is behind the shop
      Then the business is "Soban Ceramics Co.", registered as "220-81-62517"
      And nothing tells where the shop wants returned goods

    @shop-3
    Scenario: A Korean registration number with a typing error is refused
      When the admin registers the business in "KR" as "220-81-62518"
      Then the request is refused because "validation_failed"

    @shop-3
    Scenario: Elsewhere a registration number is what the business says
      Given the shop's business is "Teehaus GmbH" in "DE", registered as "HRB 12345 B"
      When a visitor looks at who is behind the shop
      Then the business is "Teehaus GmbH", registered as "HRB 12345 B"

    @shop-2
    Scenario: The shop's server reads the profile and does not write it
      When the shop's server renames the business
      Then the request is refused because "forbidden"

    @shop-2
    Scenario: Visitors do not read the whole profile
      When a visitor lists the profiles of shops
      Then the request is refused because "forbidden"

  Rule: A shop decides how its orders are numbered

    @shop-5
    Scenario: Orders are counted
      Given a shop that sells
        | product | price | stock | kind |
        | shirt   | 15000 | 10    |      |
      And the shop counts its orders behind "A-"
      When a draft order of 1 "shirt" is finalized twice over
      Then the orders have the numbers "A-0001" and "A-0002"

    @shop-5
    Scenario: A format that does not make numbers unique is refused
      When the shop's server wants orders numbered by the day alone
      Then the request is refused because "validation_failed"

    @shop-6
    Scenario: A time zone that there is not is refused
      When the shop's server sets the time zone to "Asia/Soul"
      Then the request is refused because "validation_failed"
