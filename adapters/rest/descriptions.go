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
	status := collection.Field{Name: "status", Kind: collection.Text, Required: true, Doc: "ok, degraded where what is optional fails, or unavailable."}
	return []openapi.Route{
		{NoAuth: true, PlainErrors: true, Operation: operation.Operation{
			Name: "health.live", Summary: "Report whether the process is alive", Method: "GET", Path: "/healthz", Output: []collection.Field{status},
		}},
		{NoAuth: true, PlainErrors: true, Statuses: []int{200, 503}, Operation: operation.Operation{
			Name: "health.ready", Summary: "Report whether the server can serve requests", Method: "GET", Path: "/readyz",
			Output: []collection.Field{
				status, {Name: "checks", Kind: collection.JSON, ValueKind: collection.Text, Required: true, Doc: "ok or failed, by what was checked."},
				{Name: "circuits", Kind: collection.JSON, ValueKind: collection.Text, Required: true, OmitMissing: true, Doc: "closed, half-open or open, by what a circuit breaker stands before; of providers only those that are not closed, by connection."},
			},
		}},
	}
}

// Describe implements Describer.
func (Metrics) Describe() []openapi.Route {
	return []openapi.Route{{Tag: "health", NoAuth: true, PlainErrors: true, ResponseTypes: []string{"text/plain"}, Operation: operation.Operation{
		Name: "health.metrics", Summary: "Expose Prometheus metrics", Method: "GET", Path: "/metrics",
	}}}
}

// Describe implements Describer.
func (s Sandbox) Describe() []openapi.Route {
	if s.URL == "" {
		return nil
	}
	session := []collection.Field{{Name: "id", Kind: collection.Text, Doc: "The payment, as the provider knows it."}}
	failures := []collection.Field{
		{Name: "latencyMs", Kind: collection.Integer, Doc: "How long every call takes."},
		{Name: "failNext", Kind: collection.Integer, Doc: "How many calls fail."},
		{Name: "hangNext", Kind: collection.Integer, Doc: "How many calls hang."},
		{Name: "dropResponseNext", Kind: collection.Integer, Doc: "How many answers get lost."},
		{Name: "wrongAmountNext", Kind: collection.Integer, Doc: "How many payments are of another amount."},
		{Name: "asyncRefundNext", Kind: collection.Integer, Doc: "How many refunds are accepted and done later."},
	}
	handles := []collection.Field{
		{Name: "orderId", Kind: collection.Text, Doc: "Of a widget action."},
		{Name: "sessionId", Kind: collection.Text, Doc: "Of a hosted page."},
		{Name: "paymentId", Kind: collection.Text, Doc: "Of a standard action."},
	}
	decision := []collection.Field{{Name: "outcome", Kind: collection.Select, Options: []string{"approve", "decline", "abandon"}, Doc: "What the buyer does."}}
	page := func(method, name, summary string, input []collection.Field) openapi.Route {
		return openapi.Route{
			Tag: "Sandbox", NoAuth: true, PlainErrors: true, ResponseTypes: []string{"text/html"}, RequestTypes: []string{"application/x-www-form-urlencoded"},
			Statuses:  []int{200, 303, 400, 404, 409, 503},
			Operation: operation.Operation{Name: name, Summary: summary, Method: method, Path: "/sandbox/pay/{id}", Params: session, Input: input},
		}
	}
	script := func(name, summary, path string, input []collection.Field) openapi.Route {
		return openapi.Route{Tag: "Sandbox", NoAuth: true, ResponseTypes: []string{"application/json"}, Operation: operation.Operation{
			Name: name, Summary: summary, Method: "POST", Path: path, Input: input,
			Reasons: []*fault.Error{ports.ErrProviderUnavailable, ErrSandboxRefused, fault.ErrNotFound},
		}}
	}
	faults := func(method, name, summary string, input []collection.Field) openapi.Route {
		return openapi.Route{Tag: "Sandbox", ResponseTypes: []string{"application/json"}, Operation: operation.Operation{
			Name: name, Summary: summary, Method: method, Path: "/sandbox/faults", AllowedKinds: []tenant.Kind{tenant.SecretKey}, Input: input,
			Reasons: []*fault.Error{ports.ErrProviderUnavailable, ErrSandboxRefused},
		}}
	}
	return []openapi.Route{
		page("GET", "sandbox.page", "Show the payment page of the sandbox provider", nil),
		page("POST", "sandbox.decide", "Approve, decline or leave on the payment page", decision),
		script("sandbox.authorize", "Act as the buyer at the sandbox provider", "/sandbox/authorize", append(slices.Clip(handles),
			collection.Field{Name: "outcome", Kind: collection.Select, Options: []string{"approve", "decline", "abandon"}, Doc: "What the buyer does."},
			collection.Field{Name: "webhooks", Kind: collection.Select, Options: []string{"once", "twice", "late", "never", "reversed"}, Doc: "How the provider sends its webhooks."},
		)),
		script("sandbox.refunds", "Decide asynchronous refunds, or refund in the provider's console", "/sandbox/refunds", append(slices.Clip(handles),
			collection.Field{Name: "outcome", Kind: collection.Select, Options: []string{"succeed", "fail", "console"}, Doc: "What becomes of the payment's refunds: those on their way are done, or they and those that were done fail; or a person makes one more in the console."},
			collection.Field{Name: "amount", Kind: collection.Integer, Doc: "What the person in the console gives back, in minor units; all that is left without it."},
		)),
		faults("GET", "sandbox.faults", "List the injected faults", nil),
		faults("PUT", "sandbox.orderFaults", "Inject faults into the sandbox provider", failures),
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
		Headers: []collection.Field{text("Range", "bytes=first-last: a part of the file."), text("If-Range", "The ETag of the file a part of which is at hand.")},
		Operation: operation.Operation{
			Name: "media.file", Summary: "Show a file", Doc: "The address stands in the url of the record; it takes no credentials.",
			Method: "GET", Path: "/api/media/file/{tenant}/{id}/{name}", Cacheable: true,
			Params: []collection.Field{text("tenant", "The tenant."), text("id", "The record."), text("name", "The name of the file; any will do.")},
		},
	}}
}

// Describe implements Describer. Introspection describes the schema.
func (GraphQL) Describe() []openapi.Route {
	return []openapi.Route{{
		Tag: "GraphQL", RequestTypes: []string{"application/json", "multipart/form-data"}, ResponseTypes: []string{"application/json", mimeGraphQL}, PlainErrors: true, Statuses: []int{200, 400, 401, 403, 404, 405, 409, 413, 415, 419, 422, 429, 500, 502, 503},
		Operation: operation.Operation{
			Name: "graphql.answer", Summary: "Answer a GraphQL document", Method: "POST", Path: "/api/graphql",
			Doc:          "Operations and fields are those of the paths here. With application/graphql-response+json accepted, the status tells how the document fared. Files come as the GraphQL multipart request specification says.",
			AllowedKinds: []tenant.Kind{tenant.Anonymous, tenant.ClientKey, tenant.Customer, tenant.User, tenant.SecretKey},
			Input: []collection.Field{
				{Name: "query", Kind: collection.Textarea, Required: true, Doc: "The document."},
				{Name: "operationName", Kind: collection.Text, Doc: "Which of its operations is meant."},
				{Name: "variables", Kind: collection.JSON, Doc: "The variables, by name."},
				{Name: "extensions", Kind: collection.JSON, Doc: "What clients add; it changes nothing."},
			},
			KeyPolicy: operation.KeyOptional,
		},
	}}
}
