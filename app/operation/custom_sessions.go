package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// customSessionOperations are the bridge for providers without an adapter: the shop's server vouches for
// payments that it verified itself. Their paths come before those that match any id. Rule payments-16.
func customSessionOperations(s *payments.CustomSessions) []Operation {
	return []Operation{createCustomSession(s), retrieveCustomSession(s), confirmCustomSession(s)}
}

func createCustomSession(s *payments.CustomSessions) Operation {
	return Operation{
		Name: "paymentSessions.custom.create", GraphQL: "paymentSessionCustomCreate", Summary: "Open a payment session at a provider without an adapter",
		Doc: "Takes the payment slot of a checkout for a session that the caller opened at the provider. No order is made before the confirm. " +
			"The same provider session again answers 200 with the same payment session.",
		Mutates: true, Method: "POST", Path: "/payment-sessions/custom", Surfaces: Server, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, RelationTo: "checkouts", Required: true, Doc: "The checkout."},
			{Name: "providerSessionId", Kind: collection.Text, Required: true, Doc: "The provider's exact id of its session; it belongs to one payment session for good."},
			{Name: "providerName", Kind: collection.Text, Required: true, Doc: "What the provider is called."},
		},
		Output:  []collection.Field{sessionMember},
		Results: []ports.ReceiptResult{ports.ReceiptCreated, ports.ReceiptOK},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, ports.ErrClaimLost, payment.ErrSlotHeld, payment.ErrProviderSessionUsed, payment.ErrNothingToPay,
			checkout.ErrExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			input := payments.CustomSessionInput{Checkout: in.Text("checkoutId"), ProviderSession: in.Text("providerSessionId"), ProviderName: in.Text("providerName")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Open(ctx, call, input)
		},
	}
}

func retrieveCustomSession(s *payments.CustomSessions) Operation {
	return Operation{
		Name: "paymentSessions.custom.retrieve", GraphQL: "paymentSessionCustomRetrieve", Summary: "Retrieve a custom payment session",
		Doc:    "Finds by the exact id of a provider session or of a provider payment; there is no list.",
		Method: "GET", Path: "/payment-sessions/custom", Surfaces: Server,
		Input: []collection.Field{
			{Name: "providerSessionId", Kind: collection.Text, Doc: "The provider's id of its session."},
			{Name: "providerPaymentId", Kind: collection.Text, Doc: "The provider's id of the payment."},
		},
		Output: []collection.Field{
			{Name: "status", Kind: collection.Select, Options: selectOptions(payment.Sessions, "status"), Required: true, Doc: "How far the payment is."},
			{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "What is collected."},
			{Name: "orderId", Kind: collection.Text, Doc: "The order that was placed; null before."},
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			session, paid := in.Text("providerSessionId"), in.Text("providerPaymentId")
			if (session == "") == (paid == "") {
				in.Problem("providerSessionId", "Name either providerSessionId or providerPaymentId.")
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			body, err := s.Status(ctx, call, session, paid)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

func confirmCustomSession(s *payments.CustomSessions) Operation {
	return Operation{
		Name: "paymentSessions.custom.confirm", GraphQL: "paymentSessionCustomConfirm", Summary: "Confirm a captured custom payment and place the order",
		Doc: "The caller has verified the payment at the provider. What was captured has to be exactly the session's amount; otherwise the session stays as it is. " +
			"Confirming the same payment again, with any key and event, returns the same order.",
		Mutates: true, Method: "POST", Path: "/payment-sessions/custom/confirm", Surfaces: Server, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "providerSessionId", Kind: collection.Text, Required: true, Doc: "The provider's exact id of its session."},
			{Name: "providerPaymentId", Kind: collection.Text, Required: true, Doc: "The provider's exact id of the payment; it pays one session."},
			{Name: "eventId", Kind: collection.Text, Required: true, Doc: "The provider's id of the event; it belongs to one payment."},
			{Name: "captured", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "What the provider collected."},
		},
		Output: []collection.Field{sessionMember, checkoutMember, orderMember},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, ports.ErrClaimLost, payment.ErrPaymentMismatch, payment.ErrEventReused, ports.ErrAlreadyRecorded, payment.ErrRequiresAttention,
			payment.ErrSessionTerminal,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			p := payments.CustomPayment{
				ProviderSession: in.Text("providerSessionId"), ProviderPayment: in.Text("providerPaymentId"), Event: in.Text("eventId"), Captured: in.Money("captured"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Confirm(ctx, call, p)
		},
	}
}
