Feature: Payments on the provider's page
  The shopper is sent to a page of the payment provider and pays there by the one method that was chosen.

  Background:
    Given a shop that sells
      | product | price | stock |
      | shirt   | 15000 | 10    |

  Rule: The shopper is told where to pay and nothing else

    @spec-4.6-payments
    Scenario: A payment page is opened
      Given a checkout of 1 "shirt"
      When the shopper opens a payment page for "KAKAO_PAY"
      Then the shopper gets the address of the page and nothing else
      And the payment slot is held

    @spec-4.6-payments
    Scenario: The same page is opened again
      Given an open payment page for 1 "shirt"
      When the shopper opens a payment page for "CARD_KR"
      Then the payment is the same as before

    @spec-4.6-payments
    Scenario: Another method has to wait
      Given an open payment page for 1 "shirt"
      When the shopper opens a payment page for "KAKAO_PAY"
      Then the payment is refused because "payment_slot_held"

    @spec-4.6-payments
    Scenario: A canceled page takes no money
      Given an open payment page for 1 "shirt"
      When the shopper cancels the payment
      Then the payment is "canceled"
      And the payment slot is free
      And nobody can pay on the page any more

  Rule: Exactly one method is chosen, among those that the shop takes

    @spec-4.6-payments
    Scenario: A method the shop does not take
      Given a checkout of 1 "shirt"
      And the shop takes only "CARD_KR" on payment pages
      When the shopper opens a payment page for "KAKAO_PAY"
      Then the payment is refused because "payment_method_not_enabled"
      And the payment slot is free

    @spec-4.6-payments
    Scenario Outline: <what> is no method
      Given a checkout of 1 "shirt"
      When the shopper opens a payment page for "<methods>"
      Then the payment is refused because "validation_failed"
      And the payment slot is free

      Examples:
        | what                | methods           |
        | Nothing             |                   |
        | A list of two       | CARD_KR and N_PAY |
        | A list of one       | only CARD_KR      |
        | A word of no method | BITCOIN           |
        | The wrong case      | card_kr           |

  Rule: Coming back from the page only has the payment looked up

    @spec-4.6.r8
    Scenario: Who paid and comes back has bought
      Given an open payment page for 1 "shirt"
      And the buyer pays on the provider's page
      When the shopper's browser asks what became of the payment
      Then the payment is "succeeded"
      And exactly one order of 18000 KRW is placed

    @spec-4.6.r8
    Scenario: Who comes back without paying has not bought
      Given an open payment page for 1 "shirt"
      And the buyer abandons it
      When the shopper's browser asks what became of the payment
      Then no order is placed
      And the payment slot is held

    @spec-4.6.r8
    Scenario: Who was declined and comes back has not bought
      Given an open payment page for 1 "shirt"
      And the buyer declines on the provider's page
      When the shopper's browser asks what became of the payment
      Then no order is placed
      And the payment slot is held

    @spec-4.6.r8 @concurrency
    Scenario: Coming back eight times at once is one order
      Given an open payment page for 1 "shirt"
      And the buyer pays on the provider's page
      When the shop asks 8 times at once what became of the payment
      Then exactly 8 of the answers succeed
      And exactly one order of 18000 KRW is placed

  Rule: On the server, looking a payment up needs the right to write

    @spec-4.6.r7
    Scenario: A key that only reads is refused
      Given an open payment page for 1 "shirt"
      And the admin makes a key for "reading"
      When a server with the new key asks what became of the payment
      Then the request is refused because "forbidden"
      And the payment is "pending"

    @spec-4.6.r7
    Scenario: A key that may write settles the payment
      Given an open payment page for 1 "shirt"
      And the admin makes a key for "reading and writing"
      And the buyer pays on the provider's page
      When a server with the new key asks what became of the payment
      Then exactly one order of 18000 KRW is placed
