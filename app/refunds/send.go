package refunds

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// opRefund is the type of a transaction that is a refund, and the provider's operation.
const opRefund = ports.OpRefund

// refundCall is a refund on its way to the provider.
type refundCall struct {
	refund         payment.Refund
	session        payment.Session
	connection     connections.Opened
	call           connections.Call
	otherRefundIDs []string // the provider's ids of our other refunds of the payment
}

// begin records a refund, with the call that requests it and x.order as it is now; w goes along. A manual
// refund is done by being recorded. The account, nil for none, is nowhere but in the call.
func (s *refunder) begin(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, r payment.Refund, account *payment.RefundAccount,
) (p refundCall, err error) {
	r.ID, r.Actor = s.newID(), ports.ActorOf(ctx)
	r.Tenant, r.Environment, r.Order, r.Checkout = x.owner()
	if r.Provider == payment.CustomProvider {
		p.refund, err = s.recordIn(ctx, tx, w, x, entry{refund: r}, result{state: payment.RefundSucceeded})
		return p, err
	}
	if x.order, err = s.notifyReturn(ctx, tx, w, x.order, r); err != nil {
		return p, err
	}
	if p, err = s.openCall(ctx, tx.Records, x.payments, r); err != nil {
		return p, err
	}
	for _, one := range x.payments {
		if one.ID == r.RefundOf {
			p.refund = one.TellVAT(r, p.session.VAT, p.connection.Description.VATCountry)
		}
	}
	w.Put(payment.Transactions, nil, p.refund.Record())
	if x.unapplied == nil {
		w.Put(order.Schema, x.record, x.order.Record())
	}
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return p, err
	}
	err = s.beginCall(ctx, tx, x.payments, &p, account)
	return p, err
}

// beginCall logs the next attempt of a refund. The first attempt freezes what is sent.
func (s *refunder) beginCall(
	ctx context.Context, tx ports.Tx, paid []payment.RefundablePayment, p *refundCall, account *payment.RefundAccount,
) (err error) {
	r := p.refund
	if err := tx.PaymentTasks.Schedule(ctx, payments.RefundTask(r, p.session.Connection, s.now())); err != nil {
		return err
	}
	request := ports.RefundRequest{
		PaymentRef: connections.PaymentRef(p.session), Captured: p.session.Amount, Amount: r.Amount, Remaining: r.RemainingBefore,
		TaxFree: r.TaxFree, RemainingTaxFree: r.RemainingTaxFree, VAT: r.VAT,
		Reason: reason(r, p.connection.Description.Limits), Account: account, Method: p.session.PaymentMethod(),
		Buyer: ports.Buyer{Name: p.session.CustomerName, Email: p.session.Email, Phone: p.session.Phone},
	}
	for _, one := range paid {
		if one.ID == r.RefundOf {
			request.Captured = one.Paid // it may be other money than was asked for
		}
	}
	p.call, err = s.calls.Begin(ctx, tx, p.connection, p.session, r.ID, request)
	return err
}

// reason is what the provider is given; providers require one.
func reason(r payment.Refund, l payment.Limits) string {
	text := []rune(cmp.Or(r.Note, "Refund"))
	return string(text[:min(len(text), cmp.Or(l.RefundReason, payment.MaxRefundReason))])
}

// openCall is the call of a refund, through the connection that its payment was made through.
func (s *refunder) openCall(
	ctx context.Context, reader ports.Reader, paid []payment.RefundablePayment, r payment.Refund,
) (p refundCall, err error) {
	p.refund = r
	row, err := reader.Get(ctx, payment.Sessions, r.Session)
	if err != nil {
		return p, fmt.Errorf("session of refund %s: %w", r.ID, err)
	}
	p.session = payment.SessionFrom(row)
	for _, one := range paid {
		for _, other := range one.Refunds {
			if other.RefundOf == p.refund.RefundOf && other.ID != p.refund.ID && other.ProviderID != "" {
				p.otherRefundIDs = append(p.otherRefundIDs, other.ProviderID)
			}
		}
	}
	p.connection, err = s.connections.Of(ctx, reader, p.session)
	return p, err
}

// send asks the provider for a refund and records its answer. Errors: those of Refund, and errRetryRefund.
func (s *refunder) send(ctx context.Context, p refundCall) (payment.Refund, error) {
	s.failpoint(FailRefundBegun)
	t, err := s.request(ctx, &p)
	s.failpoint(FailRefundSent)
	if err != nil {
		s.calls.Finish(ctx, p.call)
		return p.refund, err
	}
	r, err := s.record(ctx, p.refund.Tenant, p.refund.ID, t, &p.call)
	switch {
	case err != nil || r.State.CountsAgainstPaid():
		return r, err
	case r.State == payment.RefundRefused:
		return r, s.explainRefusal(ctx, r, t.refusal())
	}
	return r, t.refusal()
}

// request sends a logged refund, unless a lookup shows that an earlier attempt worked. The lookup decides: a
// refusal of a repeated call proves nothing, because the attempt before it may be the reason.
func (s *refunder) request(ctx context.Context, p *refundCall) (result, error) {
	if p.call.Attempt > 1 {
		if t, err := s.observe(ctx, p); err != nil || t.state != "" {
			p.call.Outcome, p.call.FinishedAt = "ok", s.now()
			if err != nil {
				p.call.Fail(err)
			}
			return t, err
		}
	}
	_, refused := s.calls.Send(ctx, p.connection, &p.call)
	if refused != nil && !errors.Is(refused, ports.ErrProviderRejected) {
		return result{}, refused
	}
	if refused != nil && p.call.Attempt == 1 {
		return result{state: payment.RefundRefused, cause: refused}, nil
	}
	t, err := s.observe(ctx, p)
	switch {
	case err != nil || t.state != "":
		return t, err
	case refused != nil:
		return result{state: payment.RefundRefused, cause: refused}, nil //nolint:nilerr // the result carries it
	}
	return t, ports.ErrProviderUnavailable.WithCause(errors.New("the provider accepted the refund but does not list it"))
}

// observe looks a refund up. A refund that the provider does not know has no state; one of another amount is
// never taken for it.
func (s *refunder) observe(ctx context.Context, p *refundCall) (result, error) {
	r := p.refund
	found, err := p.connection.Adapter.LookupRefund(ctx, p.connection.Connection, ports.RefundRef{
		PaymentRef: connections.PaymentRef(p.session), Key: p.call.ProviderKey, ProviderID: r.ProviderID, Amount: r.Amount,
		RemainingBefore: r.RemainingBefore, OtherRefundIDs: p.otherRefundIDs,
	})
	if err != nil {
		return result{}, err
	}
	state := refundStates[found.State]
	if state != "" && found.Amount != r.Amount {
		s.log.ErrorContext(ctx, "the refund's amount differs from the requested amount", "refund", r.ID, "requested", r.Amount,
			"refunded", found.Amount)
		return result{}, ports.ErrProviderUnavailable.WithCause(errors.New("provider refunded a different amount"))
	}
	return result{state: state, providerID: found.ProviderID, settled: found.Settled}, nil
}

// refundStates are the states of a refund at its provider as we record them; a refund that the provider does
// not know has none.
var refundStates = map[ports.RefundState]payment.RefundState{
	ports.RefundPending: payment.RefundPending, ports.RefundSucceeded: payment.RefundSucceeded, ports.RefundFailed: payment.RefundFailed,
}

// providerRefund is a refund as its provider lists it, in our terms.
func providerRefund(r ports.ProviderRefund) payment.ProviderRefund {
	return payment.ProviderRefund{ProviderID: r.ProviderID, State: refundStates[r.State], Amount: r.Amount, TaxFree: r.TaxFree, VAT: r.VAT}
}

// SettleRefund brings a refund in line with its provider: one without an answer is requested again, with the
// same bytes, and one that was accepted is looked up. Repeating it changes nothing. Errors: those of Refund.
func (s *refunder) SettleRefund(ctx context.Context, id tenant.ID, refundID string) (payment.Refund, error) {
	reader := s.store.Read(ports.ForTenant(id))
	row, err := reader.Get(ctx, payment.Transactions, refundID)
	if err != nil {
		return payment.Refund{}, err
	}
	r := payment.RefundFrom(row)
	switch {
	case row.Text("type") != opRefund || r.Provider == payment.CustomProvider || !r.State.CountsAgainstPaid():
		return r, nil
	case r.State == payment.RefundRequested:
		return s.retry(ctx, row)
	case r.ProviderID == "":
		return r, nil // refunded manually
	}
	p, err := s.openCall(ctx, reader, nil, r)
	if err != nil {
		return r, err
	}
	t, err := s.observe(ctx, &p)
	if err != nil || t.state == "" {
		return r, err
	}
	return s.record(ctx, id, refundID, t, nil)
}

// retry is the next attempt of a refund without an answer.
func (s *refunder) retry(ctx context.Context, row collection.Record) (payment.Refund, error) {
	var p refundCall
	err := s.atomically(ctx, tenant.ID(row.Text("tenant")), func(ctx context.Context, tx ports.Tx) error {
		x, err := lockRefundable(ctx, tx, s.newChangeSet(), row.Text("order"), row.Text("paymentSession"))
		if err != nil {
			return err
		}
		row, err := tx.Records.Lock(ctx, payment.Transactions, row.ID())
		if err != nil {
			return err
		}
		p, err = s.resume(ctx, tx, x, payment.RefundFrom(row))
		return err
	})
	if err != nil || p.refund.State != payment.RefundRequested {
		return p.refund, err
	}
	r, err := s.send(ctx, p)
	if fault.From(err).Kind == fault.ProviderFailed && !r.State.CountsAgainstPaid() {
		return r, nil // settled: it was refused
	}
	return r, err
}
