package operation

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// outcomeInput asks what an operation on a record would do.
func outcomeInput(record string) collection.Field {
	return collection.Field{
		Name: "preview", Kind: collection.Boolean,
		Doc: "Answer what it would do, as outcome, and do nothing. No provider is asked: it is told as if they accepted. It needs no idempotency key; send the revision of the " +
			record + " along as expectedRevision afterwards, to do just that.",
	}
}

const correctionKey = "The idempotency key is required, but for previews."

// OrderCorrections take back a part of an order, and correct what it says of its buyer. Rules orders-22, orders-23, orders-24.
func OrderCorrections(lines *refunds.LineCanceler, amounts *refunds.OrderRefunder, contacts *orders.Corrector) []Operation {
	return []Operation{cancelLines(lines), refundOrder(amounts), correctOrder(contacts)}
}

func correctOrder(oc *orders.Corrector) Operation {
	return Operation{
		Name: "orders.correct", GraphQL: "orderCorrect", Summary: "Correct the email, the address or the notes of an order",
		Doc: "Does what an update of the order does, and shows beforehand what that is: what would change, and whether it is refused. " +
			"The address is that until the order is shipped, and what shipping cost stays as it is. For those who may update orders.",
		Mutates: true, Method: "POST", Path: "/orders/{id}/correct", Surfaces: Root, RawInput: true,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional, Params: []collection.Field{orderParam},
		Input: append(slices.Clone(orders.CorrectableFields), collection.Field{
			Name: collection.ExpectedRevision, Kind: collection.Integer, Min: collection.Bound(1),
			Doc: "The revision of the order that the correction is based on. Refused if it is not the present one.",
		}, collection.Field{
			Name: "preview", Kind: collection.Boolean,
			Doc: "Answer what it would do, and do nothing. Send the order's revision along as expectedRevision afterwards, to do just that.",
		}),
		Output: []collection.Field{
			updatedOrderMember,
			{Name: "correction", Kind: collection.Group, Required: true, Fields: orders.CorrectionFields, Doc: "What was corrected, or would be."},
		},
		Reasons: []*fault.Error{order.ErrAddressFixed, identity.ErrErased, collection.ErrChangedMeanwhile, collection.ErrRecordTooLarge},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			c, err := readCorrection(in.Raw())
			if err != nil {
				return idempotency.Response{}, err
			}
			return oc.Correct(ctx, call, in.Param("id"), c)
		},
	}
}

// readCorrection reads a correction, whose fields are checked as those of an update. Errors: fault.ErrValidation.
func readCorrection(body map[string]any) (orders.Correction, error) {
	c := orders.Correction{Fields: maps.Clone(body)}
	given := body["preview"]
	delete(c.Fields, "preview")
	var isBoolean bool
	if c.Preview, isBoolean = given.(bool); given != nil && !isBoolean {
		return c, fault.Invalidf("preview", "This field takes true or false.")
	}
	for name := range c.Fields {
		known := func(f collection.Field) bool { return f.Name == name }
		if name != collection.ExpectedRevision && !slices.ContainsFunc(orders.CorrectableFields, known) {
			return c, fault.Invalidf(name, "This field does not exist.")
		}
	}
	return c, nil
}

func cancelLines(lc *refunds.LineCanceler) Operation {
	return correction(Operation{
		Name: "orders.cancelLines", GraphQL: "orderCancelLines", Summary: "Cancel units of an order that were not packed",
		Doc: "Takes units off lines of an order that has not shipped: what they came to is refunded, or is not to be paid or captured any more, and the units that the sale took from stock are put back. " +
			"Once nothing that ships is left, shipping is given back, too. Discounts stay as they were given. Should the provider refuse the refund, the order stays as it was. " +
			"All units of an order are canceled by orders.cancel. " + correctionKey,
		Path: "/orders/{id}/cancel-lines",
		Input: []collection.Field{
			{Name: "lines", Kind: collection.Array, Required: true, Doc: "What to cancel; each line once.", Fields: []collection.Field{
				{Name: "orderLine", Kind: collection.Text, Required: true, Doc: "Id of the order's line."},
				{Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1), Doc: "Units of it."},
			}},
			{
				Name: "reason", Kind: collection.Textarea, Required: true, MaxLength: refunds.MaxCancelReason,
				Doc: "Reason, which is sent to the provider and stored with the order and the transaction.",
			},
		},
		Output: []collection.Field{
			updatedOrderMember,
			{Name: "cancellation", Kind: collection.Group, Required: true, Fields: refunds.LineCancelFields, Doc: "What was canceled, or would be."},
			preview.OutputField,
		},
		Reasons: []*fault.Error{
			order.ErrTransition, cart.ErrLineNotFound, order.ErrUnitsExceeded, order.ErrWholeOrder, order.ErrTooManyLineCancels,
			order.ErrCaptureInProgress,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := refunds.LineCancelRequest{
				Reason: strings.TrimSpace(in.Text("reason")), Account: readRefundAccount(in), Preview: in.Boolean("preview"),
				Items: readOrderItems(in, "lines"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return lc.CancelLines(ctx, call, in.Param("id"), r)
		},
	})
}

func refundOrder(or *refunds.OrderRefunder) Operation {
	return correction(Operation{
		Name: "orders.refund", GraphQL: "orderRefund", Summary: "Refund an amount of an order",
		Doc: "Gives an amount back of what was paid, for whatever reason: goods and stock stay as they are. It goes to where the money came from, out of the first payment that has enough left. " +
			"For goods that come back there are return requests, for goods that do not leave orders.cancelLines and orders.cancel. " + correctionKey,
		Path: "/orders/{id}/refund",
		Input: []collection.Field{
			{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "What to give back, at most what is left of a payment."},
			{
				Name: "reason", Kind: collection.Textarea, Required: true, MaxLength: refunds.MaxCancelReason,
				Doc: "Reason, which is sent to the provider and stored with the transaction.",
			},
		},
		Output: []collection.Field{
			updatedOrderMember,
			{Name: "refund", Kind: collection.Group, Required: true, Fields: refunds.OrderRefundFields, Doc: "What was given back, or would be."},
			{Name: "transaction", Kind: collection.Relation, RelationTo: "transactions", Doc: "The refund; null for a preview."},
			preview.OutputField,
		},
		Reasons: []*fault.Error{payment.ErrExceedsPaid, payment.ErrNotPaid},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := refunds.OrderRefundRequest{
				Amount: in.Money("amount"), Reason: strings.TrimSpace(in.Text("reason")), Account: readRefundAccount(in), Preview: in.Boolean("preview"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return or.RefundOrder(ctx, call, in.Param("id"), r)
		},
	})
}

// correction is o with what all corrections have in common.
func correction(o Operation) Operation {
	o.Mutates, o.Method, o.Surfaces, o.BeyondQuota = true, "POST", Root, true
	o.AllowedKinds, o.KeyPolicy, o.Params = []tenant.Kind{tenant.User, tenant.SecretKey}, KeyOptional, []collection.Field{orderParam}
	o.Input = append(o.Input, refundAccountInput(onlyForRefunds), outcomeInput("order"))
	o.Reasons = joinReasons(providerReasons, []*fault.Error{
		idempotency.ErrKeyRequired, payment.ErrRefundInProgress, payment.ErrRefundAccountRequired, tenant.ErrReauthenticate,
	}, o.Reasons)
	return o
}
