package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// foundFields is how a payment is found that a provider knows: all three are compared exactly.
var foundFields = []collection.Field{
	{Name: "accountKey", Kind: collection.Text, Required: true, Doc: "The account's identifier at the provider."},
	{Name: "environment", Kind: collection.Select, Options: []string{string(tenant.Test), string(tenant.Live)}, Required: true, Doc: "The environment, which is the key's."},
	{Name: "providerPaymentId", Kind: collection.Text, Required: true, Doc: "The payment as the provider knows it: by our payment id or by its own."},
}

// reconciliation is what compares a provider's payments with ours. Contract 8.
func reconciliation(b *buying.Buying) []Operation {
	return []Operation{findPayment(b), reconcilePayment(b)}
}

func readFound(in *Input) (buying.Elsewhere, error) {
	e := buying.Elsewhere{
		AccountKey: in.Text("accountKey"), Environment: tenant.Environment(in.Choice("environment")), ProviderPayment: in.Text("providerPaymentId"),
	}
	return e, in.Done()
}

func findPayment(b *buying.Buying) Operation {
	session := sessionMember
	session.Sparse = true
	return Operation{
		Name: "paymentSessions.findAggregator", GraphQL: "paymentSessionFindAggregator", Summary: "Find the session of a provider's payment",
		Doc:    "Local state only: no provider is called and nothing changes.",
		Method: "GET", Path: "/payment-sessions/aggregator/find", At: Server,
		Input: foundFields,
		Output: []collection.Field{
			{Name: "found", Kind: collection.Boolean, Required: true, Doc: "Whether a session has exactly this payment."},
			session,
		},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			e, err := readFound(in)
			if err != nil {
				return once.Answer{}, err
			}
			body, err := b.FindAggregator(ctx, call, e)
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}

func reconcilePayment(b *buying.Buying) Operation {
	session, ofCheckout, placed := sessionMember, checkoutMember, orderMember
	session.Sparse, ofCheckout.Sparse = true, true
	placed.Required, placed.Sparse, placed.Doc = false, true, "The order, once placed."
	return Operation{
		Name: "paymentSessions.reconcileAggregator", GraphQL: "paymentSessionReconcileAggregator", Summary: "Look a provider's payment up and settle it",
		Doc:     "Without a session of ours nothing is attached to the payment: a person has to look at it. Refunds that were made in the provider's console are written down.",
		Changes: true, Method: "POST", Path: "/payment-sessions/aggregator/reconcile", At: Server, Key: KeyRequired,
		Input: foundFields,
		Output: []collection.Field{
			{Name: "found", Kind: collection.Boolean, Required: true, Doc: "Whether a session has exactly this payment."},
			{Name: "requiresAttention", Kind: collection.Boolean, Required: true, Doc: "Whether a person has to look at it."},
			session, ofCheckout, placed,
		},
		Reasons: reasons(providerReasons, []*fault.Error{payment.ErrRefundBusy}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			e, err := readFound(in)
			if err != nil {
				return once.Answer{}, err
			}
			return b.ReconcileAggregator(ctx, call, e)
		},
	}
}
