package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// decisions are what an operator can do about a payment that requires attention, as callers name them.
var decisions = map[string]payment.Resolution{"place": payment.Placed, "refund": payment.Refunded, "dismiss": payment.Dismissed}

func resolvePaymentSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.resolve", GraphQL: "paymentSessionResolve", Summary: "Deal with money that did not become its order",
		Doc: "For sessions that require attention, which say what is suggested. To place makes the order now if the goods are there; to refund gives all of the money back; to dismiss " +
			"says that it was dealt with elsewhere, and frees the slot of a payment that nobody knew. The checkout leaves the queue with the last of its payments.",
		Path: "/payment-sessions/{id}/resolve", At: Server,
		Input: []collection.Field{
			{Name: "action", Kind: collection.Select, Options: []string{"place", "refund", "dismiss"}, Required: true, Doc: "What is done about it."},
			{Name: "note", Kind: collection.Textarea, Required: true, Doc: "Why. It stays with the session."},
		},
		Output: []collection.Field{
			sessionMember, checkoutMember,
			{Name: "order", Kind: collection.Relation, To: "orders", Doc: "The order that was placed; null when none was."},
		},
		Reasons: reasons(saleReasons, []*fault.Error{
			payment.ErrNoAttention, payment.ErrNotPaid, payment.ErrMismatch, payment.ErrRefundBusy, payment.ErrExceedsPaid, checkout.ErrNotOpen, ports.ErrFenced,
		}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			r := buying.Resolving{Session: in.Param("id"), As: decisions[in.Choice("action")], Note: strings.TrimSpace(in.Text("note"))}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.Resolve(ctx, call, r)
		},
	}.ofSession()
}
