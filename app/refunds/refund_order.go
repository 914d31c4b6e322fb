package refunds

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
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

// OrderRefunder refunds an amount of an order that an operator names; the rules are in the package comment.
type OrderRefunder struct {
	refunds     *refunder
	idempotency *idempotency.Runner
}

// OrderRefundRequest is an amount to be given back, and why.
type OrderRefundRequest struct {
	Amount  money.Money
	Reason  string
	Account *payment.RefundAccount // as in Request
	Preview bool                   // tell what it would do, and do nothing
}

// OrderRefundFields declares what an answer tells of a refund, beside the order.
var OrderRefundFields = []collection.Field{
	{Name: "amount", Kind: collection.Money, Required: true, Currency: "currency", Doc: "What is given back."},
	{
		Name: "refundableAmount", Kind: collection.Money, Required: true, Currency: "currency",
		Doc: "What is left of the order's payments after it.",
	},
	{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code of the amounts."},
	{Name: "provider", Kind: collection.Text, Required: true, Doc: "Who gives it back; custom: it is only recorded."},
	{Name: "payment", Kind: collection.Text, Required: true, Doc: "Id of the transaction of the payment that it is taken from."},
}

// RefundOrder gives an amount of what was paid back and answers {order, refund, transaction, outcome}; goods and stock stay as they
// are. A preview answers what it would do, with the order as it is and no transaction, and needs no key. Errors: those of
// idempotency, ports.ErrNotFound, fault.ErrValidation and those of Service.Refund.
func (or *OrderRefunder) RefundOrder(ctx context.Context, c idempotency.Call, id string, in OrderRefundRequest) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.RefundOrders); err != nil {
		return idempotency.Response{}, err
	}
	if err := checkReason(in.Reason); err != nil {
		return idempotency.Response{}, err
	}
	if in.Amount.Minor <= 0 {
		return idempotency.Response{}, fault.Invalidf("amount", "This field takes a positive amount.")
	}
	request := Request{Order: id, Amount: &in.Amount, Reason: in.Reason, Account: in.Account, By: c.Principal}
	if in.Preview {
		return or.preview(ctx, c, request)
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	key := c.ReceiptKey()
	request.Key = "order:" + hex.EncodeToString(key[:])
	answer, _, err := or.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		if err := or.checkOrder(ctx, c, id, in.Amount); err != nil {
			return receipt, err
		}
		r, err := or.refunds.Refund(ctx, c.Principal.Tenant.ID, request)
		if err != nil {
			return receipt, err
		}
		err = or.refunds.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
			receipt, err = or.saveReceipt(ctx, tx, c, r, claim)
			return err
		})
		return receipt, err
	})
	return answer, err
}

// checkOrder refuses an order in another environment, and an amount in another currency, before anything is recorded.
// Errors: ports.ErrNotFound, fault.ErrValidation.
func (or *OrderRefunder) checkOrder(ctx context.Context, c idempotency.Call, id string, amount money.Money) error {
	r, err := or.refunds.store.Read(ports.ForPrincipal(c.Principal)).Get(ctx, order.Schema, id)
	if err != nil {
		return err
	}
	if o := order.FromRecord(r); o.Environment != c.Principal.Environment {
		return ports.ErrNotFound
	} else if o.Currency != amount.Currency {
		return fault.Invalidf("amount.currency", "The order is in %s.", o.Currency)
	}
	return nil
}

// preview answers what request would do now.
func (or *OrderRefunder) preview(ctx context.Context, c idempotency.Call, request Request) (idempotency.Response, error) {
	if err := or.checkOrder(ctx, c, request.Order, *request.Amount); err != nil {
		return idempotency.Response{}, err
	}
	var members []reply.Member
	var shown collection.Record
	t := c.Principal.Tenant.ID
	of, err := preview.Run(ctx, or.refunds.store, ports.ForTenant(t), func(ctx context.Context, within ports.Store) (err error) {
		if shown, err = within.Read(ports.ForTenant(t)).Get(ctx, order.Schema, request.Order); err != nil {
			return err
		}
		trial := or.refunds.within(within)
		request.Key = "preview"
		r, err := trial.Refund(ctx, t, request)
		if err != nil {
			return err
		}
		return trial.atomically(ctx, t, func(ctx context.Context, tx ports.Tx) error {
			x, err := lockRefundable(ctx, tx, trial.newChangeSet(), request.Order, "")
			members = orderRefundMembers(shown, x, r, nil)
			return err
		})
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	return preview.Answer(c, shown, of, members...), nil
}

func orderRefundMembers(o collection.Record, x refundable, r payment.Refund, transaction collection.Record) []reply.Member {
	c := r.Amount.Currency
	return []reply.Member{
		{Name: "order", Schema: order.Schema, Record: o},
		{Name: "refund", Fields: OrderRefundFields, Record: collection.Record{
			"amount": r.Amount, "refundableAmount": money.Of(x.refundableAmount(c), c), "currency": string(c), "provider": r.Provider,
			"payment": r.RefundOf,
		}},
		{Name: "transaction", Schema: payment.Transactions, Record: transaction},
	}
}

func (or *OrderRefunder) saveReceipt(
	ctx context.Context, tx ports.Tx, c idempotency.Call, r payment.Refund, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	x, err := lockRefundable(ctx, tx, or.refunds.newChangeSet(), r.Order, "")
	if err != nil {
		return receipt, err
	}
	transaction, err := tx.Records.Get(ctx, payment.Transactions, r.ID)
	if err != nil {
		return receipt, err
	}
	body := c.Body(append(orderRefundMembers(x.record, x, r, transaction), preview.None)...)
	receipt = c.Receipt(ports.ReceiptOK, body, nil, or.refunds.now(), time.Time{})
	receipt.About(x.record)
	return receipt, claim.Save(ctx, tx, receipt)
}
