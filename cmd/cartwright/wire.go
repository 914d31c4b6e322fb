package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/graphql"
	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/rest/playground"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/browsing"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/delivering"
	"github.com/cartwright-dev/cartwright/app/drafting"
	"github.com/cartwright-dev/cartwright/app/estimating"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/ordering"
	"github.com/cartwright-dev/cartwright/app/returning"
	"github.com/cartwright-dev/cartwright/app/shopping"
	"github.com/cartwright-dev/cartwright/app/streaming"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Server is a whole running product: listener, HTTP, use cases, store.
type Server struct {
	*core

	BaseURL    string
	listener   net.Listener
	app        *fiber.App
	committer  *sqlstore.Committer
	carts      *shopping.Carts
	buying     *buying.Buying
	ordering   *ordering.Ordering
	drafting   *drafting.Drafting
	fulfilling *fulfilling.Fulfilling
	returning  *returning.Returning
	streams    *streaming.Streaming
	delivering *delivering.Delivering
	calls      *payment.Client // of payment providers
	redis      *redis.Client   // nil without
	meter      *metering.Meter // of API calls
	told       metrics.Told    // to Prometheus, and to a collector
	checks     []rest.Check    // of what it can serve without
	draining   atomic.Bool
	News       *credentials // of the demo shop, if this start founded it
}

// build puts the server together, top to bottom; nothing is served before Run. Clock tells the time to every rule.
func build(ctx context.Context, c Config, clock func() time.Time, log *slog.Logger) (_ *Server, err error) {
	s := &Server{}
	if s.listener, err = listen(ctx, c.Address); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	s.BaseURL = c.BaseURL(s.listener.Addr())
	if s.core, err = openCore(ctx, c, clock, log); err != nil {
		return nil, err
	}
	if err := s.openDebug(ctx); err != nil {
		return nil, err
	}
	sandboxURL, err := s.openSandbox(ctx, s.BaseURL)
	if err != nil {
		return nil, err
	}
	if s.News, err = s.welcome(ctx); err != nil {
		return nil, err
	}
	receipts, err := s.receiptCache(ctx)
	if err != nil {
		return nil, err
	}
	s.openMeter()
	if s.config.BurstPerMinute > 0 {
		s.people.Registrations = s.access.Attempts // shared with the other instances by now
	}
	s.openCarts(receipts)
	if err := s.openPayments(receipts, sandboxURL); err != nil {
		return nil, err
	}
	s.streams = streaming.New(streaming.Options{Log: s.store.EventLog(), Registry: s.registry, Logger: s.log})
	s.openDeliveries()
	proxies, err := networks(c.TrustedProxies)
	if err != nil {
		return nil, err
	}
	api, err := s.graphQL()
	if err != nil {
		return nil, err
	}
	if err := s.openMetrics(ctx); err != nil {
		return nil, err
	}
	s.app = rest.New(s.routes(graphql.NewEngine(api, s.log), sandboxURL, proxies)) //nolint:contextcheck // requests have contexts of their own
	s.takeLeave()
	return s, nil
}

// routes puts the routes together; the order of areas is their precedence.
func (s *Server) routes(documents rest.Documents, sandboxURL string, proxies []netip.Prefix) rest.Options {
	return rest.Options{
		Log: s.log, Access: s.access, Meter: s.meter,
		Areas: []rest.Area{
			rest.Auth{Access: s.access, People: s.people, Secure: s.config.Mode == Production},
			rest.GraphQL{Documents: documents, Secure: s.config.Mode == Production},
			s.playground(),
			rest.Operations(s.operations()),
			rest.Webhooks{Hear: s.buying.Hear},
			rest.Media{Library: s.library, Content: s.content},
			rest.CarrierFiles{Files: s.carriers},
			rest.Events{Streams: s.streams, Access: s.access},
			rest.Collections{Content: s.content}, // last: its /:id takes any word
		},
		Root: []rest.Area{rest.Sandbox{URL: sandboxURL, Access: s.access, Secret: func(id tenant.ID) string {
			secret, _ := s.sandbox(founding.SandboxAccount(id))
			return secret
		}}, s.storefront(sandboxURL), rest.Metrics{Handler: s.told}},
		Checks:         append([]rest.Check{{Name: "serving", Ready: s.serving}, {Name: "database", Ready: s.store.Ready}}, s.checks...),
		Circuits:       s.circuits,
		TrustedProxies: proxies, NewID: newID, Now: s.now, Version: version, PublicURL: s.config.PublicURL,
		Answered: s.work.Request, Tracer: s.tracing.Tracer(),
	}
}

// graphQL is the schema of everything there is.
func (s *Server) graphQL() (*graphql.API, error) {
	return graphql.New(graphql.Options{
		Content: s.content, Library: s.library, Carriers: s.carriers, Sessions: graphql.Sessions{Access: s.access, People: s.people}, Operations: s.operations(),
	})
}

// playground is GraphiQL, or nothing where it is off.
func (s *Server) playground() rest.Area {
	if s.config.playground() {
		return playground.Playground{}
	}
	return rest.Operations(nil)
}

// operations is everything that is not the generic work on collections, in order of precedence.
func (s *Server) operations() []operation.Operation {
	return s.tracing.Operations(slices.Concat(
		operation.Catalog(&browsing.Browsing{Store: s.watched, Content: s.content}), operation.Carts(s.carts), operation.PreviousCarts(s.carts),
		operation.CheckoutQuery(s.content), operation.Checkouts(s.buying), operation.Payments(s.buying), operation.Orders(s.buying), operation.Drafts(s.drafting), operation.Ordering(s.ordering), operation.Fulfillments(s.fulfilling),
		operation.Returns(s.returning), operation.Keys(s.access), operation.Webhooks(s.hooking), operation.Events(s.streams), operation.Usage(s.meter),
		operation.Estimates(&estimating.Estimates{Store: s.watched, Tries: s.tries, Now: s.now}),
	))
}

// openMeter counts calls, with the other instances where there is a Redis.
func (s *Server) openMeter() {
	o := metering.Options{Counts: s.store.Usage(), Counter: newID(), Burst: s.config.BurstPerMinute, Now: s.now}
	if s.redis != nil {
		o.Shared = redis.NewCalls(s.redis, redisPrefix)
	}
	s.meter = metering.New(o)
}

// openCarts puts the workers of carts together. Their commits are shared with new records of other collections.
func (s *Server) openCarts(receipts ports.ReceiptCache) {
	s.committer = s.store.Committer()
	committer := s.tracing.Committer(s.facts.WatchCommits(s.committer))
	s.content.Committer = committer
	s.carts = shopping.New(shopping.Carts{
		Store: s.watched, Committer: committer, Cache: receipts, Vault: s.vault, Quotes: s.facts,
		Now: s.now, NewID: newID,
	}, mailbox.Options{Off: s.config.Mailbox == Off, Ran: s.work.Ran, Around: s.tracing.Run()})
}

// openPayments puts checkouts, payments and fulfilment together, with every provider this installation can use.
func (s *Server) openPayments(receipts ports.ReceiptCache, sandboxURL string) error {
	fail, err := failpoint(s.config.Failpoint)
	if err != nil {
		return err
	}
	s.calls = payment.NewClient(s.config.providerLimits(), nil)
	s.buying = &buying.Buying{
		Store: s.watched, Once: &once.Runner{Store: s.watched, Claims: s.store.Claims(), Cache: receipts, Now: s.now, NewID: newID},
		Vault: s.vault, Providers: s.work.Providers(s.tracing.Providers(s.providers(s.calls, sandboxURL, s.BaseURL))), Heard: s.store.Heard(), Now: s.now, NewID: newID, Reservation: s.config.ReservationTTL, Log: s.log, Fail: fail,
	}
	s.drafting = &drafting.Drafting{Store: s.watched, Once: s.buying.Once, Now: s.now, NewID: newID, Fail: fail}
	s.returning = &returning.Returning{Store: s.watched, Once: s.buying.Once, Buying: s.buying, Now: s.now, NewID: newID}
	s.buying.Returns = s.returning.Follow
	s.ordering = &ordering.Ordering{Store: s.watched, Once: s.buying.Once, Buying: s.buying, Now: s.now, NewID: newID}
	s.fulfilling = &fulfilling.Fulfilling{Store: s.watched, Once: s.buying.Once, Now: s.now, NewID: newID}
	s.carriers.Once = s.buying.Once
	s.hooking.Once = s.buying.Once
	return nil
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	var plain net.ListenConfig
	plain.SetMultipathTCP(false) // the kernel filters no multipath connections, see deafen
	l, err := plain.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken by another process: stop that one, or set CARTWRIGHT_ADDR to another address", address)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be listened on: set CARTWRIGHT_ADDR to an address of this machine (%w)", address, err)
	}
	return l, nil
}

// welcome makes the demo shop where there is nothing yet; production starts empty.
func (s *Server) welcome(ctx context.Context) (*credentials, error) {
	if s.config.Mode == Production {
		return nil, nil
	}
	news, err := s.seedDemo(ctx, s.BaseURL)
	if err != nil {
		return nil, err
	}
	return news, s.refreshBaseURL(s.BaseURL)
}

// receiptCache is the fast copy of receipts: Redis where one is configured, else this process's memory.
func (s *Server) receiptCache(ctx context.Context) (ports.ReceiptCache, error) {
	if s.config.Redis == "" {
		return memory.NewReceipts(64<<20, s.now), nil
	}
	goredis.SetLogger(silent{})
	client, err := redis.Connect(s.config.Redis, s.log)
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, client.Close)
	if err := client.Examine(ctx, redisPrefix); err != nil {
		s.log.Warn("CARTWRIGHT_REDIS_URL does not work: repeated requests are looked up in the database until it does", "error", err)
	}
	s.redis = client
	if err := client.Trace(s.tracing.Redis); err != nil {
		return nil, err
	}
	s.checks = append(s.checks, rest.Check{Name: "redis", Ready: client.Ready, Optional: true})
	s.access.Attempts = redis.NewAttempts(client, redisPrefix, attemptWindow, s.access.Attempts)
	s.tries = redis.NewAttempts(client, redisPrefix, estimating.Window, s.tries)
	return redis.NewReceipts(client, redisPrefix), nil
}

// redisPrefix begins the names of all that we keep in Redis.
const redisPrefix = "cartwright:"

// silent keeps the Redis driver from writing a line of its own for every failed dial; the breaker and we tell it once.
type silent struct{}

// Printf implements the driver's logger.
func (silent) Printf(context.Context, string, ...any) {}

// openBank opens the sandbox provider on the database of the server, or on a file of its own beside it.
func openBank(ctx context.Context, c Config, now func() time.Time, log *slog.Logger, publicURL string) (*bank.Bank, error) {
	versions, err := c.secrets()
	if err != nil {
		return nil, err
	}
	shared := sandboxSecrets(versions)
	var books *bank.Store
	if c.Database != "" {
		books, err = bank.OpenPostgres(ctx, c.Database)
	} else {
		books, err = bank.OpenSQLite(ctx, c.File(sandboxFile))
	}
	if err != nil {
		return nil, err
	}
	return bank.New(bank.Options{Store: books, Secret: shared[0], Former: shared[1:], PublicURL: publicURL, Now: now, Log: log}) //nolint:contextcheck // it sends until it is stopped
}

func networks(texts []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, err := netip.ParseAddr(text)
			if err != nil {
				return nil, err
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		out = append(out, p)
	}
	return out, nil
}

// Close lets go of everything.
func (s *Server) Close() error {
	var errs []error
	if s.core != nil {
		errs = append(errs, s.core.Close())
	}
	if err := s.listener.Close(); !errors.Is(err, net.ErrClosed) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
