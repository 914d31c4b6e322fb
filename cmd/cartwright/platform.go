package main

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
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/lowstock"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/ports"
)

// platform is what use cases stand on: the store, the files, the keys, and who watches.
type platform struct {
	config            Config
	log               *slog.Logger
	now               func() time.Time
	registry          *collection.Registry
	store             *sqlstore.Store
	offerCache        *offers.Cache
	invalidatingStore ports.Store // the store, telling facts of every change
	secrets           *token.Secrets
	vault             token.Vault
	blobs             *blob.Store
	sandboxAccount    func(account string) (secret, webhooks string) // of an account at the sandbox provider; nil in production
	renewConnection   connections.RenewSecrets                       // of what it told existing connections
	workMetrics       *metrics.Activity                              // what it did, for Prometheus
	tracing           *tracing.Tracing                               // nil: nothing is traced
	closers           []func() error
}

// openPlatform opens the store, migrating it, the files and what watches them.
func openPlatform(ctx context.Context, c Config, now func() time.Time, log *slog.Logger) (_ *platform, err error) {
	k := &platform{config: c, log: log, now: now, workMetrics: metrics.NewActivity()}
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
	k.closers = append(k.closers, k.tracing.Close) // the last to go
	if k.registry, err = collection.NewRegistry(registry.Schemas()...); err != nil {
		return nil, fmt.Errorf("declare the collections: %w", err)
	}
	if err := k.readSecrets(); err != nil {
		return nil, err
	}
	if err := k.openStore(ctx); err != nil {
		return nil, err
	}
	k.offerCache = offers.NewCache(k.store, now, offerCacheTTL)
	k.invalidatingStore = k.offerCache.WrapStore(k.tracing.Store(k.store))
	if err := k.openBlobs(ctx); err != nil {
		return nil, err
	}
	if err := (spreadsheet.Codec{}).Sweep(time.Now().Add(-staleTempFileAge)); err != nil { // of the system's clock, as files are
		log.Warn("stale temporary spreadsheet files could not be removed", "error", err)
	}
	return k, nil
}

// readSecrets makes what signs and seals of the secrets of the configuration.
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

// offerCacheTTL is how long carts may go on with prices and codes that another process changed; checkouts read anew.
const offerCacheTTL = time.Second

// staleTempFileAge is how old a file is that nobody works on any more.
const staleTempFileAge = 24 * time.Hour

// openBlobs opens the store of uploaded files.
func (k *platform) openBlobs(ctx context.Context) (err error) {
	k.blobs, err = blob.Open(ctx, blob.Options{URL: k.config.mediaURL(), Log: k.log})
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

// openStore connects and migrates. A database that stays away ends the start with a sentence: serving without knowing
// whether the tables fit would be worse. Once open, outages are answered with 503 until it is back.
func (k *platform) openStore(ctx context.Context) error {
	o := k.config.storeOptions(k.registry)
	o.Logger, o.Now, o.BeforeStockCommit = k.log, k.now, lowstock.Tracker{Now: k.now, NewID: newID}.Update
	o.AfterCommit, o.TraceBatch, o.QueryHook = k.workMetrics.CommitBatch, k.tracing.CommitBatchHook(), k.tracing.BunHook()
	var err error
	for start := time.Now(); ; {
		if k.store, err = sqlstore.Open(ctx, o); err == nil {
			k.closers = append(k.closers, k.store.Close)
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

// isUnreachable reports whether a database cannot be reached yet, in contrast to one that does not want us.
func isUnreachable(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code == pgStartingUp
	}
	_, unconnected := errors.AsType[*pgconn.ConnectError](err)
	return unconnected || errors.Is(err, fault.ErrUnavailable)
}

// Close lets go of everything in reverse order.
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
	created, _ := s.Field("createdAt")
	page, err := k.store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Sort: []collection.SortKey{{Path: []collection.Field{created}}}, Limit: collection.MaxLimit, Page: 1,
	})
	return page.Docs, err
}
