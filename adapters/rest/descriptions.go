package rest

import (
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Describe implements Describer.
func (health) Describe() []openapi.Route {
	status := collection.Field{
		Name: "status", Kind: collection.Text, Required: true, Doc: "ok, degraded if an optional check fails, or unavailable.",
	}
	return []openapi.Route{
		{NoAuth: true, PlainErrors: true, Operation: operation.Operation{
			Name: "health.live", Summary: "Report whether the process is alive", Method: "GET", Path: "/healthz",
			Output: []collection.Field{status},
		}},
		{NoAuth: true, PlainErrors: true, Statuses: []int{200, 503}, Operation: operation.Operation{
			Name: "health.ready", Summary: "Report whether the server can serve requests", Method: "GET", Path: "/readyz",
			Output: []collection.Field{
				status, {
					Name: "checks", Kind: collection.JSON, ValueKind: collection.Text, Required: true,
					Doc: "ok or failed, by the name of the check.",
				},
				{
					Name: "circuits", Kind: collection.JSON, ValueKind: collection.Text, Required: true, OmitMissing: true,
					Doc: "State of each circuit breaker by name: closed, half-open or open. Of providers, only those that are not closed, by connection.",
				},
			},
		}},
	}
}

// Describe implements Describer.
func (Metrics) Describe() []openapi.Route {
	return []openapi.Route{
		{Tag: "health", NoAuth: true, PlainErrors: true, ResponseTypes: []string{"text/plain"}, Operation: operation.Operation{
			Name: "health.metrics", Summary: "Expose Prometheus metrics", Method: "GET", Path: "/metrics",
		}},
	}
}

// Describe implements Describer.
func (s Sandbox) Describe() []openapi.Route {
	if s.URL == "" {
		return nil
	}
	return slices.Concat(sandboxPages(), sandboxScripts(), sandboxFaults())
}

// sandboxOutcome is what the buyer does.
var sandboxOutcome = collection.Field{
	Name: "outcome", Kind: collection.Select, Options: []string{"approve", "virtual_account", "decline", "abandon"},
	Doc: "What the buyer does: virtual_account approves, to pay later to an account that the bank makes for the payment.",
}

// sandboxButton is what the buyer presses on the payment page.
var sandboxButton = collection.Field{
	Name: "outcome", Kind: collection.Select, Options: append(slices.Clone(sandboxOutcome.Options), "deposit"),
	Doc: sandboxOutcome.Doc + " deposit pays to it.",
}

// sandboxPaymentID is the payment in a path.
var sandboxPaymentID = collection.Field{Name: "id", Kind: collection.Text, Doc: "Id of the payment at the provider, or of its session there."}

// sandboxPages describes the payment page of the sandbox provider.
func sandboxPages() []openapi.Route {
	page := func(method, name, summary string, input []collection.Field) openapi.Route {
		return openapi.Route{
			Tag: "Sandbox", NoAuth: true, PlainErrors: true, ResponseTypes: []string{"text/html"},
			RequestTypes: []string{"application/x-www-form-urlencoded"}, Statuses: []int{200, 303, 400, 404, 409, 503},
			Operation: operation.Operation{
				Name: name, Summary: summary, Method: method, Path: "/sandbox/pay/{id}", Input: input,
				Params: []collection.Field{sandboxPaymentID},
			},
		}
	}
	return []openapi.Route{
		page("GET", "sandbox.page", "Show the payment page of the sandbox provider", nil),
		page("POST", "sandbox.decide", "Press a button on the payment page", []collection.Field{sandboxButton}),
	}
}

// sandboxScripts describes the calls that act as the buyer or as the banks of the sandbox provider.
func sandboxScripts() []openapi.Route {
	script := func(name, summary, path string, input ...collection.Field) openapi.Route {
		ids := []collection.Field{
			{Name: "orderId", Kind: collection.Text, Doc: "The orderId of a widget action."},
			{Name: "sessionId", Kind: collection.Text, Doc: "The session of a hosted page."},
			{Name: "paymentId", Kind: collection.Text, Doc: "The paymentId of a standard action."},
		}
		return sandboxScript(operation.Operation{Name: name, Summary: summary, Path: path, Input: append(ids, input...)})
	}
	return []openapi.Route{
		script("sandbox.authorize", "Act as the buyer at the sandbox provider", "/sandbox/authorize", sandboxOutcome, collection.Field{
			Name: "webhooks", Kind: collection.Select, Options: []string{"once", "twice", "late", "never", "reversed"},
			Doc: "How the provider sends its webhooks.",
		}, collection.Field{
			Name: "dueInHours", Kind: collection.Integer, Doc: "How long a virtual account takes its deposit: 1 to 720 hours; defaults to 72.",
		}),
		script("sandbox.refunds", "Decide asynchronous refunds, or refund in the provider's console", "/sandbox/refunds",
			collection.Field{
				Name: "outcome", Kind: collection.Select, Options: []string{"succeed", "fail", "console"},
				Doc: "succeed completes the pending refunds of the payment; fail makes its pending and completed refunds fail; console makes a refund in the provider's console.",
			},
			collection.Field{
				Name: "amount", Kind: collection.Integer,
				Doc: "Amount of the refund in the console, in minor units; defaults to all that is left.",
			},
		),
		sandboxScript(operation.Operation{
			Name: "sandbox.deposit", Summary: "Pay to the virtual account of a payment", Path: "/sandbox/payments/{id}/deposit",
			Params: []collection.Field{sandboxPaymentID}, Input: []collection.Field{{
				Name: "amount", Kind: collection.Integer, Doc: "Minor units; the account takes the exact amount alone, which is the default.",
			}},
		}),
		sandboxScript(operation.Operation{
			Name: "sandbox.reverse", Summary: "Take a deposit back, so that the payment waits for another one",
			Path: "/sandbox/payments/{id}/reverse", Params: []collection.Field{sandboxPaymentID},
		}),
		sandboxScript(operation.Operation{
			Name: "sandbox.dispute", Summary: "Dispute a payment as its buyer, or decide the dispute as the bank",
			Path: "/sandbox/payments/{id}/dispute", Params: []collection.Field{sandboxPaymentID}, Input: []collection.Field{
				{
					Name: "outcome", Kind: collection.Select, Options: []string{"open", "inquiry", "won", "lost", "closed"},
					Doc: "open disputes the payment, and the bank takes the money; inquiry, and it takes none. won is decided for the shop, lost for the buyer; closed ends an inquiry.",
				},
				{Name: "amount", Kind: collection.Integer, Doc: "Disputed amount in minor units; defaults to all that is not refunded."},
				{Name: "reason", Kind: collection.Text, Doc: "Why the buyer disputes it."},
			},
		}),
		sandboxScript(operation.Operation{
			Name: "sandbox.authorization", Summary: "Capture or release an authorized payment in the provider's console",
			Path: "/sandbox/payments/{id}/authorization", Params: []collection.Field{sandboxPaymentID}, Input: []collection.Field{
				{Name: "outcome", Kind: collection.Select, Options: []string{"capture", "release"}, Doc: "What somebody does with it."},
				{Name: "amount", Kind: collection.Integer, Doc: "Amount to capture in minor units; defaults to all of it."},
			},
		}),
	}
}

// sandboxScript describes a call that needs no key.
func sandboxScript(o operation.Operation) openapi.Route {
	o.Method, o.Reasons = "POST", []*fault.Error{ports.ErrProviderUnavailable, ErrSandboxRefused, fault.ErrNotFound}
	return openapi.Route{Tag: "Sandbox", NoAuth: true, ResponseTypes: []string{"application/json"}, Operation: o}
}

// sandboxFaults describes the fault injection of the sandbox provider.
func sandboxFaults() []openapi.Route {
	faults := func(method, name, summary string, input []collection.Field) openapi.Route {
		return openapi.Route{Tag: "Sandbox", ResponseTypes: []string{"application/json"}, Operation: operation.Operation{
			Name: name, Summary: summary, Method: method, Path: "/sandbox/faults", AllowedKinds: []tenant.Kind{tenant.SecretKey},
			Input: input, Reasons: []*fault.Error{ports.ErrProviderUnavailable, ErrSandboxRefused},
		}}
	}
	return []openapi.Route{
		faults("GET", "sandbox.faults", "List the injected faults", nil),
		faults("PUT", "sandbox.orderFaults", "Inject faults into the sandbox provider", []collection.Field{
			{Name: "latencyMs", Kind: collection.Integer, Doc: "Latency of every call, in milliseconds."},
			{Name: "failNext", Kind: collection.Integer, Doc: "How many of the next calls fail."},
			{Name: "hangNext", Kind: collection.Integer, Doc: "How many of the next calls hang."},
			{Name: "dropResponseNext", Kind: collection.Integer, Doc: "How many of the next responses are lost."},
			{Name: "wrongAmountNext", Kind: collection.Integer, Doc: "How many of the next payments have a wrong amount."},
			{Name: "asyncRefundNext", Kind: collection.Integer, Doc: "How many of the next refunds are accepted and completed later."},
		}),
		faults("DELETE", "sandbox.clearFaults", "Clear all injected faults", nil),
	}
}

// Describe implements Describer. Uploads are described with their collection.
func (a Media) Describe() []openapi.Route {
	text := func(name, doc string) collection.Field {
		return collection.Field{Name: name, Kind: collection.Text, Doc: doc}
	}
	return []openapi.Route{{
		Tag: "Media", NoAuth: true, ResponseTypes: []string{"*/*"}, Statuses: []int{200, 206, 304, 416},
		Headers: []collection.Field{
			text("Range", "bytes=first-last: the part of the file to return."),
			text("If-Range", "The ETag of the file of which the client has a part."),
		},
		Operation: operation.Operation{
			Name: "media.file", Summary: "Show a file", Doc: "The field url of the record has this address. It takes no credentials.",
			Method: "GET", Path: "/api/media/file/{tenant}/{id}/{name}", Cacheable: true,
			Params: []collection.Field{
				text("tenant", "The tenant."), text("id", "The record."), text("name", "Name of the file; any name works."),
			},
		},
	}}
}

// Describe implements Describer. Introspection describes the schema.
func (GraphQL) Describe() []openapi.Route {
	return []openapi.Route{{
		Tag: "GraphQL", RequestTypes: []string{"application/json", "multipart/form-data"},
		ResponseTypes: []string{"application/json", mimeGraphQL}, PlainErrors: true,
		Statuses: []int{200, 400, 401, 403, 404, 405, 409, 413, 415, 419, 422, 429, 500, 502, 503},
		Operation: operation.Operation{
			Name: "graphql.answer", Summary: "Execute a GraphQL document", Method: "POST", Path: "/api/graphql",
			Doc:          "Queries and mutations correspond to the paths of this document. For clients that accept application/graphql-response+json, the status is that of the document's result. Files are sent as the GraphQL multipart request specification defines.",
			AllowedKinds: []tenant.Kind{tenant.Anonymous, tenant.ClientKey, tenant.Customer, tenant.User, tenant.SecretKey},
			Input: []collection.Field{
				{Name: "query", Kind: collection.Textarea, Required: true, Doc: "The document."},
				{Name: "operationName", Kind: collection.Text, Doc: "Name of the operation to execute."},
				{Name: "variables", Kind: collection.JSON, Doc: "The variables, by name."},
				{Name: "extensions", Kind: collection.JSON, Doc: "Extensions of the client; ignored."},
			},
			KeyPolicy: operation.KeyOptional,
		},
	}}
}
