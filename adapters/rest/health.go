package rest

import (
	"crypto/subtle"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Metrics serves metrics to Prometheus. It is a Root area. They say how many requests, carts and payments all
// shops together have, so that on a public address they need a token.
type Metrics struct {
	// Expose is the metrics in a format of an Accept header.
	Expose func(accept string) (contentType string, body []byte, err error)
	Token  string // that scrapers send as Authorization: Bearer; "": none is needed
}

// Mount registers /metrics.
func (m Metrics) Mount(r fiber.Router) { r.Get("/metrics", m.serve) }

// serve answers in this goroutine: fasthttp's adaptor for net/http loses the end of a handler that is fast,
// and the request then hangs for ever.
func (m Metrics) serve(c *fiber.Ctx) error {
	scheme, given, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	if m.Token != "" && (!strings.EqualFold(scheme, "bearer") || subtle.ConstantTimeCompare([]byte(given), []byte(m.Token)) != 1) {
		return fault.ErrUnauthenticated
	}
	contentType, body, err := m.Expose(c.Get(fiber.HeaderAccept))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, contentType)
	return c.Send(body)
}

// health answers whether the process is alive and whether it can serve.
type health struct {
	checks   []Check
	circuits func() []ports.Circuit
}

// Mount registers /healthz and /readyz.
func (h health) Mount(r fiber.Router) {
	r.Get("/healthz", func(c *fiber.Ctx) error { return send(c, fiber.StatusOK, []byte(`{"status":"ok"}`)) })
	r.Get("/readyz", h.serveReadiness)
}

// serveReadiness runs every check. It names a failing one; the cause is only logged. A failing optional check
// leaves the server ready but degraded: load balancers keep sending to it, and operators see what is wrong.
func (h health) serveReadiness(c *fiber.Ctx) error {
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
	body := map[string]any{"status": word, "checks": checks}
	if h.circuits != nil {
		body["circuits"] = circuitStates(h.circuits())
	}
	return send(c, status, collection.AppendJSONValue(nil, body))
}

// maxCircuits is how many providers /readyz names; the metrics have all of them.
const maxCircuits = 100

// circuitStates is the state of every circuit by name; of providers only those that are not closed, by
// connection. An unavailable provider affects the shops that use it, not the readiness of the server.
func circuitStates(circuits []ports.Circuit) map[string]any {
	providers := map[string]any{}
	out := map[string]any{"providers": providers}
	for _, c := range circuits {
		switch {
		case c.Connection == "":
			out[c.Name] = string(c.State)
		case c.State != ports.CircuitClosed && len(providers) < maxCircuits:
			providers[c.Connection] = string(c.State)
		}
	}
	return out
}
