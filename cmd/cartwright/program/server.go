package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/graphql"
	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/pdf"
	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/rest/playground"
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/cataloging"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/deliveries"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/exports"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/imports"
	"github.com/cartwright-dev/cartwright/app/indexing"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/app/prints"
	"github.com/cartwright-dev/cartwright/app/quotes"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/app/repricing"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/app/revisions"
	"github.com/cartwright-dev/cartwright/app/searching"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/app/storefront"
	"github.com/cartwright-dev/cartwright/app/team"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Server is the complete server: listener, HTTP, use cases, store.
type Server struct {
	*core

	BaseURL        string
	listener       net.Listener
	dataLock       *os.File // nil on Postgres
	app            *fiber.App
	shared         shared
	commits        ports.Committer // of carts and new records
	commitQueue    func() int      // how many steps wait for their commit
	carts          *carts.Service
	idempotency    *idempotency.Runner
	checkouts      *checkouts.Service
	payments       *payments.Service
	refunds        *refunds.Service
	reconciler     *payments.AggregatorReconciler
	paymentHooks   *payments.Webhooks // of payment providers
	paymentPoller  *payments.Poller
	orders         *orders.Service
	stock          *stock.Service
	drafts         *drafts.Service
	tester         *connections.Tester
	taxes          taxes
	fulfillments   *fulfillments.Service
	carrierFiles   *fulfillments.CarrierFiles
	bulk           *bulk.Service
	corrector      *orders.Corrector
	cataloging     *cataloging.Service
	repricing      *repricing.Service
	returnRequests *returnrequests.Service
	reports        *reports.Service
	printer        *pdf.Printer
	eventFeed      *eventfeed.Service
	deliveries     *deliveries.Dispatcher
	webhooks       *webhooks.Service
	mailing        *mailing
	indexer        *indexing.Follower
	productIndexer *indexing.Follower
	products       ports.ProductSearch
	exports        *exports.Service
	imports        *imports.Service
	personalData   *personaldata.Service
	jobs           *jobs.Runner
	providerClient *payment.Client  // of payment providers
	meter          *metering.Meter  // of API calls
	metrics        metrics.Exporter // to Prometheus, and to a collector
	draining       atomic.Bool
	sleep          func(time.Duration) // for CARTWRIGHT_SHUTDOWN_DELAY; tests replace it
	NewCredentials *credentials        // of the demo shop, if this start created it; else nil
}

// build wires the server; nothing is served before Run. Clock is the clock of every rule; nil: the
// database's.
func build(ctx context.Context, c Config, clock func() time.Time, log *slog.Logger) (_ *Server, err error) {
	s := &Server{sleep: time.Sleep}
	if s.listener, err = listen(ctx, c.Address); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.dataLock, err = c.lockDataDir(); err != nil {
		return nil, err
	}
	s.BaseURL = c.BaseURL(s.listener.Addr())
	if err := s.openUseCases(ctx, c, clock, log); err != nil {
		return nil, err
	}
	if c.Mode == Production {
		if err := s.checkSecretsFit(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.openDebug(ctx); err != nil {
		return nil, err
	}
	sandboxURL, err := s.openSandbox(ctx, s.BaseURL)
	if err != nil {
		return nil, err
	}
	if s.NewCredentials, err = s.seedIfEmpty(ctx); err != nil {
		return nil, err
	}
	s.openMeter()
	s.idempotency = &idempotency.Runner{
		Store: s.invalidatingStore, Committer: s.commits, Claims: s.store.Claims(), Cache: s.shared.receipts,
		Recent: &idempotency.RecentKeys{}, Now: s.now, NewID: newID,
		Background: s.background,
	}
	if err := s.openPayments(sandboxURL); err != nil {
		return nil, err
	}
	s.openCarts()
	s.reports = &reports.Service{
		Reports: s.store.Reports(), Ledger: s.store.LedgerReader(), Store: s.store, Sheets: spreadsheet.Codec{}, Now: s.now,
	}
	s.printer = pdf.New()
	if err := s.openFollowers(); err != nil {
		return nil, err
	}
	proxies, err := parseNetworks(c.TrustedProxies)
	if err != nil {
		return nil, err
	}
	if err := s.openMetrics(ctx); err != nil {
		return nil, err
	}
	s.app = rest.New(s.routes(s.graphQLOnDemand(), sandboxURL, proxies)) //nolint:contextcheck // requests have contexts of their own
	s.closeConnectionsWhileDraining()
	return s, nil
}

// openUseCases opens the platform and builds the use cases for a server: limits and receipts are shared with the
// other instances, and new records are committed together with changes of carts.
func (s *Server) openUseCases(ctx context.Context, c Config, clock func() time.Time, log *slog.Logger) error {
	p, err := openPlatform(ctx, c, clock, log)
	if err != nil {
		return err
	}
	if s.shared, err = p.openShared(ctx); err != nil {
		return errors.Join(err, p.Close())
	}
	committer := p.store.Committer()
	s.commits, s.commitQueue = p.tracing.Committer(p.recent.WrapCommitter(p.offerCache.WrapCommitter(committer))), committer.Waiting
	with := coordination{loginAttempts: s.shared.loginAttempts, committer: s.commits, passkeys: passkeysAt(s.BaseURL)}
	if c.BurstPerMinute > 0 {
		with.registrations = s.shared.loginAttempts
	}
	s.core = newCore(p, with)
	return nil
}

// openFollowers builds what follows the events: their feed, webhooks, search indexes, jobs and mails.
func (s *Server) openFollowers() error {
	s.eventFeed = eventfeed.New(eventfeed.Options{
		Log: s.store.EventLog(), Store: s.store, Registry: s.registry, Logger: s.log, Task: s.background.Task("streams"),
		Numbered: s.store.EventsNumbered().Listen(),
	})
	s.openDeliveries()
	s.openIndexer()
	s.openJobs()
	return s.openMails()
}

// routes are the routes of the server; areas are in order of precedence.
func (s *Server) routes(documents rest.GraphQLEngine, sandboxURL string, proxies []netip.Prefix) rest.Options {
	return rest.Options{
		Log: s.log, Access: s.access, Meter: s.meter, StoreRefusal: s.store.CircuitRefusal,
		Areas: []rest.Area{
			rest.GraphQL{Engine: documents},
			s.playground(),
			rest.Operations(s.operations()),
			rest.Webhooks{Handle: s.paymentHooks.HandleWebhook},
			rest.Media{Uploads: s.uploads},
			rest.Collections{Content: s.records}, // last: its /:id matches every word
		},
		Root: []rest.Area{rest.Sandbox{URL: sandboxURL, Access: s.access, Secret: func(id tenant.ID) string {
			secret, _ := s.sandboxAccount(onboarding.SandboxAccount(id))
			return secret
		}}, s.storefront(sandboxURL), operatorsConsole(), s.emailTokenPage(), s.mailboxPage(), s.metricsPage()},
		Checks: append([]rest.Check{{Name: "serving", Ready: s.checkServing}, {Name: "database", Ready: s.store.Ready}},
			s.shared.checks()...),
		Circuits:       s.circuits,
		TrustedProxies: proxies, SecureCookies: s.config.Mode == Production, NewID: newID, Now: s.now, Version: version,
		PublicURL: s.config.PublicURL, Answered: s.workMetrics.Request, Tracer: s.tracing.Tracer(),
	}
}

// graphQL is the GraphQL API of all collections and operations.
func (s *Server) graphQL() (*graphql.API, error) {
	return graphql.New(graphql.Options{Content: s.records, Operations: s.operations()})
}

// graphQLOnDemand is the engine of GraphQL, which makes its schema with the first request: that takes as long as half of the
// rest of a start, and memory that many shops never need.
func (s *Server) graphQLOnDemand() rest.GraphQLEngine {
	return engineOnDemand(sync.OnceValue(func() *graphql.Engine {
		api, err := s.graphQL()
		if err != nil {
			panic(err) // what collections and operations declare is wrong, which tests see
		}
		return graphql.NewEngine(api, s.log)
	}))
}

type engineOnDemand func() *graphql.Engine

// Answer implements rest.GraphQLEngine.
func (e engineOnDemand) Answer(ctx context.Context, r gqlrequest.Request) gqlrequest.Response {
	return e().Answer(ctx, r)
}

// metricsPage is the area of /metrics. What it says is about all shops together, so that production serves it
// to those with its token only. Rule running-6.
func (s *Server) metricsPage() rest.Area {
	if s.config.Mode == Production && s.config.MetricsToken == "" {
		return rest.Operations(nil)
	}
	return rest.Metrics{Expose: s.metrics.Expose, Token: s.config.MetricsToken}
}

// playground is the area of GraphiQL, without routes where it is off.
func (s *Server) playground() rest.Area {
	if s.config.playgroundEnabled() {
		return playground.Playground{}
	}
	return rest.Operations(nil)
}

// operations are all operations besides the generic ones on collections, in order of precedence.
func (s *Server) operations() []operation.Operation {
	return s.tracing.Operations(revisions.Operations(slices.Concat(
		operation.Sessions(s.access, s.registration), operation.Media(s.uploads, s.records), operation.CarrierFiles(s.carrierFiles),
		operation.CarrierBatches(s.carrierFiles), operation.Tenants(s.suspension),
		operation.TenantDeletion(s.tenantExport, s.tenantDeletion), operation.Shop(&shopprofile.Service{Store: s.invalidatingStore}),
		operation.Preferences(&team.Preferences{Store: s.invalidatingStore, Now: s.now, NewID: newID}),
		operation.Catalog(&storefront.Service{Store: s.invalidatingStore, Records: s.records, Products: s.products}), operation.Carts(s.carts),
		operation.PreviousCarts(s.carts), operation.CheckoutQuery(s.records), operation.Checkouts(s.checkouts, s.refunds.Attention),
		operation.Payments(s.payments, s.reconciler), operation.Orders(s.refunds.Canceler, s.refunds.Capturer),
		operation.OrderCorrections(s.refunds.Lines, s.refunds.Orders, s.corrector), operation.Drafts(s.drafts),
		operation.OrderManagement(s.orders), operation.Stock(s.stock), operation.Fulfillments(s.fulfillments), operation.Returns(s.returnRequests),
		operation.Keys(s.access), operation.Invitations(s.access, s.BaseURL), operation.Permissions(s.registry),
		operation.Schemas(s.registry, s.records.Hooks),
		operation.PersonalData(s.personalData),
		operation.Webhooks(s.webhooks), operation.Mails(s.mailing.service), operation.Events(s.eventFeed, s.access),
		operation.Search(&searching.Service{Records: s.records}),
		operation.Usage(s.meter),
		operation.Reports(s.reports), operation.Exports(s.exports), operation.Imports(s.imports),
		operation.BackgroundFailures(s.listBackgroundFailures), operation.PaymentProviders(s.config.descriptions(), s.tester),
		operation.TaxConnections(s.taxes.tester),
		operation.Bulk(s.bulk), operation.WholeProducts(s.cataloging), operation.Prices(s.repricing),
		operation.Prints(&prints.Service{Store: s.invalidatingStore, Records: s.records, Blobs: s.blobs, Printer: s.printer}),
		operation.MailTemplates(s.mailing.texts), operation.Messages(s.mailing.messaging.texts, s.mailing.messaging.tester),
		operation.Quotes(&quotes.Service{Store: s.invalidatingStore, Attempts: s.shared.discountAttempts, Now: s.now}),
	), s.registry))
}

// openMeter builds the meter of API calls, which counts together with the other instances if there is a Redis.
func (s *Server) openMeter() {
	o := metering.Options{UsageStore: s.store.Usage(), CounterID: newID(), Burst: s.config.BurstPerMinute, Now: s.now, Task: s.background.Task("usage")}
	if s.shared.redis != nil {
		o.Shared = redis.NewSharedCounter(s.shared.redis, redisPrefix)
	}
	s.meter = metering.New(o)
}

// openCarts builds the use cases of carts with their workers.
func (s *Server) openCarts() {
	s.carts = carts.New(carts.Service{
		Store: s.invalidatingStore, Committer: s.commits, Cache: s.shared.receipts, Vault: s.vault, Offers: s.offerCache,
		Sessions: s.payments.Settler, Now: s.now, NewID: newID, Sweeps: s.background.Task("abandoned carts"),
	}, mailbox.Options{
		Disabled: s.config.Mailbox == Off, OnBatch: s.workMetrics.CartBatch, OnHandled: s.workMetrics.CartRun,
		WrapBatch: s.tracing.MailboxWrapper(),
		Task:      s.background.Task("cart workers"),
	})
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	var plain net.ListenConfig
	plain.SetMultipathTCP(false) // the filter of dropNewConnections does not see multipath connections
	l, err := plain.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is already in use: stop the other process, or set CARTWRIGHT_ADDR to another address", address)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: set CARTWRIGHT_ADDR to an address of this machine (%w)", address, err)
	}
	return l, nil
}

// seedIfEmpty creates the demo shop in an empty database; production starts empty.
func (s *Server) seedIfEmpty(ctx context.Context) (*credentials, error) {
	if s.config.Mode == Production {
		return nil, nil
	}
	created, err := s.seedDemo(ctx, s.BaseURL)
	if err != nil {
		return nil, err
	}
	return created, s.refreshBaseURL(s.BaseURL)
}

// openSandboxProvider opens the sandbox provider on a file of its own in the data folder.
func openSandboxProvider(ctx context.Context, c Config, k *platform, publicURL string) (*bank.Server, error) {
	versions, err := c.secrets()
	if err != nil {
		return nil, err
	}
	shared := sandboxSecrets(versions)
	store, err := bank.Open(ctx, c.File(sandboxFile))
	if err != nil {
		return nil, err
	}
	return bank.New(bank.Options{Store: store, Secret: shared[0], PreviousSecrets: shared[1:], PublicURL: publicURL, Now: k.now, Log: k.log, Background: k.background}) //nolint:contextcheck // it sends until it is stopped
}

func parseNetworks(texts []string) ([]netip.Prefix, error) {
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

// Close closes the listener and everything that build opened.
func (s *Server) Close() error {
	var errs []error
	if s.core != nil {
		errs = append(errs, s.core.Close())
	}
	if err := s.listener.Close(); !errors.Is(err, net.ErrClosed) {
		errs = append(errs, err)
	}
	if s.dataLock != nil {
		errs = append(errs, s.dataLock.Close())
	}
	return errors.Join(errs...)
}
