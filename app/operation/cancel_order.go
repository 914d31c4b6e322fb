package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	orderParam         = collection.Field{Name: "id", Alias: "orderId", Kind: collection.Relation, RelationTo: "orders", Doc: "The order."}
	updatedOrderMember = collection.Field{
		Name: "order", Kind: collection.Relation, RelationTo: "orders", Required: true, Doc: "The order as it is now.",
	}
)

// Orders are the operations of admins and the shop's server on orders. Rules orders-7, payments-63.
func Orders(c *refunds.OrderCanceler, captures *refunds.Capturer) []Operation {
	return []Operation{cancelOrder(c), captureOrder(captures)}
}

func cancelOrder(c *refunds.OrderCanceler) Operation {
	return Operation{
		Name: "orders.cancel", GraphQL: "orderCancel", BeyondQuota: true, Summary: "Cancel an order that has not shipped",
		Doc:     "Refunds the remaining payment, or releases an authorized one, restocks unshipped units that the sale took from stock, and releases discount uses. If the provider refuses the refund, the order stays unchanged; refunds already made in the provider's console are counted. For admins, and secret keys with write access. " + correctionKey,
		Mutates: true, Method: "POST", Path: "/orders/{id}/cancel", Surfaces: Root,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional, Params: []collection.Field{orderParam},
		Input: []collection.Field{
			{
				Name: "reason", Kind: collection.Textarea, Required: true, MaxLength: refunds.MaxCancelReason,
				Doc: "Reason, which is sent to the provider and stored with the transaction.",
			},
			refundAccountInput(onlyForRefunds), outcomeInput("order"),
		},
		Output: []collection.Field{updatedOrderMember, preview.OutputField},
		Reasons: joinReasons(providerReasons, []*fault.Error{
			idempotency.ErrKeyRequired, order.ErrTransition, payment.ErrRefundInProgress, payment.ErrRefundAccountRequired,
			tenant.ErrReauthenticate,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := refunds.CancelRequest{Reason: strings.TrimSpace(in.Text("reason")), Account: readRefundAccount(in), Preview: in.Boolean("preview")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return c.CancelOrder(ctx, call, in.Param("id"), r)
		},
	}
}
