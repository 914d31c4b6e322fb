package rest

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// tokenCookie carries a user's token in browsers. Rule access-20.
const tokenCookie = "cartwright-token"

// headerVia is console in the requests of the operators' console, so that events can tell. Rule events-11.
const headerVia = "X-Via"

func (e *edge) authenticate(c *fiber.Ctx) error {
	if !strings.HasPrefix(c.Path(), "/api/") {
		return c.Next()
	}
	cred := credentials(c)
	p, err := e.Access.Authenticate(c.UserContext(), cred)
	w := authResult{principal: p, err: err, originTenant: p.Tenant}
	if err != nil && cred.HasOrigin && cred.ClientKey != "" { // the page must be able to read why
		if page, err := e.Access.Authenticate(c.UserContext(), access.Credentials{ClientKey: cred.ClientKey}); err == nil {
			w.originTenant = page.Tenant
		}
	}
	if p.Kind == tenant.User && c.Get(headerVia) == string(tenant.ViaConsole) {
		w.principal.Via = tenant.ViaConsole
	}
	c.SetUserContext(ports.WithActor(c.UserContext(), w.principal.Actor()))
	v := requestInfoOf(c)
	v.authenticated, v.auth, v.foreignPage = true, w, cred.HasOrigin && !e.Access.IsSameSite(cred)
	if err != nil || p.Kind == tenant.Anonymous {
		v.body.limit, v.body.refusal = anonymousLimit, err
	}
	return c.Next()
}

func credentials(c *fiber.Ctx) access.Credentials {
	scheme, bearer, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "bearer") && !strings.EqualFold(scheme, "jwt") {
		bearer = ""
	}
	return access.Credentials{
		ClientKey: c.Get("X-Client-Key"), APIKey: c.Get("X-API-Key"),
		Bearer: strings.TrimSpace(bearer), Cookie: c.Cookies(tokenCookie),
		Origin: c.Get(fiber.HeaderOrigin), HasOrigin: len(c.Request().Header.PeekAll(fiber.HeaderOrigin)) > 0,
		Scheme: requestInfoOf(c).scheme, Host: string(c.Request().Host()), Tenant: c.Get("X-Tenant-Id"), Environment: c.Get("X-Environment"),
		Address: requestInfoOf(c).address, UserAgent: c.Get(fiber.HeaderUserAgent),
		UnsafeMethod: c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead && c.Method() != fiber.MethodOptions,
	}
}

// setSessionCookie sets the cookie of a user's token until then, and clears it with "". A page of another origin would log
// the browser in as somebody of its choice, and what is typed next would be theirs: it gets no cookie.
func setSessionCookie(c *fiber.Ctx, token string, until time.Time) {
	if requestInfoOf(c).foreignPage {
		return
	}
	c.Cookie(&fiber.Cookie{
		Name: tokenCookie, Value: token, Path: "/", Expires: until, HTTPOnly: true, Secure: requestInfoOf(c).secureCookies,
		SameSite: fiber.CookieSameSiteLaxMode,
	})
}

// caller is the caller of a request: principal, address, capability tokens. The prefix of the route decides
// which principals are admitted. Errors: those of Authenticator, fault.ErrUnauthenticated,
// fault.ErrForbidden, idempotency.ErrInvalidKey.
func caller(c *fiber.Ctx) (idempotency.Call, error) {
	call, err := callFrom(c)
	if err != nil {
		return idempotency.Call{}, err
	}
	call.Server = strings.HasPrefix(c.Path(), "/api"+operation.Server.Prefix()+"/")
	if err := checkPrefix(call.Principal, call.Server, strings.HasPrefix(c.Path(), "/api"+operation.Public.Prefix()+"/")); err != nil {
		return idempotency.Call{}, err
	}
	return call, nil
}

// callFrom is caller without the check of the prefix. Errors: those of Authenticator,
// idempotency.ErrInvalidKey; the call has its address and request id even then.
func callFrom(c *fiber.Ctx) (idempotency.Call, error) {
	v := requestInfoOf(c)
	err := v.auth.err
	call := idempotency.Call{
		Principal: v.auth.principal, CartToken: c.Get("X-Cart-Token"), CheckoutToken: c.Get("X-Checkout-Token"),
		RequestID: v.id, Address: v.address, Language: languageOf(c),
	}
	if h := c.Get(headerKey); err == nil && h != "" {
		call.Key, err = idempotency.ParseKey(h)
	}
	return call, err
}

// checkPrefix checks whether the prefixes admit the principal. Rule api-2.
func checkPrefix(p tenant.Principal, server, public bool) error {
	switch {
	case !server && !public:
		return nil
	case p.Kind == tenant.Anonymous || p.Kind == "":
		return fault.ErrUnauthenticated
	case server && p.Kind != tenant.SecretKey:
		return fault.ErrForbidden.WithMessage("Paths below %s take a secret key or a server token.", operation.Server.Prefix())
	case public && p.Kind == tenant.SecretKey:
		return fault.ErrForbidden.WithMessage("Paths below %s take a client key; with a secret key use %s.", operation.Public.Prefix(),
			operation.Server.Prefix())
	}
	return nil
}

// keyed is caller for a write under an idempotency key: it adds the operation and the fingerprint of the
// request. body is everything besides the path that identifies the request.
func keyed(c *fiber.Ctx, operation string, body collection.JSONValue) (idempotency.Call, error) {
	call, err := caller(c)
	if err != nil {
		return call, err
	}
	route := c.Route()
	ids := make([]string, 0, len(route.Params)+1)
	for _, name := range route.Params {
		ids = append(ids, c.Params(name))
	}
	if in := call.Principal.Content; in.Named() {
		ids = append(ids, paramLocale+"="+in.Tag(call.Principal.Tenant))
	}
	call.Operation = operation
	call.Fingerprint = idempotency.Fingerprint(c.Method(), route.Path, ids, body)
	return call, nil
}

// sendResponse sends the response of a use case, the first time or replayed.
func sendResponse(c *fiber.Ctx, a idempotency.Response) error {
	if a.Replayed {
		c.Set(headerReplayed, "true")
	}
	if a.Revision > 0 {
		c.Set(headerRevision, strconv.FormatInt(a.Revision, 10))
	}
	if a.Fault != nil {
		return replayedFault{a.Fault, a.RequestID}
	}
	if a.Sequence > 0 {
		c.Set(headerSequence, strconv.FormatInt(a.Sequence, 10))
	}
	return send(c, statuses[a.Result], a.Body.Bytes())
}

// send sends a JSON body.
func send(c *fiber.Ctx, status int, body []byte) error {
	c.Status(status)
	sendJSON(c, body)
	return nil
}
