package paymentbed

import (
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Superseded is a superseded checkout whose released session was paid nevertheless, and the newer checkout.
func (b *Bed) Superseded() (old, newer, session Answer) {
	b.T.Helper()
	cartID := b.Cart(nil, "mug")
	old = b.CheckoutOf(cartID)
	session = b.Pay(old.Text("checkout.id"))
	paymentKey := b.Approve(session, "approve")
	b.Release(session)
	b.AssumeClosed(session)
	newer = b.CheckoutOf(cartID)
	b.CaptureAtBank(session, paymentKey)
	b.SettleSession(session)
	return old, newer, session
}

// AssumeClosed makes us believe that a session's provider closed it, as a provider that errs would.
func (b *Bed) AssumeClosed(session Answer) {
	b.T.Helper()
	for field, value := range map[string]any{"released": nil, checkouts.UnsettledField: nil} {
		b.Rewrite(payment.Sessions, session.Text("paymentSession.id"), field, value)
	}
}

// SettleSession settles a session.
func (b *Bed) SettleSession(session Answer) {
	b.T.Helper()
	if _, err := b.Payments.Settler.Settle(b.T.Context(), b.Shop.ID, session.Text("paymentSession.id")); err != nil {
		b.T.Fatal(err)
	}
}

// Resolve resolves an attention case as an operator.
func (b *Bed) Resolve(session Answer, as payment.Resolution) (idempotency.Response, error) {
	return b.Refunds.Attention.Resolve(b.T.Context(), b.Server(Key(), "paymentSessions.resolve", ""), refunds.ResolveRequest{
		Session: session.Text("paymentSession.id"), As: as, Note: "Called the buyer.",
	})
}

// AttentionQueue is the ids of the records of a collection that require attention, as an operator lists them.
func (b *Bed) AttentionQueue(s *collection.Schema) (ids []string) {
	b.T.Helper()
	page, err := b.Store.Read(ports.ForTenant(b.Shop.ID)).Find(b.T.Context(), collection.Query{
		Schema: s, Environment: "test", Where: s.Where("status", collection.Equals, "requires_attention"), Limit: 10, Page: 1,
	})
	if err != nil {
		b.T.Fatal(err)
	}
	for _, r := range page.Docs {
		ids = append(ids, r.ID())
	}
	return ids
}

// CheckoutOf is a checkout of an existing cart, made by the shop's server.
func (b *Bed) CheckoutOf(cartID string) Answer {
	b.T.Helper()
	return b.Must(b.Checkouts.Create(b.T.Context(), b.Server(Key(), "checkouts.create", ""), b.CheckoutInput(cartID)))
}

// Release frees the slot of a session.
func (b *Bed) Release(session Answer) {
	b.T.Helper()
	b.Must(b.Payments.Sessions.Release(b.T.Context(), b.Server(Key(), "paymentSessions.release", ""), session.Text("paymentSession.id"),
		payments.ReleaseRequest{Note: "The shopper called."}))
}

// CustomSession opens a custom session of a checkout and returns its answer.
func (b *Bed) CustomSession(checkoutID, providerSession string) Answer {
	b.T.Helper()
	return b.Must(b.OpenCustom(checkoutID, providerSession))
}

// OpenCustom opens a custom session of a checkout.
func (b *Bed) OpenCustom(checkoutID, providerSession string) (idempotency.Response, error) {
	return b.Payments.Custom.Open(b.T.Context(), b.Server(Key(), "paymentSessions.custom.create", ""), payments.CustomSessionInput{
		Checkout: checkoutID, ProviderSession: providerSession, ProviderName: "Corner Bank",
	})
}

// Captured is a payment of 15000 KRW that the shop's server verified.
func Captured(providerSession, paymentID, event string) payments.CustomPayment {
	return payments.CustomPayment{ProviderSession: providerSession, ProviderPayment: paymentID, Event: event, Captured: KRW(15000)}
}

// ConfirmCustom confirms a custom session.
func (b *Bed) ConfirmCustom(in payments.CustomPayment) (idempotency.Response, error) {
	return b.Payments.Custom.Confirm(b.T.Context(), b.Server(Key(), "paymentSessions.custom.confirm", ""), in)
}

// ProviderRef is the provider's reference of a payment of the bed's account.
func (b *Bed) ProviderRef(paymentID string) payments.ProviderPaymentRef {
	return payments.ProviderPaymentRef{AccountKey: b.Account, Environment: tenant.Test, ProviderPayment: paymentID}
}

// Reconcile looks a provider's payment up and settles it.
func (b *Bed) Reconcile(in payments.ProviderPaymentRef) (idempotency.Response, error) {
	return b.Reconciler.Reconcile(b.T.Context(), b.Server(Key(), "paymentSessions.reconcileAggregator", ""), in)
}

// Home is the address of the bed's buyer.
var Home = &address.Address{RecipientName: "Kim", Phone: "010-1", PostalCode: "06000", Address1: "Gangnam 1", Country: "KR"}

// CheckoutInput is the input for a checkout of a cart by the bed's buyer.
func (b *Bed) CheckoutInput(cartID string) checkouts.Input {
	return checkouts.Input{Cart: cartID, Contact: sale.Contact{Name: "Kim", Email: "kim@example.com"}, Address: Home}
}

// Checkout makes a checkout of a new cart and returns its answer.
func (b *Bed) Checkout(names ...string) Answer {
	b.T.Helper()
	return b.CheckoutOf(b.Cart(nil, names...))
}

// WidgetSession is the input for a widget session.
func WidgetSession(checkoutID string) payments.SessionInput {
	return payments.SessionInput{Checkout: checkoutID, Action: payment.Action{
		Kind: payment.Widget, SuccessURL: "https://shop.example/ok", FailURL: "https://shop.example/no",
	}}
}

// Pay opens a widget session of a checkout and returns its answer.
func (b *Bed) Pay(checkoutID string) Answer {
	b.T.Helper()
	return b.Must(b.Payments.Sessions.Open(b.T.Context(), b.Server(Key(), "paymentSessions.create", ""), WidgetSession(checkoutID)))
}

// Confirmation is the input of a confirm after the redirect of a widget session.
func Confirmation(session Answer, paymentKey string) payments.Confirmation {
	n, _ := money.Parse(session.Text("action.amount.amount"), "KRW")
	return payments.Confirmation{
		Session: session.Text("paymentSession.id"), PaymentKey: paymentKey, OrderID: session.Text("action.orderId"), Amount: n,
	}
}

// Confirm confirms a widget session.
func (b *Bed) Confirm(session Answer, paymentKey string) (idempotency.Response, error) {
	return b.Payments.Sessions.Confirm(b.T.Context(), b.Server(Key(), "paymentSessions.confirm", ""), Confirmation(session, paymentKey))
}
