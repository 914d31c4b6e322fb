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
		Name: "paymentSessions.createAggregator", GraphQL: "paymentSessionCreateAggregator",
		Summary: "Open a hosted or standard payment session",
		Doc: "hosted_v2 takes one method and returns only the URL of the provider's page; standard_v2 takes a channel and returns the arguments of requestPayment in the browser. " +
			"Repeating the request for the action that already holds the payment slot returns 200 with the same session.",
		Mutates: true, Method: "POST", Path: "/payment-sessions/aggregator", Surfaces: Both, Capability: CheckoutCapability,
		KeyPolicy: KeyRequired,
		Input: []collection.Field{
			{Name: "checkoutId", Kind: collection.Relation, RelationTo: "checkouts", Required: true, Doc: "The checkout."},
			{
				Name: "mode", Kind: collection.Select, Options: payment.AggregatorKinds, Required: true,
				Doc: "Whether the buyer pays on the provider's page (hosted_v2) or through the provider's SDK in the browser (standard_v2).",
			},
			{
				Name: "method", Kind: collection.Select, Options: payment.Methods,
				Doc: "Payment method of a hosted page; it must be enabled on the provider account.",
			},
			{Name: "country", Kind: collection.Text, Doc: "Country of the buyer of a hosted page: an ISO 3166-1 alpha-2 code."},
			{
				Name: "channel", Kind: collection.Select, Options: []string{payment.ChannelCard},
				Doc: "Payment channel of a standard action.",
			},
			{
				Name: "redirectUrl", Kind: collection.Text, Required: true,
				Doc: "URL to which the shopper returns: https, on an origin the shop allows. A return does not prove that the payment succeeded: retrieve the session.",
			},
			{
				Name: "connectionId", Kind: collection.Relation, RelationTo: "provider-connections",
				Doc: "The provider account; defaults to the shop's default account.",
			},
			{
				Name: cashReceiptName, Kind: collection.Group, Fields: payment.CashReceiptRequestFields,
				Doc: "The cash receipt (현금영수증) that the buyer asks for, should they pay by transfer or virtual account. Only standard_v2 takes it, in KRW: `cashReceiptFor` of the payment providers.",
			},
		},
		Output: []collection.Field{
			sessionMember,
			{
				Name: "checkoutUrl", Kind: collection.Text, Required: true, OmitMissing: true,
				Doc: "URL of the provider's page, for hosted_v2.",
			},
			{
				Name: "action", Kind: collection.JSON, Required: true, OmitMissing: true, Fields: standardAction,
				Doc: "Arguments of requestPayment, for standard_v2; type and version identify their shape. An issued action cannot be withdrawn.",
			},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated, ports.ReceiptOK},
		Reasons: joinReasons(openingReasons, []*fault.Error{payment.ErrMethodDisabled, payment.ErrCashReceiptUnsupported}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			s := payments.SessionInput{Checkout: in.Text("checkoutId"), Action: payment.Action{
				Kind: payment.Kind(in.Choice("mode")), Method: in.Choice("method"), Country: in.Text("country"),
				Channel: in.Choice("channel"), SuccessURL: in.Text("redirectUrl"), Connection: in.Text("connectionId"),
				CashReceipt: readCashReceipt(in),
			}}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return a.Open(ctx, call, s)
		},
	}
}

// cashReceiptName is the input that asks for a cash receipt.
const cashReceiptName = "cashReceipt"

// readCashReceipt reads it.
func readCashReceipt(in *Input) (asked payment.CashReceiptRequest) {
	in.Object(cashReceiptName, func(in *Input) {
		asked = payment.CashReceiptRequest{Type: payment.CashReceiptType(in.Choice("type")), Number: in.Text("number")}.Normalize()
		if in.faultless() {
			in.addProblems(asked.Problems())
		}
	})
	return asked
}

func retrieveAggregator(a *payments.AggregatorSessions) Operation {
	return Operation{
		Name: "paymentSessions.retrieveAggregator", GraphQL: "paymentSessionRetrieveAggregator",
		Summary: "Retrieve a hosted or standard payment session",
		Doc: "Looks the payment up at the provider and settles it. Includes the checkout and the order once the order is placed. Storefront calls query the provider at most once every two seconds and return the last known state in between; " +
			"a secret key needs the write scope.",
		Method: "GET", Path: "/payment-sessions/aggregator/{id}", Surfaces: Both, Capability: CheckoutCapability,
		Params: []collection.Field{sessionParam},
		Output: []collection.Field{
			sessionMember,
			{
				Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts", Required: true, OmitMissing: true,
				Doc: "The checkout that was paid.",
			},
			{
				Name: "order", Kind: collection.Relation, RelationTo: "orders", Required: true, OmitMissing: true,
				Doc: "The order that was placed.",
			},
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
		Name: "paymentSessions.cancelAggregator", GraphQL: "paymentSessionCancelAggregator", BeyondQuota: true,
		Summary: "Cancel a hosted or standard payment session",
		Doc:     "Frees the payment slot once the provider confirms that the session can no longer be paid. An issued standard action cannot be withdrawn: its slot stays held.",
		Path:    "/payment-sessions/aggregator/{id}/cancel", Surfaces: Both,
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
