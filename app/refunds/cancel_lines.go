package refunds

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// LineCanceler cancels units of the lines of orders; the rules are in the package comment.
type LineCanceler struct {
	refunds     *refunder
	idempotency *idempotency.Runner
}

// LineCancelRequest says which units of an order are canceled, and why.
type LineCancelRequest struct {
	Items   []order.Item
	Reason  string
	Account *payment.RefundAccount // as in Request
	Preview bool                   // tell what it would do, and do nothing
}

// LineCancelFields declares what an answer tells of a cancel of lines, beside the order.
var LineCancelFields = []collection.Field{
	{Name: "lines", Kind: collection.Array, Required: true, Fields: order.CanceledUnitsFields, Doc: "What is canceled, and what it came to."},
	{Name: "shippingAmount", Kind: collection.Money, Required: true, Currency: "currency", Doc: "What is taken off shipping: all of it once nothing ships."},
	{Name: "amount", Kind: collection.Money, Required: true, Currency: "currency", Doc: "What the order comes to less: lines and shipping."},
	{
		Name: "refundAmount", Kind: collection.Money, Required: true, Currency: "currency",
		Doc: "What is given back of what was paid: the amount, as far as it was paid and not given back already; 0 while the order is unpaid or only authorized.",
	},
	{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code of the amounts."},
}

// CancelLines cancels units that are neither fulfilled nor packed and answers {order, cancellation, outcome}: what they came to is
// refunded, or is not to be paid any more, and they are put back into stock. A preview answers what it would do, with the
// order as it is, and needs no key. Errors: those of idempotency, ports.ErrNotFound, fault.ErrValidation, those of
// order.OrderFulfillment.PlanLineCancel, order.ErrCaptureInProgress and those of Service.Refund.
func (lc *LineCanceler) CancelLines(ctx context.Context, c idempotency.Call, id string, in LineCancelRequest) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.CancelOrders); err != nil {
		return idempotency.Response{}, err
	}
	if err := checkReason(in.Reason); err != nil {
		return idempotency.Response{}, err
	}
	if len(in.Items) == 0 {
		return idempotency.Response{}, fault.Invalidf("lines", "Name at least one line.")
	}
	x := lineCancel{order: id, in: in}
	if in.Preview {
		return lc.preview(ctx, c, x)
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	key := c.ReceiptKey()
	x.key = hex.EncodeToString(key[:])
	answer, _, err := lc.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return lc.cancel(ctx, c, &x, claim)
	})
	return answer, err
}

// lineCancel is the progress of a cancel of lines.
type lineCancel struct {
	order, key string
	in         LineCancelRequest
	receipt    idempotency.Receipt
	done       bool
	refund     refundCall // to be sent next
	canceled   order.LineCancel
	refunded   money.Money // by it
}

func (lc *LineCanceler) cancel(
	ctx context.Context, c idempotency.Call, x *lineCancel, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	for tries := 1; ; tries++ {
		err := lc.refunds.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
			x.done, x.refund = false, refundCall{}
			return lc.nextStep(ctx, tx, c, x, claim)
		})
		if err != nil || x.done {
			return x.receipt, err
		}
		if x.refund.refund.State != payment.RefundRequested {
			continue // a manual refund is done by being recorded
		}
		if _, err := lc.refunds.send(ctx, x.refund); err != nil && !(errors.Is(err, errRetryRefund) && tries < maxRefundTries) {
			return idempotency.Receipt{}, err
		}
	}
}

// nextStep decides under the order's lock what comes next: the answer, a refund without an answer, or a new one.
func (lc *LineCanceler) nextStep(ctx context.Context, tx ports.Tx, c idempotency.Call, x *lineCancel, claim *idempotency.Claim) error {
	w := lc.refunds.newChangeSet()
	found, err := lc.lock(ctx, tx, w, c, x.order)
	if err != nil {
		return err
	}
	if done, ok := found.order.LineCancelOf(x.key); ok {
		return lc.saveReceipt(ctx, tx, c, x, claim, found.record, done, found.refundedBy(x.key))
	}
	if r, open := found.unanswered(); open {
		if r.Key != x.key {
			return payment.ErrRefundInProgress.WithData("transactionId", r.ID)
		}
		x.refund, err = lc.refunds.resume(ctx, tx, found, r)
		return err
	}
	plan, err := lc.plan(ctx, tx, c, found, *x)
	if err != nil {
		return err
	}
	if err := lc.refunds.requireProof(ctx, tx, c.Principal, plan.refund.Amount, plan.account); err != nil {
		return err
	}
	found.order = found.order.BeginLineCancel(plan.cancel)
	if !plan.refund.Amount.IsZero() {
		x.refund, err = lc.refunds.begin(ctx, tx, w, found, plan.refund, plan.account)
		return err
	}
	o, err := finishLineCancel(ctx, tx, w, found, found.order)
	if err != nil {
		return err
	}
	after := w.Put(order.Schema, found.record, o.Record())
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return err
	}
	done, _ := o.LineCancelOf(x.key)
	return lc.saveReceipt(ctx, tx, c, x, claim, after, done, money.Of(0, o.Currency))
}

// lock locks an order in the environment of the caller. Errors: ports.ErrNotFound.
func (lc *LineCanceler) lock(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, c idempotency.Call, id string,
) (refundable, error) {
	found, err := lockRefundable(ctx, tx, w, id, "")
	if err == nil && found.order.Environment != c.Principal.Environment {
		err = ports.ErrNotFound
	}
	return found, err
}

// linePlan is a cancel of lines with the refund that it needs first, of 0 for none.
type linePlan struct {
	cancel  order.LineCancel
	refund  payment.Refund
	account *payment.RefundAccount
}

func (lc *LineCanceler) plan(ctx context.Context, tx ports.Tx, c idempotency.Call, found refundable, x lineCancel) (p linePlan, err error) {
	if found.order.Authorization != nil && found.held.CaptureKey != "" {
		return p, order.ErrCaptureInProgress
	}
	goods, err := fulfillments.LoadGoods(ctx, tx, found.order)
	if err != nil {
		return p, err
	}
	request := order.LineCancelRequest{Key: x.key, Actor: c.Principal.Actor(), Reason: x.in.Reason, Items: x.in.Items}
	if p.cancel, err = goods.PlanLineCancel(request, c.Principal.Tenant.Rounding, lc.refunds.now()); err != nil {
		return p, err
	}
	amount := found.order.RefundFor(p.cancel)
	amount = money.Of(min(amount.Minor, found.refundableAmount(amount.Currency)), amount.Currency)
	if p.refund.Amount = amount; amount.IsZero() {
		return p, nil
	}
	taxFree := found.order.TaxFreePart(p.cancel, amount)
	p.refund, p.account, err = lc.refunds.plan(ctx, tx, found, Request{
		Amount: &amount, Reason: x.in.Reason, Key: x.key, Account: x.in.Account,
		Parts: payment.RefundParts{TaxFree: &taxFree, Taxes: p.cancel.Taxes.Portion(p.cancel.Amount().Minor, 0, amount.Minor)},
	})
	return p, err
}

// preview answers what x would do now.
func (lc *LineCanceler) preview(ctx context.Context, c idempotency.Call, x lineCancel) (idempotency.Response, error) {
	var shown collection.Record
	t := c.Principal.Tenant.ID
	of, err := preview.Run(ctx, lc.refunds.store, ports.ForTenant(t), func(ctx context.Context, within ports.Store) (err error) {
		if shown, err = within.Read(ports.ForTenant(t)).Get(ctx, order.Schema, x.order); err != nil {
			return err
		}
		trial := LineCanceler{refunds: lc.refunds.within(within)}
		x.key = "preview"
		_, err = trial.cancel(ctx, c, &x, nil)
		return err
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	return preview.Answer(c, shown, of, lineCancelMembers(shown, x)...), nil
}

func lineCancelMembers(o collection.Record, x lineCancel) []reply.Member {
	lc := x.canceled
	return []reply.Member{
		{Name: "order", Schema: order.Schema, Record: o},
		{Name: "cancellation", Fields: LineCancelFields, Record: collection.Record{
			"lines": lc.LineRecords(), "shippingAmount": lc.Shipping, "amount": lc.Amount(), "refundAmount": x.refunded,
			"currency": string(lc.Shipping.Currency),
		}},
	}
}

func (lc *LineCanceler) saveReceipt(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x *lineCancel, claim *idempotency.Claim, o collection.Record,
	done order.LineCancel, refunded money.Money,
) error {
	x.canceled, x.refunded = done, refunded
	body := c.Body(append(lineCancelMembers(o, *x), preview.None)...)
	x.receipt, x.done = c.Receipt(ports.ReceiptOK, body, nil, lc.refunds.now(), time.Time{}), true
	x.receipt.About(o)
	return claim.Save(ctx, tx, x.receipt)
}

// finishLineCancel is o after the cancel of lines in progress is done: its units are not to be fulfilled any more, and are
// back in stock if the sale took them from there.
func finishLineCancel(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, o order.Order) (order.Order, error) {
	lc, _ := o.LineCancelInProgress()
	found, err := fulfillments.LoadGoods(ctx, tx, o)
	if err != nil {
		return o, err
	}
	goods, err := found.FinishLineCancel(w.Now)
	if err != nil {
		return o, err
	}
	for _, e := range found.Edits(goods) {
		w.Put(e.Schema, e.Before, e.After)
	}
	if o.Hold == order.HoldVoided && goods.Order.Hold == "" {
		if err := payments.ResolveVoided(ctx, tx, w, o.ID, lc.Reason); err != nil {
			return o, err
		}
	}
	cause := ports.StockCause{Kind: inventory.Canceled, Order: o.ID, Note: lc.Reason, Actor: lc.Actor}
	if err := tx.Stock.Restock(ctx, o.Tenant, o.Environment, o.StockOf(lc), cause); err != nil {
		return o, err
	}
	if x.refundedBy(lc.Key).Minor < lc.Amount().Minor {
		if err := x.restateTaxes(ctx, tx, w, goods.Order); err != nil {
			return o, err
		}
	}
	return goods.Order, found.ScheduleCapture(ctx, tx, goods.Order, w.Now)
}
