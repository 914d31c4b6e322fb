package rest_test

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/cartwright-dev/cartwright/adapters/blob"
	"github.com/cartwright-dev/cartwright/adapters/graphql"
	"github.com/cartwright-dev/cartwright/adapters/imagesize"
	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/passkey"
	"github.com/cartwright-dev/cartwright/adapters/pdf"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/rest/openapi/openapitest"
	"github.com/cartwright-dev/cartwright/adapters/rest/playground"
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/cataloging"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/exports"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/imports"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/app/prints"
	"github.com/cartwright-dev/cartwright/app/quotes"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/repricing"
	"github.com/cartwright-dev/cartwright/app/searchindex"
	"github.com/cartwright-dev/cartwright/app/searching"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/app/storefront"
	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/app/team"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/app/tenantexport"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// gadgets is a collection of these tests only: everything about it must follow from this declaration.
// Rule collections-19.
var gadgets = &collection.Schema{
	Slug: "gadgets", Singular: "Gadget", Plural: "Gadgets", Doc: "A thing of this test.", PerEnvironment: true,
	Access: collection.Access{
		Viewer: []collection.Verb{collection.Read}, Editor: []collection.Verb{
			collection.Read, collection.Create, collection.Update, collection.Delete,
		},
		Admin:     []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
		SecretKey: []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
		Public:    true, PublicWhere: map[string]any{"shown": map[string]any{"equals": true}},
	},
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, Doc: "Name."},
		{Name: "code", Kind: collection.Text, Unique: true, Indexed: true, Uppercase: true, Doc: "Code."},
		{Name: "price", Kind: collection.Money, Indexed: true, Doc: "Price."},
		{Name: "cost", Kind: collection.Money, VisibleTo: collection.Staff, Doc: "Cost."},
		{Name: "secret", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Never shown."},
		{Name: "shown", Kind: collection.Boolean, Default: true, Doc: "For shoppers."},
		{Name: "weight", Kind: collection.Number, Doc: "Weight."},
		{Name: "made", Kind: collection.Date, Doc: "When."},
		{Name: "colours", Kind: collection.Selects, Options: []string{"red", "blue"}, Doc: "Colours."},
		{Name: "parent", Kind: collection.Relation, RelationTo: "gadgets", Indexed: true, Doc: "The gadget it is part of."},
		{Name: "friends", Kind: collection.RelationMany, RelationTo: "gadgets", Doc: "Others."},
		{Name: "owner", Kind: collection.Relation, RelationTo: "customers", Doc: "Who has it."},
		{
			Name: "size", Kind: collection.Group, Doc: "Size.",
			Fields: []collection.Field{{Name: "width", Kind: collection.Integer, Doc: "Width."}},
		},
		{Name: "extra", Kind: collection.JSON, Doc: "Anything."},
	},
}

// patience bounds requests, transactions and queries of a harness. It is long, because the machine may be busy.
const patience = 2 * time.Minute

// harness is a whole REST server on its own store, with two shops.
type harness struct {
	t           testing.TB
	app         *fiber.App
	store       *sqlstore.Store
	content     *records.Service
	registry    *collection.Registry
	uploads     *uploads.Service
	imports     *imports.Service
	exports     *exports.Service
	clock       *atomic.Int64
	contract    *openapitest.Contract
	database    func() (*sql.DB, error) // a separate connection that sees all tenants
	onboarding  onboarding.Service
	shop        onboarding.PreparedTenant // the acting shop
	other       onboarding.PreparedTenant // another shop, whose data must stay hidden
	access      *access.Service
	streams     *eventfeed.Service // run by the tests that need it
	meter       *metering.Meter
	emailTokens sync.Map // the last token by email address
	secrets     *token.Secrets
}

// bothDatabases runs test on SQLite and on a real Postgres, in parallel.
func bothDatabases(t *testing.T, test func(t *testing.T, b *harness)) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		test(t, newHarness(t, sqlstore.Options{Path: migratedFile.Copy(t)}))
	}, func(t *testing.T) {
		test(t, newHarness(t, sqlstore.Options{URL: migrated.Postgres(t)}))
	})
}

// schemas are the collections of a harness.
func schemas() (*collection.Registry, error) {
	return collection.NewRegistry(append(registry.Schemas(), gadgets)...)
}

// migrated and migratedFile have the empty tables of a harness.
var (
	migrated     = testservers.Template{Fill: func(url string) error { return migrate(sqlstore.Options{URL: url}) }}
	migratedFile = testservers.FileTemplate{Fill: func(path string) error { return migrate(sqlstore.Options{Path: path}) }}
)

func migrate(o sqlstore.Options) error {
	var err error
	if o.Registry, err = schemas(); err != nil {
		return err
	}
	o.Fold, o.Logger = fold, slog.New(slog.DiscardHandler)
	store, err := sqlstore.Open(context.Background(), o)
	if err != nil {
		return err
	}
	return store.Close()
}

// contract is the OpenAPI document, which is the same for every harness.
var contract struct {
	once sync.Once
	read *openapitest.Contract
	err  error
}

func documented(routes rest.Options) (*openapitest.Contract, error) {
	contract.once.Do(func() { contract.read, contract.err = openapitest.Parse(rest.Document(routes)) })
	return contract.read, contract.err
}

func fold(s string) string { return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s))) }

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// lateEngine builds the types of GraphQL when the first document comes: that is half of making a harness, and most need none.
type lateEngine struct{ built func() *graphql.Engine }

func (l lateEngine) Answer(ctx context.Context, r gqlrequest.Request) gqlrequest.Response {
	return l.built().Answer(ctx, r)
}

func newHarness(t testing.TB, o sqlstore.Options) *harness {
	t.Helper()
	b := &harness{t: t, clock: &atomic.Int64{}}
	b.clock.Store(time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC).UnixMilli())
	now := func() time.Time { return time.UnixMilli(b.clock.Load()).UTC() }
	var err error
	if b.registry, err = schemas(); err != nil {
		t.Fatal(err)
	}
	b.database = func() (*sql.DB, error) {
		if o.URL != "" {
			return sql.Open("pgx", o.URL)
		}
		return sql.Open("sqlite", o.Path)
	}
	o.Registry, o.Fold, o.Logger, o.Now = b.registry, fold, slog.New(slog.DiscardHandler), now
	o.BeforeStockCommit = stock.Recorder{Now: now, NewID: newID}.Update
	o.Deadline, o.QueryTime = patience, patience
	if b.store, err = sqlstore.Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.store.Close(); err != nil {
			t.Error(err)
		}
	})
	secrets, err := token.NewSecrets(map[int][]byte{1: bytes.Repeat([]byte{7}, 32)})
	if err != nil {
		t.Fatal(err)
	}
	b.secrets = secrets
	passwords := token.NewPasswords(token.MinimumCost)
	emailTokens := access.EmailTokens{
		Vault: token.NewVault(secrets), Now: now, OnIssued: func(l access.EmailToken) { b.emailTokens.Store(l.Email, l) },
	}
	endpoints := &webhooks.Service{
		Store: b.store, Log: b.store.EventLog(), Cursors: b.store.Deliveries(), Vault: token.NewVault(secrets), Registry: b.registry,
		Now: now, NewID: newID,
		Idempotency: &idempotency.Runner{
			Store: b.store, Claims: b.store.Claims(), Cache: memory.NewReceipts(1<<20, now, b.store), Now: now, NewID: newID,
		},
	}
	hooks := records.CatalogHooks(b.store, b.registry)
	inviter := access.Inviter{EmailTokens: emailTokens, NewID: newID, Now: now}
	maps.Copy(hooks, records.IdentityHooks(records.Identities{
		Store: b.store, Accounts: b.store.Accounts(), Passwords: passwords, Inviter: inviter,
	}, b.registry))
	maps.Copy(hooks, records.ContentHooks())
	hooks[media.Schema.Slug] = uploads.Hooks()
	hooks[shop.Profiles.Slug] = shopprofile.Hooks()
	hooks[webhook.Endpoints.Slug] = endpoints.Hooks()
	hooks[order.Schema.Slug] = orders.Hooks()
	hooks[mail.Templates.Slug] = mailtexts.Hooks()
	hooks[mail.Deliveries.Slug] = mails.Hooks()
	hooks[mail.MessageTemplates.Slug] = messages.TemplateHooks()
	team.AddHooks(hooks, b.registry, fold)
	b.content = &records.Service{
		Store: b.store, Committer: b.store.Committer(), Registry: b.registry, Hooks: hooks, Fold: fold, Now: now, NewID: newID,
		Search: &searchindex.Finder{Index: b.store.SearchIndex(), Fold: fold},
	}
	registration := records.Registration{Records: b.content, EmailTokens: emailTokens, Attempts: token.NewAttemptLimiter(15 * time.Minute)}
	blobs, err := blob.Open(t.Context(), blob.Options{URL: "mem://", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	b.uploads = &uploads.Service{
		Records: b.content, Store: b.store, BlobSweep: b.store.BlobSweep(), Blobs: blobs, ImageSizer: imagesize.Sizer{}, Now: now,
	}
	passkeys, err := passkey.New(passkeyOrigin)
	if err != nil {
		t.Fatal(err)
	}
	accessService := &access.Service{
		Store: b.store, Keys: b.store.APIKeys(), Accounts: b.store.Accounts(), Revocations: b.store.Revocations(), Logins: b.store.Logins(),
		Tokens: token.NewSigner(secrets), Passwords: passwords, OneTimeCodes: token.TOTP{}, Vault: token.NewVault(secrets),
		Passkeys: passkeys, Attempts: token.NewAttemptLimiter(15 * time.Minute),
		TokenLifetime: 7 * 24 * time.Hour, EmailTokens: emailTokens, EmailRequests: b.store.EmailRequests(), Now: now, NewID: newID,
	}
	b.access = accessService
	facts := offers.NewCache(b.store, now, 0) // caches nothing, because tests write directly to the store
	carts := carts.New(carts.Service{
		Store: b.store, Committer: b.store.Committer(), Cache: memory.NewReceipts(1<<20, now, b.store), Vault: token.NewVault(secrets),
		Offers: facts, Now: now, NewID: newID,
	}, mailbox.Options{})
	b.meter = metering.New(metering.Options{UsageStore: b.store.Usage(), CounterID: newID(), Now: now})
	b.streams = eventfeed.New(eventfeed.Options{
		Store: b.store,
		Log:   b.store.EventLog(), Registry: b.registry, Logger: slog.New(slog.DiscardHandler), PollInterval: 5 * time.Millisecond,
		Heartbeat: 50 * time.Millisecond,
	})
	carriers := &fulfillments.CarrierFiles{
		Store: b.store, Sheets: spreadsheet.Codec{}, Now: now, NewID: newID, Log: slog.New(slog.DiscardHandler),
		Idempotency: &idempotency.Runner{
			Store: b.store, Claims: b.store.Claims(), Cache: memory.NewReceipts(1<<20, now, b.store), Now: now, NewID: newID,
		},
	}
	many := &bulk.Service{Store: b.store, Records: b.content, Idempotency: carriers.Idempotency, Now: now}
	whole := &cataloging.Service{Store: b.store, Records: b.content, Idempotency: carriers.Idempotency, Now: now, NewID: newID}
	counts := &stock.Service{Store: b.store, Places: b.store.StockPlaceReader(), Idempotency: carriers.Idempotency, Now: now, NewID: newID}
	b.imports = &imports.Service{
		Writers: imports.Writers{
			Records: b.content, Cataloging: whole, Stock: counts, Orders: &orders.Service{Store: b.store, Now: now, NewID: newID},
		},
		Store: b.store, Idempotency: carriers.Idempotency, Blobs: blobs, Sheets: spreadsheet.Codec{}, Now: now, NewID: newID,
	}
	b.exports = &exports.Service{
		Store: b.store, Records: b.content, Idempotency: carriers.Idempotency, Blobs: blobs, Sheets: spreadsheet.Codec{}, Now: now, NewID: newID,
	}
	texts := &mailtexts.Service{Store: b.store, Records: b.content, BaseURL: "https://shop.example", Now: now}
	operations := slices.Concat(operation.Usage(b.meter), operation.Imports(b.imports), operation.Exports(b.exports), operation.Webhooks(endpoints),
		operation.Catalog(&storefront.Service{Store: b.store, Records: b.content, Products: b.store.ProductSearch()}), operation.CheckoutQuery(b.content),
		operation.Shop(&shopprofile.Service{Store: b.store}), operation.Preferences(&team.Preferences{Store: b.store, Now: now, NewID: newID}),
		operation.Tenants(&suspension.Service{Store: b.store, Usage: b.store.Usage(), Fold: fold, Now: now, NewID: newID}),
		operation.TenantDeletion(&tenantexport.Service{
			Store: b.store, Registry: b.registry, Events: b.store.EventLog(), Ledger: b.store.LedgerReader(), Blobs: blobs, Now: now, NewID: newID,
		}, &tenantdeletion.Service{
			Store: b.store, Registry: b.registry, Erasure: b.store.TenantErasure(), Accounts: b.store.Accounts(), Now: now, NewID: newID,
		}),
		operation.Carts(carts), operation.PreviousCarts(carts), operation.Keys(accessService), operation.Invitations(accessService, "https://shop.example"),
		operation.Permissions(b.registry), operation.Schemas(b.registry, hooks), operation.PersonalData(&personaldata.Service{
			Store: b.store, Records: b.content, Now: now, Idempotency: carriers.Idempotency, NewID: newID, Find: b.store.ErasureFinder(),
		}),
		operation.Events(b.streams, accessService), operation.Search(&searching.Service{Records: b.content}),
		operation.Sessions(accessService, registration), operation.Media(b.uploads, b.content), operation.CarrierFiles(carriers),
		operation.CarrierBatches(carriers), operation.Stock(counts), operation.WholeProducts(whole),
		operation.Bulk(many), operation.Prices(&repricing.Service{
			Store: b.store, Records: b.content, Bulk: many, Idempotency: carriers.Idempotency, Now: now,
		}),
		operation.Prints(&prints.Service{Store: b.store, Records: b.content, Blobs: blobs, Printer: pdf.New()}),
		operation.MailTemplates(texts), operation.Messages(
			&messages.Service{Store: b.store, Records: b.content, BaseURL: "https://shop.example", Now: now},
			&messages.Tester{Store: b.store, Messenger: memory.NewMessageBox(10, now), Now: now, NewID: newID},
		),
		operation.Mails(&mails.Service{
			Store: b.store, Idempotency: carriers.Idempotency, Texts: texts, Routes: mails.Routes{Live: memory.NewMailbox(10, now)},
			Page: rest.MailboxPath, Asked: &background.Signal{}, AskedMessages: &background.Signal{}, Now: now, NewID: newID,
		}),
		operation.Quotes(&quotes.Service{Store: b.store, Attempts: token.NewAttemptLimiter(quotes.AttemptWindow), Now: now}),
	)
	routes := rest.Options{
		Log: slog.New(slog.DiscardHandler), Access: accessService, Meter: b.meter, NewID: newID, Now: now, Timeout: patience,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/32")}, // the peer of request
		Areas: []rest.Area{
			rest.GraphQL{Engine: lateEngine{sync.OnceValue(func() *graphql.Engine {
				api, err := graphql.New(graphql.Options{Content: b.content, Operations: operations})
				if err != nil {
					panic(err)
				}
				return graphql.NewEngine(api, slog.New(slog.DiscardHandler))
			})}},
			playground.Playground{}, rest.Operations(operations),
			rest.Media{Uploads: b.uploads}, rest.Collections{Content: b.content},
		},
	}
	b.app = rest.New(routes)
	if b.contract, err = documented(routes); err != nil {
		t.Fatal(err)
	}
	b.onboarding = onboarding.Service{
		Store: b.store, RecordWriter: records.InTransaction{Service: b.content}, Passwords: passwords, Inviter: inviter,
		Now: now, NewID: newID,
	}
	b.shop, b.other = b.createTenant("Mine"), b.createTenant("Theirs")
	return b
}

func (b *harness) createTenant(name string) onboarding.PreparedTenant {
	return b.createTenantOn(name, tenant.Enterprise)
}

func (b *harness) createTenantOn(name string, plan tenant.Plan) onboarding.PreparedTenant {
	b.t.Helper()
	d, err := b.onboarding.Prepare(onboarding.TenantInput{Name: name, Plan: plan, Locale: "en", TimeZone: "UTC"})
	if err == nil {
		err = b.onboarding.Create(b.t.Context(), d)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

// advance moves the clock.
func (b *harness) advance(d time.Duration) { b.clock.Add(d.Milliseconds()) }

// newSQLiteHarness is a harness for rules that do not depend on the database.
func newSQLiteHarness(t *testing.T) *harness {
	return newHarness(t, sqlstore.Options{Path: migratedFile.Copy(t)})
}
