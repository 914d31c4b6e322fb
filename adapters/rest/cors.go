package rest

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrOrigin refuses a client key used on a site its tenant did not list.
var ErrOrigin = fault.New(fault.Forbidden, "origin_not_allowed", "This site is not among the tenant's allowed origins.")

const exposedHeaders = "X-Request-Id, X-Cart-Revision, X-Event-Sequence, Idempotency-Replayed, Retry-After, ETag, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy"

// preflight answers a CORS preflight request with the methods of the path, where there is one. It has no key, so any
// origin is reflected, without credentials; the response to the actual request decides.
func (e *edge) preflight(c *fiber.Ctx) error {
	origin := c.Get(fiber.HeaderOrigin)
	if c.Method() != fiber.MethodOptions || origin == "" || c.Get(fiber.HeaderAccessControlRequestMethod) == "" {
		return c.Next()
	}
	c.Vary(fiber.HeaderOrigin, fiber.HeaderAccessControlRequestHeaders)
	c.Set(fiber.HeaderAccessControlAllowOrigin, origin)
	methods := e.allowed.of(c.Path())
	if methods == nil {
		methods = listedMethods // so that the page can read that there is no such path
	}
	e.setAllow(c)
	c.Set(fiber.HeaderAccessControlAllowMethods, strings.Join(methods, ", "))
	if h := c.Get(fiber.HeaderAccessControlRequestHeaders); h != "" {
		c.Set(fiber.HeaderAccessControlAllowHeaders, h)
	}
	c.Set(fiber.HeaderAccessControlMaxAge, "600")
	return c.SendStatus(fiber.StatusNoContent)
}

// allowOrigin sets whether a page of another origin may read the response, and refuses client keys from
// origins that the tenant does not list. Without a list every origin is allowed. An origin is no
// authentication: calls without one are accepted. No response allows credentials: cookies are for pages of
// the same origin, which need no permission.
func allowOrigin(c *fiber.Ctx) error {
	v := requestInfoOf(c)
	if !v.authenticated {
		return c.Next()
	}
	w := &v.auth
	c.Vary(fiber.HeaderOrigin) // also without an origin: a cache must not serve the response to a page
	origin := c.Get(fiber.HeaderOrigin)
	if origin == "" || w.originTenant.ID == "" {
		return c.Next()
	}
	if len(w.originTenant.AllowedOrigins) == 0 || slices.Contains(w.originTenant.AllowedOrigins, origin) {
		c.Set(fiber.HeaderAccessControlAllowOrigin, origin)
		c.Set(fiber.HeaderAccessControlExposeHeaders, exposedHeaders)
		return c.Next()
	}
	if p := w.principal; w.err != nil || p.Kind == tenant.ClientKey || p.ClientKeyID != "" {
		return ErrOrigin
	}
	return c.Next()
}
