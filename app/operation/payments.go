package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	sessionParam = collection.Field{
		Name: "id", Alias: "paymentSessionId", Kind: collection.Relation, RelationTo: "payment-sessions", Doc: "The payment session.",
	}
	sessionMember = collection.Field{
		Name: "paymentSession", Kind: collection.Relation, RelationTo: "payment-sessions", Required: true, Doc: "The session as it is now.",
	}
	moneyFields = []collection.Field{
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
	payment.ErrSlotHeld, payment.ErrNothingToPay, payment.ErrSessionTerminal, checkout.ErrExpired, checkout.ErrLinkExpired, checkout.ErrNotOpen,
	checkout.ErrAddressRequired,
})

// Payments are the operations of payment sessions. Rules: features/payments/RULES.md.
func Payments(p *payments.Service, r *payments.AggregatorReconciler) []Operation {
	// paths without an id come first, because the first match wins
	list := slices.Concat(customSessionOperations(p.Custom), reconciliationOperations(r), aggregatorOperations(p.Aggregator))
	return append(list, createPaymentSession(p.Sessions), retrievePaymentSession(p.Sessions), cancelPaymentSession(p.Sessions),
		confirmPaymentSession(p.Sessions), releasePaymentSession(p.Sessions))
}

func createPaymentSession(sessions *payments.Sessions) Operation {
	return Operation{
		Name: "paymentSessions.create", GraphQL: "paymentSessionCreate", Summary: "Open a payment session",
		Doc:     "Takes the payment slot of a checkout and reserves its goods. Repeating the request for the action that already holds the slot returns 200 with the same session.",
		Mutates: true, Method: "POST", Path: "/payment-sessions", Surfaces: Both, Capability: CheckoutCapability, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, RelationTo: "checkouts", Required: true, Doc: "The checkout."},
			{
				Name: "connectionId", Kind: collection.Relation, RelationTo: "provider-connections",
				Doc: "The provider account; defaults to the shop's default account.",
			},
			{
				Name: "successUrl", Kind: collection.Text,
				Doc: "URL to which the shopper returns after paying: https, on an origin the shop allows.",
			},
			{Name: "failUrl", Kind: collection.Text, Doc: "URL to which the shopper returns otherwise."},
		},
		Output: []collection.Field{
			sessionMember,
			{
				Name: "action", Kind: collection.JSON, Required: true, Fields: widgetAction,
				Doc: "Input of the provider's widget; type and version identify its shape.",
			},
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
		Doc:    "A session of any kind, as stored. The provider is not called.",
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
		Name: "paymentSessions.cancel", GraphQL: "paymentSessionCancel", BeyondQuota: true, Summary: "Cancel a payment session",
		Doc:  "Frees the payment slot once the provider confirms that the session can no longer be paid.",
		Path: "/payment-sessions/{id}/cancel", Surfaces: Both | Root,
		Output:  []collection.Field{sessionMember},
		Reasons: []*fault.Error{payment.ErrSlotHeld},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			if call.Principal.Kind == tenant.User {
				return sessions.CancelAsOperator(ctx, call, in.Param("id"))
			}
			return sessions.Cancel(ctx, call, in.Param("id"))
		},
	}.asSessionChange()
}

func confirmPaymentSession(sessions *payments.Sessions) Operation {
	placed := orderMember
	placed.Required, placed.Doc = false, "The order that was placed; null while a virtual account waits for its deposit."
	return Operation{
		Name: "paymentSessions.confirm", GraphQL: "paymentSessionConfirm", BeyondQuota: true, Summary: "Capture an approved payment and place the order",
		Doc:  "orderId and amount must equal those of the action; they are compared before and after the call to the provider. Confirming a paid session returns the same result again. A payment by virtual account has no order before its deposit: the session is `processing` and its `instructions` say where to pay.",
		Path: "/payment-sessions/{id}/confirm", Surfaces: Server,
		Input: []collection.Field{
			{Name: "paymentKey", Kind: collection.Text, Required: true, Doc: "The provider's id of the approved payment."},
			{Name: "orderId", Kind: collection.Text, Required: true, Doc: "The action's orderId."},
			{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "The action's amount."},
		},
		Output: []collection.Field{sessionMember, checkoutMember, placed},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			payment.ErrPaymentMismatch, payment.ErrRequiresAttention, payment.ErrVoided, payment.ErrNotPaid, checkout.ErrExpired,
			checkout.ErrLinkExpired, checkout.ErrNotOpen,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			c := payments.Confirmation{
				Session: in.Param("id"), PaymentKey: in.Text("paymentKey"), OrderID: in.Text("orderId"), Amount: in.Money("amount"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return sessions.Confirm(ctx, call, c)
		},
	}.asSessionChange()
}

func releasePaymentSession(sessions *payments.Sessions) Operation {
	return Operation{
		Name: "paymentSessions.release", GraphQL: "paymentSessionRelease", BeyondQuota: true, Summary: "Release the payment slot of a session manually",
		Doc:  "Money that arrives later is still recorded. " + correctionKey,
		Path: "/payment-sessions/{id}/release", Surfaces: Server | Root,
		Input:  []collection.Field{{Name: "note", Kind: collection.Textarea, Required: true, Doc: "Reason for the release."}, outcomeInput("session")},
		Output: []collection.Field{sessionMember, preview.OutputField},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := payments.ReleaseRequest{Note: strings.TrimSpace(in.Text("note")), Preview: in.Boolean("preview")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return sessions.Release(ctx, call, in.Param("id"), r)
		},
	}.asSessionChange().previewed()
}

// asSessionChange is o with what all changes of an open session have in common.
func (o Operation) asSessionChange() Operation {
	o.Mutates, o.Method, o.Capability, o.KeyPolicy, o.Params = true, "POST", CheckoutCapability, KeyRequired,
		[]collection.Field{sessionParam}
	o.Reasons = joinReasons(providerReasons, []*fault.Error{payment.ErrSessionTerminal}, o.Reasons)
	return o
}

// previewed is o, of which previews need no idempotency key.
func (o Operation) previewed() Operation {
	o.KeyPolicy, o.Reasons = KeyOptional, joinReasons(o.Reasons, []*fault.Error{idempotency.ErrKeyRequired})
	return o
}
