package refunds

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Capturer captures the authorized payments of orders; the rules are in the package comment.
type Capturer struct {
	refunds     *refunder
	idempotency *idempotency.Runner
}

// CaptureRequest says how much is collected.
type CaptureRequest struct {
	Amount  money.Money // the zero Money: all that is held
	Preview bool        // tell what it would do, and do nothing
}

// Capture collects what is held for an order, or a part, and answers {order, transaction, outcome}. What is left is released. A
// preview answers what it would do, as if its provider accepted, with the order and the payment as they are, and needs no key.
// Errors: those of idempotency, ports.ErrNotFound, order.ErrNotAuthorized, order.ErrCaptureTooLarge,
// order.ErrCaptureInProgress, order.ErrTransition, payment.ErrNotConfigured, ports.ErrProviderUnavailable,
// ports.ErrProviderRejected.
func (cp *Capturer) Capture(ctx context.Context, c idempotency.Call, id string, in CaptureRequest) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.CapturePayments); err != nil {
		return idempotency.Response{}, err
	}
	if in.Preview {
		return cp.preview(ctx, c, id, in.Amount)
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := cp.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		key := c.ReceiptKey()
		return cp.capture(ctx, c, orderCapture{order: id, amount: in.Amount, key: hex.EncodeToString(key[:])}, claim)
	})
	return answer, err
}

// preview answers what Capture would do now. What became of another capture, which only its provider can say, is not found out.
func (cp *Capturer) preview(ctx context.Context, c idempotency.Call, id string, amount money.Money) (idempotency.Response, error) {
	var shown capturedOrder
	t := c.Principal.Tenant.ID
	of, err := preview.Run(ctx, cp.refunds.store, ports.ForTenant(t), func(ctx context.Context, within ports.Store) error {
		trial := Capturer{refunds: cp.refunds.within(within)}
		err := trial.refunds.atomically(ctx, t, func(ctx context.Context, tx ports.Tx) (err error) {
			shown, err = trial.lockOrder(ctx, tx, c, id)
			return err
		})
		if err == nil {
			_, err = trial.captureOnce(ctx, c, orderCapture{order: id, amount: amount, key: "preview"}, nil)
		}
		return err
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	return preview.Answer(c, shown.record, of, captureMembers(shown)...), nil
}

func captureMembers(x capturedOrder) []reply.Member {
	return []reply.Member{
		{Name: "order", Schema: order.Schema, Record: x.record}, {Name: "transaction", Schema: payment.Transactions, Record: x.held.Record},
	}
}

// orderCapture is a capture that was asked for.
type orderCapture struct {
	order, key string
	amount     money.Money // the zero Money: everything
	call       authorizationCall
	receipt    idempotency.Receipt
	done       bool
}

func (cp *Capturer) capture(ctx context.Context, c idempotency.Call, x orderCapture, claim *idempotency.Claim) (idempotency.Receipt, error) {
	if err := cp.settleOther(ctx, c.Principal.Tenant.ID, x); err != nil {
		return x.receipt, idempotency.NotStored(err)
	}
	return cp.captureOnce(ctx, c, x, claim)
}

// captureOnce is capture, while it is known what came of other captures.
func (cp *Capturer) captureOnce(
	ctx context.Context, c idempotency.Call, x orderCapture, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	id := c.Principal.Tenant.ID
	err := cp.refunds.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		x.done = false
		return cp.begin(ctx, tx, c, &x, claim)
	})
	if err != nil || x.done {
		return x.receipt, idempotency.NotStored(err) // an earlier attempt may have captured
	}
	_, failure := cp.refunds.finishAuthorizationCall(ctx, x.call)
	err = cp.refunds.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		found, err := cp.lockOrder(ctx, tx, c, x.order)
		if err == nil {
			err = cp.answer(ctx, tx, c, &x, found, claim)
		}
		if errors.Is(err, order.ErrNotAuthorized) && found.order.Authorization != nil {
			err = cmp.Or(failure, error(ports.ErrProviderUnavailable.WithCause(errors.New("the provider accepted the capture and still holds the payment"))))
		}
		return err
	})
	return x.receipt, idempotency.NotStored(err) // of money that may have been captured no refusal is the last word
}

// settleOther looks up what came of another capture of the order, once that can be known.
func (cp *Capturer) settleOther(ctx context.Context, id tenant.ID, x orderCapture) error {
	reader := cp.refunds.store.Read(ports.ForTenant(id))
	transactions, err := payments.TransactionsOf(ctx, reader, "order", x.order)
	held, ok := payment.HeldPaymentOf(transactions)
	if err != nil || !ok || !held.Held() || held.MayCapture(x.key) || !held.CaptureAnswered(cp.refunds.now()) {
		return err
	}
	of, err := reader.Get(ctx, payment.Sessions, held.Record.Text("paymentSession"))
	if err != nil {
		return err
	}
	return cp.refunds.lookAtAuthorization(ctx, payment.SessionFrom(of))
}

// begin logs the capture, or answers it if an earlier attempt under the same key captured.
func (cp *Capturer) begin(ctx context.Context, tx ports.Tx, c idempotency.Call, x *orderCapture, claim *idempotency.Claim) error {
	found, err := cp.lockOrder(ctx, tx, c, x.order)
	if err != nil {
		return err
	}
	held := found.order.Authorization
	if held == nil {
		return cp.answer(ctx, tx, c, x, found, claim)
	}
	amount := x.amount
	if amount.Currency == "" {
		amount = found.order.DueCaptureAmount()
	}
	if err := found.order.CheckCapture(amount); err != nil {
		return err
	}
	a, isHeld, err := lockAuthorization(ctx, tx, held.Session)
	if err != nil || !isHeld {
		return cmp.Or(err, error(order.ErrNotAuthorized))
	}
	if !a.held.MayCapture(x.key) {
		return order.ErrCaptureInProgress
	}
	x.call, err = cp.refunds.beginAuthorizationCall(ctx, tx, a, a.captureRequest(amount), x.key)
	return err
}

// capturedOrder is an order with its payment, if that was authorized before it was captured.
type capturedOrder struct {
	record collection.Record
	order  order.Order
	held   payment.HeldPayment
}

func (cp *Capturer) lockOrder(ctx context.Context, tx ports.Tx, c idempotency.Call, id string) (found capturedOrder, err error) {
	if found.record, err = tx.Records.Lock(ctx, order.Schema, id); err != nil {
		return found, err
	}
	if found.order = order.FromRecord(found.record); found.order.Environment != c.Principal.Environment {
		return found, ports.ErrNotFound
	}
	transactions, err := payments.TransactionsOf(ctx, tx.Records, "order", id)
	found.held, _ = payment.HeldPaymentOf(transactions)
	return found, err
}

// answer stores the receipt of a capture that captured what was asked for. Errors: order.ErrNotAuthorized for any other.
func (cp *Capturer) answer(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x *orderCapture, found capturedOrder, claim *idempotency.Claim,
) error {
	all := x.amount.Currency == ""
	if found.held.Captured.IsZero() || !all && found.held.Captured != x.amount || found.held.CaptureKey != x.key {
		return order.ErrNotAuthorized
	}
	body := c.Body(append(captureMembers(found), preview.None)...)
	x.receipt, x.done = c.Receipt(ports.ReceiptOK, body, nil, cp.refunds.now(), time.Time{}), true
	x.receipt.About(found.record)
	return claim.Save(ctx, tx, x.receipt)
}
