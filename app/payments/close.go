package payments

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// closeAtProvider asks the provider to close a payment. Its answer is only a hint, the lookup decides; closed
// matters for providers that know nothing about a payment nobody paid. The call is logged under the
// provider's session id: a close from before there was a provider session must not freeze a request without
// one.
func (c *core) closeAtProvider(ctx context.Context, s payment.Session) (closed bool, err error) {
	var a connections.Opened
	var call connections.Call
	err = c.atomically(ctx, s.Tenant, func(ctx context.Context, tx ports.Tx) (err error) {
		if _, err := tx.Records.Lock(ctx, payment.Sessions, s.ID); err != nil { // concurrent closes are attempts one after the other
			return err
		}
		if a, err = c.connections.Of(ctx, tx.Records, s); err != nil {
			return err
		}
		call, err = c.calls.Begin(ctx, tx, a, s, s.ProviderSessionID, ports.CloseRequest{PaymentRef: connections.PaymentRef(s)})
		return err
	})
	if err != nil {
		return false, err
	}
	result, err := c.calls.Send(ctx, a, &call)
	c.calls.Finish(ctx, call)
	if errors.Is(err, ports.ErrProviderRejected) {
		return false, nil
	}
	return result.Closed, err
}

// CloseReleased implements checkouts.SessionCloser. Custom sessions are closed by the shop's server alone.
func (st *Settler) CloseReleased(ctx context.Context, id tenant.ID, cart string) error {
	s := payment.Sessions
	released, err := ports.FindAll(ctx, st.store.Read(ports.ForTenant(id)), collection.Query{
		Schema: s, Where: s.Where(checkouts.UnsettledField, collection.Equals, cart),
	})
	if err != nil {
		return err
	}
	for _, r := range released {
		_, err := st.closeReleased(ctx, payment.SessionFrom(r))
		switch {
		case errors.Is(err, ports.ErrProviderRejected), errors.Is(err, payment.ErrNotConfigured): // it stays open
		case err != nil:
			return err
		}
	}
	return nil
}

// closeReleased closes a session at its provider if it has no slot and may still be paid, and settles it. It
// returns s as it is then.
func (st *Settler) closeReleased(ctx context.Context, s payment.Session) (payment.Session, error) {
	if s.SlotHeld || !s.MayBePaid() || s.Kind == payment.Custom {
		return s, nil
	}
	o, err := st.closeAndSettle(ctx, s)
	return o.Session, err
}

// closeAndSettle closes a session at its provider and settles it.
func (st *Settler) closeAndSettle(ctx context.Context, s payment.Session, options ...SettleOption) (Outcome, error) {
	closed, err := st.closeAtProvider(ctx, s)
	if err != nil {
		return Outcome{Session: s}, err
	}
	return st.Settle(ctx, s.Tenant, s.ID, append(options, afterClose(closed))...)
}
