package stripe

import (
	"context"
	"net/url"

	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/ports"
)

// Lookup looks a payment up by Stripe's session or by its payment intent. A payment without a known
// session is absent: its page has no known URL, so nobody can pay on it.
func (p *Provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	got, err := p.find(ctx, conn, ref)
	if isMissing(err) || err == nil && got == nil {
		return ports.ProviderPayment{
			State: ports.ProviderAbsent, PaymentID: ref.PaymentID, AccountKey: conn.AccountKey, Environment: conn.Environment,
		}, p.checkAccount(ctx, conn)
	}
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	account, err := p.account(ctx, conn)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	found := ports.ProviderPayment{
		State: p.state(got), PaymentID: got.Metadata[metaPaymentID], AccountKey: account, Environment: environment(got.Livemode),
	}
	units, disputed := got.AmountTotal, false
	if intent := got.PaymentIntent; intent != nil {
		found.ProviderID = intent.ID
		switch {
		case intent.Object == "": // not expanded
		case found.State == ports.ProviderPaid:
			units = intent.AmountReceived
		case found.State == ports.ProviderAuthorized:
			units = intent.AmountCapturable
		}
		disputed = addCharge(&found, intent.LatestCharge, string(got.Currency))
	}
	amount, readable := fromStripeUnits(units, string(got.Currency))
	if found.Amount = amount; !readable {
		found.State = ports.ProviderUnknown
	}
	if disputed {
		if err := p.addDisputes(ctx, conn, &found); err != nil {
			return ports.ProviderPayment{}, err
		}
	}
	if found.Refunded.Minor > 0 {
		if found.Refunds, err = p.listRefunds(ctx, conn, found.ProviderID); err != nil {
			return ports.ProviderPayment{}, err
		}
	}
	return found, nil
}

// addCharge adds what a charge, nil for none, tells of its payment, and reports whether it was ever disputed.
func addCharge(found *ports.ProviderPayment, c *api.Charge, currency string) (disputed bool) {
	if c == nil {
		return false
	}
	found.ReceiptURL = c.ReceiptURL
	if found.State == ports.ProviderPaid {
		found.Settled = settledBy(c.BalanceTransaction)
		found.SettledLater = !found.Settled.IsTold()
	}
	if c.Captured { // in older versions of the API, what was released counts as refunded. Fact stripe-14
		found.Refunded, _ = fromStripeUnits(c.AmountRefunded, currency)
	}
	if c.PaymentMethodDetails != nil {
		found.Method = string(c.PaymentMethodDetails.Type)
	}
	if found.State == ports.ProviderAuthorized {
		found.Until = captureBefore(c)
	}
	return c.Disputed
}

func (p *Provider) find(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (*api.CheckoutSession, error) {
	const expand = "payment_intent.latest_charge.balance_transaction"
	switch {
	case ref.ProviderSessionID != "":
		var got api.CheckoutSession
		err := p.get(ctx, conn, sessionsPath+"/"+url.PathEscape(ref.ProviderSessionID), url.Values{"expand[]": {expand}}, &got)
		return &got, expect(err, got.Object == "checkout.session")
	case ref.ProviderPaymentID != "":
		var got struct {
			Object string                 `json:"object"`
			Data   []*api.CheckoutSession `json:"data"`
		}
		query := url.Values{"payment_intent": {ref.ProviderPaymentID}, "limit": {"1"}, "expand[]": {"data." + expand}}
		err := p.get(ctx, conn, sessionsPath, query, &got)
		if err := expect(err, got.Object == "list"); err != nil || len(got.Data) == 0 {
			return nil, err
		}
		return got.Data[0], nil
	}
	return nil, nil
}

// state maps Stripe's states to ours. Of a payment that is captured later the intent decides, whatever the session says of
// its payment. A complete session may be unpaid: with methods that take days it
// completes at once. A session that ended early was closed, by us or in the console. We open no sessions that
// are free of charge.
func (p *Provider) state(s *api.CheckoutSession) ports.ProviderState {
	if s.Status == api.CheckoutSessionStatusComplete && isCapturedLater(s.PaymentIntent) {
		return laterState(s.PaymentIntent)
	}
	switch {
	case s.PaymentStatus == api.CheckoutSessionPaymentStatusPaid && s.Status == api.CheckoutSessionStatusComplete:
		return ports.ProviderPaid
	case s.PaymentStatus != api.CheckoutSessionPaymentStatusUnpaid:
		return ports.ProviderUnknown
	case s.Status == api.CheckoutSessionStatusOpen:
		return ports.ProviderOpen
	case s.Status == api.CheckoutSessionStatusComplete:
		return unpaidState(s.PaymentIntent)
	case s.Status == api.CheckoutSessionStatusExpired && p.now().Unix() < s.ExpiresAt:
		return ports.ProviderCanceled
	case s.Status == api.CheckoutSessionStatusExpired:
		return ports.ProviderExpired
	}
	return ports.ProviderUnknown
}

// unpaidState is the state of a completed but unpaid session.
func unpaidState(intent *api.PaymentIntent) ports.ProviderState {
	if intent != nil &&
		(intent.Status == api.PaymentIntentStatusRequiresPaymentMethod || intent.Status == api.PaymentIntentStatusCanceled) {
		return ports.ProviderFailed
	}
	return ports.ProviderProcessing
}
