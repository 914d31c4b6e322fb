package refunds

import (
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxCancelReason is how many characters the reason of a cancel has at most.
const MaxCancelReason = 500

// OrderCanceler cancels orders; the rules are in the package comment.
type OrderCanceler struct {
	refunds     *refunder
	idempotency *idempotency.Runner
}

// CancelRequest says why an order is canceled.
type CancelRequest struct {
	Reason  string
	Account *payment.RefundAccount // as in Request; for every payment of the order that needs one
	Preview bool                   // tell what it would do, and do nothing
}

// CancelOrder cancels an order before it ships and answers {order, outcome}: what is left of its payments is refunded,
// unshipped stock is restocked, discount uses are released, open fulfillment orders are canceled. A preview answers what it would
// do, as if its provider accepted, with the order as it is, and needs no key. Errors: those of idempotency, ports.ErrNotFound,
// fault.ErrValidation, order.ErrTransition and those of Service.Refund.
func (oc *OrderCanceler) CancelOrder(ctx context.Context, c idempotency.Call, id string, in CancelRequest) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.CancelOrders); err != nil {
		return idempotency.Response{}, err
	}
	if err := checkReason(in.Reason); err != nil {
		return idempotency.Response{}, err
	}
	if in.Preview {
		return oc.preview(ctx, c, id, in)
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := oc.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return oc.cancel(ctx, c, orderCancel{order: id, reason: in.Reason, account: in.Account}, claim)
	})
	return answer, err
}

// preview answers what CancelOrder would do now.
func (oc *OrderCanceler) preview(ctx context.Context, c idempotency.Call, id string, in CancelRequest) (idempotency.Response, error) {
	var shown collection.Record
	t := c.Principal.Tenant.ID
	of, err := preview.Run(ctx, oc.refunds.store, ports.ForTenant(t), func(ctx context.Context, within ports.Store) (err error) {
		if shown, err = within.Read(ports.ForTenant(t)).Get(ctx, order.Schema, id); err != nil {
			return err
		}
		trial := OrderCanceler{refunds: oc.refunds.within(within)}
		_, err = trial.cancel(ctx, c, orderCancel{order: id, reason: in.Reason, account: in.Account}, nil)
		return err
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	return preview.Answer(c, shown, of, reply.Member{Name: "order", Schema: order.Schema, Record: shown}), nil
}

// checkReason refuses a reason that is missing or too long. Errors: fault.ErrValidation.
func checkReason(reason string) error {
	switch {
	case reason == "":
		return fault.Invalidf("reason", "This field is required.")
	case utf8.RuneCountInString(reason) > MaxCancelReason:
		return fault.Invalidf("reason", "This field takes at most %d characters.", MaxCancelReason)
	}
	return nil
}

// orderCancel is the progress of a cancel.
type orderCancel struct {
	order, reason, key string
	account            *payment.RefundAccount
	receipt            idempotency.Receipt
	done               bool
	startedHere        bool       // the order was not canceled when this call came
	refund             refundCall // to be sent next
	voids              string     // the session whose authorized payment is to be released next; "" for none
}

// cancel refunds one payment after the other until nothing is left, each with its own refund, which after a
// crash the next attempt or the poller completes.
func (oc *OrderCanceler) cancel(
	ctx context.Context, c idempotency.Call, x orderCancel, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	key := c.ReceiptKey()
	x.key = hex.EncodeToString(key[:])
	for tries := 1; ; tries++ {
		err := oc.refunds.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) (err error) {
			x.done, x.refund, x.voids = false, refundCall{}, ""
			return oc.nextStep(ctx, tx, c, &x, claim)
		})
		if err != nil || x.done {
			return x.receipt, err
		}
		if x.voids != "" {
			if err := oc.void(ctx, c.Principal.Tenant.ID, x.voids); err != nil {
				return idempotency.Receipt{}, err
			}
			continue
		}
		if x.refund.refund.State != payment.RefundRequested {
			continue // a manual refund is done by being recorded
		}
		if _, err := oc.refunds.send(ctx, x.refund); err != nil && !(errors.Is(err, errRetryRefund) && tries < maxRefundTries) {
			return idempotency.Receipt{}, err
		}
	}
}

// nextStep decides under the order's lock what comes next: the answer, a refund without an answer, or a new one.
func (oc *OrderCanceler) nextStep(ctx context.Context, tx ports.Tx, c idempotency.Call, x *orderCancel, claim *idempotency.Claim) error {
	w := oc.refunds.newChangeSet()
	found, err := lockRefundable(ctx, tx, w, x.order, "")
	if err != nil {
		return err
	}
	o := found.order
	if o.Environment != c.Principal.Environment {
		return ports.ErrNotFound
	}
	if r, open := found.unanswered(); open {
		if !r.CancelsOrder {
			return payment.ErrRefundInProgress.WithData("transactionId", r.ID)
		}
		x.startedHere = true
		x.refund, err = oc.refunds.resume(ctx, tx, found, r)
		return err
	}
	paid, left := found.next()
	if !left && o.Status == order.Canceled && (o.CancelKey == x.key || x.startedHere) {
		return oc.saveReceipt(ctx, tx, c, x, claim, found.record)
	}
	if found.order, err = o.BeginCancel(x.reason, x.key, c.Principal.Actor(), left); err != nil {
		return err
	}
	if !o.Canceling() {
		if err := oc.refunds.requireProof(ctx, tx, c.Principal, money.Of(found.refundableAmount(o.Currency), o.Currency), nil); err != nil {
			return err
		}
	}
	x.startedHere = true
	if held := o.Authorization; held != nil {
		return oc.beginVoid(ctx, tx, w, found, x)
	}
	if left {
		return oc.beginRefund(ctx, tx, w, c.Principal, found, x, paid)
	}
	if o, err = finishCancel(ctx, tx, w, found.order); err != nil {
		return err
	}
	if o, err = followReversals(ctx, tx, w, found, o, moneyChange{}); err != nil {
		return err
	}
	if err := followVoided(ctx, tx, w, found.held); err != nil {
		return err
	}
	after := w.Put(order.Schema, found.record, o.Record())
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return err
	}
	return oc.saveReceipt(ctx, tx, c, x, claim, after)
}

// beginVoid records that the order is being canceled until the provider released what it holds for it.
func (oc *OrderCanceler) beginVoid(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, found refundable, x *orderCancel) error {
	x.voids = found.order.Authorization.Session
	of, err := tx.Records.Get(ctx, payment.Sessions, x.voids)
	if err != nil {
		return err
	}
	w.Put(order.Schema, found.record, found.order.Record())
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return err
	}
	task := payments.AuthorizationTask(payment.SessionFrom(of), w.Now, w.Now.Add(payment.AnswerGrace))
	return tx.PaymentTasks.Schedule(ctx, task)
}

// void releases the authorized payment of a session, or finds that it was captured.
func (oc *OrderCanceler) void(ctx context.Context, id tenant.ID, session string) error {
	next, err := oc.refunds.SettleAuthorization(ctx, id, session)
	if err == nil && !next.IsZero() {
		err = ports.ErrProviderUnavailable.WithCause(errors.New("the provider has not released the payment yet"))
	}
	return err
}

// beginRefund begins to refund what is left of one payment.
func (oc *OrderCanceler) beginRefund(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, by tenant.Principal, found refundable, x *orderCancel, paid payment.RefundablePayment,
) error {
	accounts, err := oc.refunds.accountsOf(ctx, tx.Records, found, x.account) // of all payments, before anything is refunded
	if err != nil {
		return err
	}
	if err := oc.refunds.requireProofToName(by, slices.Collect(maps.Values(accounts))...); err != nil {
		return err
	}
	r, err := paid.BeginRefund(money.Money{}, payment.RefundParts{})
	if err != nil {
		return err
	}
	r.CancelsOrder, r.Note, r.Key = true, x.reason, x.key
	x.refund, err = oc.refunds.begin(ctx, tx, w, found, r, accounts[paid.ID])
	return err
}

func (oc *OrderCanceler) saveReceipt(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x *orderCancel, claim *idempotency.Claim, o collection.Record,
) error {
	x.receipt, x.done = c.Receipt(ports.ReceiptOK, c.Body(reply.Member{Name: "order", Schema: order.Schema, Record: o}, preview.None), nil,
		oc.refunds.now(), time.Time{}), true
	x.receipt.About(o)
	return claim.Save(ctx, tx, x.receipt)
}
