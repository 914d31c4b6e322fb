Feature: Hosted payment pages
  The shopper is sent to a page of the provider and pays there with the chosen method.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: The answer holds only the address of the page

    @payments-1 @payments-10
    Scenario: A payment page is opened
      Given a checkout of 1 "shirt"
      When the shopper opens a payment page for "KAKAO_PAY"
      Then the answer holds the address of the page and nothing else
      And the payment slot is held

    @payments-2
    Scenario: Opening the page again returns the same payment
      Given an open payment page for 1 "shirt"
      When the shopper opens a payment page for "CARD_KR"
      Then the payment is the same as before

    @payments-2
    Scenario: Another method is refused while a page is open
      Given an open payment page for 1 "shirt"
      When the shopper opens a payment page for "KAKAO_PAY"
      Then the payment is refused because "payment_slot_held"

    @payments-4
    Scenario: A canceled page takes no payment
      Given an open payment page for 1 "shirt"
      When the shopper cancels the payment
      Then the payment is "canceled"
      And the payment slot is free
      And the page no longer takes payments

  Rule: Exactly one method is chosen, among those that the shop enabled

    @payments-10
    Scenario: A method that the shop has not enabled
      Given a checkout of 1 "shirt"
      And the shop enables only "CARD_KR" for payment pages
      When the shopper opens a payment page for "KAKAO_PAY"
      Then the payment is refused because "payment_method_not_enabled"
      And the payment slot is free

    @payments-10
    Scenario Outline: <what> is not a method
      Given a checkout of 1 "shirt"
      When the shopper opens a payment page for "<methods>"
      Then the payment is refused because "validation_failed"
      And the payment slot is free

      Examples:
        | what                | methods           |
        | Nothing             |                   |
        | A list of two       | CARD_KR and N_PAY |
        | A list of one       | only CARD_KR      |
        | An unknown method   | BITCOIN           |
        | The wrong case      | card_kr           |

  Rule: Returning from the page only looks the payment up

    @payments-6
    Scenario: Returning after paying places the order
      Given an open payment page for 1 "shirt"
      And the shopper pays on the provider's page
      When the shopper's browser looks the payment up
      Then the payment is "succeeded"
      And exactly one order of 18000 KRW is placed

    @payments-6
    Scenario: Returning without paying places no order
      Given an open payment page for 1 "shirt"
      And the shopper abandons the payment
      When the shopper's browser looks the payment up
      Then no order is placed
      And the payment slot is held

    @payments-6
    Scenario: Returning after a decline places no order
      Given an open payment page for 1 "shirt"
      And the shopper declines on the provider's page
      When the shopper's browser looks the payment up
      Then no order is placed
      And the payment slot is held

    @payments-6 @concurrency
    Scenario: Returning eight times at once places one order
      Given an open payment page for 1 "shirt"
      And the shopper pays on the provider's page
      When the shop looks the payment up 8 times at once
      Then exactly 8 requests succeed
      And exactly one order of 18000 KRW is placed

  Rule: On the server, looking a payment up needs a key that can write

    @payments-13
    Scenario: A key for reading is refused
      Given an open payment page for 1 "shirt"
      And the admin creates an API key for "reading"
      When a server with the new API key looks the payment up
      Then the request is refused because "forbidden"
      And the payment is "pending"

    @payments-13
    Scenario: A key for writing settles the payment
      Given an open payment page for 1 "shirt"
      And the admin creates an API key for "reading and writing"
      And the shopper pays on the provider's page
      When a server with the new API key looks the payment up
      Then exactly one order of 18000 KRW is placed
