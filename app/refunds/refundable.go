package refunds

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Request is a refund of an order, or of a payment session without one.
type Request struct {
	Order   string
	Session string       // for an unapplied payment
	Amount  *money.Money // nil: all that is left
	Parts   payment.RefundParts
	Reason  string // sent to the provider, and stored as the transaction's note
	Key     string // names the request: under one key an amount is refunded once, however often it is requested
	Return  string // the return request that it pays out; "": none
	// Account is where the money of a payment goes that is not refunded to where it came from; nil if none was given.
	Account *payment.RefundAccount
	// AccountKept says that Account was kept since somebody named it who could: By names none.
	AccountKept bool
	// By is who asks for it, and may have to prove it first; the zero value is the server, which does not.
	By tenant.Principal
}

// refundable is a locked order with its payments and their refunds, or the same of an unapplied payment.
type refundable struct {
	record    collection.Record
	order     order.Order
	unapplied *payments.LockedSession // the session, in place of an order
	payments  []payment.RefundablePayment
	held      payment.HeldPayment // of an order whose payment was authorized first
}

// lockRefundable locks an order, or where orderID is "" a session whose payment is unapplied, and reads its
// payments and refunds. An order that was paid outside this platform gets its payment record added to w: what
// is refunded must have been paid. Errors: ports.ErrNotFound, payment.ErrNotPaid.
func lockRefundable(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, orderID, session string) (refundable, error) {
	if orderID == "" {
		return lockUnapplied(ctx, tx, session)
	}
	r, err := tx.Records.Lock(ctx, order.Schema, orderID)
	if err != nil {
		return refundable{}, err
	}
	x := refundable{record: r, order: order.FromRecord(r)}
	transactions, err := payments.TransactionsOf(ctx, tx.Records, "order", orderID)
	if err != nil {
		return x, err
	}
	x.payments = payment.RefundablePayments(transactions)
	x.findOldTaxes()
	x.held, _ = payment.HeldPaymentOf(transactions)
	if len(x.payments) > 0 || x.order.Paid.IsZero() {
		return x, nil
	}
	if x.order.Source == order.FromCheckout { // paid through a session: without its record nothing may be refunded
		return x, fault.ErrInternal.WithCause(fmt.Errorf("order %s has no payment", orderID))
	}
	p, err := recordExternalPayment(ctx, tx, w, x.order)
	x.payments = []payment.RefundablePayment{p}
	return x, err
}

// findOldTaxes gives the payments of older versions, whose records say nothing of taxes, those of the order.
func (x refundable) findOldTaxes() {
	for i := range x.payments {
		if p := &x.payments[i]; p.Taxes == nil {
			p.Taxes = x.order.TaxesAt(p.Paid, p.At)
		}
	}
}

// lockUnapplied locks a payment session whose payment belongs to no order, with its checkout and cart, and
// reads its payment and refunds. Errors: ports.ErrNotFound, payment.ErrNotPaid.
func lockUnapplied(ctx context.Context, tx ports.Tx, session string) (refundable, error) {
	l, err := lockSession(ctx, tx, session)
	if err != nil {
		return refundable{}, err
	}
	transactions, err := payments.TransactionsOf(ctx, tx.Records, "paymentSession", session)
	if err != nil {
		return refundable{}, err
	}
	paid := payment.RefundablePayments(transactions)
	if len(paid) == 0 || l.Session.Order != "" {
		return refundable{}, payment.ErrNotPaid
	}
	return refundable{unapplied: &l, payments: paid}, nil
}

// lockSession locks a payment session with its checkout and cart.
func lockSession(ctx context.Context, tx ports.Tx, id string) (payments.LockedSession, error) {
	r, err := tx.Records.Get(ctx, payment.Sessions, id)
	if err != nil {
		return payments.LockedSession{}, err
	}
	return payments.LockSession(ctx, tx, r.Text("checkout"), id)
}

// sessionPayment is the payment of a session; paid is false when it has none.
func sessionPayment(ctx context.Context, reader ports.Reader, session string) (p payment.RefundablePayment, paid bool, err error) {
	transactions, err := payments.TransactionsOf(ctx, reader, "paymentSession", session)
	if all := payment.RefundablePayments(transactions); len(all) > 0 {
		return all[0], true, err
	}
	return p, false, err
}

// recordExternalPayment records the payment of an order that was paid outside this platform, and what was
// refunded of it there.
func recordExternalPayment(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, o order.Order) (payment.RefundablePayment, error) {
	t, err := payments.RecordManualPayment(ctx, tx, w, o, "Paid elsewhere.")
	p := payment.RefundablePayment{ID: t.ID, Paid: o.Paid, TaxFree: t.TaxFree(), Taxes: t.Taxes, Provider: payment.CustomProvider}
	if err != nil || o.Refunded.IsZero() {
		return p, err
	}
	r, err := payments.RecordManualRefund(ctx, tx, w, o, t, o.Refunded, "Refunded elsewhere.")
	p.Refunds = []payment.Refund{r}
	return p, err
}

// errNotCaptured says that nothing of an authorized payment can be refunded.
var errNotCaptured = payment.ErrNotPaid.WithMessage("The payment is authorized and not captured: capture less of it, or cancel the order.")

// plan is the refund that in requests: of the first payment that has enough left.
func (x refundable) plan(in Request) (payment.RefundablePayment, payment.Refund, error) {
	if x.order.Authorization != nil {
		return payment.RefundablePayment{}, payment.Refund{}, errNotCaptured
	}
	refusal, most := error(payment.ErrExceedsPaid), int64(-1)
	for _, p := range x.payments {
		var amount money.Money
		if in.Amount != nil {
			amount = *in.Amount
			if amount.IsZero() {
				break
			}
		}
		r, err := p.BeginRefund(amount, in.Parts)
		if err == nil {
			r.Key, r.Note, r.ReturnRequest = in.Key, in.Reason, in.Return
			return p, r, nil
		}
		if left := p.RefundableAmount().Minor; left > most {
			refusal, most = err, left
		}
	}
	return payment.RefundablePayment{}, payment.Refund{}, refusal
}

// byKey is the refund that a request with this key began, unless it came to nothing: then the request may try
// once more.
func (x refundable) byKey(key string) (r payment.Refund, ok bool) {
	for _, p := range x.payments {
		for _, r := range p.Refunds {
			if r.Key == key && r.State.CountsAgainstPaid() {
				return r, true
			}
		}
	}
	return r, false
}

// taxesOf are the taxes of a refund that was, as it is now: others may have taken them while it counted as refused.
func (x refundable) taxesOf(was, r payment.Refund) tax.Taxes {
	i := slices.IndexFunc(x.payments, func(p payment.RefundablePayment) bool { return p.ID == r.RefundOf })
	if i < 0 || was.State.CountsAgainstPaid() || !r.State.CountsAgainstPaid() {
		return r.Taxes
	}
	return x.payments[i].TaxesShare(r.Amount, r.Taxes)
}

// putRefund adds a refund to w as it is now, with what that moves of taxes, and returns x with it. One that failed gives back what it took
// of the taxes of refunds made at the provider meanwhile.
func (x refundable) putRefund(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, was entry, r payment.Refund,
) (refundable, error) {
	if err := payments.PutTransaction(ctx, tx, w, was.row, r.Record()); err != nil {
		return x, err
	}
	x = x.withRefund(r)
	i := slices.IndexFunc(x.payments, func(p payment.RefundablePayment) bool { return p.ID == r.RefundOf })
	if i < 0 || r.State.CountsAgainstPaid() || !was.refund.State.CountsAgainstPaid() {
		return x, nil
	}
	for _, other := range x.payments[i].RestoreTaxes() {
		row, err := tx.Records.Lock(ctx, payment.Transactions, other.ID)
		if err != nil {
			return x, err
		}
		if err := payments.PutTransaction(ctx, tx, w, row, other.Record()); err != nil {
			return x, err
		}
		x = x.withRefund(other)
	}
	return x, nil
}

// restateTaxes adds to w the payments of x with the taxes that are in what was kept of them, now that o, their order, comes to less than
// they were for and not as much was given back. So it makes no difference whether lines are canceled before or after a part was paid.
func (x refundable) restateTaxes(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, o order.Order) error {
	if o.Taxes == nil {
		return nil
	}
	kept := money.Of(0, o.Currency)
	for _, p := range x.payments {
		kept.Minor += p.UnrefundedAmount().Minor
	}
	for i, p := range payment.KeepTaxes(x.payments, o.TaxesIn(kept)) {
		had := x.payments[i].Taxes
		row, err := tx.Records.Lock(ctx, payment.Transactions, p.ID)
		if errors.Is(err, ports.ErrNotFound) { // it was recorded just now, with what was paid elsewhere
			continue
		}
		if err != nil {
			return err
		}
		after := payment.RestateTaxes(row, p.Taxes)
		w.Put(payment.Transactions, row, after)
		if err := payments.AppendTaxes(ctx, tx, w, payment.WithTaxes(row, had), after); err != nil {
			return err
		}
	}
	return nil
}

// refundedBy is what the refund counts for that the request named key made.
func (x refundable) refundedBy(key string) money.Money {
	if r, ok := x.byKey(key); ok {
		return r.Amount
	}
	return money.Of(0, x.order.Currency)
}

// refundableAmount is how much of all payments in a currency is left, in minor units.
func (x refundable) refundableAmount(c money.Currency) (left int64) {
	for _, p := range x.payments {
		if amount := p.RefundableAmount(); amount.Currency == c {
			left += amount.Minor
		}
	}
	return left
}

// next is the first payment of which something is left; ok is false when everything was refunded or is being
// refunded.
func (x refundable) next() (p payment.RefundablePayment, ok bool) {
	for _, p := range x.payments {
		if !p.RefundableAmount().IsZero() {
			return p, true
		}
	}
	return p, false
}

// unanswered is the refund of which it is unknown whether the provider received it.
func (x refundable) unanswered() (r payment.Refund, ok bool) {
	for _, p := range x.payments {
		if r, ok := p.UnansweredRefund(); ok {
			return r, true
		}
	}
	return r, false
}

// owner is what the payments of x belong to.
func (x refundable) owner() (id tenant.ID, env tenant.Environment, orderID, checkoutID string) {
	if x.unapplied != nil {
		s := x.unapplied.Session
		return s.Tenant, s.Environment, "", s.Checkout
	}
	return x.order.Tenant, x.order.Environment, x.order.ID, x.order.Checkout
}

// withRefund is x with a refund as it is now.
func (x refundable) withRefund(r payment.Refund) refundable {
	for _, p := range x.payments {
		if p.ID == r.RefundOf {
			return x.withPayment(p.WithRefund(r))
		}
	}
	return x
}

// withPayment is x with a payment as it is now.
func (x refundable) withPayment(p payment.RefundablePayment) refundable {
	updated := slices.Clone(x.payments)
	for i := range updated {
		if updated[i].ID == p.ID {
			updated[i] = p
		}
	}
	x.payments = updated
	return x
}
