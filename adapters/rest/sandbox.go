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

// Sandbox shows the sandbox provider's buyer side and its fault switches under our own address, so that one address is
// enough for a demo. It is a Root area. The provider itself is a service of its own at URL. Rule payments-34.
type Sandbox struct {
	URL    string                 // of the provider; "" refuses everything, as production must
	Access Authenticator          // fault switches need a test secret key
	Secret func(tenant.ID) string // a tenant's account secret at the provider
	Client *http.Client           // nil is http.DefaultClient; redirects are passed on, never followed
}

// The refusals of the sandbox's mount.
var (
	ErrSandboxOff     = fault.New(fault.Forbidden, "sandbox_disabled", "The sandbox payment provider is switched off here.")
	ErrSandboxRefused = fault.New(fault.Conflict, "sandbox_refused", "The sandbox payment provider refused the request.")
)

// maxSandboxAnswer bounds what is passed on from the provider.
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
	g.Post("/authorize", s.script("/sandbox/authorize"))
	g.Post("/refunds", s.script("/sandbox/refunds"))
	g.Get("/faults", s.faults)
	g.Put("/faults", s.faults)
	g.Delete("/faults", s.faults)
}

// page passes the payment page on as it is: status, redirect and security policy are the provider's.
func (s Sandbox) page(c *fiber.Ctx) error {
	answer, body, err := s.exchange(c, "/sandbox/pay/"+url.PathEscape(c.Params("id")), "") //nolint:bodyclose // exchange closes it
	if err != nil {
		return err
	}
	for _, name := range []string{fiber.HeaderContentType, fiber.HeaderLocation, fiber.HeaderContentSecurityPolicy, fiber.HeaderReferrerPolicy, fiber.HeaderXContentTypeOptions, fiber.HeaderCacheControl} {
		if v := answer.Header.Get(name); v != "" {
			c.Set(name, v)
		}
	}
	return c.Status(answer.StatusCode).Send(body)
}

// script is the scripted buyer, or the banks behind the provider, who need no key.
func (s Sandbox) script(path string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if _, err := rawBody(c, fiber.MIMEApplicationJSON); err != nil {
			return err
		}
		return s.pass(c, path, "")
	}
}

// faults orders failures for the tenant of a test secret key.
func (s Sandbox) faults(c *fiber.Ctx) error {
	p, err := s.Access.Authenticate(c.UserContext(), credentials(c))
	switch {
	case err != nil:
		return err
	case p.Kind == tenant.Anonymous || p.Kind == "":
		return fault.ErrUnauthenticated
	case p.Kind != tenant.SecretKey || p.Environment != tenant.Test || !p.CanWrite && c.Method() != fiber.MethodGet:
		return fault.ErrForbidden.WithMessage("The fault switches of the sandbox take a test secret key that may write.")
	}
	return s.pass(c, "/sandbox/faults", s.Secret(p.Tenant.ID))
}

// pass answers with the provider's JSON, its refusals in our own form.
func (s Sandbox) pass(c *fiber.Ctx, path, secret string) error {
	answer, body, err := s.exchange(c, path, secret) //nolint:bodyclose // exchange closes it
	if err != nil {
		return err
	}
	var said struct {
		Message string `json:"message"`
	}
	if answer.StatusCode >= 400 && json.Unmarshal(body, &said) != nil {
		return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("the sandbox answered %d", answer.StatusCode))
	}
	switch answer.StatusCode {
	case http.StatusOK:
		return send(c, fiber.StatusOK, bytes.TrimSpace(body))
	case http.StatusBadRequest:
		return fault.ErrValidation.WithMessage("%s", said.Message)
	case http.StatusNotFound:
		return fault.ErrNotFound.WithMessage("%s", said.Message)
	case http.StatusConflict:
		return ErrSandboxRefused.WithMessage("%s", said.Message)
	}
	return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("the sandbox answered %d: %s", answer.StatusCode, said.Message))
}

// exchange repeats the request at the provider, without the caller's credentials and cookies.
func (s Sandbox) exchange(c *fiber.Ctx, path, secret string) (*http.Response, []byte, error) {
	given, err := bodyOf(c).whole()
	if err != nil {
		return nil, nil, err
	}
	req, err := http.NewRequestWithContext(c.UserContext(), c.Method(), strings.TrimSuffix(s.URL, "/")+path, bytes.NewReader(given))
	if err != nil {
		return nil, nil, err
	}
	req.Host = string(c.Request().Host()) // links lead back to where the buyer came from
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
