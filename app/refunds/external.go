package refunds

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// SyncExternalRefunds compares a session's payment with what its provider lists, and records the refunds that were made
// there without us, and the money that it took back or returned. Our refunds of which the provider reports another
// state are settled. Repeating it changes nothing. Errors: ports.ErrNotFound, payment.ErrNotConfigured,
// payment.ErrRefundInProgress while the outcome of one of ours is unknown, ports.ErrProviderUnavailable,
// ports.ErrProviderRejected.
func (s *refunder) SyncExternalRefunds(ctx context.Context, id tenant.ID, session string) error {
	reader := s.store.Read(ports.ForTenant(id))
	row, err := reader.Get(ctx, payment.Sessions, session)
	if err != nil {
		return err
	}
	of := payment.SessionFrom(row)
	recorded, paid, err := sessionPayment(ctx, reader, of.ID)
	switch {
	case err != nil || of.Kind == payment.Custom:
		return err
	case !paid:
		if err := s.lookAtAuthorization(ctx, of); err != nil {
			return err
		}
		if recorded, paid, err = sessionPayment(ctx, reader, of.ID); err != nil || !paid { // it may be captured by now
			return err
		}
	}
	listed, err := s.connections.LookupPayment(ctx, reader, of)
	if err != nil {
		return err
	}
	ours := of
	ours.Amount = recorded.Paid
	got := payment.CapturedPayment{
		PaymentID: listed.PaymentID, AccountKey: listed.AccountKey, Environment: listed.Environment, Amount: listed.Amount,
	}
	if listed.ProviderID != recorded.PaymentID || !ours.Matches(got) {
		s.log.ErrorContext(ctx, "provider contradicts ledger; ignoring its refunds", "session", of.ID, "account", listed.AccountKey,
			"amount", listed.Amount)
		return nil
	}
	if err := s.settleDiffering(ctx, recorded, listed); err != nil {
		return err
	}
	for _, r := range listed.Refunds {
		if err := s.recordExternal(ctx, of, recorded, r); err != nil {
			return err
		}
	}
	return s.syncLosses(ctx, of, recorded, listed)
}

// settleDiffering settles our refunds of which the provider reports another state than the recorded one.
func (s *refunder) settleDiffering(ctx context.Context, recorded payment.RefundablePayment, listed ports.ProviderPayment) error {
	states := map[string]payment.RefundState{}
	for _, r := range listed.Refunds {
		states[r.ProviderID] = refundStates[r.State]
	}
	for _, r := range recorded.Refunds {
		if r.ProviderID == "" || !r.State.CountsAgainstPaid() || states[r.ProviderID] == r.State {
			continue
		}
		if _, err := s.SettleRefund(ctx, r.Tenant, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// recordExternal records a refund that the payment, as it was read before, does not have. Under the lock of
// the order, or of the session without one, it is decided again: of concurrent calls one records it, and the
// ledger takes no refund twice.
func (s *refunder) recordExternal(
	ctx context.Context, session payment.Session, recorded payment.RefundablePayment, listed ports.ProviderRefund,
) error {
	external := providerRefund(listed)
	if recorded.HasRefund(external.ProviderID) || !external.TakesMoney() {
		return nil
	}
	err := s.atomically(ctx, session.Tenant, func(ctx context.Context, tx ports.Tx) error {
		row, err := tx.Records.Get(ctx, payment.Sessions, session.ID) // it may have an order by now
		if err != nil {
			return err
		}
		w := s.newChangeSet()
		x, err := lockRefundable(ctx, tx, w, row.Text("order"), session.ID)
		if err != nil {
			return err
		}
		for _, p := range x.payments {
			if p.ID == recorded.ID {
				return s.recordExternalIn(ctx, tx, w, x, p, external)
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, payment.ErrPaymentMismatch):
		s.log.ErrorContext(ctx, "ignoring a refund that does not fit its payment", "session", session.ID, "refund", external.ProviderID,
			"amount", external.Amount)
		return nil
	case errors.Is(err, ports.ErrAlreadyRecorded):
		s.log.WarnContext(ctx, "refund already in the ledger", "session", session.ID, "refund", external.ProviderID)
		return nil
	}
	return err
}

func (s *refunder) recordExternalIn(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, p payment.RefundablePayment, external payment.ProviderRefund,
) error {
	r, unknown, err := p.AdoptRefund(external)
	if err != nil || !unknown {
		return err
	}
	r.ID = s.newID()
	r.Tenant, r.Environment, r.Order, r.Checkout = x.owner()
	r, err = s.recordIn(ctx, tx, w, x, entry{refund: r}, result{state: external.State, providerID: external.ProviderID})
	if err != nil || r.State != payment.RefundPending {
		return err
	}
	row, err := tx.Records.Get(ctx, payment.Sessions, p.Session)
	if err != nil {
		return err
	}
	return tx.PaymentTasks.Schedule(ctx, payments.RefundTask(r, row.Text("connection"), s.now()))
}

// errRetryRefund says that a refund was refused because it named another remaining amount than is recorded by
// now: planned again, it may succeed.
var errRetryRefund = errors.New("provider refunds differ from ours")

// maxRefundTries is how often a refund is planned again while its payment is refunded elsewhere.
const maxRefundTries = 5

// explainRefusal is the error of a refund that its provider refused. It is errRetryRefund too when it turns
// out that external refunds had not been recorded yet.
func (s *refunder) explainRefusal(ctx context.Context, r payment.Refund, refusal error) error {
	err := s.SyncExternalRefunds(ctx, r.Tenant, r.Session)
	if err != nil && !errors.Is(err, payment.ErrRefundInProgress) {
		s.log.WarnContext(ctx, "refunds could not be compared with the provider", "refund", r.ID, "error", err)
		return refusal
	}
	recorded, _, err := sessionPayment(ctx, s.store.Read(ports.ForTenant(r.Tenant)), r.Session)
	switch {
	case err != nil:
		return err
	case recorded.UnrefundedAmount() == r.RemainingBefore && r.Amount.Minor <= recorded.RefundableAmount().Minor:
		return refusal
	}
	return fmt.Errorf("%w: %w", errRetryRefund, refusal)
}
