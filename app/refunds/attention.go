package refunds

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Attention resolves attention cases: payments that did not become their order, and such that were taken back.
type Attention struct {
	refunds     *refunder
	idempotency *idempotency.Runner
}

// ResolveRequest is what an operator decides about a payment that requires attention.
type ResolveRequest struct {
	Session string
	As      payment.Resolution
	Note    string                 // why; stored with the session
	Account *payment.RefundAccount // of a refund, as in Request
	Preview bool                   // tell what it would do, and do nothing
}

// Resolve ends an attention case as an operator decides and answers {paymentSession, checkout, order, outcome}; the
// order is null unless the session has one. A preview answers what it would do, as if its provider accepted, with things as they are,
// and needs no key. Placing takes stock and codes as they are now; nothing is placed for a
// cart that was ordered otherwise. Refunding refunds the whole payment, as Service.Refund does. To dismiss a payment
// that was taken back ends the hold of its order. The checkout stops requiring attention with its last case. For the
// shop's server and operators. Errors: those of idempotency,
// ports.ErrNotFound, fault.ErrValidation, payment.ErrAttentionNotRequired, payment.ErrNotPaid,
// payment.ErrPaymentMismatch, payment.ErrRefundInProgress, checkout.ErrNotOpen, ports.ErrOutOfStock,
// ports.ErrDiscountUsageLimit, and those of Service.Refund.
func (at *Attention) Resolve(ctx context.Context, c idempotency.Call, in ResolveRequest) (idempotency.Response, error) {
	c, err := checkouts.AdmitOperator(c, tenant.ResolvePayments, true)
	if err != nil {
		return idempotency.Response{}, err
	}
	if in.Note == "" {
		return idempotency.Response{}, fault.Invalidf("note", "This field is required.")
	}
	if in.Preview {
		return at.preview(ctx, c, in)
	}
	if err := c.CheckKey(in.Session); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := at.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		found, err := payments.FindSession(ctx, at.refunds.store, c, in.Session)
		if err != nil {
			return idempotency.Receipt{}, err
		}
		receipt, err := at.resolveAs(ctx, c, in, found.Session, claim)
		return receipt, idempotency.NotStored(err) // of money that was captured: the goods may be there again tomorrow
	})
	return answer, err
}

func (at *Attention) resolveAs(
	ctx context.Context, c idempotency.Call, in ResolveRequest, s payment.Session, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	if in.As == payment.ResolutionRefunded {
		return at.resolveByRefund(ctx, c, s, in, claim)
	}
	if s.Order != "" {
		return at.dismissReversal(ctx, c, in, s, claim)
	}
	err = at.refunds.numbers.WithFreshNumber(ctx, s.Tenant, s.Environment, func(number string) error {
		receipt, err = at.resolve(ctx, c, in, claim, number)
		return err
	})
	return receipt, err
}

// preview answers what Resolve would do now.
func (at *Attention) preview(ctx context.Context, c idempotency.Call, in ResolveRequest) (idempotency.Response, error) {
	var shown payments.Outcome
	scope := ports.ForTenant(c.Principal.Tenant.ID)
	of, err := preview.Run(ctx, at.refunds.store, scope, func(ctx context.Context, within ports.Store) error {
		found, err := payments.FindSession(ctx, within, c, in.Session)
		if err != nil {
			return err
		}
		if shown, err = found.WithSale(ctx, within.Read(scope)); err != nil {
			return err
		}
		trial := Attention{refunds: at.refunds.within(within)}
		_, err = trial.resolveAs(ctx, c, in, found.Session, nil)
		return err
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	return preview.Answer(c, shown.Record, of, shown.Members()...), nil
}

func (at *Attention) resolve(
	ctx context.Context, c idempotency.Call, in ResolveRequest, claim *idempotency.Claim, number string,
) (receipt idempotency.Receipt, err error) {
	err = at.refunds.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		l, err := lockSession(ctx, tx, in.Session)
		if err != nil {
			return err
		}
		l.PlacedBy = c.Principal.Actor()
		w := at.refunds.newChangeSet()
		o, err := applyResolution(ctx, tx, w, l, in, number)
		if err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		receipt, err = at.saveReceipt(ctx, tx, c, o, claim)
		return err
	})
	return receipt, err
}

// resolveByRefund refunds the whole payment of a session. A payment that is refunded already gives the same
// answer again.
func (at *Attention) resolveByRefund(
	ctx context.Context, c idempotency.Call, s payment.Session, in ResolveRequest, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	id := c.Principal.Tenant.ID
	var refundErr error // does not count when the whole payment turns out to be refunded
	if s.Resolution != payment.ResolutionRefunded {
		if _, err := s.Resolve(payment.ResolutionRefunded); err != nil {
			return receipt, err
		}
		_, refundErr = at.refunds.Refund(ctx, id, Request{
			Order: s.Order, Session: s.ID, Reason: in.Note, Key: "resolve", Account: in.Account, By: c.Principal,
		})
	}
	err = at.refunds.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		l, err := lockSession(ctx, tx, s.ID)
		if err != nil {
			return err
		}
		if l.Session.Resolution != payment.ResolutionRefunded {
			return cmp.Or(refundErr, error(ports.ErrProviderUnavailable.WithCause(errors.New("the refund was canceled concurrently"))))
		}
		o := payments.Outcome{Session: l.Session, Record: l.SessionRecord, Checkout: l.Record}
		receipt, err = at.saveReceipt(ctx, tx, c, o, claim)
		return err
	})
	return receipt, err
}

// dismissReversal ends the attention case of a session that has an order, under the lock of that: the order is no longer
// on hold. Errors: those of payment.State.Resolve, checkout.ErrNotOpen where an order is to be placed.
func (at *Attention) dismissReversal(
	ctx context.Context, c idempotency.Call, in ResolveRequest, of payment.Session, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	err = at.refunds.atomically(ctx, of.Tenant, func(ctx context.Context, tx ports.Tx) error {
		w := at.refunds.newChangeSet()
		x, err := lockRefundable(ctx, tx, w, of.Order, "")
		if err != nil {
			return err
		}
		row, err := tx.Records.Lock(ctx, payment.Sessions, of.ID)
		if err != nil {
			return err
		}
		o := payments.Outcome{Session: payment.SessionFrom(row)}
		if o.Session.State, err = o.Session.Resolve(in.As); err != nil {
			return err
		}
		if in.As == payment.ResolutionPlaced {
			return checkout.ErrNotOpen
		}
		o.Session.Note = in.Note
		o.Record = w.Put(payment.Sessions, row, o.Session.Record())
		o.Order = w.Put(order.Schema, x.record, x.order.Follow(x.order.Reversed, false, true).Record())
		if o.Checkout, err = tx.Records.Get(ctx, checkout.Schema, of.Checkout); err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		receipt, err = at.saveReceipt(ctx, tx, c, o, claim)
		return err
	})
	return receipt, err
}

// saveReceipt stores the answer to a resolution in its transaction.
func (at *Attention) saveReceipt(
	ctx context.Context, tx ports.Tx, c idempotency.Call, o payments.Outcome, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	receipt := c.Receipt(ports.ReceiptOK, c.Body(append(o.Members(), preview.None)...), nil, at.refunds.now(), time.Time{})
	receipt.About(o.Record)
	return receipt, claim.Save(ctx, tx, receipt)
}

// applyResolution adds a resolution by placing or dismissing to w.
func applyResolution(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l payments.LockedSession, in ResolveRequest, number string,
) (o payments.Outcome, err error) {
	o.Session = l.Session
	if o.Session.State, err = l.Session.Resolve(in.As); err != nil {
		return o, err
	}
	o.Session.Note = in.Note
	if err := checkNotRefunded(ctx, tx, l.Session.ID); err != nil {
		return o, err
	}
	if in.As == payment.ResolutionPlaced {
		o.Order, o.Checkout, err = placeResolved(ctx, tx, w, l, number)
		o.Session.Order = o.Order.ID()
	} else {
		o.Checkout, err = leaveAttention(ctx, tx, w, l, o.Session)
	}
	if err != nil {
		return o, err
	}
	o.Record = w.Put(payment.Sessions, l.SessionRecord, o.Session.Record())
	return o, nil
}

// checkNotRefunded refuses to decide about a payment of which anything is refunded or being refunded. Errors:
// payment.ErrRefundInProgress.
func checkNotRefunded(ctx context.Context, tx ports.Tx, session string) error {
	transactions, err := payments.TransactionsOf(ctx, tx.Records, "paymentSession", session)
	for _, p := range payment.RefundablePayments(transactions) {
		if p.RefundableAmount() != p.Paid {
			return payment.ErrRefundInProgress
		}
	}
	return err
}

// placeResolved places the order that the payment was for, and assigns the payment to it in the ledger.
func placeResolved(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l payments.LockedSession, number string,
) (o, c collection.Record, err error) {
	if l.IsCartSpent() {
		return nil, nil, checkout.ErrNotOpen
	}
	l.PaidBy = l.Session.ID
	paid, err := findCharge(ctx, tx, l.Session.ID)
	if err != nil {
		return nil, nil, err
	}
	if amount, _ := paid.Money("amount"); amount != l.Checkout.Totals.Total {
		return nil, nil, payment.ErrPaymentMismatch
	}
	if o, c, err = checkouts.Place(ctx, tx, w, l.Locked, number); err != nil {
		return nil, nil, err
	}
	assigned := payment.AssignTo(paid, o.ID(), order.FromRecord(o).TaxesIn(l.Checkout.Totals.Total))
	if err := payments.PutTransaction(ctx, tx, w, paid, assigned); err != nil {
		return nil, nil, err
	}
	s := l.Session
	err = tx.Ledger.Assign(ctx, ports.LedgerEntry{
		Tenant: s.Tenant, Environment: s.Environment, Provider: s.Provider, AccountKey: s.AccountKey,
		Reference: payments.LedgerReference(s), Order: o.ID(), At: w.Now,
	})
	return o, c, err
}

// findCharge is the transaction of a session's payment. Errors: payment.ErrNotPaid when there is none,
// because the provider's payment was booked for another session.
func findCharge(ctx context.Context, tx ports.Tx, session string) (collection.Record, error) {
	s := payment.Transactions
	page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Limit: 1, Page: 1, SkipCount: true, Where: collection.And{
		s.Where("paymentSession", collection.Equals, session), s.Where("type", collection.Equals, "payment"),
	}})
	switch {
	case err != nil:
		return nil, err
	case len(page.Docs) == 0:
		return nil, payment.ErrNotPaid
	}
	return page.Docs[0], nil
}

// leaveAttention lets a checkout no longer require attention unless another payment of it does, and frees the
// slot that an unknown payment held.
func leaveAttention(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l payments.LockedSession, resolved payment.Session,
) (collection.Record, error) {
	next := l.Checkout
	if l.Session.SlotHeld {
		next = next.ReleaseSlot(resolved.ID, w.Now)
		if err := checkouts.ReleaseReservation(ctx, tx, l.Checkout); err != nil {
			return nil, err
		}
	}
	if next.Status != checkout.RequiresAttention || next.AttentionCase.PaymentSession != resolved.ID {
		return w.Put(checkout.Schema, l.Record, next.Record()), nil
	}
	s := payment.Sessions
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: s, Limit: collection.MaxLimit, Page: 1, SkipCount: true, Where: collection.And{
			s.Where("checkout", collection.Equals, next.ID), s.Where("status", collection.Equals, string(payment.StatusRequiresAttention)),
		},
	})
	if err != nil {
		return nil, err
	}
	next = next.ResolveAttention()
	for _, r := range page.Docs {
		if other := payment.SessionFrom(r); other.ID != resolved.ID && other.Booked() {
			next = next.RequireAttention(other.AttentionCase())
		}
	}
	return w.Put(checkout.Schema, l.Record, next.Record()), nil
}
