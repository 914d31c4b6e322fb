package rest

import (
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Describe implements Describer.
func (health) Describe() []openapi.Route {
	status := collection.Field{Name: "status", Kind: collection.Text, Required: true, Doc: "ok, degraded where what is optional fails, or unavailable."}
	return []openapi.Route{
		{Open: true, Plain: true, Operation: operation.Operation{
			Name: "health.live", Summary: "Say whether the process lives", Method: "GET", Path: "/healthz", Output: []collection.Field{status},
		}},
		{Open: true, Plain: true, Statuses: []int{200, 503}, Operation: operation.Operation{
			Name: "health.ready", Summary: "Say whether the server can serve", Method: "GET", Path: "/readyz",
			Output: []collection.Field{
				status, {Name: "checks", Kind: collection.JSON, Of: collection.Text, Required: true, Doc: "ok or failed, by what was checked."},
				{Name: "circuits", Kind: collection.JSON, Of: collection.Text, Required: true, Sparse: true, Doc: "closed, half-open or open, by what a circuit breaker stands before; of providers only those that are not closed, by connection."},
			},
		}},
	}
}

// Describe implements Describer.
func (Metrics) Describe() []openapi.Route {
	return []openapi.Route{{Tag: "health", Open: true, Plain: true, Gives: []string{"text/plain"}, Operation: operation.Operation{
		Name: "health.metrics", Summary: "Tell Prometheus how the server is doing", Method: "GET", Path: "/metrics",
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
			Tag: "Sandbox", Open: true, Plain: true, Gives: []string{"text/html"}, Takes: []string{"application/x-www-form-urlencoded"},
			Statuses:  []int{200, 303, 400, 404, 409, 503},
			Operation: operation.Operation{Name: name, Summary: summary, Method: method, Path: "/sandbox/pay/{id}", Params: session, Input: input},
		}
	}
	script := func(name, summary, path string, input []collection.Field) openapi.Route {
		return openapi.Route{Tag: "Sandbox", Open: true, Gives: []string{"application/json"}, Operation: operation.Operation{
			Name: name, Summary: summary, Method: "POST", Path: path, Input: input,
			Reasons: []*fault.Error{ports.ErrProviderUnavailable, ErrSandboxRefused, fault.ErrNotFound},
		}}
	}
	faults := func(method, name, summary string, input []collection.Field) openapi.Route {
		return openapi.Route{Tag: "Sandbox", Gives: []string{"application/json"}, Operation: operation.Operation{
			Name: name, Summary: summary, Method: method, Path: "/sandbox/faults", Who: []tenant.Kind{tenant.SecretKey}, Input: input,
			Reasons: []*fault.Error{ports.ErrProviderUnavailable, ErrSandboxRefused},
		}}
	}
	return []openapi.Route{
		page("GET", "sandbox.page", "Show the payment page of the sandbox provider", nil),
		page("POST", "sandbox.decide", "Approve, decline or leave on the payment page", decision),
		script("sandbox.authorize", "Act as the buyer at the sandbox provider", "/sandbox/authorize", append(slices.Clip(handles),
			collection.Field{Name: "outcome", Kind: collection.Select, Options: []string{"approve", "decline", "abandon"}, Doc: "What the buyer does."},
			collection.Field{Name: "webhooks", Kind: collection.Select, Options: []string{"once", "twice", "late", "never", "reversed"}, Doc: "How the provider tells of it."},
		)),
		script("sandbox.refunds", "Act as the bank that does refunds later, or in the provider's console", "/sandbox/refunds", append(slices.Clip(handles),
			collection.Field{Name: "outcome", Kind: collection.Select, Options: []string{"succeed", "fail", "console"}, Doc: "What becomes of the payment's refunds: those on their way are done, or they and those that were done fail; or a person makes one more in the console."},
			collection.Field{Name: "amount", Kind: collection.Integer, Doc: "What the person in the console gives back, in minor units; all that is left without it."},
		)),
		faults("GET", "sandbox.faults", "Show the failures that are ordered", nil),
		faults("PUT", "sandbox.orderFaults", "Order failures of the sandbox provider", failures),
		faults("DELETE", "sandbox.clearFaults", "Take back all ordered failures", nil),
	}
}

// Describe implements Describer. Uploads are told of where the collection is.
func (a Media) Describe() []openapi.Route {
	text := func(name, doc string) collection.Field {
		return collection.Field{Name: name, Kind: collection.Text, Doc: doc}
	}
	return []openapi.Route{{
		Tag: "Media", Open: true, Gives: []string{"*/*"}, Statuses: []int{200, 206, 304, 416},
		Headers: []collection.Field{text("Range", "bytes=first-last: a part of the file."), text("If-Range", "The ETag of the file a part of which is at hand.")},
		Operation: operation.Operation{
			Name: "media.file", Summary: "Show a file", Doc: "The address stands in the url of the record; it takes no credentials.",
			Method: "GET", Path: "/api/media/file/{tenant}/{id}/{name}", Cached: true,
			Params: []collection.Field{text("tenant", "The tenant."), text("id", "The record."), text("name", "The name of the file; any will do.")},
		},
	}}
}

// Describe implements Describer. What a document may say is told by introspection.
func (GraphQL) Describe() []openapi.Route {
	return []openapi.Route{{
		Tag: "GraphQL", Takes: []string{"application/json", "multipart/form-data"}, Gives: []string{"application/json", mimeGraphQL}, Plain: true, Statuses: []int{200, 400, 401, 403, 404, 405, 409, 413, 415, 419, 422, 429, 500, 502, 503},
		Operation: operation.Operation{
			Name: "graphql.answer", Summary: "Answer a GraphQL document", Method: "POST", Path: "/api/graphql",
			Doc: "Operations and fields are those of the paths here. With application/graphql-response+json accepted, the status tells how the document fared. Files come as the GraphQL multipart request specification says.",
			Who: []tenant.Kind{tenant.Anonymous, tenant.ClientKey, tenant.Customer, tenant.User, tenant.SecretKey},
			Input: []collection.Field{
				{Name: "query", Kind: collection.Textarea, Required: true, Doc: "The document."},
				{Name: "operationName", Kind: collection.Text, Doc: "Which of its operations is meant."},
				{Name: "variables", Kind: collection.JSON, Doc: "The variables, by name."},
				{Name: "extensions", Kind: collection.JSON, Doc: "What clients add; it changes nothing."},
			},
			Key: operation.KeyOptional,
		},
	}}
}

var (
	messageMember = collection.Field{Name: "message", Kind: collection.Text, Required: true, Doc: "A sentence for people."}
	tokenMember   = collection.Field{Name: "token", Kind: collection.Text, Required: true, Doc: "To be sent as Authorization: Bearer."}
	expMember     = collection.Field{Name: "exp", Kind: collection.Integer, Required: true, Doc: "When the token ends, in seconds since 1970."}
	emailMember   = collection.Field{Name: "email", Kind: collection.Text, Required: true, Doc: "The address."}
	secretMember  = collection.Field{Name: "password", Kind: collection.Text, Required: true, Doc: "The password."}
)

var (
	anybody       = []tenant.Kind{tenant.Anonymous, tenant.ClientKey}
	loginReasons  = []*fault.Error{access.ErrCredentials, access.ErrTooManyLogins, access.ErrUnverified}
	letterReasons = []*fault.Error{access.ErrTooManyLogins}
)

// Describe implements Describer.
func (a Auth) Describe() []openapi.Route {
	routes := []openapi.Route{{Tag: "Auth", Operation: operation.Operation{
		Name: "auth.token", Summary: "Get a server token", Doc: "For fifteen minutes it acts as the secret key it was made with.",
		Method: "POST", Path: "/api/auth/token", Who: []tenant.Kind{tenant.SecretKey}, Output: []collection.Field{tokenMember, expMember},
	}}}
	routes = append(routes, session{a, tenant.User}.describe("/api/users", "user", identity.Users)...)
	routes = append(routes, session{a, tenant.Customer}.describe("/api/customers", "customer", identity.Customers)...)
	return append(routes, describeCustomers()...)
}

// describe tells of the routes of one kind of person.
func (s session) describe(at, word string, schema *collection.Schema) []openapi.Route {
	kinds := anybody
	if s.kind == tenant.Customer {
		kinds = []tenant.Kind{tenant.ClientKey}
	}
	person := func(required bool) []collection.Field {
		one := collection.Field{Name: word, Kind: collection.Relation, To: schema.Slug, Required: required, Doc: "Who it is."}
		if word == "user" {
			return []collection.Field{one}
		}
		same := one
		same.Name, same.Doc = "user", "The same, for clients that know no other word."
		return []collection.Field{one, same}
	}
	logged := append([]collection.Field{messageMember, tokenMember, expMember}, person(true)...)
	own := []tenant.Kind{s.kind}
	describe := func(verb, method, summary string, o operation.Operation) openapi.Route {
		o.Name, o.Method, o.Path, o.Summary = word+"s."+verb, method, at+"/"+verb, summary
		return openapi.Route{Operation: o}
	}
	refreshed := append([]collection.Field{
		{Name: "refreshedAt", Kind: collection.Date, Required: true, Doc: "When."},
		{Name: "refreshedToken", Kind: collection.Text, Required: true, Doc: "The token again, as the Payload client reads it."},
	}, logged...)
	return []openapi.Route{
		describe("login", "POST", "Log a "+word+" in", operation.Operation{
			Who: kinds, Input: []collection.Field{emailMember, secretMember}, Output: logged, Reasons: loginReasons,
		}),
		describe("logout", "POST", "End the token in use, or with allSessions=true in the address all of them", operation.Operation{Who: own, Output: []collection.Field{messageMember}}),
		describe("me", "GET", "Say who the token belongs to", operation.Operation{
			Doc: "Null without a valid token; only an expired one is an error.", Who: append(own, tenant.Anonymous), Output: person(false)[:1],
		}),
		describe("refresh-token", "POST", "Get a new token for the one in use", operation.Operation{
			Doc: "The old one lives a minute more.", Who: own, Output: refreshed,
		}),
		describe("forgot-password", "POST", "Ask for a token to set a new password with", operation.Operation{
			Doc: "The answer is the same whether there is an account or not.", Who: kinds, Input: []collection.Field{emailMember},
			Output: []collection.Field{messageMember}, Reasons: letterReasons,
		}),
		describe("reset-password", "POST", "Set a new password", operation.Operation{
			Doc: "It ends all sessions and opens a new one.", Who: kinds, Output: logged, Reasons: append(letterReasons, access.ErrLetterToken, access.ErrUnverified),
			Input: []collection.Field{{Name: "token", Kind: collection.Text, Required: true, Doc: "From the letter."}, secretMember},
		}),
	}
}

func describeCustomers() []openapi.Route {
	customer := collection.Field{Name: "customer", Kind: collection.Relation, To: identity.Customers.Slug, Required: true, Doc: "Who it is."}
	verified := customer
	verified.Sparse = true
	return []openapi.Route{
		{Operation: operation.Operation{
			Name: "customers.register", Summary: "Register a customer", Doc: "It does not log in.", Method: "POST", Path: "/api/customers/register",
			Who: []tenant.Kind{tenant.ClientKey}, Results: []ports.Result{ports.Created}, Reasons: []*fault.Error{ports.ErrDuplicate, fault.ErrRateLimited},
			Input:  registerInput(),
			Output: []collection.Field{customer, {Name: "verificationRequired", Kind: collection.Boolean, Required: true, Doc: "Whether the address must be verified before logging in."}},
		}},
		{Operation: operation.Operation{
			Name: "customers.verify-email", Summary: "Verify an address, or have a new token sent", Method: "POST", Path: "/api/customers/verify-email",
			Doc: "With the token of the letter, or with the address alone for another letter.", Who: []tenant.Kind{tenant.ClientKey},
			Input: []collection.Field{
				{Name: "token", Kind: collection.Text, Doc: "From the letter."}, {Name: "email", Kind: collection.Text, Doc: "The address."},
			},
			Output: []collection.Field{messageMember, verified}, Reasons: append(letterReasons, access.ErrLetterToken),
		}},
		{Operation: operation.Operation{
			Name: "customers.verify", Summary: "Verify an address, as the Payload client does", Method: "POST", Path: "/api/customers/verify/{token}",
			Who: []tenant.Kind{tenant.ClientKey}, Params: []collection.Field{{Name: "token", Kind: collection.Text, Doc: "From the letter."}},
			Output: []collection.Field{messageMember, verified}, Reasons: append(letterReasons, access.ErrLetterToken),
		}},
	}
}

// registerInput is what customers say of themselves, and what they prove it with.
func registerInput() []collection.Field {
	out := []collection.Field{emailMember, secretMember}
	for _, name := range content.OwnFields {
		if f, ok := identity.Customers.Field(name); ok && name != secretMember.Name {
			out = append(out, f)
		}
	}
	return out
}
