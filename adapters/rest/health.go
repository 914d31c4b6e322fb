package rest

import (
	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// health answers whether the process lives and whether it can serve.
type health struct{ checks []Check }

// Mount registers /healthz and /readyz.
func (h health) Mount(r fiber.Router) {
	r.Get("/healthz", func(c *fiber.Ctx) error { return send(c, fiber.StatusOK, []byte(`{"status":"ok"}`)) })
	r.Get("/readyz", h.ready)
}

// ready runs every check. A failing one is named; its cause is for the log, not for the public. What is optional leaves
// the server ready and makes it degraded: a balancer goes on sending, people see what is wrong.
func (h health) ready(c *fiber.Ctx) error {
	checks := map[string]any{}
	status, word := fiber.StatusOK, "ok"
	for _, check := range h.checks {
		checks[check.Name] = "ok"
		err := check.Ready(c.UserContext())
		switch {
		case err == nil:
		case check.Optional:
			checks[check.Name] = "failed"
			if status == fiber.StatusOK {
				word = "degraded"
			}
		default:
			checks[check.Name], status, word = "failed", fiber.StatusServiceUnavailable, "unavailable"
		}
	}
	return send(c, status, collection.AppendTree(nil, map[string]any{"status": word, "checks": checks}))
}
