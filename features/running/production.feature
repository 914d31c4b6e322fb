Feature: Production is run safely
  What is good enough on one's own machine is refused where real shoppers pay.

  Rule: Production is reached over HTTPS only

    @spec-5.r5
    Scenario: An address without HTTPS is refused
      When production is started with an address without HTTPS
      Then the start is refused because of the address

    @spec-5.r5
    Scenario: An address with HTTPS is taken
      When production is started with an address with HTTPS
      Then nothing stands against the start
