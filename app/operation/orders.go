package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	orderParam   = collection.Field{Name: "id", Alias: "orderId", Kind: collection.Relation, To: "orders", Doc: "The order."}
	orderChanged = collection.Field{Name: "order", Kind: collection.Relation, To: "orders", Required: true, Doc: "The order as it is now."}
)

// Orders is what admins and the shop's server do to orders. Contract 9.
func Orders(b *buying.Buying) []Operation {
	return []Operation{cancelOrder(b)}
}

func cancelOrder(b *buying.Buying) Operation {
	return Operation{
		Name: "orders.cancel", GraphQL: "orderCancel", Summary: "Cancel an order that has not shipped",
		Doc:     "Gives back what is left of what was paid, puts back on the shelf what the sale took from it and never left, and gives discount uses back. When the provider refuses the refund the order stays as it was; money that went back in its console counts. For admins, and secret keys that may write.",
		Changes: true, Method: "POST", Path: "/orders/{id}/cancel", At: Root, Who: []tenant.Kind{tenant.User, tenant.SecretKey}, Key: KeyRequired,
		Params:  []collection.Field{orderParam},
		Input:   []collection.Field{{Name: "reason", Kind: collection.Textarea, Required: true, MaxLength: buying.MaxCancelReason, Doc: "Why: the provider is told, and the transaction keeps it."}},
		Output:  []collection.Field{orderChanged},
		Reasons: reasons(providerReasons, []*fault.Error{order.ErrTransition, payment.ErrRefundBusy}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			reason := strings.TrimSpace(in.Text("reason"))
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.CancelOrder(ctx, call, in.Param("id"), reason)
		},
	}
}
