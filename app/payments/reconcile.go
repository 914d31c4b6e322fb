package payments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// AggregatorReconciler finds the session of a payment that an aggregator reports, and settles it.
type AggregatorReconciler struct {
	core

	settler *Settler
	refunds RefundSettler
}

// NewAggregatorReconciler makes the use case.
func NewAggregatorReconciler(s *Service, refunds RefundSettler) *AggregatorReconciler {
	return &AggregatorReconciler{core: s.core, settler: s.Settler, refunds: refunds}
}

// ProviderPaymentRef is a payment as an aggregator knows it: by our payment id, or by its own.
type ProviderPaymentRef struct {
	AccountKey      string
	Environment     tenant.Environment
	ProviderPayment string
}

// authorize admits callers to their own environment only; for the other one "not found" would read as if the
// payment were unknown. Errors: those of checkouts.AdmitOperator, fault.ErrForbidden, fault.ErrValidation.
func (in ProviderPaymentRef) authorize(c idempotency.Call, write bool) error {
	if _, err := checkouts.AdmitOperator(c, tenant.ReconcilePayments, write); err != nil {
		return err
	}
	switch in.Environment {
	case c.Principal.Environment:
		return nil
	case tenant.Test, tenant.Live:
		return fault.ErrForbidden.WithMessage("This call acts in the %s environment.", c.Principal.Environment)
	}
	return fault.Invalidf("environment", "An environment is test or live.")
}

// findSession finds the one session of the account that has exactly this payment. Two sessions that match, at
// providers that name accounts and payments alike, count as none: a payment is never attached by guessing.
func (in ProviderPaymentRef) findSession(ctx context.Context, r ports.Reader) (collection.Record, bool, error) {
	s := payment.Sessions
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Environment: string(in.Environment), Limit: 2, Page: 1, SkipCount: true,
		Where: collection.And{
			s.Where("accountKey", collection.Equals, in.AccountKey), s.Where("kind", collection.NotEquals, string(payment.Custom)),
			collection.Or{
				s.Where("paymentId", collection.Equals, in.ProviderPayment),
				s.Where("providerPaymentId", collection.Equals, in.ProviderPayment),
			},
		},
	})
	if err != nil || len(page.Docs) != 1 {
		return nil, false, err
	}
	return page.Docs[0], true, nil
}

// Find answers {found, paymentSession} from local state: no provider is called and nothing is written. For the
// shop's server and operators. Errors: fault.ErrForbidden. Rule payments-14.
func (ar *AggregatorReconciler) Find(ctx context.Context, c idempotency.Call, in ProviderPaymentRef) (*reply.Body, error) {
	if err := in.authorize(c, false); err != nil {
		return nil, err
	}
	r, found, err := in.findSession(ctx, ar.store.Read(ports.ForPrincipal(c.Principal)))
	switch {
	case err != nil:
		return nil, err
	case !found:
		return c.Body(reply.Member{Name: "found", Value: false}), nil
	}
	return c.Body(reply.Member{Name: "paymentSession", Schema: payment.Sessions, Record: r}, reply.Member{Name: "found", Value: true}), nil
}

// Reconcile looks a payment up at its provider, settles it and answers {found, requiresAttention,
// paymentSession, checkout, order}; for a payment that is booked it records external refunds. A payment that
// no session of ours has is {found: false, requiresAttention: true}: no provider is called and nothing is
// attached. For keys with the scope write and operators. Errors: those of idempotency, fault.ErrForbidden,
// ports.ErrProviderUnavailable, ports.ErrProviderRejected, payment.ErrNotConfigured. Rule payments-15.
func (ar *AggregatorReconciler) Reconcile(ctx context.Context, c idempotency.Call, in ProviderPaymentRef) (idempotency.Response, error) {
	if err := in.authorize(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(in.ProviderPayment); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := ar.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		receipt, err := ar.reconcile(ctx, c, in, claim)
		return receipt, idempotency.NotStored(err)
	})
	return answer, err
}

func (ar *AggregatorReconciler) reconcile(
	ctx context.Context, c idempotency.Call, in ProviderPaymentRef, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	r, found, err := in.findSession(ctx, ar.store.Read(ports.ForPrincipal(c.Principal)))
	if err != nil {
		return receipt, err
	}
	if !found {
		none := c.Body(reply.Member{Name: "found", Value: false}, reply.Member{Name: "requiresAttention", Value: true})
		receipt = c.Receipt(ports.ReceiptOK, none, nil, ar.now(), time.Time{})
		receipt.Passing = true // its session may be on its way
		return receipt, nil
	}
	s := payment.SessionFrom(r)
	if err := c.CheckKey(s.ID, s.Checkout, s.PaymentID); err != nil {
		return receipt, err
	}
	if s.Booked() {
		if err := ar.refunds.SyncRefunds(ctx, s.Tenant, s.ID); err != nil {
			return receipt, err
		}
	}
	_, err = ar.settler.Settle(ctx, s.Tenant, s.ID, andThen(claim, func(ctx context.Context, tx ports.Tx, o Outcome) error {
		answer := append(o.Members(), reply.Member{Name: "found", Value: true},
			reply.Member{Name: "requiresAttention", Value: o.Session.Status == payment.StatusRequiresAttention})
		receipt = c.Receipt(ports.ReceiptOK, c.Body(answer...), nil, ar.now(), time.Time{})
		receipt.About(o.Record)
		if receipt.Passing = !o.Session.Terminal(); receipt.Passing { // the buyer may still pay
			return nil
		}
		return claim.Save(ctx, tx, receipt)
	}))
	return receipt, err
}
