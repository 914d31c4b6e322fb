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

// customSessionOperations are for providers without an adapter: the shop's server confirms payments that it verified
// itself. Their paths come before those that match any id. Rule payments-16.
func customSessionOperations(s *payments.CustomSessions) []Operation {
	return []Operation{createCustomSession(s), retrieveCustomSession(s), confirmCustomSession(s)}
}

func createCustomSession(s *payments.CustomSessions) Operation {
	return Operation{
		Name: "paymentSessions.custom.create", GraphQL: "paymentSessionCustomCreate",
		Summary: "Open a payment session at a provider without an adapter",
		Doc: "Takes the payment slot of a checkout for a session that the caller opened at the provider. The order is placed when the payment is confirmed. " +
			"Repeating the request for the same provider session returns 200 with the same payment session.",
		Mutates: true, Method: "POST", Path: "/payment-sessions/custom", Surfaces: Server, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, RelationTo: "checkouts", Required: true, Doc: "The checkout."},
			{
				Name: "providerSessionId", Kind: collection.Text, Required: true,
				Doc: "The provider's id of its session, compared exactly; it can be used for one payment session only.",
			},
			{Name: "providerName", Kind: collection.Text, Required: true, Doc: "Name of the provider."},
		},
		Output:  []collection.Field{sessionMember},
		Results: []ports.ReceiptResult{ports.ReceiptCreated, ports.ReceiptOK},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, ports.ErrClaimLost, payment.ErrSlotHeld, payment.ErrProviderSessionUsed, payment.ErrNothingToPay,
			checkout.ErrExpired, checkout.ErrLinkExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			input := payments.CustomSessionInput{
				Checkout: in.Text("checkoutId"), ProviderSession: in.Text("providerSessionId"), ProviderName: in.Text("providerName"),
			}
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
		Doc:    "Finds a session by the exact id of the provider's session or payment. There is no list.",
		Method: "GET", Path: "/payment-sessions/custom", Surfaces: Server | Root,
		Input: []collection.Field{
			{Name: "providerSessionId", Kind: collection.Text, Doc: "The provider's id of its session."},
			{Name: "providerPaymentId", Kind: collection.Text, Doc: "The provider's id of the payment."},
		},
		Output: []collection.Field{
			{
				Name: "status", Kind: collection.Select, Options: selectOptions(payment.Sessions, "status"), Required: true,
				Doc: "Status of the payment session.",
			},
			{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "The amount to pay."},
			{Name: "orderId", Kind: collection.Text, Doc: "The order; null until it is placed."},
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
		Name: "paymentSessions.custom.confirm", GraphQL: "paymentSessionCustomConfirm", BeyondQuota: true,
		Summary: "Confirm a captured custom payment and place the order",
		Doc: "The caller must have verified the payment at the provider. The captured amount must equal the session's amount; otherwise the session stays unchanged. " +
			"Confirming the same payment again, with any idempotency key and event, returns the same order.",
		Mutates: true, Method: "POST", Path: "/payment-sessions/custom/confirm", Surfaces: Server | Root, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "providerSessionId", Kind: collection.Text, Required: true, Doc: "The provider's id of its session, compared exactly."},
			{
				Name: "providerPaymentId", Kind: collection.Text, Required: true,
				Doc: "The provider's id of the payment, compared exactly; it can pay one session only.",
			},
			{
				Name: "eventId", Kind: collection.Text, Required: true,
				Doc: "The provider's id of the event; it can confirm one payment only.",
			},
			{Name: "captured", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "The amount that the provider captured."},
		},
		Output: []collection.Field{sessionMember, checkoutMember, orderMember},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, ports.ErrClaimLost, payment.ErrPaymentMismatch, payment.ErrEventReused, ports.ErrAlreadyRecorded,
			payment.ErrRequiresAttention, payment.ErrSessionTerminal,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			p := payments.CustomPayment{
				ProviderSession: in.Text("providerSessionId"), ProviderPayment: in.Text("providerPaymentId"), Event: in.Text("eventId"),
				Captured: in.Money("captured"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Confirm(ctx, call, p)
		},
	}
}
