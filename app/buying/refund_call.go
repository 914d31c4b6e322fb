package buying

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The points of a refund at which tests crash the process.
const (
	FailRefundBegun = "refund.begun" // the refund stands in the books, nobody was asked
	FailRefundSent  = "refund.sent"  // the provider answered, nothing is stored
)

// refunding is a refund on its way to the provider.
type refunding struct {
	refund  payment.Refund
	session payment.Session
	account account
	call    call
	others  []string // the provider's ids of our other refunds of the payment
}

// beginRefund writes a refund down, with the call that asks for it, and x.order as it is now; what was written before in
// this transaction goes along. Money that nobody can be asked for is given back by that alone.
func (b *Buying) beginRefund(ctx context.Context, tx ports.Tx, w *changes, x books, r payment.Refund) (p refunding, err error) {
	r.ID = b.NewID()
	r.Tenant, r.Environment, r.Order, r.Checkout = x.belong()
	if r.Provider == CustomProvider {
		p.refund, err = b.recordWithin(ctx, tx, w, x, entry{refund: r}, told{state: payment.RefundSucceeded})
		return p, err
	}
	if x.order, err = b.follow(ctx, tx, w, x.order, r); err != nil {
		return p, err
	}
	w.put(payment.Transactions, nil, r.Record())
	if x.free == nil {
		w.put(order.Schema, x.record, x.order.Record())
	}
	if err := tx.Records.Write(ctx, w.list...); err != nil {
		return p, err
	}
	return b.askAgain(ctx, tx, x.purses, r)
}

// askAgain journals the next attempt of a refund. The first one freezes what is sent.
func (b *Buying) askAgain(ctx context.Context, tx ports.Tx, purses []payment.Purse, r payment.Refund) (p refunding, err error) {
	p.refund = r
	if err := b.reach(ctx, tx.Records, purses, &p); err != nil {
		return p, err
	}
	p.call, err = b.begin(ctx, tx, p.account, p.session, opRefund, r.ID, map[string]string{
		"amount": strconv.FormatInt(r.Amount.Minor, 10), "remaining": strconv.FormatInt(r.Remaining.Minor, 10), "reason": reason(r),
		"providerSessionId": p.session.ProviderSessionID, "providerPaymentId": p.session.ProviderPaymentID,
	})
	return p, err
}

// maxReason is as many characters of a reason as every provider takes.
const maxReason = 200

// reason is what a provider is told: they insist on one.
func reason(r payment.Refund) string {
	text := []rune(cmp.Or(r.Note, "Refund"))
	return string(text[:min(len(text), maxReason)])
}

// reach opens the account that a refund goes through.
func (b *Buying) reach(ctx context.Context, reader ports.Reader, purses []payment.Purse, p *refunding) error {
	row, err := reader.Get(ctx, payment.Sessions, p.refund.Session)
	if err != nil {
		return fmt.Errorf("session of refund %s: %w", p.refund.ID, err)
	}
	p.session = payment.SessionFrom(row)
	for _, purse := range purses {
		for _, other := range purse.Refunds {
			if other.Of == p.refund.Of && other.ID != p.refund.ID && other.ProviderID != "" {
				p.others = append(p.others, other.ProviderID)
			}
		}
	}
	p.account, err = b.account(ctx, reader, p.session)
	return err
}

// told is what became known of a refund.
type told struct {
	state      payment.RefundState
	providerID string
	cause      error // of a refusal, or why it failed
}

// carryOut asks the provider and writes down what it says. Errors: those of Refund, and errAnew.
func (b *Buying) carryOut(ctx context.Context, p refunding) (payment.Refund, error) {
	b.fail(FailRefundBegun)
	t, err := b.ask(ctx, &p)
	b.fail(FailRefundSent)
	if err != nil {
		b.note(ctx, p.call)
		return p.refund, err
	}
	r, err := b.record(ctx, p.refund.Tenant, p.refund.ID, t, &p.call)
	switch {
	case err != nil || r.State.Counts():
		return r, err
	case r.State == payment.RefundRefused:
		return r, b.refusedBy(ctx, r, t.refusal())
	}
	return r, t.refusal()
}

// refusal is the fault of a refund that came to nothing.
func (t told) refusal() error {
	if t.cause != nil {
		return t.cause
	}
	return ports.ErrProviderRejected.With("providerCode", "REFUND_FAILED")
}

// ask sends a journaled refund, unless an earlier attempt turns out to have worked. What the provider's books say decides: a
// refusal of a repeated call proves nothing, for the attempt before may have been the reason.
func (b *Buying) ask(ctx context.Context, p *refunding) (told, error) {
	if p.call.Attempt > 1 {
		if t, err := b.lookUpRefund(ctx, p); err != nil || t.state != "" {
			p.call.Outcome, p.call.FinishedAt = "ok", b.Now()
			if err != nil {
				p.call.Outcome, p.call.Detail = "unknown", detail(err)
			}
			return t, err
		}
	}
	_, refused := b.send(ctx, p.account, &p.call)
	if refused != nil && !errors.Is(refused, ports.ErrProviderRejected) {
		return told{}, refused
	}
	if refused != nil && p.call.Attempt == 1 {
		return told{state: payment.RefundRefused, cause: refused}, nil
	}
	t, err := b.lookUpRefund(ctx, p)
	switch {
	case err != nil || t.state != "":
		return t, err
	case refused != nil:
		return told{state: payment.RefundRefused, cause: refused}, nil //nolint:nilerr // what is told carries it
	}
	return t, ports.ErrProviderUnavailable.Because(errors.New("the provider accepted a refund that it does not know"))
}

// lookUpRefund asks what became of a refund. One that the provider does not know has no state. An amount other than ours is
// never taken for it.
func (b *Buying) lookUpRefund(ctx context.Context, p *refunding) (told, error) {
	s, r := p.session, p.refund
	found, err := p.account.provider.LookupRefund(ctx, p.account.Connection, ports.RefundRef{
		PaymentRef: ports.PaymentRef{PaymentID: s.PaymentID, ProviderSessionID: s.ProviderSessionID, ProviderPaymentID: s.ProviderPaymentID},
		Key:        p.call.ProviderKey, ProviderID: r.ProviderID, Amount: r.Amount, Remaining: r.Remaining, Others: p.others,
	})
	if err != nil {
		return told{}, err
	}
	state := refundTold[found.State]
	if state != "" && found.Amount != r.Amount {
		b.log().ErrorContext(ctx, "a refund of another amount than was asked for", "refund", r.ID, "asked", r.Amount, "found", found.Amount)
		return told{}, ports.ErrProviderUnavailable.Because(errors.New("the provider refunded another amount"))
	}
	return told{state: state, providerID: found.ProviderID}, nil
}

// SettleRefund brings a refund up to date with its provider's books: one that was never answered is asked for again, with
// the same bytes, and one that was accepted is looked up. Repeating it changes nothing. Errors: those of Refund.
func (b *Buying) SettleRefund(ctx context.Context, id tenant.ID, refundID string) (payment.Refund, error) {
	reader := b.Store.Read(ports.Of(id))
	row, err := reader.Get(ctx, payment.Transactions, refundID)
	if err != nil {
		return payment.Refund{}, err
	}
	r := payment.RefundFrom(row)
	switch {
	case row.Text("type") != opRefund || r.Provider == CustomProvider || !r.State.Counts():
		return r, nil
	case r.State == payment.RefundRequested:
		return b.retryRefund(ctx, row)
	case r.ProviderID == "":
		return r, nil // a person gave it back, and wrote it down
	}
	p := refunding{refund: r}
	if err := b.reach(ctx, reader, nil, &p); err != nil {
		return r, err
	}
	t, err := b.lookUpRefund(ctx, &p)
	if err != nil || t.state == "" {
		return r, err
	}
	return b.record(ctx, id, refundID, t, nil)
}

// retryRefund is the next attempt of a refund that nobody answered.
func (b *Buying) retryRefund(ctx context.Context, row collection.Record) (payment.Refund, error) {
	var p refunding
	err := b.atomically(ctx, tenant.ID(row.Text("tenant")), func(ctx context.Context, tx ports.Tx) error {
		x, err := b.openBooks(ctx, tx, b.changes(), row.Text("order"), row.Text("paymentSession"))
		if err != nil {
			return err
		}
		row, err := tx.Records.Lock(ctx, payment.Transactions, row.ID())
		if err != nil {
			return err
		}
		p, err = b.resume(ctx, tx, x, payment.RefundFrom(row))
		return err
	})
	if err != nil || p.refund.State != payment.RefundRequested {
		return p.refund, err
	}
	r, err := b.carryOut(ctx, p)
	if fault.From(err).Kind == fault.ProviderFailed && !r.State.Counts() {
		return r, nil // settled: it was refused
	}
	return r, err
}
