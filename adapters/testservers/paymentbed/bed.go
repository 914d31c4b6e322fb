// Package paymentbed is a shop on a real database with the sandbox provider behind HTTP, and the steps that
// tests of checkouts, payments, refunds and return requests share.
package paymentbed

import (
	"crypto/rand"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	providers "github.com/cartwright-dev/cartwright/adapters/payment"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/taxservice"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/token"
	sender "github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/recent"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// BankSecret is what the sandbox derives the secrets of its accounts from.
const BankSecret = "a secret of the sandbox only"

// Bed is a tenant of its own with a stocked catalog and a connection to the sandbox.
type Bed struct {
	*Instance

	T          testing.TB
	Store      *sqlstore.Store
	Records    *records.Service
	Shop       tenant.Settings
	Account    string // at the provider
	Connection string // to it
	BankURL    string
	Variants   map[string]string // variant ids by product name
	clock      atomic.Int64
}

// Instance is the use cases of one server process: memory is not shared with another one.
type Instance struct {
	Providers   map[string]ports.Provider // what the use cases call; tests replace its entries
	Idempotency *idempotency.Runner
	Vault       ports.Vault
	Checkouts   *checkouts.Service
	Payments    *payments.Service
	Refunds     *refunds.Service
	Returns     *returnrequests.Service
	Reconciler  *payments.AggregatorReconciler
	Webhooks    *payments.Webhooks
	Poller      *payments.Poller
	settings    Settings
}

// Settings is what tests change about an instance.
type Settings struct {
	Database       ports.Store
	Processed      ports.ProcessedWebhooks
	Providers      map[string]ports.Provider
	LookupInterval time.Duration
	PollInterval   time.Duration
	Failpoint      func(point string)
}

// OnBothDatabases runs a rule on SQLite and on a real Postgres.
func OnBothDatabases(t *testing.T, rule func(t *testing.T, b *Bed)) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) { rule(t, New(t, store)) })
}

// OnOwnServers runs a rule on databases of its own, every row of which can be inspected.
func OnOwnServers(t *testing.T, rule func(t *testing.T, b *Bed, all testservers.Inspector)) {
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, all testservers.Inspector) { rule(t, New(t, store), all) })
}

// New is a bed whose shop sells mugs, lamps, a digital course and a free digital gift, with a code that can
// be used once.
func New(t testing.TB, store *sqlstore.Store) *Bed {
	t.Helper()
	b := NewEmpty(t, store)
	b.addProducts()
	return b
}

// description is what the sandbox's adapter says of itself.
var description = sandbox.New("", "", nil).Describe()

// NewEmpty is a bed without products.
func NewEmpty(t testing.TB, store *sqlstore.Store) *Bed {
	t.Helper()
	shop := tenant.Settings{ID: tenant.ID(shops.NewID()), Plan: tenant.Enterprise, Currency: "KRW", CommerceEnabled: true}
	b := &Bed{T: t, Store: store, BankURL: bankAt(), Variants: map[string]string{}, Shop: shop}
	b.Account = "shop-" + string(b.Shop.ID)
	b.clock.Store(Start.UnixMilli())
	b.Instance = b.NewInstance()
	registry, err := collection.NewRegistry(registry.Schemas(description)...)
	if err != nil {
		t.Fatal(err)
	}
	hooks := records.CatalogHooks(b.Store, registry)
	hooks[cart.Schema.Slug] = carts.Availability{Offers: offers.NewCache(b.Store, b.Now, 0), Now: b.Now}.Hooks()
	hooks[draft.Schema.Slug] = drafts.Hooks(b.Store)
	hooks[payment.Connections.Slug] = connections.Hooks(b.Vault, []payment.Provider{description}, nil)
	hooks[tax.Connections.Slug] = taxing.Hooks(b.Vault, sender.Signer{}, webhook.AddressPolicy{AllowHTTP: true, AllowAnyPort: true})
	b.Records = &records.Service{Store: b.Store, Registry: registry, Hooks: hooks, Fold: strings.ToLower, Now: b.Now, NewID: shops.NewID}
	b.createDefaults()
	return b
}

// Patience is how long a test waits for something to happen, on however busy a machine.
const Patience = 2 * time.Minute

// Start is the time at which every test begins.
var Start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// Now is the bed's clock.
func (b *Bed) Now() time.Time { return time.UnixMilli(b.clock.Load()).UTC() }

// Advance moves the bed's clock.
func (b *Bed) Advance(d time.Duration) { b.clock.Add(d.Milliseconds()) }

// NewInstance starts another server process with the default settings, changed by change.
func (b *Bed) NewInstance(change ...func(*Settings)) *Instance {
	client := providers.NewClient(providers.Limits{CallTimeout: Patience, LookupTimeout: Patience}, nil)
	return b.start(Settings{
		Database: b.Store, Processed: b.Store.ProcessedWebhooks(),
		Providers: map[string]ports.Provider{"sandbox": sandbox.New(b.BankURL, "", client)},
	}, change...)
}

// Restart replaces the bed's instance by one whose settings are changed.
func (b *Bed) Restart(change func(*Settings)) { b.Instance = b.start(b.settings, change) }

func (b *Bed) start(s Settings, change ...func(*Settings)) *Instance {
	for _, set := range change {
		set(&s)
	}
	secrets, err := token.NewSecrets(map[int][]byte{1: []byte("thirty-two bytes of secret for it")})
	if err != nil {
		b.T.Fatal(err)
	}
	vault, log := token.NewVault(secrets), slog.New(slog.DiscardHandler)
	known := recent.New(b.Now, cart.Schema, checkout.Schema, payment.Sessions)
	store := known.WrapStore(s.Database)
	runner := &idempotency.Runner{
		Store: store, Claims: b.Store.Claims(), Cache: memory.NewReceipts(1<<20, b.Now, b.Store), Now: b.Now, NewID: shops.NewID,
	}
	opener := connections.Opener{Vault: vault, Providers: s.Providers, Choices: &connections.Choices{}}
	i := &Instance{Providers: s.Providers, Idempotency: runner, Vault: vault, settings: s}
	i.Payments = payments.New(payments.Options{
		Store: store, Recent: known, Idempotency: runner, Connections: opener, Now: b.Now, NewID: shops.NewID,
		LookupInterval: s.LookupInterval, Log: log, Failpoint: s.Failpoint, Tasks: b.Store.PaymentTasks(),
	})
	i.Checkouts = &checkouts.Service{
		Store: store, Recent: known, Idempotency: runner, Vault: vault, Now: b.Now, NewID: shops.NewID, Failpoint: s.Failpoint,
		Sessions: i.Payments.Settler, Offers: offers.NewCache(b.Store, b.Now, 0), Taxes: taxAsker(store, vault, b.Now),
	}
	i.Refunds = refunds.New(refunds.Options{
		Store: store, Idempotency: runner, Connections: opener, Returns: returnrequests.RefundFollower{Now: b.Now, NewID: shops.NewID},
		Now: b.Now, NewID: shops.NewID, Log: log, Failpoint: s.Failpoint,
	})
	i.Returns = &returnrequests.Service{Store: store, Idempotency: runner, Refunds: i.Refunds, Vault: vault, Now: b.Now, NewID: shops.NewID}
	i.Reconciler = payments.NewAggregatorReconciler(i.Payments, i.Refunds)
	i.Webhooks = payments.NewWebhooks(i.Payments, i.Refunds, s.Processed)
	i.Poller = payments.NewPoller(i.Payments, i.Checkouts, i.Refunds, s.PollInterval, nil)
	return i
}

// KRW is an amount of won.
func KRW(n int64) money.Money { return money.Of(n, "KRW") }

// Key is a new idempotency key.
func Key() string { return "ik_" + rand.Text() + "abcdef" }

// Server is a call of the shop's server under a key; body tells requests apart.
func (b *Bed) Server(key, operation, body string) idempotency.Call {
	return idempotency.Call{
		Principal: tenant.Principal{
			Kind: tenant.SecretKey, ID: "key-1", Tenant: b.Shop, Environment: tenant.Test, CanRead: true, CanWrite: true,
		},
		Server: true, Key: key, Operation: operation, Fingerprint: idempotency.Fingerprint("POST", operation, nil, body),
		RequestID: shops.NewID(),
	}
}

// Guest is a call of a shopper with a checkout token.
func (b *Bed) Guest(key, operation, token string) idempotency.Call {
	c := b.Server(key, operation, "")
	c.Principal, c.Server = tenant.Principal{Kind: tenant.ClientKey, ID: "pk-1", Tenant: b.Shop, Environment: tenant.Test}, false
	c.CheckoutToken = token
	return c
}

// taxAsker asks tax services, which may be on this machine.
func taxAsker(store ports.Store, vault ports.Vault, now func() time.Time) *taxing.Asker {
	return &taxing.Asker{
		Store: store, Vault: vault, Table: taxservice.Table{}, Log: slog.New(slog.DiscardHandler), Service: taxservice.New(taxservice.Options{
			Sender: sender.NewSender(sender.Options{AllowPrivate: true}), Signer: sender.Signer{}, Now: now,
		}),
	}
}
