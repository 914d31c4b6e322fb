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
	of, recorded, listed, err := s.lookUpBooked(ctx, id, session)
	if err != nil || listed == nil {
		return err
	}
	return s.syncBooked(ctx, of, recorded, *listed)
}

// Watch is SyncRefunds for a payment that is looked at now and then; over says that nothing is left to be told of it: of one
// that was not paid by a deposit, what its provider settles.
func (s *refunder) Watch(ctx context.Context, id tenant.ID, session string) (over bool, err error) {
	if _, err := s.settleRecorded(ctx, id, session); err != nil {
		return false, err
	}
	of, recorded, listed, err := s.lookUpBooked(ctx, id, session)
	if err != nil || listed == nil {
		return false, err
	}
	over = of.Instructions == nil && listed.Settled.IsTold() && len(listed.Gone)+len(listed.Disputes) == 0
	return over, s.syncBooked(ctx, of, recorded, *listed)
}

// lookUpBooked looks the booked payment of a session up; listed is nil of one that is not booked, or moves through no provider
// of ours, or of which the provider contradicts the ledger.
func (s *refunder) lookUpBooked(ctx context.Context, id tenant.ID, session string) (
	of payment.Session, recorded payment.RefundablePayment, listed *ports.ProviderPayment, err error,
) {
	reader := s.store.Read(ports.ForTenant(id))
	row, err := reader.Get(ctx, payment.Sessions, session)
	if err != nil {
		return of, recorded, nil, err
	}
	of = payment.SessionFrom(row)
	recorded, paid, err := sessionPayment(ctx, reader, of.ID)
	switch {
	case err != nil || of.Kind == payment.Custom:
		return of, recorded, nil, err
	case !paid:
		if err := s.lookAtAuthorization(ctx, of); err != nil {
			return of, recorded, nil, err
		}
		if recorded, paid, err = sessionPayment(ctx, reader, of.ID); err != nil || !paid { // it may be captured by now
			return of, recorded, nil, err
		}
	}
	found, err := s.connections.LookupPayment(ctx, reader, of)
	if err != nil {
		return of, recorded, nil, err
	}
	ours := of
	ours.Amount = recorded.Paid
	got := payment.CapturedPayment{
		PaymentID: found.PaymentID, AccountKey: found.AccountKey, Environment: found.Environment, Amount: found.Amount,
	}
	if found.ProviderID != recorded.PaymentID || !ours.Matches(got) {
		s.log.ErrorContext(ctx, "provider contradicts ledger; ignoring its refunds", "session", of.ID, "account", found.AccountKey,
			"amount", found.Amount)
		return of, recorded, nil, nil
	}
	return of, recorded, &found, nil
}

// syncBooked records what a look-up of a booked payment shows that is not recorded yet.
func (s *refunder) syncBooked(
	ctx context.Context, of payment.Session, recorded payment.RefundablePayment, listed ports.ProviderPayment,
) error {
	if err := s.settleDiffering(ctx, recorded, listed); err != nil {
		return err
	}
	for _, r := range listed.Refunds {
		if err := s.recordExternal(ctx, of, recorded, r); err != nil {
			return err
		}
	}
	if err := s.recordSettled(ctx, of, listed); err != nil {
		return err
	}
	return s.syncLosses(ctx, of, recorded, listed)
}

// recordSettled records what the provider of a booked payment says by now that it settles for it and for its refunds.
func (s *refunder) recordSettled(ctx context.Context, of payment.Session, listed ports.ProviderPayment) error {
	told := map[ports.LedgerEntry]payment.Settled{}
	add := func(kind, reference string, settled payment.Settled) {
		if settled.IsTold() {
			told[ports.LedgerEntry{
				Tenant: of.Tenant, Environment: of.Environment, Type: kind, Provider: of.Provider, AccountKey: of.AccountKey, Reference: reference,
			}] = settled
		}
	}
	add("charge", payments.LedgerReference(of), listed.Settled)
	for _, r := range listed.Refunds {
		add("refund", r.ProviderID, r.Settled)
	}
	if len(told) == 0 {
		return nil
	}
	return s.atomically(ctx, of.Tenant, func(ctx context.Context, tx ports.Tx) error {
		for entry, settled := range told {
			if err := tx.Ledger.Settle(ctx, entry, settled); err != nil {
				return err
			}
		}
		return nil
	})
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
