package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// resolutions are the ways to resolve a payment that requires attention, as named in the API.
var resolutions = map[string]payment.Resolution{
	"place": payment.ResolutionPlaced, "refund": payment.ResolutionRefunded, "dismiss": payment.ResolutionDismissed,
}

func resolvePaymentSession(a *refunds.Attention) Operation {
	return Operation{
		Name: "paymentSessions.resolve", GraphQL: "paymentSessionResolve", BeyondQuota: true, Summary: "Resolve a payment that requires attention",
		Doc: "For sessions that require attention, each with a suggested action. place places the order now if stock allows; refund returns all of the money; dismiss " +
			"records that the payment was resolved elsewhere, frees the slot of a payment with an unknown outcome, and ends the hold of an order whose payment was taken back. The checkout stops requiring attention when the last of its payments is resolved. " + correctionKey,
		Path: "/payment-sessions/{id}/resolve", Surfaces: Server | Root,
		Input: []collection.Field{
			{
				Name: "action", Kind: collection.Select, Options: []string{"place", "refund", "dismiss"}, Required: true,
				Doc: "The action to take.",
			},
			{Name: "note", Kind: collection.Textarea, Required: true, Doc: "The reason; stored with the session."},
			refundAccountInput("For the action refund. " + onlyForRefunds), outcomeInput("session"),
		},
		Output: []collection.Field{
			sessionMember, checkoutMember,
			{Name: "order", Kind: collection.Relation, RelationTo: "orders", Doc: "The order of the payment; null when it has none."},
			preview.OutputField,
		},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			payment.ErrAttentionNotRequired, payment.ErrNotPaid, payment.ErrPaymentMismatch, payment.ErrRefundInProgress,
			payment.ErrExceedsPaid, payment.ErrRefundAccountRequired, checkout.ErrNotOpen, ports.ErrClaimLost,
			tenant.ErrReauthenticate,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := refunds.ResolveRequest{
				Session: in.Param("id"), As: resolutions[in.Choice("action")], Note: strings.TrimSpace(in.Text("note")),
				Account: readRefundAccount(in), Preview: in.Boolean("preview"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return a.Resolve(ctx, call, r)
		},
	}.asSessionChange().previewed()
}
