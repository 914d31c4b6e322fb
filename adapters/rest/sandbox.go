package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Sandbox serves the sandbox provider's buyer side and its fault injection under our own address, so that one
// address is enough for a demo. It is a Root area, and forwards to the provider, a separate service at URL.
// Rule payments-34.
type Sandbox struct {
	URL    string                 // of the provider; "" refuses everything, as production must
	Access Authenticator          // fault injection needs a test secret key
	Secret func(tenant.ID) string // a tenant's account secret at the provider
	Client *http.Client           // nil is http.DefaultClient; redirects are passed on, never followed
}

// The refusals of Sandbox.
var (
	ErrSandboxOff     = fault.New(fault.Forbidden, "sandbox_disabled", "The sandbox payment provider is disabled on this server.")
	ErrSandboxRefused = fault.New(fault.Conflict, "sandbox_refused", "The sandbox payment provider refused the request.")
)

// maxSandboxAnswer bounds a response of the provider, in bytes.
const maxSandboxAnswer = 1 << 20

// Mount registers /sandbox.
func (s Sandbox) Mount(r fiber.Router) {
	g := r.Group("/sandbox")
	if s.URL == "" {
		g.Use(func(*fiber.Ctx) error { return ErrSandboxOff })
		return
	}
	g.Get("/pay/:id", s.page)
	g.Post("/pay/:id", s.page)
	for _, path := range []string{"/authorize", "/refunds", "/payments/:id/deposit", "/payments/:id/reverse", "/payments/:id/dispute",
		"/payments/:id/authorization"} {
		g.Post(path, s.script)
	}
	g.Get("/faults", s.faults)
	g.Put("/faults", s.faults)
	g.Delete("/faults", s.faults)
}

// page forwards the payment page unchanged: status, redirect and security policy are the provider's.
func (s Sandbox) page(c *fiber.Ctx) error {
	answer, body, err := s.exchange(c, "/sandbox/pay/"+url.PathEscape(c.Params("id")), "") //nolint:bodyclose // exchange closes it
	if err != nil {
		return err
	}
	for _, name := range []string{
		fiber.HeaderContentType, fiber.HeaderLocation, fiber.HeaderContentSecurityPolicy, fiber.HeaderReferrerPolicy,
		fiber.HeaderXContentTypeOptions, fiber.HeaderCacheControl,
	} {
		if v := answer.Header.Get(name); v != "" {
			c.Set(name, v)
		}
	}
	return c.Status(answer.StatusCode).Send(body)
}

// script forwards calls that act as the buyer or as the banks of the provider, which need no key.
func (s Sandbox) script(c *fiber.Ctx) error {
	if _, err := rawBody(c, fiber.MIMEApplicationJSON); err != nil {
		return err
	}
	path := c.Route().Path
	if id := c.Params("id"); id != "" {
		path = strings.Replace(path, ":id", url.PathEscape(id), 1)
	}
	return s.forward(c, path, "")
}

// faults forwards fault injection for the tenant of a test secret key.
func (s Sandbox) faults(c *fiber.Ctx) error {
	p, err := s.Access.Authenticate(c.UserContext(), credentials(c))
	switch {
	case err != nil:
		return err
	case p.Kind == tenant.Anonymous || p.Kind == "":
		return fault.ErrUnauthenticated
	case p.Kind != tenant.SecretKey || p.Environment != tenant.Test || !p.CanWrite && c.Method() != fiber.MethodGet:
		return fault.ErrForbidden.WithMessage("Fault injection in the sandbox requires a test secret key with write access.")
	}
	return s.forward(c, "/sandbox/faults", s.Secret(p.Tenant.ID))
}

// forward answers with the provider's JSON, and its refusals in our own form.
func (s Sandbox) forward(c *fiber.Ctx, path, secret string) error {
	answer, body, err := s.exchange(c, path, secret) //nolint:bodyclose // exchange closes it
	if err != nil {
		return err
	}
	var refusal struct {
		Message string `json:"message"`
	}
	if answer.StatusCode >= 400 && json.Unmarshal(body, &refusal) != nil {
		return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("the sandbox answered %d", answer.StatusCode))
	}
	switch answer.StatusCode {
	case http.StatusOK:
		return send(c, fiber.StatusOK, bytes.TrimSpace(body))
	case http.StatusBadRequest:
		return fault.ErrValidation.WithMessage("%s", refusal.Message)
	case http.StatusNotFound:
		return fault.ErrNotFound.WithMessage("%s", refusal.Message)
	case http.StatusConflict:
		return ErrSandboxRefused.WithMessage("%s", refusal.Message)
	}
	return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("the sandbox answered %d: %s", answer.StatusCode, refusal.Message))
}

// exchange sends the request to the provider, without the caller's credentials and cookies.
func (s Sandbox) exchange(c *fiber.Ctx, path, secret string) (*http.Response, []byte, error) {
	given, err := bodyOf(c).whole()
	if err != nil {
		return nil, nil, err
	}
	req, err := http.NewRequestWithContext(c.UserContext(), c.Method(), strings.TrimSuffix(s.URL, "/")+path, bytes.NewReader(given))
	if err != nil {
		return nil, nil, err
	}
	req.Host = string(c.Request().Host()) // links of the page must lead back to this address
	req.Header.Set(fiber.HeaderContentType, c.Get(fiber.HeaderContentType))
	if secret != "" {
		req.Header.Set(fiber.HeaderAuthorization, "Bearer "+secret)
	}
	client := http.Client{}
	if s.Client != nil {
		client = *s.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(req)
	if err != nil {
		return nil, nil, ports.ErrProviderUnavailable.WithCause(err)
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxSandboxAnswer+1))
	if err == nil && len(body) > maxSandboxAnswer {
		err = errors.New("the sandbox's answer is too large")
	}
	if err != nil {
		return nil, nil, ports.ErrProviderUnavailable.WithCause(err)
	}
	return answer, body, nil
}
