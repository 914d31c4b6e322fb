package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	sessionParam  = collection.Field{Name: "id", Alias: "paymentSessionId", Kind: collection.Relation, RelationTo: "payment-sessions", Doc: "The payment session."}
	sessionMember = collection.Field{Name: "paymentSession", Kind: collection.Relation, RelationTo: "payment-sessions", Required: true, Doc: "The session as it is now."}
	moneyFields   = []collection.Field{
		{Name: "amount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "Amount in major units."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
	}
)

// providerReasons are the refusals of any call of a provider.
var providerReasons = []*fault.Error{
	tenant.ErrFeatureDisabled, ports.ErrProviderUnavailable, ports.ErrProviderRejected, payment.ErrNotConfigured, ports.ErrClaimLost,
}

// openingReasons are the refusals of opening a session.
var openingReasons = joinReasons(providerReasons, saleReasons, []*fault.Error{
	payment.ErrSlotHeld, payment.ErrNothingToPay, payment.ErrSessionTerminal, checkout.ErrExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired,
})

// Payments are the operations of payment sessions. Rules: features/payments/RULES.md.
func Payments(p *payments.Service, r *payments.AggregatorReconciler) []Operation {
	list := slices.Concat(customSessionOperations(p.Custom), reconciliationOperations(r), aggregatorOperations(p.Aggregator)) // the first path that fits is taken: those without an id stand before
	return append(list, createPaymentSession(p.Sessions), retrievePaymentSession(p.Sessions), cancelPaymentSession(p.Sessions), confirmPaymentSession(p.Sessions), releasePaymentSession(p.Sessions))
}

func createPaymentSession(sessions *payments.Sessions) Operation {
	return Operation{
		Name: "paymentSessions.create", GraphQL: "paymentSessionCreate", Summary: "Open a payment session",
		Doc:     "Takes the payment slot of a checkout and reserves its goods. Asking for exactly the action that holds the slot answers 200 with the same session.",
		Mutates: true, Method: "POST", Path: "/payment-sessions", Surfaces: Both, Capability: CheckoutCapability, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, RelationTo: "checkouts", Required: true, Doc: "The checkout."},
			{Name: "connectionId", Kind: collection.Relation, RelationTo: "provider-connections", Doc: "The provider account; left out: the default one."},
			{Name: "successUrl", Kind: collection.Text, Doc: "Where the shopper returns after paying: https, on a site the shop allows."},
			{Name: "failUrl", Kind: collection.Text, Doc: "Where the shopper returns otherwise."},
		},
		Output: []collection.Field{
			sessionMember,
			{Name: "action", Kind: collection.JSON, Required: true, Fields: widgetAction, Doc: "What the storefront hands to the provider's widget, by type and version."},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated, ports.ReceiptOK},
		Reasons: openingReasons,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			s := payments.SessionInput{Checkout: in.Text("checkoutId"), Action: payment.Action{
				Kind: payment.Widget, Connection: in.Text("connectionId"), SuccessURL: in.Text("successUrl"), FailURL: in.Text("failUrl"),
			}}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return sessions.Open(ctx, call, s)
		},
	}
}

func retrievePaymentSession(sessions *payments.Sessions) Operation {
	return Operation{
		Name: "paymentSessions.retrieve", GraphQL: "paymentSessionRetrieve", Summary: "Show a payment session",
		Doc:    "Of every kind, as it is known; the provider is not asked.",
		Method: "GET", Path: "/payment-sessions/{id}", Surfaces: Both, Capability: CheckoutCapability,
		Params: []collection.Field{sessionParam},
		Output: []collection.Field{sessionMember},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			body, err := sessions.Retrieve(ctx, call, in.Param("id"))
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

func cancelPaymentSession(sessions *payments.Sessions) Operation {
	return Operation{
		Name: "paymentSessions.cancel", GraphQL: "paymentSessionCancel", Summary: "Cancel a payment session",
		Doc:  "Frees the slot once the provider confirms that the session can no longer be paid.",
		Path: "/payment-sessions/{id}/cancel", Surfaces: Both,
		Output:  []collection.Field{sessionMember},
		Reasons: []*fault.Error{payment.ErrSlotHeld},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return sessions.Cancel(ctx, call, in.Param("id"))
		},
	}.asSessionChange()
}

func confirmPaymentSession(sessions *payments.Sessions) Operation {
	return Operation{
		Name: "paymentSessions.confirm", GraphQL: "paymentSessionConfirm", Summary: "Capture an approved payment and place the order",
		Doc:  "orderId and amount are those of the action; they are compared before and after the provider is asked. A paid session answers the same again.",
		Path: "/payment-sessions/{id}/confirm", Surfaces: Server,
		Input: []collection.Field{
			{Name: "paymentKey", Kind: collection.Text, Required: true, Doc: "The provider's name of the approval."},
			{Name: "orderId", Kind: collection.Text, Required: true, Doc: "The action's orderId."},
			{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "The action's amount."},
		},
		Output: []collection.Field{sessionMember, checkoutMember, orderMember},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			payment.ErrPaymentMismatch, payment.ErrRequiresAttention, payment.ErrNotPaid, checkout.ErrExpired, checkout.ErrNotOpen,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			c := payments.Confirmation{Session: in.Param("id"), PaymentKey: in.Text("paymentKey"), OrderID: in.Text("orderId"), Amount: in.Money("amount")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return sessions.Confirm(ctx, call, c)
		},
	}.asSessionChange()
}

func releasePaymentSession(sessions *payments.Sessions) Operation {
	return Operation{
		Name: "paymentSessions.release", GraphQL: "paymentSessionRelease", Summary: "Release the slot of a payment session manually",
		Doc:  "Money that arrives later is still recorded.",
		Path: "/payment-sessions/{id}/release", Surfaces: Server,
		Input:  []collection.Field{{Name: "note", Kind: collection.Textarea, Required: true, Doc: "Why."}},
		Output: []collection.Field{sessionMember},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			note := strings.TrimSpace(in.Text("note"))
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return sessions.Release(ctx, call, in.Param("id"), note)
		},
	}.asSessionChange()
}

// asSessionChange is o with what all changes of an open session have in common.
func (o Operation) asSessionChange() Operation {
	o.Mutates, o.Method, o.Capability, o.KeyPolicy, o.Params = true, "POST", CheckoutCapability, KeyRequired, []collection.Field{sessionParam}
	o.Reasons = joinReasons(providerReasons, []*fault.Error{payment.ErrSessionTerminal}, o.Reasons)
	return o
}
