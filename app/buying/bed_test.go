package buying_test

import (
	"crypto/rand"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	providers "github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/platform"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const bankSecret = "a secret of the sandbox only"

// bed is a shop of its own on a real database, with the sandbox provider behind HTTP.
type bed struct {
	*buying.Buying

	t          testing.TB
	store      *sqlstore.Store
	content    *content.Content
	shop       tenant.Facts
	account    string // at the provider
	connection string // to it
	bankURL    string
	at         atomic.Int64
	variants   map[string]string // name → variant id
}

// both runs a rule on SQLite and on a real Postgres.
func both(t *testing.T, rule func(t *testing.T, b *bed)) {
	shops.Both(t, func(t *testing.T, store *sqlstore.Store) { rule(t, newBed(t, store)) })
}

func newBed(t testing.TB, store *sqlstore.Store) *bed {
	t.Helper()
	b := newShop(t, store)
	b.stockShop()
	return b
}

// newShop is a bed without goods.
func newShop(t testing.TB, store *sqlstore.Store) *bed {
	t.Helper()
	b := &bed{t: t, store: store, bankURL: bankAt(), variants: map[string]string{}, shop: tenant.Facts{ID: tenant.ID(shops.NewID()), Plan: tenant.Enterprise, Currency: "KRW", CommerceEnabled: true}}
	b.account = "shop-" + string(b.shop.ID)
	b.at.Store(start.UnixMilli())
	b.Buying = b.instance()
	registry, err := collection.NewRegistry(platform.Schemas()...)
	if err != nil {
		t.Fatal(err)
	}
	b.content = &content.Content{Store: b.store, Registry: registry, Fold: strings.ToLower, Now: b.now, NewID: shops.NewID}
	b.content.Hooks = content.CatalogHooks(b.content)
	b.content.Hooks[payment.Connections.Slug] = buying.ConnectionHooks(b.Vault)
	b.found()
	return b
}

// start is when every test begins.
var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func (b *bed) now() time.Time          { return time.UnixMilli(b.at.Load()).UTC() }
func (b *bed) advance(d time.Duration) { b.at.Add(d.Milliseconds()) }

// instance is a server process of its own: memory is not shared with another one.
func (b *bed) instance() *buying.Buying {
	secrets, err := token.NewSecrets(map[int][]byte{1: []byte("thirty-two bytes of secret for it")})
	if err != nil {
		b.t.Fatal(err)
	}
	i := &buying.Buying{
		Store: b.store, Vault: token.NewVault(secrets), Heard: b.store.Heard(), Now: b.now, NewID: shops.NewID, Log: slog.New(slog.DiscardHandler),
		Once:      &once.Runner{Store: b.store, Claims: b.store.Claims(), Cache: memory.NewReceipts(1<<20, b.now), Now: b.now, NewID: shops.NewID},
		Providers: map[string]ports.Provider{"sandbox": sandbox.New(b.bankURL, "", providers.NewClient(providers.Limits{CallTimeout: 3 * time.Second, LookupTimeout: 3 * time.Second}, nil))},
	}
	i.Returns = returnsOf(i).Follow
	return i
}

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func key() string { return "ik_" + rand.Text() + "abcdef" }

// server is a call of the shop's server under a key; body tells requests apart.
func (b *bed) server(key, operation, body string) once.Call {
	return once.Call{
		Principal: tenant.Principal{Kind: tenant.SecretKey, ID: "key-1", Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true},
		Server:    true, Key: key, Operation: operation, Fingerprint: once.Fingerprint("POST", operation, nil, body), RequestID: shops.NewID(),
	}
}

// guest is a call of a shopper with a checkout token.
func (b *bed) guest(key, operation, token string) once.Call {
	c := b.server(key, operation, "")
	c.Principal, c.Server = tenant.Principal{Kind: tenant.ClientKey, ID: "pk-1", Tenant: b.shop, Environment: tenant.Test}, false
	c.CheckoutToken = token
	return c
}
