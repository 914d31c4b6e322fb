// Package rest serves the REST API: it turns requests into calls of use cases, and their answers and faults
// into responses.
//
// Details that the rules leave open: a parameter of Payload's API means the same here, or is refused; none is ignored
// silently. Those for drafts, translations and trash are accepted, because records here have none of these. An unknown
// parameter, a join, a field that cannot be selected and an amount sent as text are 400. pagination=false
// returns as many records as one response may have.
//
// Every route is registered by an Area. Handlers read the body with readObject, identify the caller with
// caller or keyed, and answer with sendResponse or send. They return errors, which only the edge turns into
// responses.
package rest

import (
	"context"
	"log/slog"
	"math"
	"net/netip"
	"time"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/trace"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Authenticator finds the principal of credentials, an anonymous one without credentials. app/access implements it.
// Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired, fault.ErrForbidden.
type Authenticator interface {
	Authenticate(ctx context.Context, c access.Credentials) (tenant.Principal, error)
	// IsSameSite reports whether a page of this server asks.
	IsSameSite(c access.Credentials) bool
}

// Area registers the routes of one part of the API. Areas under /api are mounted in the given order: the
// first match wins, so collections, whose /:id matches any word, come last.
type Area interface {
	Mount(r fiber.Router)
}

// Check is one condition of readiness; Ready returns nil when it holds.
type Check struct {
	Name  string
	Ready func(ctx context.Context) error
	// Optional checks do not affect readiness: requests are served without them, with more work or less protection.
	Optional bool
}

// Options is what the server needs.
type Options struct {
	Log      *slog.Logger
	Access   Authenticator
	Meter    Meter                  // nil: calls are not counted
	Areas    []Area                 // below /api, in order of precedence
	Root     []Area                 // below /
	Checks   []Check                // /readyz
	Circuits func() []ports.Circuit // circuit breakers, for /readyz; nil: none
	// StoreRefusal is the error of every request that needs the store while its circuit is open; nil otherwise.
	// A nil function: there is no circuit.
	StoreRefusal   func() error
	Timeout        time.Duration  // of a request; 0 is 30 s
	TrustedProxies []netip.Prefix // X-Forwarded-For is trusted from these
	SecureCookies  bool           // cookies travel over HTTPS only
	NewID          func() string  // request ids
	Version        string         // of the product, for the documentation
	PublicURL      string         // where clients reach it, for the documentation; "": the origin of the document
	Now            func() time.Time
	// Tracer, if any, starts a span for every request except those of probes.
	Tracer trace.Tracer
	// Answered, if any, is called for every request with the pattern of its route, its method, and the status
	// and duration of its response. Unmatched stands for a missing route and an unknown method.
	Answered func(route, method string, status int, took time.Duration)
}

// Unmatched is the route pattern if no route matches, and the method of a request that is not valid HTTP.
const Unmatched = "unmatched"

// jsonLimit bounds every body but uploads, anonymousLimit those of callers without accepted credentials: what they may
// send, such as a login, is short. readTimeout bounds how long the headers and this body may take, so
// that a client that never completes its headers holds a connection only briefly.
const (
	jsonLimit      = 1 << 20
	anonymousLimit = 64 << 10
	readTimeout    = 20 * time.Second
)

// New makes the server. Serve a Lingering listener with it, and stop it with ShutdownWithContext, which
// finishes accepted requests. Bodies are streamed: see requestBody.
func New(o Options) *fiber.App {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	o.Log = slog.New(WithRequestAttrs(o.Log.Handler()))
	e := &edge{Options: o, beyondQuota: beyondQuotaRoutes(o.Areas)}
	app := fiber.New(fiber.Config{
		AppName:                      "cartwright",
		Immutable:                    true, // values outlive the handler: mailboxes and the committer keep them
		CaseSensitive:                true,
		StreamRequestBody:            true,
		BodyLimit:                    math.MaxInt, // requestBody has the limits
		DisablePreParseMultipartForm: true,
		ReadBufferSize:               16 << 10, // request line and headers: enough for a long where
		ReadTimeout:                  readTimeout,
		ReduceMemoryUsage:            true, // a connection gets buffers with its first byte
		IdleTimeout:                  75 * time.Second,
		DisableStartupMessage:        true,
		ErrorHandler:                 e.onTransportError,
	})
	app.Server().Handler = e.wellFormed(app)
	// one route, the first: see overrideMethod
	app.Use(e.handleRequest, rejectUnreadable, e.preflight, e.requireStore, e.authenticate, allowOrigin, e.meter, overrideMethod, e.requireMethod)
	health{checks: o.Checks, circuits: o.Circuits}.Mount(app)
	for _, a := range o.Root {
		a.Mount(app)
	}
	api := app.Group("/api")
	docs{options: o}.Mount(api)
	for _, a := range o.Areas {
		a.Mount(api)
	}
	e.allowed = newAllowedMethods(app, o.Areas)
	return app
}
