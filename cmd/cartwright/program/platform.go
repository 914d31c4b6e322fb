package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cartwright-dev/cartwright/adapters/blob"
	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/adapters/tracing"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/app/revisions"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// platform is what use cases are built on: the store, uploaded files, secrets, metrics and tracing.
type platform struct {
	config            Config
	log               *slog.Logger
	now               func() time.Time
	clock             *databaseClock // what now reads, unless the caller brought a clock of its own
	registry          *collection.Registry
	store             *sqlstore.Store
	offerCache        *offers.Cache
	recent            *recent.Memory
	invalidatingStore ports.Store // the store; its commits drop what they change from offerCache, and recent remembers it
	secrets           *token.Secrets
	vault             token.Vault
	blobs             *blob.Store
	sandboxAccount    func(account string) (secret, webhooks string) // of an account at the sandbox provider; nil in production
	renewConnection   connections.RenewSecrets                       // for existing connections to the sandbox; nil in production
	workMetrics       *metrics.Activity                              // counts and times of work, for Prometheus
	tracing           *tracing.Tracing                               // nil: nothing is traced
	background        *background.Runner                             // of everything that outlives a request
	issuedTokens      issuedTokens                                   // by email, of a development server
	closers           []func() error
}

// openPlatform opens the store, migrating it, the store of uploaded files, and tracing. Now is the clock of every
// rule; nil: the database's.
func openPlatform(ctx context.Context, c Config, now func() time.Time, log *slog.Logger) (_ *platform, err error) {
	k := &platform{config: c, log: log, now: now, workMetrics: metrics.NewActivity(), clock: newDatabaseClock(time.Now)}
	if now == nil {
		k.now = k.clock.Now
	}
	k.background = k.newRunner()
	defer func() {
		if err != nil {
			err = errors.Join(err, k.Close())
		}
	}()
	if err := c.prepareDataDir(); err != nil {
		return nil, err
	}
	if k.tracing, err = c.openTracing(ctx, log); err != nil {
		return nil, err
	}
	k.closers = append(k.closers, k.tracing.Close) // closed last
	if k.registry, err = c.newRegistry(); err != nil {
		return nil, fmt.Errorf("declare the collections: %w", err)
	}
	if err := k.readSecrets(); err != nil {
		return nil, err
	}
	if err := k.openStore(ctx); err != nil {
		return nil, err
	}
	if err := k.clock.read(ctx, k.store.Time); err != nil {
		return nil, fmt.Errorf("read the time of the database: %w", err)
	}
	k.offerCache = offers.NewCache(k.store, k.now, offerCacheTTL)
	k.recent = recent.New(k.now, cart.Schema, checkout.Schema, payment.Sessions)
	k.invalidatingStore = revisions.WrapStore(k.recent.WrapStore(k.offerCache.WrapStore(k.tracing.Store(k.store))))
	if err := k.openBlobs(ctx, false); err != nil {
		return nil, err
	}
	// the system's clock also sets the times of files
	if err := (spreadsheet.Codec{}).Sweep(time.Now().Add(-staleTempFileAge)); err != nil {
		log.Warn("stale temporary spreadsheet files could not be removed", "error", err)
	}
	return k, nil
}

// readSecrets derives the signing and sealing keys from the configured secrets.
func (k *platform) readSecrets() error {
	versions, err := k.config.secrets()
	if err != nil {
		return err
	}
	if k.secrets, err = token.NewSecrets(secretBytes(versions)); err != nil {
		return fmt.Errorf("read the secrets: %w", err)
	}
	k.vault = token.NewVault(k.secrets)
	if k.config.Mode == Development {
		shared := sandboxSecrets(versions)
		k.sandboxAccount = func(account string) (secret, webhooks string) {
			return bank.AccountSecret(shared[0], account), bank.WebhookSecret(shared[0], account)
		}
		k.renewConnection = renewSandbox(shared)
	}
	return nil
}

// offerCacheTTL is how long carts may use prices and codes that another process has changed; checkouts read them
// from the database.
const offerCacheTTL = time.Second

// staleTempFileAge is the age at which a temporary file is certainly no longer in use.
const staleTempFileAge = 24 * time.Hour

// openBlobs opens the store of uploaded files; mustExist: its folder is not made.
func (k *platform) openBlobs(ctx context.Context, mustExist bool) (err error) {
	k.blobs, err = blob.Open(ctx, blob.Options{URL: k.config.mediaURL(), Log: k.log, MustExist: mustExist})
	if err != nil {
		return fmt.Errorf("cannot use the file store of CARTWRIGHT_MEDIA_URL: %w", err)
	}
	k.closers = append(k.closers, k.blobs.Close)
	return nil
}

func secretBytes(versions map[int]string) map[int][]byte {
	out := map[int][]byte{}
	for v, s := range versions {
		out[v] = []byte(s)
	}
	return out
}

// openStore connects and migrates. The start fails if the database stays unreachable for too long: a server must
// not serve before it has checked the schema. After the start, requests get 503 while the database is down.
func (k *platform) openStore(ctx context.Context) error {
	o := k.config.storeOptions(k.registry)
	o.Logger, o.Now, o.BeforeStockCommit = k.log, k.now, stock.Recorder{Now: k.now, NewID: newID}.Update
	o.AfterCommit, o.TraceBatch, o.QueryHook = k.workMetrics.CommitBatch, k.tracing.CommitBatchHook(), k.tracing.BunHook()
	o.Background = k.background
	var err error
	for start := time.Now(); ; {
		if k.store, err = sqlstore.Open(ctx, o); err == nil {
			k.closers = append(k.closers, k.store.Close)
			k.background.StoreFailures(k.store.BackgroundFailures())
			return nil
		}
		if !isUnreachable(err) || time.Since(start) >= k.config.DatabaseWait || ctx.Err() != nil {
			break
		}
		k.log.Warn("waiting for the database", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	if o.URL == "" {
		return fmt.Errorf("cannot open the database file %s: %w", o.Path, err)
	}
	return fmt.Errorf("cannot use the database of CARTWRIGHT_DATABASE_URL: is it running, and may this user create tables and roles? %w", err)
}

// pgStartingUp is what Postgres answers before it is ready.
const pgStartingUp = "57P03"

// isUnreachable reports whether a database cannot be reached yet, in contrast to one that rejects the connection.
func isUnreachable(err error) bool {
	if rejected, ok := errors.AsType[*pgconn.PgError](err); ok {
		return rejected.Code == pgStartingUp
	}
	_, unconnected := errors.AsType[*pgconn.ConnectError](err)
	return unconnected || errors.Is(err, fault.ErrUnavailable)
}

// Close closes everything in reverse order of opening.
func (k *platform) Close() error {
	var errs []error
	for _, end := range slices.Backward(k.closers) {
		errs = append(errs, end())
	}
	k.closers = nil
	return errors.Join(errs...)
}

// listTenants lists every tenant.
func (k *platform) listTenants(ctx context.Context) ([]collection.Record, error) {
	s := identity.Tenants
	page, err := k.store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Sort: s.SortBy("createdAt"), Limit: collection.MaxLimit, Page: 1,
	})
	return page.Docs, err
}
