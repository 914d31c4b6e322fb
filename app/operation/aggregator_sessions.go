package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// aggregatorOperations are the operations of hosted and standard sessions.
func aggregatorOperations(a *payments.AggregatorSessions) []Operation {
	return []Operation{createAggregator(a), retrieveAggregator(a), cancelAggregator(a)}
}

func createAggregator(a *payments.AggregatorSessions) Operation {
	return Operation{
		Name: "paymentSessions.createAggregator", GraphQL: "paymentSessionCreateAggregator", Summary: "Open a hosted or standard payment session",
		Doc: "hosted_v2 takes exactly one method and answers the address of the provider's page alone; standard_v2 takes a channel and answers what the browser's requestPayment takes. " +
			"Asking for exactly the action that holds the slot answers 200 with the same session.",
		Mutates: true, Method: "POST", Path: "/payment-sessions/aggregator", Surfaces: Both, Capability: CheckoutCapability, KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, RelationTo: "checkouts", Required: true, Doc: "The checkout."},
			{Name: "mode", Kind: collection.Select, Options: payment.AggregatorKinds, Required: true, Doc: "On the provider's page, or by an action of the browser."},
			{Name: "method", Kind: collection.Select, Options: payment.Methods, Doc: "The one method of a hosted page; it has to be enabled on the provider account."},
			{Name: "country", Kind: collection.Text, Doc: "Where the buyer of a hosted page is: an ISO 3166-1 alpha-2 code."},
			{Name: "channel", Kind: collection.Select, Options: []string{payment.ChannelCard}, Doc: "The channel of a standard action."},
			{Name: "redirectUrl", Kind: collection.Text, Required: true, Doc: "Where the shopper returns: https, on a site the shop allows. Coming back proves nothing: retrieve the session."},
			{Name: "connectionId", Kind: collection.Relation, RelationTo: "provider-connections", Doc: "The provider account; left out: the default one."},
		},
		Output: []collection.Field{
			sessionMember,
			{Name: "checkoutUrl", Kind: collection.Text, Required: true, OmitMissing: true, Doc: "hosted_v2: the provider's page."},
			{Name: "action", Kind: collection.JSON, Required: true, OmitMissing: true, Fields: standardAction, Doc: "standard_v2: what requestPayment takes, by type and version. Once handed out it cannot be taken back."},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated, ports.ReceiptOK},
		Reasons: joinReasons(openingReasons, []*fault.Error{payment.ErrMethodDisabled}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			s := payments.SessionInput{Checkout: in.Text("checkoutId"), Action: payment.Action{
				Kind: payment.Kind(in.Choice("mode")), Method: in.Choice("method"), Country: in.Text("country"), Channel: in.Choice("channel"),
				SuccessURL: in.Text("redirectUrl"), Connection: in.Text("connectionId"),
			}}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return a.Open(ctx, call, s)
		},
	}
}

func retrieveAggregator(a *payments.AggregatorSessions) Operation {
	return Operation{
		Name: "paymentSessions.retrieveAggregator", GraphQL: "paymentSessionRetrieveAggregator", Summary: "Retrieve a hosted or standard payment session",
		Doc: "Looks the payment up at the provider and settles it; with checkout and order once it is placed. Storefront calls ask the provider at most once in two seconds and return the last known state in between; " +
			"a secret key needs the write scope.",
		Method: "GET", Path: "/payment-sessions/aggregator/{id}", Surfaces: Both, Capability: CheckoutCapability, Params: []collection.Field{sessionParam},
		Output: []collection.Field{
			sessionMember,
			{Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Required: true, OmitMissing: true, Doc: "The checkout that was paid."},
			{Name: "order", Kind: collection.Relation, RelationTo: "orders", Required: true, OmitMissing: true, Doc: "The order that was placed."},
		},
		Reasons: []*fault.Error{ports.ErrProviderUnavailable, ports.ErrProviderRejected, payment.ErrNotConfigured},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			body, err := a.Retrieve(ctx, call, in.Param("id"))
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

func cancelAggregator(a *payments.AggregatorSessions) Operation {
	return Operation{
		Name: "paymentSessions.cancelAggregator", GraphQL: "paymentSessionCancelAggregator", Summary: "Cancel a hosted or standard payment session",
		Doc:  "Frees the slot once the provider confirms that it can no longer be paid. A standard action that was handed out cannot be withdrawn: its slot stays held.",
		Path: "/payment-sessions/aggregator/{id}/cancel", Surfaces: Both,
		Output:  []collection.Field{sessionMember},
		Reasons: []*fault.Error{payment.ErrSlotHeld},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return a.Cancel(ctx, call, in.Param("id"))
		},
	}.asSessionChange()
}
