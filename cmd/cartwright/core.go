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
	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/picture"
	"github.com/cartwright-dev/cartwright/adapters/sheet"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/adapters/tracing"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/drafting"
	"github.com/cartwright-dev/cartwright/app/estimating"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/app/importing"
	"github.com/cartwright-dev/cartwright/app/library"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/app/stocktaking"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/platform"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// core is the store and the use cases that commands share with the server.
type core struct {
	config   Config
	log      *slog.Logger
	now      func() time.Time
	registry *collection.Registry
	store    *sqlstore.Store
	facts    *quoting.Cache
	watched  ports.Store // the store, telling facts of every change
	vault    token.Vault
	access   *access.Access
	tries    ports.Attempts // of discount codes
	people   content.People
	content  *content.Content
	blobs    *blob.Store
	library  *library.Library
	founding founding.Founding
	imports  importing.Imports
	hooking  *hooking.Hooking
	carriers *fulfilling.CarrierFiles
	sandbox  func(account string) (secret, webhooks string) // of an account at the sandbox provider; nil in production
	renew    buying.Renew                                   // of what it told existing connections
	work     *metrics.Work                                  // what it did, for Prometheus
	tracing  *tracing.Tracing                               // nil: nothing is traced
	closers  []func() error
}

// newID makes a UUIDv7.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// openCore opens the store, migrating it, and fills the use cases. More collections than the product's own may be added.
func openCore(ctx context.Context, c Config, now func() time.Time, log *slog.Logger) (*core, error) {
	k := &core{config: c, log: log, now: now, work: metrics.NewWork()}
	if err := c.openData(); err != nil {
		return nil, err
	}
	var err error
	if k.tracing, err = c.openTracing(ctx, log); err != nil {
		return nil, err
	}
	k.closers = append(k.closers, k.tracing.Close) // the last to go
	if k.registry, err = collection.NewRegistry(platform.Schemas()...); err != nil {
		return nil, fmt.Errorf("declare the collections: %w", err)
	}
	versions, err := c.secrets()
	if err != nil {
		return nil, err
	}
	secrets, err := token.NewSecrets(inBytes(versions))
	if err != nil {
		return nil, fmt.Errorf("read the secrets: %w", err)
	}
	k.vault = token.NewVault(secrets)
	if c.Mode == Development {
		shared := sandboxSecrets(versions)
		k.sandbox = func(account string) (secret, webhooks string) {
			return bank.AccountSecret(shared[0], account), bank.WebhookSecret(shared[0], account)
		}
		k.renew = renewSandbox(shared)
	}
	if err := k.openStore(ctx); err != nil {
		return nil, err
	}
	if err := k.openBlobs(ctx); err != nil {
		return nil, err
	}
	k.useCases(secrets)
	return k, nil
}

// factsLife is how long carts may go on with prices and codes that another process changed; checkouts read anew.
const factsLife = time.Second

// leftFor is how old a file is that nobody works on any more.
const leftFor = 24 * time.Hour

// useCases fills what needs no HTTP.
func (k *core) useCases(secrets *token.Secrets) {
	passwords := token.NewPasswords(token.Advised)
	k.facts = quoting.NewCache(k.store, k.now, factsLife)
	k.watched = k.facts.Watch(k.tracing.Store(k.store))
	k.access = &access.Access{
		Store: k.watched, Keys: k.store, Accounts: k.store, Revocations: k.store, Tokens: token.NewSigner(secrets), Passwords: passwords,
		Attempts: token.NewAttempts(attemptWindow), TokenLife: time.Duration(k.config.TokenExpiration) * time.Second,
		PublicHost: k.config.publicHost(), Secure: k.config.Mode == Production, Letters: k.letters(), Log: k.log, Now: k.now, NewID: newID,
	}
	k.tries = token.NewAttempts(estimating.Window)
	k.content = &content.Content{Store: k.watched, Registry: k.registry, Fold: fold, Now: k.now, NewID: newID}
	k.people = content.People{Content: k.content, Accounts: k.store, Passwords: passwords, Letters: k.access.Letters}
	k.library = &library.Library{Content: k.content, Store: k.watched, Orphanage: k.store, Blobs: k.blobs, Pictures: picture.Sizes{}, Now: k.now}
	k.hooking = &hooking.Hooking{
		Store: k.watched, Log: k.store.EventLog(), Cursors: k.store.Deliveries(), Vault: k.vault, Registry: k.registry, Where: k.config.webhooksAt(), Now: k.now, NewID: newID,
	}
	k.content.Hooks = k.hooks()
	within := content.Within{Content: k.content}
	k.founding = founding.Founding{
		Store: k.watched, Records: within, Accounts: k.store, Passwords: passwords, Sandbox: k.sandbox, Now: k.now, NewID: newID,
	}
	k.imports = importing.Imports{Store: k.watched, Records: within}
	if err := (sheet.Files{}).Sweep(time.Now().Add(-leftFor)); err != nil { // of the system's clock, as files are
		k.log.Warn("what earlier processes left of spreadsheets is still there", "error", err)
	}
	k.carriers = &fulfilling.CarrierFiles{Store: k.watched, Sheets: sheet.Files{}, Now: k.now, NewID: newID, Log: k.log}
}

// hooks is what collections do besides what their schemas say, by slug.
func (k *core) hooks() map[string]content.Hooks {
	all := content.CatalogHooks(k.content)
	maps.Copy(all, content.PeopleHooks(k.people))
	maps.Copy(all, content.PublishingHooks())
	all[draft.Schema.Slug] = drafting.Hooks()
	all[payment.Connections.Slug] = buying.ConnectionHooks(k.vault)
	all[media.Schema.Slug] = k.library.Hooks()
	all[webhook.Endpoints.Slug] = k.hooking.Hooks()
	return all
}

// letters makes the tokens that a tenant mails. As long as there are no deliveries, development prints them; production
// never does.
func (k *core) letters() access.Letters {
	l := access.Letters{Vault: k.vault, Now: k.now}
	if k.config.Mode == Development {
		l.Tell = func(a access.Letter) {
			k.log.Warn("a token waits for its delivery; it is printed because this is no production", "collection", a.Collection, "email", a.Email, "purpose", string(a.Purpose), "token", a.Token)
		}
	}
	return l
}

// openBlobs opens the store of uploaded files.
func (k *core) openBlobs(ctx context.Context) (err error) {
	k.blobs, err = blob.Open(ctx, blob.Options{URL: k.config.mediaURL(), Log: k.log})
	if err != nil {
		return fmt.Errorf("the store of CARTWRIGHT_MEDIA_URL cannot be used: %w", err)
	}
	k.closers = append(k.closers, k.blobs.Close)
	return nil
}

// attemptWindow is how long failed logins count. Contract 2.
const attemptWindow = 15 * time.Minute

func inBytes(versions map[int]string) map[int][]byte {
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
	o.Logger, o.Now, o.Settle = k.log, k.now, stocktaking.Stocktaking{Now: k.now, NewID: newID}.Settle
	o.Committed, o.Batch, o.Hook = k.work.Committed, k.tracing.Batch(), k.tracing.Bun()
	var err error
	for start := time.Now(); ; {
		if k.store, err = sqlstore.Open(ctx, o); err == nil {
			k.closers = append(k.closers, k.store.Close)
			return nil
		}
		if !away(err) || time.Since(start) >= k.config.DatabaseWait || ctx.Err() != nil {
			break
		}
		k.log.Warn("waiting for the database", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	if o.URL == "" {
		return fmt.Errorf("the database file %s cannot be opened: %w", o.Path, err)
	}
	return fmt.Errorf("the database of CARTWRIGHT_DATABASE_URL cannot be used: is it running, and may this user create tables and roles? %w", err)
}

// startingUp is what Postgres answers before it is ready.
const startingUp = "57P03"

// away reports whether a database cannot be reached yet, in contrast to one that does not want us.
func away(err error) bool {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code == startingUp
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

// tenants lists every tenant.
func (k *core) tenants(ctx context.Context) ([]collection.Record, error) {
	s := identity.Tenants
	created, _ := s.Field("createdAt")
	page, err := k.store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Sort: []collection.Order{{Path: []collection.Field{created}}}, Limit: collection.MaxLimit, Page: 1,
	})
	return page.Docs, err
}
