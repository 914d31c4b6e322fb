package rest

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// tokenCookie carries a user's token in browsers. Contract 2.
const tokenCookie = "cartwright-token"

func (e *edge) authenticate(c *fiber.Ctx) error {
	if !strings.HasPrefix(c.Path(), "/api/") {
		return c.Next()
	}
	cred := credentials(c)
	p, err := e.Access.Authenticate(c.UserContext(), cred)
	w := who{principal: p, err: err, site: p.Tenant}
	if err != nil && cred.HasOrigin && cred.ClientKey != "" { // the page must be able to read why
		if page, err := e.Access.Authenticate(c.UserContext(), access.Credentials{ClientKey: cred.ClientKey}); err == nil {
			w.site = page.Tenant
		}
	}
	v := visitOf(c)
	v.asked, v.who = true, w
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
		Host: string(c.Request().Host()), Tenant: c.Get("X-Tenant-Id"), Environment: c.Get("X-Environment"),
		Changes: c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead && c.Method() != fiber.MethodOptions,
	}
}

// principal is who calls. Errors: those of Authenticator.
func principal(c *fiber.Ctx) (tenant.Principal, error) {
	w := &visitOf(c).who
	return w.principal, w.err
}

// caller says who calls, from where and with which capability. The prefix of the route decides which principals may use
// it. Errors: those of Authenticator, fault.ErrUnauthenticated, fault.ErrForbidden, once.ErrKeyInvalid.
func caller(c *fiber.Ctx) (once.Call, error) {
	call, err := callFrom(c)
	if err != nil {
		return once.Call{}, err
	}
	call.Server = strings.HasPrefix(c.Path(), "/api"+operation.Server.Prefix()+"/")
	if err := admit(call.Principal, call.Server, strings.HasPrefix(c.Path(), "/api"+operation.Public.Prefix()+"/")); err != nil {
		return once.Call{}, err
	}
	return call, nil
}

// callFrom is what a request says about its caller, whatever its route. Errors: those of Authenticator,
// once.ErrKeyInvalid; the call knows address and request id all the same.
func callFrom(c *fiber.Ctx) (once.Call, error) {
	v := visitOf(c)
	err := v.who.err
	call := once.Call{
		Principal: v.who.principal, CartToken: c.Get("X-Cart-Token"), CheckoutToken: c.Get("X-Checkout-Token"),
		RequestID: v.id, Address: v.address,
	}
	if h := c.Get(headerKey); err == nil && h != "" {
		call.Key, err = once.Unquote(h)
	}
	return call, err
}

// admit says which principals the two prefixes take. Contract, preamble.
func admit(p tenant.Principal, server, public bool) error {
	switch {
	case !server && !public:
		return nil
	case p.Kind == tenant.Anonymous || p.Kind == "":
		return fault.ErrUnauthenticated
	case server && p.Kind != tenant.SecretKey:
		return fault.ErrForbidden.Saying("Paths below %s take a secret key or a server token.", operation.Server.Prefix())
	case public && p.Kind == tenant.SecretKey:
		return fault.ErrForbidden.Saying("Paths below %s take a client key; with a secret key use %s.", operation.Public.Prefix(), operation.Server.Prefix())
	}
	return nil
}

// keyed is caller for an operation whose answer is kept: it adds the operation and the fingerprint of the request. body
// holds everything besides the path that makes the request what it is.
func keyed(c *fiber.Ctx, operation string, body collection.Tree) (once.Call, error) {
	call, err := caller(c)
	if err != nil {
		return call, err
	}
	route := c.Route()
	ids := make([]string, len(route.Params))
	for i, name := range route.Params {
		ids[i] = c.Params(name)
	}
	call.Operation = operation
	call.Fingerprint = once.Fingerprint(c.Method(), route.Path, ids, body)
	return call, nil
}

// reply answers with a, the first time or again.
func reply(c *fiber.Ctx, a once.Answer) error {
	if a.Replayed {
		c.Set(headerReplayed, "true")
	}
	if a.Revision > 0 {
		c.Set(headerRevision, strconv.FormatInt(a.Revision, 10))
	}
	if a.Fault != nil {
		return replayed{a.Fault, a.RequestID}
	}
	return send(c, statuses[a.Result], a.Body)
}

// send answers with a JSON body.
func send(c *fiber.Ctx, status int, body []byte) error {
	c.Status(status)
	sendJSON(c, body)
	return nil
}
