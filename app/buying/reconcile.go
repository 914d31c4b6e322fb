package buying

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Elsewhere is a payment as an aggregator knows it: by our payment id, or by its own.
type Elsewhere struct {
	AccountKey      string
	Environment     tenant.Environment
	ProviderPayment string
}

// admit refuses to look into the other environment: a key sees its own alone, and "not found" would read as if the
// payment were unknown. Errors: those of vouching, fault.ErrForbidden, fault.ErrValidation.
func (in Elsewhere) admit(c once.Call, write bool) error {
	if err := vouching(c, write); err != nil {
		return err
	}
	switch in.Environment {
	case c.Principal.Environment:
		return nil
	case tenant.Test, tenant.Live:
		return fault.ErrForbidden.Saying("This key acts in the %s environment.", c.Principal.Environment)
	}
	return fault.Invalidf("environment", "An environment is test or live.")
}

// session finds the one session of the account that has exactly this payment. Two of them, at providers that name accounts
// and payments alike, are none: nothing is attached heuristically.
func (in Elsewhere) session(ctx context.Context, r ports.Reader) (collection.Record, bool, error) {
	s := payment.Sessions
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Environment: string(in.Environment), Limit: 2, Page: 1, Uncounted: true,
		Where: collection.And{
			s.Where("accountKey", collection.Equals, in.AccountKey), s.Where("kind", collection.NotEquals, string(payment.Custom)),
			collection.Or{s.Where("paymentId", collection.Equals, in.ProviderPayment), s.Where("providerPaymentId", collection.Equals, in.ProviderPayment)},
		},
	})
	if err != nil || len(page.Docs) != 1 {
		return nil, false, err
	}
	return page.Docs[0], true, nil
}

// FindAggregator answers {found, paymentSession} from local state alone: no provider is called and nothing is written.
// Server credentials only. Errors: fault.ErrForbidden. Contract 8.
func (b *Buying) FindAggregator(ctx context.Context, c once.Call, in Elsewhere) ([]byte, error) {
	if err := in.admit(c, false); err != nil {
		return nil, err
	}
	r, found, err := in.session(ctx, b.Store.Read(ports.For(c.Principal)))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return []byte(`{"found":false}`), nil
	}
	return with(c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: r}), "found", true), nil
}

// ReconcileAggregator looks a payment up at its provider, settles it and answers {found, requiresAttention,
// paymentSession, checkout, order}; of one that is in the books it learns what went back. A payment without a session of ours is {found: false, requiresAttention: true}:
// nobody is called and nothing is attached. Server credentials with the scope write only. Errors: those of idempotency,
// fault.ErrForbidden, ports.ErrProviderUnavailable, ports.ErrProviderRejected, payment.ErrNotConfigured. Contract 8.
func (b *Buying) ReconcileAggregator(ctx context.Context, c once.Call, in Elsewhere) (once.Answer, error) {
	if err := in.admit(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(in.ProviderPayment); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return b.reconcile(ctx, c, in, claim)
	})
	return answer, err
}

func (b *Buying) reconcile(ctx context.Context, c once.Call, in Elsewhere, claim *once.Claim) (receipt ports.Receipt, err error) {
	r, found, err := in.session(ctx, b.Store.Read(ports.For(c.Principal)))
	if err != nil {
		return receipt, err
	}
	if !found {
		return c.Receipt(ports.OK, []byte(`{"found":false,"requiresAttention":true}`), nil, b.Now(), time.Time{}), nil
	}
	s := payment.SessionFrom(r)
	if err := c.Check(s.ID, s.Checkout, s.PaymentID); err != nil {
		return receipt, err
	}
	if s.Booked() {
		if err := b.hearRefunds(ctx, s.Tenant, s.ID); err != nil {
			return receipt, err
		}
	}
	_, err = b.settle(ctx, s.Tenant, s.ID, func(ctx context.Context, tx ports.Tx, o Outcome) error {
		answer := c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: o.Record}, once.Member{Name: "checkout", Schema: checkout.Schema, Record: o.Checkout}, once.Member{Name: "order", Schema: order.Schema, Record: o.Order})
		answer = with(with(answer, "found", true), "requiresAttention", o.Session.Status == payment.StatusAttention)
		receipt = c.Receipt(ports.OK, answer, nil, b.Now(), time.Time{})
		receipt.Record = s.ID
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, err
}
