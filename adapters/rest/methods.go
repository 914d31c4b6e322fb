package rest

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// wellFormed answers a request whose head is ambiguous, or whose method HTTP does not have; the router's own answer would
// be plain text.
func (e *edge) wellFormed(app *fiber.App) fasthttp.RequestHandler {
	next, known := app.Server().Handler, app.Config().RequestMethods
	return func(ctx *fasthttp.RequestCtx) {
		refusal := checkHead(ctx)
		if refusal == nil && slices.Contains(known, string(ctx.Method())) {
			next(ctx)
			expectHead(ctx)
			return
		}
		c := app.AcquireCtx(ctx)
		defer app.ReleaseCtx(c)
		if refusal == nil {
			refusal = ErrMethod
			if e.allowed.of(c.Path()) == nil {
				refusal = ErrNoRoute
			}
		}
		c.Response().Header.SetConnectionClose()
		_ = e.onTransportError(c, refusal) // it never fails
	}
}

// overrideMethod turns a POST into the GET that it stands for, whose query was too long for a URL and is in the body.
// Rule api-19. It switches to the routes of the other method, so it must be part of the first route, which all methods
// share.
func overrideMethod(c *fiber.Ctx) error {
	switch wanted := wantedMethod(c); {
	case wanted == "":
	case !strings.EqualFold(wanted, fiber.MethodGet):
		return fault.ErrMalformed.At("X-HTTP-Method-Override").WithMessage("A POST can stand for a GET only.")
	default:
		c.Method(fiber.MethodGet)
		requestInfoOf(c).memory.AllowRefusal()
	}
	return c.Next()
}

// wantedMethod is the method that a POST stands for; "": its own.
func wantedMethod(c *fiber.Ctx) string {
	if !c.Request().Header.IsPost() {
		return ""
	}
	return c.Get("X-HTTP-Method-Override", c.Get("X-Payload-HTTP-Method-Override"))
}

// isOverridden reports whether the request is a POST that stands for a GET.
func isOverridden(c *fiber.Ctx) bool {
	return c.Method() == fiber.MethodGet && c.Request().Header.IsPost()
}
