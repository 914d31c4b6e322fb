package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cartwright-dev/cartwright/adapters/blob"
	"github.com/cartwright-dev/cartwright/adapters/imagesize"
	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/adapters/tracing"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/catalogtransfer"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/lowstock"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/quotes"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// core is the store and the use cases that commands share with the server.
type core struct {
	config            Config
	log               *slog.Logger
	now               func() time.Time
	registry          *collection.Registry
	store             *sqlstore.Store
	offerCache        *offers.Cache
	invalidatingStore ports.Store // the store, telling facts of every change
	vault             token.Vault
	access            *access.Service
	discountAttempts  ports.AttemptLimiter // of discount codes
	accounts          records.Identities
	records           *records.Service
	blobs             *blob.Store
	uploads           *uploads.Service
	onboarding        onboarding.Service
	catalogTransfer   catalogtransfer.Importer
	sandboxAccount    func(account string) (secret, webhooks string) // of an account at the sandbox provider; nil in production
	renewConnection   connections.RenewSecrets                       // of what it told existing connections
	workMetrics       *metrics.Activity                              // what it did, for Prometheus
	tracing           *tracing.Tracing                               // nil: nothing is traced
	closers           []func() error
}

// newID makes a UUIDv7.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// openCore opens the store, migrating it, and fills the use cases. More collections than the product's own may be added.
func openCore(ctx context.Context, c Config, now func() time.Time, log *slog.Logger) (*core, error) {
	k := &core{config: c, log: log, now: now, workMetrics: metrics.NewActivity()}
	if err := c.prepareDataDir(); err != nil {
		return nil, err
	}
	var err error
	if k.tracing, err = c.openTracing(ctx, log); err != nil {
		return nil, err
	}
	k.closers = append(k.closers, k.tracing.Close) // the last to go
	if k.registry, err = collection.NewRegistry(registry.Schemas()...); err != nil {
		return nil, fmt.Errorf("declare the collections: %w", err)
	}
	versions, err := c.secrets()
	if err != nil {
		return nil, err
	}
	secrets, err := token.NewSecrets(secretBytes(versions))
	if err != nil {
		return nil, fmt.Errorf("read the secrets: %w", err)
	}
	k.vault = token.NewVault(secrets)
	if c.Mode == Development {
		shared := sandboxSecrets(versions)
		k.sandboxAccount = func(account string) (secret, webhooks string) {
			return bank.AccountSecret(shared[0], account), bank.WebhookSecret(shared[0], account)
		}
		k.renewConnection = renewSandbox(shared)
	}
	if err := k.openStore(ctx); err != nil {
		return nil, err
	}
	if err := k.openBlobs(ctx); err != nil {
		return nil, err
	}
	k.buildUseCases(secrets)
	return k, nil
}

// offerCacheTTL is how long carts may go on with prices and codes that another process changed; checkouts read anew.
const offerCacheTTL = time.Second

// staleTempFileAge is how old a file is that nobody works on any more.
const staleTempFileAge = 24 * time.Hour

// passwordCost is what hashing a password takes. It is a variable because it is slow on purpose, and hundreds of tests log in:
// they set the minimum, and TestPasswordsAreHashedAtTheRecommendedCost holds what it was.
var passwordCost = token.RecommendedCost

// buildUseCases fills what needs no HTTP.
func (k *core) buildUseCases(secrets *token.Secrets) {
	passwords := token.NewPasswords(passwordCost)
	k.offerCache = offers.NewCache(k.store, k.now, offerCacheTTL)
	k.invalidatingStore = k.offerCache.WrapStore(k.tracing.Store(k.store))
	k.access = &access.Service{
		Store: k.invalidatingStore, Keys: k.store.APIKeys(), Accounts: k.store.Accounts(), Revocations: k.store.Revocations(), Tokens: token.NewSigner(secrets), Passwords: passwords,
		Attempts: token.NewAttemptLimiter(loginAttemptWindow), TokenLifetime: time.Duration(k.config.TokenExpiration) * time.Second,
		PublicHost: k.config.publicHost(), RequireHTTPS: k.config.Mode == Production, EmailTokens: k.emailTokens(), Log: k.log, Now: k.now, NewID: newID,
	}
	k.discountAttempts = token.NewAttemptLimiter(quotes.AttemptWindow)
	k.records = &records.Service{Store: k.invalidatingStore, Registry: k.registry, Fold: foldCase, Now: k.now, NewID: newID}
	k.accounts = records.Identities{Records: k.records, Accounts: k.store.Accounts(), Passwords: passwords, EmailTokens: k.access.EmailTokens}
	k.uploads = &uploads.Service{Records: k.records, Store: k.invalidatingStore, BlobSweep: k.store.BlobSweep(), Blobs: k.blobs, ImageSizer: imagesize.Sizer{}, Now: k.now}
	k.records.Hooks = k.collectionHooks(k.newWebhooks(nil, nil))
	within := records.InTransaction{Service: k.records}
	k.onboarding = onboarding.Service{
		Store: k.invalidatingStore, RecordWriter: within, Accounts: k.store.Accounts(), Passwords: passwords, SandboxSecrets: k.sandboxAccount, Now: k.now, NewID: newID,
	}
	k.catalogTransfer = catalogtransfer.Importer{Store: k.invalidatingStore, Records: within}
	if err := (spreadsheet.Codec{}).Sweep(time.Now().Add(-staleTempFileAge)); err != nil { // of the system's clock, as files are
		k.log.Warn("stale temporary spreadsheet files could not be removed", "error", err)
	}
}

// newWebhooks makes the use cases of webhook endpoints. Commands have no idempotency keys, and wake no dispatcher.
func (k *core) newWebhooks(runner *idempotency.Runner, wake func(endpoint string)) *webhooks.Service {
	return &webhooks.Service{
		Store: k.invalidatingStore, Log: k.store.EventLog(), Cursors: k.store.Deliveries(), Idempotency: runner, Vault: k.vault, Registry: k.registry,
		AddressPolicy: k.config.webhookPolicy(), Now: k.now, NewID: newID, Wake: wake,
	}
}

// newCarrierFiles makes the exchange of files with carriers. Commands have no idempotency keys.
func (k *core) newCarrierFiles(runner *idempotency.Runner) *fulfillments.CarrierFiles {
	return &fulfillments.CarrierFiles{Store: k.invalidatingStore, Sheets: spreadsheet.Codec{}, Idempotency: runner, Now: k.now, NewID: newID, Log: k.log}
}

// collectionHooks is what collections do besides what their schemas say, by slug.
func (k *core) collectionHooks(endpoints *webhooks.Service) map[string]records.Hooks {
	all := records.CatalogHooks(k.records)
	maps.Copy(all, records.IdentityHooks(k.accounts))
	maps.Copy(all, records.ContentHooks())
	all[draft.Schema.Slug] = drafts.Hooks()
	all[payment.Connections.Slug] = connections.Hooks(k.vault)
	all[media.Schema.Slug] = k.uploads.Hooks()
	all[webhook.Endpoints.Slug] = endpoints.Hooks()
	return all
}

// emailTokens makes the tokens that a tenant mails. As long as there are no deliveries, development prints them; production
// never does.
func (k *core) emailTokens() access.EmailTokens {
	l := access.EmailTokens{Vault: k.vault, Now: k.now}
	if k.config.Mode == Development {
		l.OnIssued = func(a access.EmailToken) {
			k.log.Warn("printing an email token (development only)", "collection", a.Collection, "email", a.Email, "purpose", string(a.Purpose), "token", a.Token)
		}
	}
	return l
}

// openBlobs opens the store of uploaded files.
func (k *core) openBlobs(ctx context.Context) (err error) {
	k.blobs, err = blob.Open(ctx, blob.Options{URL: k.config.mediaURL(), Log: k.log})
	if err != nil {
		return fmt.Errorf("cannot use the file store of CARTWRIGHT_MEDIA_URL: %w", err)
	}
	k.closers = append(k.closers, k.blobs.Close)
	return nil
}

// loginAttemptWindow is how long failed logins count. Rule access-6.
const loginAttemptWindow = 15 * time.Minute

func secretBytes(versions map[int]string) map[int][]byte {
	out := map[int][]byte{}
	for v, s := range versions {
		out[v] = []byte(s)
	}
	return out
}

// openStore connects and migrates. A database that stays away ends the start with a sentence: serving without knowing
// whether the tables fit would be worse. Once open, outages are answered with 503 until it is back.
func (k *core) openStore(ctx context.Context) error {
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
func (k *core) Close() error {
	var errs []error
	for _, end := range slices.Backward(k.closers) {
		errs = append(errs, end())
	}
	k.closers = nil
	return errors.Join(errs...)
}

// listTenants lists every tenant.
func (k *core) listTenants(ctx context.Context) ([]collection.Record, error) {
	s := identity.Tenants
	created, _ := s.Field("createdAt")
	page, err := k.store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Sort: []collection.SortKey{{Path: []collection.Field{created}}}, Limit: collection.MaxLimit, Page: 1,
	})
	return page.Docs, err
}
