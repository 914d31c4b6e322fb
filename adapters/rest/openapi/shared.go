package openapi

import (
	"maps"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const introduction = `Every response has the header X-Request-Id. Every refusal has the same form, Failure, whose extensions.reason is stable.

What is told to people, such as the message of a refusal, is in the language that the request header Accept-Language prefers: English
(en) or Korean (ko), and English where it names neither. Responses whose words depend on it say so, with Content-Language and Vary.
Reasons, names and facts are the same in each language. A refusal that is replayed for its idempotency key is told anew; any other
replayed response is the first one as it was, and does not say its language.

Paths below /api/commerce are for storefronts: they take a client key, with a customer's token or the token of a cart or
checkout. Paths below /api/server/commerce are the same for the shop's own server: they take a secret key or a server token.
All other paths are open to users by their role, to secret keys by their scopes, and to client keys for public data. A GET
whose query is too long for a URL may be sent as a POST with X-HTTP-Method-Override: GET (or
X-Payload-HTTP-Method-Override) and its parameters in the body, as a form or as JSON.

A plan includes a number of calls per calendar month (UTC), which X-RateLimit-Limit, -Remaining and -Reset report; calls
beyond it are refused as quota_exceeded. Too many calls within a minute are refused as rate_limited: the limit applies to
each secret key, person, cart or checkout token, and client key with an address. RateLimit and RateLimit-Policy report both
limits.`

// securitySchemes are the kinds of credentials. Rules access-14, access-15, access-20.
var securitySchemes = object{
	"clientKey": withDescription(object{"type": "apiKey", "in": "header", "name": "X-Client-Key"},
		"pk_live_… or pk_test_…: identifies the shop; may be public."),
	"secretKey": withDescription(object{"type": "apiKey", "in": "header", "name": "X-API-Key"},
		"sk_live_… or sk_test_…: full access to its shop within its scopes; never use it in a browser."),
	"bearer": withDescription(object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
		"The token of a user, a customer, or a server."),
	"cookie": withDescription(object{"type": "apiKey", "in": "cookie", "name": "cartwright-token"},
		"A user's token in a browser; writes need an Origin of the same site."),
	"cartToken": withDescription(object{"type": "apiKey", "in": "header", "name": "X-Cart-Token"},
		"ct_…: a cart token; grants access to one cart."),
	"checkoutToken": withDescription(object{"type": "apiKey", "in": "header", "name": "X-Checkout-Token"},
		"co_…: a checkout token; grants access to one checkout and its payment."),
}

// credentials are the security requirements of principals of these kinds. With a capability, a client key
// needs its token too.
func credentials(kinds map[tenant.Kind]bool, capability operation.Capability) []any {
	var out []any
	if kinds[tenant.Anonymous] {
		out = append(out, object{})
	}
	if kinds[tenant.ClientKey] {
		need := object{"clientKey": []any{}}
		if capability != operation.NoCapability {
			need[string(capability)+"Token"] = []any{}
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

// headerSequence is the header with the event position of a change.
const headerSequence = "X-Event-Sequence"

var sequenceHeader = withDescription(object{"schema": object{"type": "integer", "minimum": 1}},
	"The recordSequence of the record in the response, of several the first. Once the event log has that event, it has all events of the same change.")

// headers are the described response headers.
var headers = object{
	headerSequence:    withRequired(sequenceHeader),
	"X-Request-Id":    withDescription(object{"schema": object{"type": "string"}}, "The request's id, as sent or generated."),
	"X-Cart-Revision": withDescription(object{"schema": object{"type": "integer"}}, "The cart's current revision."),
	"Idempotency-Replayed": withDescription(object{"schema": object{"type": "string", "enum": []any{"true"}}},
		"The response is a replay for the same idempotency key."),
	"ETag":          withDescription(object{"schema": object{"type": "string"}}, "Value to send as If-None-Match or If-Match."),
	"Cache-Control": withDescription(object{"schema": object{"type": "string"}}, "Whether and how long the response may be cached."),
	"Retry-After":   withDescription(object{"schema": object{"type": "integer"}}, "Seconds to wait before the same request may succeed."),

	"Content-Language": withDescription(object{"schema": object{"type": "string"}},
		"The language in which people are told things in this response, en or ko; of records, that of their texts."),

	"X-RateLimit-Limit": withDescription(object{"schema": object{"type": "integer"}},
		"Calls that the plan includes per month, or the tighter limit that refused the call. Missing without a limit."),
	"X-RateLimit-Remaining": withDescription(object{"schema": object{"type": "integer"}}, "Calls left. Missing without a limit."),
	"X-RateLimit-Reset": withDescription(object{"schema": object{"type": "integer"}},
		"When the count starts over, in seconds since 1970."),
	"RateLimit-Policy": withDescription(object{"schema": object{"type": "string"}},
		"The limits: burst for a minute, month for the calendar month; q calls in w seconds."),
	"RateLimit": withDescription(object{"schema": object{"type": "string"}},
		"What is left of the limits: r calls; all of them again in t seconds."),
}

// withRequired is a header that is always present.
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
	return object{
		"name": name, "in": "query", "description": doc, "style": "deepObject", "explode": true, "schema": object{"type": "object"},
	}
}

var keySchema = object{"type": "string", "minLength": 16, "maxLength": 257, "pattern": `^"?[!-~]{16,255}"?$`}

// parameters that many operations share.
var parameters = object{
	"id": object{"name": "id", "in": "path", "required": true, "description": "The record.", "schema": object{"type": "string"}},
	"limit": queryParam("limit", "Records per page; 0 only counts.", object{
		"type": "integer", "minimum": 0, "maximum": collection.MaxLimit, "default": collection.DefaultLimit,
	}),
	"q":    queryParam("q", search.QueryDoc, object{"type": "string", "maxLength": search.MaxQuery}),
	"page": queryParam("page", "Page number, from 1.", object{"type": "integer", "default": 1}),
	"depth": queryParam("depth", "Levels of relations to return as records instead of ids.", object{
		"type": "integer", "minimum": 0, "maximum": collection.MaxDepth, "default": 0,
	}),
	"locale": queryParam("locale", "Language of the texts that are read or written: one of the shop's. Without it, shoppers read what Accept-Language "+
		"prefers, and all others the default language. With all, for users and secret keys, each translatable text is an object of its texts by language.",
		object{"type": "string"}),
	"fallbackLocale": queryParam("fallback-locale", "Language whose text stands in for a missing one: the default one without this; none, false or null for "+
		"no other, so that a missing text is null.", object{"type": "string"}),
	"select":   deepObjectParam("select", "`select[field]=true` for each field to return, or `false` for each to leave out; id is always returned. Fields that are left out are missing, even if they are required."),
	"populate": deepObjectParam("populate", "`populate[collection][field]=true`: select for the related records of a collection."),
	"pagination": queryParam("pagination", "false returns as many records as one response may have.",
		object{"type": "boolean", "default": true}),
	"requestId": headerParam("X-Request-Id", "Id of the request in logs and responses: up to 128 visible characters."),
	"tenant":    headerParam("X-Tenant-Id", "For users of several tenants: the tenant of the request."),
	"environment": object{
		"name": "X-Environment", "in": "header", "description": "For users: live or test.",
		"schema": object{"type": "string", "enum": []any{"live", "test"}},
	},
	"acceptLanguage": headerParam("Accept-Language", "The language of words in the response: ko, or en, which is also for any other."),
	"ifNoneMatch":    headerParam("If-None-Match", "The ETag of the response that the client has."),
	"ifMatch": headerParam("If-Match", "The ETag of the record that the change is based on; 412 changed_meanwhile if it is another one by now. "+
		"It stands for expectedStock too."),
	collection.ExpectedRevision: queryParam(collection.ExpectedRevision, collection.ExpectedRevisionField().Doc,
		object{"type": "integer", "minimum": 1}),
	"idempotencyKey": object{
		"name": "Idempotency-Key", "in": "header",
		"description": "16 to 255 visible characters, random. Repeating the request with the same key returns the same response.",
		"schema":      keySchema,
	},
	"requiredKey": object{
		"name": "Idempotency-Key", "in": "header", "required": true,
		"description": "16 to 255 visible characters, random. Repeating the request with the same key returns the same response.",
		"schema":      keySchema,
	},
}
