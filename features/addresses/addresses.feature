Feature: Addresses of all countries
  A shop ships where it says that it does, and asks for what an address in that country needs.

  Background:
    Given a shop that sells
      | product | price | stock | kind |
      | shirt   | 15000 | 100   |      |
    And the shop ships to "KR US JP"
    And a cart with 1 "shirt"

  Rule: An address has what its country needs

    @addresses-2
    Scenario: Seoul, without a word about the country
      When the shopper checks out to "Kim, 110 Sejong-daero, 04524"
      Then the checkout's total is 18000 KRW

    @addresses-2
    Scenario: Portland, Oregon
      When the shopper checks out to "Ann, 1 Main St, Portland, Oregon, 97201, US"
      Then the checkout goes to the province "OR" and the postal code "97201"

    @addresses-2
    Scenario: Tokyo
      When the shopper checks out to "Sato, 1-2-3 Jingumae, Shibuya, Tokyo, 1500001, JP"
      Then the checkout goes to the province "13" and the postal code "1500001"

    @addresses-2
    Scenario Outline: An address with a wrong <field> is refused
      When the shopper checks out to "<address>"
      Then the request is refused because "validation_failed"
      And the refusal names "shippingAddress.<field>"

      Examples:
        | address                                 | field      |
        | Ann, 1 Main St, Portland, , 97201, US   | province   |
        | Ann, 1 Main St, Portland, OR, 9720, US  | postalCode |
        | Ann, 1 Main St, Portland, OR, 97201, XX | country    |

  Rule: A shop ships where it says

    @shipping-13
    Scenario: A country that the shop does not ship to
      When the shopper checks out to "Li, 1 High St, London, , EC1Y 8SY, GB"
      Then the request is refused because "shipping_unavailable"

    @addresses-4
    Scenario: The form of a country
      Then the form for an address in "US" asks for "recipientName company phone address1 address2 city province postalCode deliveryNote"
      And the form for an address in "KR" asks for "recipientName company phone postalCode address1 address2 deliveryNote"

  Rule: A number has one form beside what was typed

    @addresses-9
    Scenario: A customer is listed by their number in its one form
      Given the customer "Kim" with the phone "010-1234-5678"
      Then "Kim" is listed as the customer with the number "+821012345678"

    @addresses-9
    Scenario: The number of a buyer abroad
      When the buyer with the phone "(503) 555-0123" checks out to "Ann, 1 Main St, Portland, OR, 97201, US"
      Then the buyer of the checkout has the number "+15035550123"
