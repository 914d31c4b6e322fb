// Package rest speaks the REST API: it turns a request into a call of a use case, and the answer or fault into a response.
//
// Details that the rules leave open: what a Payload developer sends means what it means there, or is refused; nothing
// is dropped in silence. Its parameters for drafts, translations and a bin are taken, since nothing here has any; a
// parameter nobody knows, a join, a field that cannot be selected and an amount that comes as text are 400.
// pagination=false gives as much as one answer may hold.
//
// Every route is registered by an Area. Handlers read with readTree, say who calls with caller or keyed, and answer with
// reply or send; errors are returned, and the edge alone turns them into responses.
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

// Authenticator finds the principal behind credentials; none at all are an anonymous principal. app/access has it.
// Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired, fault.ErrForbidden.
type Authenticator interface {
	Authenticate(ctx context.Context, c access.Credentials) (tenant.Principal, error)
}

// Area registers the routes of one part of the API. Areas under /api are mounted in the order given: the first match
// wins, so collections, whose /:id catches any word, come last.
type Area interface {
	Mount(r fiber.Router)
}

// Check is one condition of readiness; Ready answers nil when it holds.
type Check struct {
	Name  string
	Ready func(ctx context.Context) error
	// Optional: requests are served without it, with more work or less protection.
	Optional bool
}

// Options is what the server needs.
type Options struct {
	Log            *slog.Logger
	Access         Authenticator
	Meter          Meter                  // nil: calls are not counted
	Areas          []Area                 // below /api, in order of precedence
	Root           []Area                 // below /
	Checks         []Check                // /readyz
	Circuits       func() []ports.Circuit // of what may be away, for /readyz; nil: none
	Timeout        time.Duration          // of a request; 0 is 30 s
	TrustedProxies []netip.Prefix         // X-Forwarded-For is believed from these
	SecureCookies  bool                   // cookies travel over HTTPS only
	NewID          func() string          // request ids
	Version        string                 // of the product, for the documentation
	PublicURL      string                 // where clients reach it, for the documentation; "": wherever they found it
	Now            func() time.Time
	// Tracer, if any, begins a span for every request but those of probes.
	Tracer trace.Tracer
	// Answered, if any, hears of every request: the pattern of its route, Unmatched where none fits, its method, one that HTTP
	// knows, and the status and time of its answer.
	Answered func(route, method string, status int, took time.Duration)
}

// Unmatched stands for the pattern of the route where no route fits, and for the method of what is no request at all.
const Unmatched = "unmatched"

// jsonLimit bounds every body but uploads. readTimeout bounds how long it, and the headers before it, may take: who never
// ends a header line holds nothing but a connection, and not for long.
const (
	jsonLimit   = 1 << 20
	readTimeout = 20 * time.Second
)

// New makes the server. Serve a Lingering listener with it, and stop it with ShutdownWithContext, which finishes accepted
// requests. Bodies are streamed: see inbound.
func New(o Options) *fiber.App {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	o.Log = slog.New(WithRequestAttrs(o.Log.Handler()))
	e := &edge{Options: o}
	app := fiber.New(fiber.Config{
		AppName:                      "cartwright",
		Immutable:                    true, // values outlive the handler: mailboxes and the committer keep them
		CaseSensitive:                true,
		StreamRequestBody:            true,
		BodyLimit:                    math.MaxInt, // inbound has the limits
		DisablePreParseMultipartForm: true,
		ReadBufferSize:               16 << 10, // request line and headers: a long where
		ReadTimeout:                  readTimeout,
		IdleTimeout:                  75 * time.Second,
		DisableStartupMessage:        true,
		ErrorHandler:                 e.onTransportError,
	})
	app.Server().Handler = e.knownMethods(app)
	app.Use(e.handleRequest, rejectUnreadable, preflight, e.authenticate, allowOrigin, e.meter, overrideMethod) // one route, the first: see override
	health{checks: o.Checks, circuits: o.Circuits}.Mount(app)
	for _, a := range o.Root {
		a.Mount(app)
	}
	api := app.Group("/api")
	docs{options: o}.Mount(api)
	for _, a := range o.Areas {
		a.Mount(api)
	}
	return app
}
