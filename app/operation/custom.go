package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// customSessions is the bridge for providers without an adapter: the shop's server vouches for what it verified itself.
// Its paths go before those that take any id. Contract 8.
func customSessions(b *buying.Buying) []Operation {
	return []Operation{createCustomSession(b), retrieveCustomSession(b), confirmCustomSession(b)}
}

func createCustomSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.custom.create", GraphQL: "paymentSessionCustomCreate", Summary: "Open a payment session at a provider without an adapter",
		Doc: "Takes the payment slot of a checkout for a session that the caller opened at the provider. No order is made before the confirm. " +
			"The same provider session again answers 200 with the same payment session.",
		Changes: true, Method: "POST", Path: "/payment-sessions/custom", At: Server, Key: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, To: "checkouts", Required: true, Doc: "The checkout."},
			{Name: "providerSessionId", Kind: collection.Text, Required: true, Doc: "The provider's exact id of its session; it belongs to one payment session for good."},
			{Name: "providerName", Kind: collection.Text, Required: true, Doc: "What the provider is called."},
		},
		Output:  []collection.Field{sessionMember},
		Results: []ports.Result{ports.Created, ports.OK},
		Reasons: reasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, ports.ErrFenced, payment.ErrSlotHeld, payment.ErrSessionKnown, payment.ErrNothingToPay,
			checkout.ErrExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired,
		}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			s := buying.NewCustom{Checkout: in.Text("checkoutId"), ProviderSession: in.Text("providerSessionId"), ProviderName: in.Text("providerName")}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.OpenCustom(ctx, call, s)
		},
	}
}

func retrieveCustomSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.custom.retrieve", GraphQL: "paymentSessionCustomRetrieve", Summary: "Show what became of a custom payment session",
		Doc:    "Found by the exact provider session or the exact provider payment, one of the two; there is no list.",
		Method: "GET", Path: "/payment-sessions/custom", At: Server,
		Input: []collection.Field{
			{Name: "providerSessionId", Kind: collection.Text, Doc: "The provider's id of its session."},
			{Name: "providerPaymentId", Kind: collection.Text, Doc: "The provider's id of the payment."},
		},
		Output: []collection.Field{
			{Name: "status", Kind: collection.Select, Options: choices(payment.Sessions, "status"), Required: true, Doc: "How far the payment is."},
			{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "What is collected."},
			{Name: "orderId", Kind: collection.Text, Doc: "The order that was placed; null before."},
		},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			session, paid := in.Text("providerSessionId"), in.Text("providerPaymentId")
			if (session == "") == (paid == "") {
				in.Problem("providerSessionId", "Name either providerSessionId or providerPaymentId.")
			}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			body, err := b.Custom(ctx, call, session, paid)
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}

func confirmCustomSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.custom.confirm", GraphQL: "paymentSessionCustomConfirm", Summary: "Say that a custom payment was captured and place the order",
		Doc: "The caller has verified the payment at the provider. What was captured has to be exactly the session's amount; otherwise the session stays as it is. " +
			"The same payment told again, under whatever key and event, answers the same order.",
		Changes: true, Method: "POST", Path: "/payment-sessions/custom/confirm", At: Server, Key: KeyRequired,
		Input: []collection.Field{
			{Name: "providerSessionId", Kind: collection.Text, Required: true, Doc: "The provider's exact id of its session."},
			{Name: "providerPaymentId", Kind: collection.Text, Required: true, Doc: "The provider's exact id of the payment; it pays one session."},
			{Name: "eventId", Kind: collection.Text, Required: true, Doc: "The provider's id of what told the caller; it tells one payment."},
			{Name: "captured", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "What the provider collected."},
		},
		Output: []collection.Field{sessionMember, checkoutMember, orderMember},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, ports.ErrFenced, payment.ErrMismatch, payment.ErrEventReused, ports.ErrMoneyKnown, payment.ErrAttention,
			payment.ErrTerminal,
		},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			p := buying.CustomPayment{
				ProviderSession: in.Text("providerSessionId"), ProviderPayment: in.Text("providerPaymentId"), Event: in.Text("eventId"), Captured: in.Money("captured"),
			}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.ConfirmCustom(ctx, call, p)
		},
	}
}
