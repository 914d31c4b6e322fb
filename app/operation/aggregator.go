package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// aggregators is the operations of hosted and standard sessions.
func aggregators(b *buying.Buying) []Operation {
	return []Operation{createAggregator(b), retrieveAggregator(b), cancelAggregator(b)}
}

func createAggregator(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.createAggregator", GraphQL: "paymentSessionCreateAggregator", Summary: "Open a hosted or standard payment session",
		Doc: "hosted_v2 takes exactly one method and answers the address of the provider's page alone; standard_v2 takes a channel and answers what the browser's requestPayment takes. " +
			"Asking for exactly the action that holds the slot answers 200 with the same session.",
		Changes: true, Method: "POST", Path: "/payment-sessions/aggregator", At: Both, Holder: CheckoutHolder, Key: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, To: "checkouts", Required: true, Doc: "The checkout."},
			{Name: "mode", Kind: collection.Select, Options: payment.Modes, Required: true, Doc: "On the provider's page, or by an action of the browser."},
			{Name: "method", Kind: collection.Select, Options: payment.Methods, Doc: "The one method of a hosted page; it has to be enabled on the provider account."},
			{Name: "country", Kind: collection.Text, Doc: "Where the buyer of a hosted page is: an ISO 3166-1 alpha-2 code."},
			{Name: "channel", Kind: collection.Select, Options: []string{payment.Card}, Doc: "The channel of a standard action."},
			{Name: "redirectUrl", Kind: collection.Text, Required: true, Doc: "Where the shopper returns: https, on a site the shop allows. Coming back proves nothing: retrieve the session."},
			{Name: "connectionId", Kind: collection.Relation, To: "provider-connections", Doc: "The provider account; left out: the default one."},
		},
		Output: []collection.Field{
			sessionMember,
			{Name: "checkoutUrl", Kind: collection.Text, Required: true, Sparse: true, Doc: "hosted_v2: the provider's page."},
			{Name: "action", Kind: collection.JSON, Required: true, Sparse: true, Fields: standardAction, Doc: "standard_v2: what requestPayment takes, by type and version. Once handed out it cannot be taken back."},
		},
		Results: []ports.Result{ports.Created, ports.OK},
		Reasons: reasons(openingReasons, []*fault.Error{payment.ErrMethodDisabled}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			s := buying.NewSession{Checkout: in.Text("checkoutId"), Action: payment.Action{
				Kind: payment.Kind(in.Choice("mode")), Method: in.Choice("method"), Country: in.Text("country"), Channel: in.Choice("channel"),
				SuccessURL: in.Text("redirectUrl"), Connection: in.Text("connectionId"),
			}}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.OpenAggregator(ctx, call, s)
		},
	}
}

func retrieveAggregator(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.retrieveAggregator", GraphQL: "paymentSessionRetrieveAggregator", Summary: "Look a hosted or standard payment up",
		Doc: "Asks the provider and settles what it says; with checkout and order once it is placed. Shoppers' calls ask at most once in two seconds and tell what is known in between; " +
			"a secret key must be allowed to write.",
		Method: "GET", Path: "/payment-sessions/aggregator/{id}", At: Both, Holder: CheckoutHolder, Params: []collection.Field{sessionParam},
		Output: []collection.Field{
			sessionMember,
			{Name: "checkout", Kind: collection.Relation, To: "checkouts", Required: true, Sparse: true, Doc: "The checkout that was paid."},
			{Name: "order", Kind: collection.Relation, To: "orders", Required: true, Sparse: true, Doc: "The order that was placed."},
		},
		Reasons: []*fault.Error{ports.ErrProviderUnavailable, ports.ErrProviderRejected, payment.ErrNotConfigured},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			body, err := b.RetrieveAggregator(ctx, call, in.Param("id"))
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}

func cancelAggregator(b *buying.Buying) Operation {
	return Operation{
		Name: "paymentSessions.cancelAggregator", GraphQL: "paymentSessionCancelAggregator", Summary: "Cancel a hosted or standard payment session",
		Doc:  "Frees the slot once the provider confirms that nobody can pay any more. A standard action that was handed out cannot be taken back: its slot stays held.",
		Path: "/payment-sessions/aggregator/{id}/cancel", At: Both,
		Output:  []collection.Field{sessionMember},
		Reasons: []*fault.Error{payment.ErrSlotHeld},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return b.CancelAggregator(ctx, call, in.Param("id"))
		},
	}.ofSession()
}
