// Package payment has what every payment provider adapter needs around its HTTP calls: timeouts, a breaker
// and a bulkhead per connection, bounded responses, and the two faults that a caller can act on. Rules
// payments-25, payments-26.
//
// # What works at which provider
//
// Each is shown by paymenttest.Provider, which every adapter passes against a fake of its provider (TestProviderContract
// of its package), and where named by a test on a whole server.
//
//	method           provider  pay  partial refund  reversal  dispute   on a server
//	card, wallet     Toss      yes  yes             -         no API    TestTossPaymentsEndToEnd
//	virtual account  Toss      yes  to an account   yes       no API    TestTossPaymentsEndToEnd
//	card, wallet     PortOne   yes  yes             -         yes       TestPaymentsWithProviderFakesEndToEnd
//	virtual account  PortOne   yes  to an account   yes       yes       TestPaymentsWithProviderFakesEndToEnd
//	hosted page      Stripe    yes  yes             -         yes       TestPaymentsWithProviderFakesEndToEnd
//	card             sandbox   yes  yes             -         yes       features/payments/disputes.feature
//	virtual account  sandbox   yes  to an account   yes       yes       features/payments/virtual_accounts.feature
//
// Authorized payments that are captured later, in part or whole, or voided (payment.Provider.CapturesLater): Stripe, of cards
// and the wallets of Fact stripe-14, and the sandbox, of all but virtual accounts; on a server TestPaymentsWithProviderFakesEndToEnd
// and features/payments/capture_later.feature. Toss and PortOne publish no such call; they capture with the approval.
//
// Which sessions tell their provider what is tax-free, of a payment and of its refunds: payment.Provider.TaxFree of each.
//
//	tax-free part    Toss Payments  widget
//	tax-free part    PortOne        standard_v2    (in won; a hosted page takes none, the payment is wholly taxed there)
//	tax-free part    Stripe         none
//	tax-free part    The sandbox    widget hosted_v2 standard_v2
//
// Which sessions tell their provider what cash receipt (현금영수증) the buyer asks for: payment.Provider.CashReceipts of each. Toss asks the
// buyer in its widget.
//
//	cash receipt     Toss Payments  none
//	cash receipt     PortOne        standard_v2
//	cash receipt     Stripe         none
//	cash receipt     The sandbox    standard_v2    (as PortOne; nothing is issued)
//
// A reversal is a bank that takes a booked deposit back. Toss publishes no way to read disputes. PortOne does not tell how
// much a dispute takes; its amount shows when the payment is looked up. Facts: PROVIDERS.md.
package payment
