package refunds

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Refund refunds an order, in part or all that is left, to where the payment came from. It is recorded before
// the provider is asked, and counts from then on: concurrent refunds never exceed what was paid. The rules
// are in the package comment.
//
// Errors: ports.ErrNotFound, payment.ErrExceedsPaid, payment.ErrRefundInProgress, payment.ErrNotConfigured,
// payment.ErrAttentionNotRequired, payment.ErrRefundAccountRequired, tenant.ErrReauthenticate for Request.By,
// fault.ErrValidation for the account, ports.ErrProviderRejected when nothing is refunded,
// ports.ErrProviderUnavailable while the outcome is unknown: the same key asks again, and never refunds
// twice.
func (s *refunder) Refund(ctx context.Context, id tenant.ID, in Request) (r payment.Refund, err error) {
	for range maxRefundTries {
		if r, err = s.tryRefund(ctx, id, in); !errors.Is(err, errRetryRefund) {
			break
		}
	}
	return r, err
}

// tryRefund is Refund by what is recorded now.
func (s *refunder) tryRefund(ctx context.Context, id tenant.ID, in Request) (payment.Refund, error) {
	var p refundCall
	err := s.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		w := s.newChangeSet()
		x, err := lockRefundable(ctx, tx, w, in.Order, in.Session)
		if err != nil {
			return err
		}
		if begun, ok := x.byKey(in.Key); ok {
			p, err = s.resume(ctx, tx, x, begun)
			return err
		}
		if x.unapplied != nil { // it may have been resolved meanwhile
			if _, err := x.unapplied.Session.Resolve(payment.ResolutionRefunded); err != nil {
				return err
			}
		}
		planned, account, err := s.plan(ctx, tx, x, in)
		if err != nil {
			return err
		}
		named := account
		if in.AccountKept {
			named = nil
		}
		if err := s.requireProof(ctx, tx, in.By, planned.Amount, named); err != nil {
			return err
		}
		p, err = s.begin(ctx, tx, w, x, planned, account)
		return err
	})
	if err != nil || p.refund.State != payment.RefundRequested {
		return p.refund, err
	}
	return s.send(ctx, p)
}

// plan is the refund that in requests of x, and the account that it is sent with.
func (s *refunder) plan(ctx context.Context, tx ports.Tx, x refundable, in Request) (payment.Refund, *payment.RefundAccount, error) {
	of, r, err := x.plan(in)
	if err != nil {
		return r, nil, err
	}
	account, err := s.accountOf(ctx, tx.Records, of, in.Account)
	return r, account, err
}

// resume continues a refund that was begun before: it is requested again if its outcome is unknown.
func (s *refunder) resume(ctx context.Context, tx ports.Tx, x refundable, r payment.Refund) (refundCall, error) {
	if r.State != payment.RefundRequested {
		return refundCall{refund: r}, nil
	}
	p, err := s.openCall(ctx, tx.Records, x.payments, r)
	if err == nil {
		err = s.beginCall(ctx, tx, x.payments, &p, nil) // the first attempt froze the account
	}
	return p, err
}

// SettleRefunds brings every recorded refund of a payment session up to date, and the payment itself while its provider
// has taken money back. Errors: those of SettleRefund and SyncExternalRefunds.
func (s *refunder) SettleRefunds(ctx context.Context, id tenant.ID, session string) error {
	reversed, err := s.settleRecorded(ctx, id, session)
	if err != nil || !reversed {
		return err
	}
	return s.SyncExternalRefunds(ctx, id, session)
}

// SyncRefunds is SettleRefunds, and records external refunds and reversals. Errors: those of SettleRefund and
// SyncExternalRefunds.
func (s *refunder) SyncRefunds(ctx context.Context, id tenant.ID, session string) error {
	if _, err := s.settleRecorded(ctx, id, session); err != nil {
		return err
	}
	return s.SyncExternalRefunds(ctx, id, session)
}

// settleRecorded brings every recorded refund of a payment session up to date; reversed says that its provider has
// taken money back and was not seen to return it.
func (s *refunder) settleRecorded(ctx context.Context, id tenant.ID, session string) (reversed bool, err error) {
	transactions, err := payments.TransactionsOf(ctx, s.store.Read(ports.ForTenant(id)), "paymentSession", session)
	if err != nil {
		return false, err
	}
	var errs []error
	for _, r := range transactions {
		reversed = reversed || payment.IsOpenReversal(r)
		if r.Text("type") == opRefund {
			_, err := s.SettleRefund(ctx, id, r.ID())
			errs = append(errs, err)
		}
	}
	return reversed, errors.Join(errs...)
}
