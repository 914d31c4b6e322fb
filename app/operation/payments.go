package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	sessionParam  = collection.Field{Name: "id", Alias: "paymentSessionId", Kind: collection.Relation, To: "payment-sessions", Doc: "The payment session."}
	sessionMember = collection.Field{Name: "paymentSession", Kind: collection.Relation, To: "payment-sessions", Required: true, Doc: "The session as it is now."}
	moneyFields   = []collection.Field{
		{Name: "amount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "Amount in major units."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
	}
)

// providerReasons is what any call of a provider may end in.
var providerReasons = []*fault.Error{
	tenant.ErrFeatureDisabled, ports.ErrProviderUnavailable, ports.ErrProviderRejected, payment.ErrNotConfigured, ports.ErrFenced,
}

// openingReasons is why a session is not opened.
var openingReasons = reasons(providerReasons, saleReasons, []*fault.Error{
	payment.ErrSlotHeld, payment.ErrNothingToPay, payment.ErrTerminal, checkout.ErrExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired,
})

// Payments is the operations of payment sessions. Contract 8.
func Payments(b *buying.Buying) []Operation {
	list := slices.Concat(customSessions(b), reconciliation(b), aggregators(b)) // the first path that fits is taken: those without an id stand before
	return append(list, createPaymentSession(b), retrievePaymentSession(b), cancelPaymentSession(b), confirmPaymentSession(b), releasePaymentSession(b))
}

func createPaymentSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.create", GraphQL: "paymentSessionCreate", Summary: "Open a payment session",
		Doc:     "Takes the payment slot of a checkout and reserves its goods. Asking for exactly the action that holds the slot answers 200 with the same session.",
		Changes: true, Method: "POST", Path: "/payment-sessions", At: Both, Holder: CheckoutHolder, Key: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, To: "checkouts", Required: true, Doc: "The checkout."},
			{Name: "connectionId", Kind: collection.Relation, To: "provider-connections", Doc: "The provider account; left out: the default one."},
			{Name: "successUrl", Kind: collection.Text, Doc: "Where the shopper returns after paying: https, on a site the shop allows."},
			{Name: "failUrl", Kind: collection.Text, Doc: "Where the shopper returns otherwise."},
		},
		Output: []collection.Field{
			sessionMember,
			{Name: "action", Kind: collection.JSON, Required: true, Fields: widgetAction, Doc: "What the storefront hands to the provider's widget, by type and version."},
		},
		Results: []ports.Result{ports.Created, ports.OK},
		Reasons: openingReasons,
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			s := buying.NewSession{Checkout: in.Text("checkoutId"), Action: payment.Action{
				Kind: payment.Widget, Connection: in.Text("connectionId"), SuccessURL: in.Text("successUrl"), FailURL: in.Text("failUrl"),
			}}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.OpenSession(ctx, call, s)
		},
	}
}

func retrievePaymentSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.retrieve", GraphQL: "paymentSessionRetrieve", Summary: "Show a payment session",
		Doc:    "Of every kind, as it is known; the provider is not asked.",
		Method: "GET", Path: "/payment-sessions/{id}", At: Both, Holder: CheckoutHolder,
		Params: []collection.Field{sessionParam},
		Output: []collection.Field{sessionMember},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			body, err := b.Session(ctx, call, in.Param("id"))
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}

func cancelPaymentSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.cancel", GraphQL: "paymentSessionCancel", Summary: "Cancel a payment session",
		Doc:  "Frees the slot once the provider confirms that nobody can pay any more.",
		Path: "/payment-sessions/{id}/cancel", At: Both,
		Output:  []collection.Field{sessionMember},
		Reasons: []*fault.Error{payment.ErrSlotHeld},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.Cancel(ctx, call, in.Param("id"))
		},
	}.ofSession()
}

func confirmPaymentSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.confirm", GraphQL: "paymentSessionConfirm", Summary: "Capture an approved payment and place the order",
		Doc:  "orderId and amount are those of the action; they are compared before and after the provider is asked. A paid session answers the same again.",
		Path: "/payment-sessions/{id}/confirm", At: Server,
		Input: []collection.Field{
			{Name: "paymentKey", Kind: collection.Text, Required: true, Doc: "The provider's name of the approval."},
			{Name: "orderId", Kind: collection.Text, Required: true, Doc: "The action's orderId."},
			{Name: "amount", Kind: collection.Group, Required: true, Fields: moneyFields, Doc: "The action's amount."},
		},
		Output: []collection.Field{sessionMember, checkoutMember, orderMember},
		Reasons: reasons(saleReasons, []*fault.Error{
			payment.ErrMismatch, payment.ErrAttention, payment.ErrNotPaid, checkout.ErrExpired, checkout.ErrNotOpen,
		}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			c := buying.Confirmation{Session: in.Param("id"), PaymentKey: in.Text("paymentKey"), OrderID: in.Text("orderId"), Amount: in.Money("amount")}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.Confirm(ctx, call, c)
		},
	}.ofSession()
}

func releasePaymentSession(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.release", GraphQL: "paymentSessionRelease", Summary: "Free the slot of a payment session on an operator's word",
		Doc:  "Money that arrives later is still recorded.",
		Path: "/payment-sessions/{id}/release", At: Server,
		Input:  []collection.Field{{Name: "note", Kind: collection.Textarea, Required: true, Doc: "Why."}},
		Output: []collection.Field{sessionMember},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			note := strings.TrimSpace(in.Text("note"))
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.Release(ctx, call, in.Param("id"), note)
		},
	}.ofSession()
}

// ofSession is o with what all changes of an open session have in common.
func (o Operation) ofSession() Operation {
	o.Changes, o.Method, o.Holder, o.Key, o.Params = true, "POST", CheckoutHolder, KeyRequired, []collection.Field{sessionParam}
	o.Reasons = reasons(providerReasons, []*fault.Error{payment.ErrTerminal}, o.Reasons)
	return o
}
