package openapi

import (
	"maps"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const introduction = `Every answer carries X-Request-Id; every refusal has one form, Failure, whose extensions.reason is stable.

Paths below /api/commerce are for storefronts and take a client key with a customer's token or the token of a cart or
checkout. Paths below /api/server/commerce do the same for the shop's own server and take a secret key or a server token.
Any GET whose query is too long for an address may come as a POST with X-HTTP-Method-Override: GET (or
X-Payload-HTTP-Method-Override), its parameters as a form or as JSON in the body. All paths but those of commerce are open to users by their role, to secret keys by their scopes, and to client keys as far as something is public.

A plan includes so many calls per calendar month (UTC): X-RateLimit-Limit, -Remaining and -Reset tell of it, and beyond it
calls are refused as quota_exceeded. Who calls too often within a minute is refused as rate_limited: each secret key,
person, cart or checkout token, and client key with an address. RateLimit and RateLimit-Policy tell of both.`

// securitySchemes are the credentials there are. Rules access-14, access-15, access-20.
var securitySchemes = object{
	"clientKey":     withDescription(object{"type": "apiKey", "in": "header", "name": "X-Client-Key"}, "pk_live_… or pk_test_…: says which shop is meant; may be public."),
	"secretKey":     withDescription(object{"type": "apiKey", "in": "header", "name": "X-API-Key"}, "sk_live_… or sk_test_…: full access to its shop within its scopes; never use it in a browser."),
	"bearer":        withDescription(object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}, "The token of a user, a customer, or a server."),
	"cookie":        withDescription(object{"type": "apiKey", "in": "cookie", "name": "cartwright-token"}, "A user's token in a browser; writes need an Origin of the same site."),
	"cartToken":     withDescription(object{"type": "apiKey", "in": "header", "name": "X-Cart-Token"}, "ct_…: a cart token; grants access to one cart."),
	"checkoutToken": withDescription(object{"type": "apiKey", "in": "header", "name": "X-Checkout-Token"}, "co_…: a checkout token; grants access to one checkout and its payment."),
}

// credentials says with what the principals of these kinds come. With a holder a client key needs its token as well.
func credentials(kinds map[tenant.Kind]bool, holder operation.Capability) []any {
	var out []any
	if kinds[tenant.Anonymous] {
		out = append(out, object{})
	}
	if kinds[tenant.ClientKey] {
		need := object{"clientKey": []any{}}
		if holder != operation.NoCapability {
			need[string(holder)+"Token"] = []any{}
		}
		out = append(out, need)
	}
	if kinds[tenant.Customer] || kinds[tenant.User] || kinds[tenant.SecretKey] {
		out = append(out, object{"bearer": []any{}})
	}
	if kinds[tenant.User] {
		out = append(out, object{"cookie": []any{}})
	}
	if kinds[tenant.SecretKey] {
		out = append(out, object{"secretKey": []any{}})
	}
	return out
}

// headerSequence is where the answer to a change stands in the log of events.
const headerSequence = "X-Event-Sequence"

var sequenceHeader = withDescription(object{"schema": object{"type": "integer", "minimum": 1}},
	"The recordSequence of the record in the answer, of several the first. Once the log of events shows that one, it shows all that changed together with it.")

// headers are the response headers that say something.
var headers = object{
	headerSequence:         withRequired(sequenceHeader),
	"X-Request-Id":         withDescription(object{"schema": object{"type": "string"}}, "The request's id, as sent or made."),
	"X-Cart-Revision":      withDescription(object{"schema": object{"type": "integer"}}, "The cart's revision now."),
	"Idempotency-Replayed": withDescription(object{"schema": object{"type": "string", "enum": []any{"true"}}}, "The answer was given before under the same key."),
	"ETag":                 withDescription(object{"schema": object{"type": "string"}}, "To be sent back as If-None-Match."),
	"Cache-Control":        withDescription(object{"schema": object{"type": "string"}}, "Whether and how long the answer may be kept."),
	"Retry-After":          withDescription(object{"schema": object{"type": "integer"}}, "Seconds to wait before the same request may succeed."),

	"X-RateLimit-Limit":     withDescription(object{"schema": object{"type": "integer"}}, "Calls that the plan includes per month; of a tighter limit when that refused. Not there without a limit."),
	"X-RateLimit-Remaining": withDescription(object{"schema": object{"type": "integer"}}, "How many of them are left. Not there without a limit."),
	"X-RateLimit-Reset":     withDescription(object{"schema": object{"type": "integer"}}, "When they count anew, in seconds since 1970."),
	"RateLimit-Policy":      withDescription(object{"schema": object{"type": "string"}}, "The limits of calls: of a minute as burst, of the calendar month as month; q calls in w seconds."),
	"RateLimit":             withDescription(object{"schema": object{"type": "string"}}, "What is left of them: r calls, in t seconds all of them again."),
}

// withRequired is a header that is always there.
func withRequired(header object) object {
	out := maps.Clone(header)
	out["required"] = true
	return out
}

// limitHeaders report the limits of callers with credentials.
var limitHeaders = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"}

// responseHeaders are the headers of a response, the request id and the limits always among them.
func responseHeaders(names ...string) object {
	out := object{"X-Request-Id": component("headers", "X-Request-Id")}
	for _, n := range limitHeaders {
		out[n] = component("headers", n)
	}
	for _, n := range names {
		out[n] = component("headers", n)
	}
	return out
}

// success is a response with a JSON body.
func success(doc string, schema object, names ...string) object {
	return object{"description": doc, "headers": responseHeaders(names...), "content": object{"application/json": object{"schema": schema}}}
}

func queryParam(name, doc string, schema object) object {
	return object{"name": name, "in": "query", "description": doc, "schema": schema}
}

func headerParam(name, doc string) object {
	return object{"name": name, "in": "header", "description": doc, "schema": object{"type": "string"}}
}

// deepObjectParam is a parameter in brackets: {field: true, group: {field: true}}.
func deepObjectParam(name, doc string) object {
	return object{"name": name, "in": "query", "description": doc, "style": "deepObject", "explode": true, "schema": object{"type": "object"}}
}

var keySchema = object{"type": "string", "minLength": 16, "maxLength": 257, "pattern": `^"?[!-~]{16,255}"?$`}

// parameters that many operations share.
var parameters = object{
	"id":             object{"name": "id", "in": "path", "required": true, "description": "The record.", "schema": object{"type": "string"}},
	"limit":          queryParam("limit", "Records on a page; 0 counts only.", object{"type": "integer", "minimum": 0, "maximum": collection.MaxLimit, "default": collection.DefaultLimit}),
	"page":           queryParam("page", "Which page.", object{"type": "integer", "default": 1}),
	"depth":          queryParam("depth", "Levels of relations that are shown as records in place of ids.", object{"type": "integer", "minimum": 0, "maximum": collection.MaxDepth, "default": 0}),
	"select":         deepObjectParam("select", "`select[field]=true` for each field to be shown, or `false` for each to be left out; id always is shown. What is not shown is missing, required or not."),
	"populate":       deepObjectParam("populate", "`populate[collection][field]=true`: select for the related records of a collection."),
	"pagination":     queryParam("pagination", "false: as many records as one answer may hold.", object{"type": "boolean", "default": true}),
	"requestId":      headerParam("X-Request-Id", "Names the request in logs and answers: up to 128 visible characters."),
	"tenant":         headerParam("X-Tenant-Id", "For users of several tenants: the one to act in."),
	"environment":    object{"name": "X-Environment", "in": "header", "description": "For users: live, or test.", "schema": object{"type": "string", "enum": []any{"live", "test"}}},
	"ifNoneMatch":    headerParam("If-None-Match", "The ETag of the answer that is at hand."),
	"idempotencyKey": object{"name": "Idempotency-Key", "in": "header", "description": "16 to 255 visible characters, random. The same key and request give the same answer again.", "schema": keySchema},
	"requiredKey":    object{"name": "Idempotency-Key", "in": "header", "required": true, "description": "16 to 255 visible characters, random. The same key and request give the same answer again.", "schema": keySchema},
}
