package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var providerKinds = []string{string(payment.Widget), string(payment.Hosted), string(payment.Standard)}

var paymentProviderFields = []collection.Field{{
	Name: "providers", Kind: collection.Array, Required: true, Doc: "The providers that connections can name.",
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Doc: "The value of `provider` in connections, sessions and transactions."},
		{Name: "title", Kind: collection.Text, Required: true, Doc: "The name for people."},
		{Name: "account", Kind: collection.Text, Required: true, Doc: "What `accountKey` of a connection is there."},
		{Name: "kinds", Kind: collection.Selects, Options: providerKinds, Required: true, Doc: "Kinds of payment session that it takes."},
		{
			Name: "methods", Kind: collection.Selects, Options: payment.Methods, Required: true,
			Doc: "Methods that its hosted page can be opened for; empty without hosted sessions.",
		},
		{
			Name: "credentials", Kind: collection.Array, Required: true, Doc: "Members of `credentials` of a connection.",
			Fields: []collection.Field{
				{Name: "name", Kind: collection.Text, Required: true, Doc: "The member's name."},
				{Name: "description", Kind: collection.Text, Required: true, Doc: "What it is."},
				{Name: "secret", Kind: collection.Boolean, Required: true, Doc: "Whether it never reaches a browser."},
				{
					Name: "requiredFor", Kind: collection.Selects, Options: providerKinds, Required: true,
					Doc: "Kinds of session that need it; empty: it is optional.",
				},
			},
		},
		{
			Name: "signsWebhooks", Kind: collection.Boolean, Required: true,
			Doc: "Whether a connection needs `webhookSecrets`, without which its webhooks are refused.",
		},
		{
			Name: "refundAccounts", Kind: collection.Group, Required: true, Doc: "Payments that are refunded to a bank account of the buyer.",
			Fields: []collection.Field{
				{Name: "requiredFor", Kind: collection.Texts, Required: true, Doc: "Methods, in the provider's words, that are refunded to nothing else."},
				{Name: "acceptedFor", Kind: collection.Texts, Required: true, Doc: "Methods that are refunded to an account if one is given."},
				{Name: "banks", Kind: collection.Texts, Required: true, Doc: "Codes of the banks; empty: the provider does not publish them all."},
			},
		},
		{
			Name: "taxFreeFor", Kind: collection.Selects, Options: providerKinds, Required: true,
			Doc: "Kinds of payment session at which the provider is told which part of a payment, and of its refunds, has no value added tax.",
		},
		{
			Name: "cashReceiptFor", Kind: collection.Selects, Options: providerKinds, Required: true,
			Doc: "Kinds of payment session at which the provider is told which cash receipt (현금영수증) the buyer asks for.",
		},
		{
			Name: "capturesLater", Kind: collection.Boolean, Required: true,
			Doc: "Whether `capture` of a connection may be `on_shipping` or `manual`. Methods that cannot are captured at once.",
		},
		{Name: "currencies", Kind: collection.Texts, Required: true, Doc: "ISO 4217 codes that it takes; empty: it depends on the account."},
	},
}}

// testFields are what a test of an outside service answers: whether it works, when that was found and after how long, and more. who
// was asked.
func testFields(who, works string, more []collection.Field) []collection.Field {
	return append([]collection.Field{
		{Name: "ok", Kind: collection.Boolean, Required: true, NonNull: true, Doc: works},
		{Name: "checkedAt", Kind: collection.Date, Required: true, NonNull: true, Doc: "When the test ended."},
		{
			Name: "latencyMs", Kind: collection.Integer, Required: true, NonNull: true,
			Doc: "Milliseconds until the " + who + " answered, or until it was clear that it does not.",
		},
	}, more...)
}

var connectionTestFields = testFields("provider", "Whether the provider accepts the secret key. Other credentials are not tried.", []collection.Field{
	{
		Name: "problem", Kind: collection.Group, OmitMissing: true, Doc: "Why it does not work; left out where it does.",
		Fields: []collection.Field{
			{
				Name: "reason", Kind: collection.Select, Options: connections.TestProblems, Required: true, NonNull: true,
				Doc: "credentials_refused: the provider refused, or was not asked since a credential is missing. " +
					"credentials_unreadable: it was not asked, since no secret of this server opens what is stored. " +
					"provider_unreachable: it did not answer in time, or only that it fails. " +
					"calls_paused: it was not asked, since too many calls of the connection just failed, or are under way.",
			},
			{Name: "providerCode", Kind: collection.Text, OmitMissing: true, Doc: "The provider's own code of a refusal; left out where it gave none."},
		},
	},
})

// PaymentProviders are the operations for whoever sets up a connection: they list the payment providers of this server, and
// test a connection. Rules payments-35, payments-72.
func PaymentProviders(all []payment.Provider, tester *connections.Tester) []Operation {
	return []Operation{testConnection(tester), {
		Name: "paymentProviders.list", GraphQL: "paymentProviders", Summary: "List the payment providers and what a connection needs",
		Doc: "The same for every tenant of this server. What a connection has is never shown.", Method: get, Path: "/payment-providers",
		Surfaces: Root, Output: paymentProviderFields, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Run: func(_ context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return respond(paymentProviderFields, paymentProvidersRecord(all), access.RequireMember(call.Principal))
		},
	}}
}

func testConnection(tester *connections.Tester) Operation {
	return Operation{
		Name: "providerConnections.test", GraphQL: "providerConnectionTest", Summary: "Test a connection to a payment provider",
		Doc: "Asks the provider whether it accepts the secret key, by looking up a payment that does not exist. Nothing changes, there or here. " +
			"A connection that is switched off can be tested, too. Credentials that have not the form that the provider takes are refused at their fields.",
		Method: "POST", Path: "/provider-connections/{id}/test", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Params: []collection.Field{{
			Name: "id", Alias: "providerConnectionId", Kind: collection.Relation, RelationTo: payment.Connections.Slug, Doc: "The connection.",
		}},
		Output: connectionTestFields, Reasons: []*fault.Error{ports.ErrNotFound, payment.ErrNotConfigured},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			r, err := tester.Test(ctx, call.Principal, in.Param("id"))
			return respond(connectionTestFields, connectionTestRecord(r), err)
		},
	}
}

func connectionTestRecord(r connections.TestResult) collection.Record {
	answer := collection.Record{"ok": r.Problem == "", "checkedAt": r.CheckedAt, "latencyMs": r.Latency.Milliseconds()}
	if r.Problem != "" {
		problem := collection.Record{"reason": string(r.Problem)}
		if r.ProviderCode != "" {
			problem["providerCode"] = r.ProviderCode
		}
		answer["problem"] = problem
	}
	return answer
}

func paymentProvidersRecord(all []payment.Provider) collection.Record {
	list := make([]collection.Record, len(all))
	for i, p := range all {
		credentials := make([]collection.Record, len(p.Credentials))
		for j, c := range p.Credentials {
			credentials[j] = collection.Record{"name": c.Name, "description": c.Doc, "secret": c.Secret, "requiredFor": texts(c.For)}
		}
		list[i] = collection.Record{
			"name": p.Name, "title": p.Title, "account": p.Account, "kinds": texts(p.Kinds), "methods": texts(p.Methods),
			"credentials": credentials, "signsWebhooks": p.SignsWebhooks, "taxFreeFor": texts(p.TaxFree), "cashReceiptFor": texts(p.CashReceipts),
			"currencies": texts(p.Currencies), "capturesLater": p.CapturesLater,
			"refundAccounts": collection.Record{
				"requiredFor": texts(p.RefundAccounts.Required), "acceptedFor": texts(p.RefundAccounts.Accepted), "banks": texts(p.RefundAccounts.Banks),
			},
		}
	}
	return collection.Record{"providers": list}
}

// texts is a list of names as texts, never nil.
func texts[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}
