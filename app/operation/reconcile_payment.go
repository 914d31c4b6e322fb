package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// findPaymentInput identifies a payment at a provider: all three members are compared exactly.
var findPaymentInput = []collection.Field{
	{Name: "accountKey", Kind: collection.Text, Required: true, Doc: "The account's identifier at the provider."},
	{
		Name: "environment", Kind: collection.Select, Options: []string{string(tenant.Test), string(tenant.Live)}, Required: true,
		Doc: "The environment, which must be that of the key.",
	},
	{
		Name: "providerPaymentId", Kind: collection.Text, Required: true,
		Doc: "Id of the payment at the provider: the one we sent, or the provider's own.",
	},
}

// reconciliationOperations compare a provider's payments with ours. Rules payments-14, payments-15.
func reconciliationOperations(r *payments.AggregatorReconciler) []Operation {
	return []Operation{findPayment(r), reconcilePayment(r)}
}

func readFindPayment(in *Input) (payments.ProviderPaymentRef, error) {
	e := payments.ProviderPaymentRef{
		AccountKey: in.Text("accountKey"), Environment: tenant.Environment(in.Choice("environment")),
		ProviderPayment: in.Text("providerPaymentId"),
	}
	return e, in.Done()
}

func findPayment(r *payments.AggregatorReconciler) Operation {
	session := sessionMember
	session.OmitMissing = true
	return Operation{
		Name: "paymentSessions.findAggregator", GraphQL: "paymentSessionFindAggregator",
		Summary: "Find the session of a provider's payment", Doc: "Local state only: no provider is called and nothing changes.",
		Method: "GET", Path: "/payment-sessions/aggregator/find", Surfaces: Server | Root,
		Input: findPaymentInput,
		Output: []collection.Field{
			{Name: "found", Kind: collection.Boolean, Required: true, Doc: "Whether a session has this payment."},
			session,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			e, err := readFindPayment(in)
			if err != nil {
				return idempotency.Response{}, err
			}
			body, err := r.Find(ctx, call, e)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

func reconcilePayment(r *payments.AggregatorReconciler) Operation {
	session, ofCheckout, placed := sessionMember, checkoutMember, orderMember
	session.OmitMissing, ofCheckout.OmitMissing = true, true
	placed.Required, placed.OmitMissing, placed.Doc = false, true, "The order, once placed."
	return Operation{
		Name: "paymentSessions.reconcileAggregator", GraphQL: "paymentSessionReconcileAggregator", BeyondQuota: true,
		Summary: "Look up a provider's payment and settle it",
		Doc:     "A payment without a session is reported as requiring attention and not attached to anything. Refunds made in the provider's console are recorded.",
		Mutates: true, Method: "POST", Path: "/payment-sessions/aggregator/reconcile", Surfaces: Server | Root, KeyPolicy: KeyRequired,
		Input: findPaymentInput,
		Output: []collection.Field{
			{Name: "found", Kind: collection.Boolean, Required: true, Doc: "Whether a session has this payment."},
			{Name: "requiresAttention", Kind: collection.Boolean, Required: true, Doc: "Whether the payment requires attention."},
			session, ofCheckout, placed,
		},
		Reasons: joinReasons(providerReasons, []*fault.Error{payment.ErrRefundInProgress}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			e, err := readFindPayment(in)
			if err != nil {
				return idempotency.Response{}, err
			}
			return r.Reconcile(ctx, call, e)
		},
	}
}
