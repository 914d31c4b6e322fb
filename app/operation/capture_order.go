package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func captureOrder(c *refunds.Capturer) Operation {
	return Operation{
		Name: "orders.capture", GraphQL: "orderCapture", BeyondQuota: true, Summary: "Capture the authorized payment of an order",
		Doc:     "Collects the money that the provider holds for the order, all of it or a part. It is captured once: what is left is released. An authorized payment that is not wanted is released by canceling the order. For admins, and secret keys with write access. " + correctionKey,
		Mutates: true, Method: "POST", Path: "/orders/{id}/capture", Surfaces: Root,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional, Params: []collection.Field{orderParam},
		Input: []collection.Field{{
			Name: "amount", Kind: collection.Group, Fields: moneyFields, Doc: "What to capture, at most what is authorized; all of it when missing.",
		}, outcomeInput("order")},
		Output: []collection.Field{
			updatedOrderMember,
			{Name: "transaction", Kind: collection.Relation, RelationTo: "transactions", Required: true, Doc: "The payment, with the captured amount."},
			preview.OutputField,
		},
		Reasons: joinReasons(providerReasons, []*fault.Error{
			idempotency.ErrKeyRequired, order.ErrNotAuthorized, order.ErrCaptureTooLarge, order.ErrCaptureInProgress, order.ErrTransition,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := refunds.CaptureRequest{Amount: in.Money("amount"), Preview: in.Boolean("preview")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return c.Capture(ctx, call, in.Param("id"), r)
		},
	}
}
