package payments

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Settle looks a session's payment up at its provider, outside of any transaction, and applies what it finds
// in one transaction: order, stock, code uses, transaction record, ledger, fulfillment orders, cart, checkout
// and events. Redirects, polls, confirms, webhooks and reconciliation all end here; repeating it changes
// nothing. Errors: ports.ErrNotFound, ports.ErrProviderUnavailable, ports.ErrProviderRejected,
// payment.ErrNotConfigured.
func (st *Settler) Settle(ctx context.Context, id tenant.ID, session string, options ...SettleOption) (o Outcome, err error) {
	var opts settleOptions
	for _, set := range options {
		set(&opts)
	}
	reader := st.store.Read(ports.ForTenant(id))
	known := opts.known
	if known == nil {
		read, err := readKnown(ctx, nil, reader, id, session)
		if err != nil {
			return Outcome{}, err
		}
		known = &read
	}
	current := Outcome{Session: payment.SessionFrom(known.record), Record: known.record, Checkout: known.checkout}
	s := current.Session
	if s.Booked() && opts.then == nil {
		return current.withOrder(ctx, reader)
	}
	var seen observation
	if !s.Booked() {
		end := st.underway.begin(s)
		defer func() {
			if err == nil && o.Session.Booked() {
				end(&o)
			} else {
				end(nil)
			}
		}()
		if seen, err = st.observe(ctx, reader, s, *known); err != nil {
			return Outcome{}, err
		}
		seen.closed = opts.closed
		current.seen = seen.fact
		st.failpoint(FailLookedUp)
	}
	if opts.then == nil && !opts.closed && payment.Join(s.State, seen.fact) == s.State && !s.LacksInstructions(seen.payment.Instructions) {
		return current.withOrder(ctx, reader) // a fact that adds nothing to this state adds nothing to any later one
	}
	scope := ports.ForTenant(s.Tenant)
	scope.Prefetch = settlePrefetch(s, checkout.FromRecord(known.checkout), seen.fact)
	o, err = st.apply(ctx, opts.claim.Scope(scope), s, seen, opts)
	o.seen = seen.fact
	return o, err
}

// readKnown is what there is to know of a session: as m remembers it, which may be nil, else as it is stored.
func readKnown(ctx context.Context, m *recent.Memory, r ports.Reader, id tenant.ID, session string) (read knownSession, err error) {
	if read.record, err = m.Get(ctx, r, id, payment.Sessions, session); err == nil {
		read.checkout, err = m.Get(ctx, r, id, checkout.Schema, payment.SessionFrom(read.record).Checkout)
	}
	return read, err
}

// lookUp is what the provider says of a payment, which it may just have said.
func (st *Settler) lookUp(ctx context.Context, r ports.Reader, s payment.Session, known knownSession) (ports.ProviderPayment, error) {
	switch {
	case known.payment != nil:
		return *known.payment, nil
	case known.connection != nil:
		return connections.Lookup(ctx, *known.connection, s)
	}
	return st.connections.LookupPayment(ctx, r, s)
}

// observe asks the provider about a payment and compares the answer with what was asked for.
func (st *Settler) observe(ctx context.Context, reader ports.Reader, s payment.Session, known knownSession) (observation, error) {
	p, err := st.lookUp(ctx, reader, s, known)
	if err != nil {
		return observation{}, err
	}
	seen := observation{fact: payment.Fact(p.State), payment: p}
	if seen.fact == payment.FactAbsent {
		return seen, nil
	}
	got := payment.CapturedPayment{PaymentID: p.PaymentID, AccountKey: p.AccountKey, Environment: p.Environment, Amount: p.Amount}
	ours := got
	ours.Amount = s.Amount
	switch {
	case !s.Matches(ours):
		seen.fact = payment.FactUnknown // another account's payment: never booked
	case seen.fact == payment.FactPaid && !p.Refunded.IsZero():
		seen.fact = payment.FactUnknown // partly refunded at the provider already: no order for less than its price
	case seen.fact == payment.FactAuthorized && !s.Capture.Later():
		seen.fact = payment.FactUnknown // nobody asked for that
	case seen.fact != payment.FactPaid && seen.fact != payment.FactAuthorized:
	case !p.Amount.Currency.Valid(), p.Amount.Minor <= 0:
		seen.fact = payment.FactUnknown // no amount that could be booked
	case seen.fact == payment.FactPaid && !s.Matches(got):
		seen.fact = payment.FactMismatch
	}
	if seen.fact != payment.FactProcessing || !s.Matches(got) {
		seen.payment.Instructions = nil // nobody is told to pay for another payment, or another amount
	}
	return seen, nil
}
