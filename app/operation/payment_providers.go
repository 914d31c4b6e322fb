package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
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
			Name: "capturesLater", Kind: collection.Boolean, Required: true,
			Doc: "Whether `capture` of a connection may be `on_shipping` or `manual`. Methods that cannot are captured at once.",
		},
		{Name: "currencies", Kind: collection.Texts, Required: true, Doc: "ISO 4217 codes that it takes; empty: it depends on the account."},
	},
}}

// PaymentProviders is the operation that lists the payment providers of this server, for whoever sets up a connection.
// Rule payments-35.
func PaymentProviders(all []payment.Provider) []Operation {
	return []Operation{{
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

func paymentProvidersRecord(all []payment.Provider) collection.Record {
	list := make([]collection.Record, len(all))
	for i, p := range all {
		credentials := make([]collection.Record, len(p.Credentials))
		for j, c := range p.Credentials {
			credentials[j] = collection.Record{"name": c.Name, "description": c.Doc, "secret": c.Secret, "requiredFor": texts(c.For)}
		}
		list[i] = collection.Record{
			"name": p.Name, "title": p.Title, "account": p.Account, "kinds": texts(p.Kinds), "methods": texts(p.Methods),
			"credentials": credentials, "signsWebhooks": p.SignsWebhooks, "taxFreeFor": texts(p.TaxFree), "currencies": texts(p.Currencies),
			"capturesLater": p.CapturesLater,
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
