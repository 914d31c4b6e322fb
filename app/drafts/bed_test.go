package drafts_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// bed is a shop of its own on a real database, behind HTTP.
type bed struct {
	t        testing.TB
	store    *sqlstore.Store
	content  *records.Service
	drafting *drafts.Service
	app      *fiber.App
	shop     tenant.Settings
	variants map[string]string // name → variant id
	products map[string]string
}

func now() time.Time { return start }

func newBed(t testing.TB, store *sqlstore.Store, currency money.Currency) *bed {
	t.Helper()
	b := &bed{t: t, store: store, variants: map[string]string{}, products: map[string]string{}, shop: tenant.Settings{
		ID: tenant.ID(shops.NewID()), Plan: tenant.Enterprise, Currency: currency, CommerceEnabled: true,
	}}
	registry, err := collection.NewRegistry(registry.Schemas(payment.Provider{Name: "sandbox"})...)
	if err != nil {
		t.Fatal(err)
	}
	hooks := records.CatalogHooks(store, registry)
	hooks[draft.Schema.Slug] = drafts.Hooks(store)
	b.content = &records.Service{
		Store: store, Committer: store.Committer(), Registry: registry, Hooks: hooks, Fold: strings.ToLower, Now: now, NewID: shops.NewID,
	}
	b.drafting = b.instance()
	b.app = rest.New(rest.Options{
		Log: slog.New(slog.DiscardHandler), Access: fakeAuthenticator{b}, NewID: shops.NewID, Now: now,
		Areas: []rest.Area{
			rest.Operations(slices.Concat(operation.Orders(b.canceler(), nil), operation.Drafts(b.drafting))),
			rest.Collections{Content: b.content},
		},
	})
	b.found()
	b.product("mug", "12000", "10", "")
	b.product("lamp", "50000", "30", "")
	b.product("course", "30000", "1000", `,"kind":"digital"`)
	b.product("gift", "0", "5", `,"kind":"digital"`)
	b.create(discount.Schema, `{"code":"ONCE","type":"percentage","value":10,"usageLimit":1}`)
	b.create(discount.Schema, `{"code":"TEN","type":"percentage","value":10}`)
	b.create(discount.Schema, `{"code":"FREE","type":"free_shipping"}`)
	return b
}

// instance is a server process of its own: memory is not shared with another one.
func (b *bed) instance() *drafts.Service {
	secrets, err := token.NewSecrets(map[int][]byte{1: []byte(strings.Repeat("s", 32))})
	if err != nil {
		b.t.Fatal(err)
	}
	return &drafts.Service{Store: b.store, Now: now, NewID: shops.NewID, Idempotency: b.runner(), Vault: token.NewVault(secrets)}
}

func (b *bed) runner() *idempotency.Runner {
	return &idempotency.Runner{
		Store: b.store, Claims: b.store.Claims(), Cache: memory.NewReceipts(1<<20, now, b.store), Now: now, NewID: shops.NewID,
	}
}

// canceler has no provider: refunds are manual.
func (b *bed) canceler() *refunds.OrderCanceler {
	return refunds.New(refunds.Options{
		Store: b.store, Idempotency: b.runner(), Now: now, NewID: shops.NewID, Log: slog.New(slog.DiscardHandler),
	}).Canceler
}

// found gives the shop what every shop has.
func (b *bed) found() {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		shop := collection.Record{
			"id": string(b.shop.ID), "tenant": string(b.shop.ID), "name": "Shop", "slug": "shop-" + string(b.shop.ID), "plan": "enterprise",
			"currency": string(b.shop.Currency),
		}
		policy := shipping.DefaultPolicy(shops.NewID(), identity.SettingsFrom(shop))
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, nil, shop, shops.NewID(), start),
			collection.NewChange(shipping.Schema, nil, policy, shops.NewID(), start))
	})
}

func (b *bed) atomically(fn func(ctx context.Context, tx ports.Tx) error) { b.view().Atomically(fn) }

// create writes a record the way an operator does.
func (b *bed) create(s *collection.Schema, text string) (id string) {
	b.t.Helper()
	owner := tenant.Principal{Kind: tenant.System, Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true}
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		r, err := (records.InTransaction{Service: b.content}).Create(ctx, tx, owner, s, shops.ParseObject(b.t, text))
		id = r.ID()
		return err
	})
	return id
}

// setInMarket changes a field of a market, past the checks of writes.
func (b *bed) setInMarket(market, field string, value any) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, catalog.Markets, market)
		if err != nil {
			return err
		}
		after := before.Clone()
		after[field] = value
		return tx.Records.Write(ctx, collection.NewChange(catalog.Markets, before, after, shops.NewID(), start))
	})
}

// product puts a product with one variant on sale.
func (b *bed) product(name, price, stock, more string) {
	b.t.Helper()
	id := b.create(catalog.Products,
		`{"name":"`+name+`","status":"published","price":`+price+`,"variants":[{"title":"One","stock":`+stock+more+`}]}`)
	page, err := b.store.Read(ports.ForTenant(b.shop.ID)).Find(b.t.Context(), collection.Query{
		Schema: catalog.Variants, Environment: "test", Where: catalog.Variants.Where("product", collection.Equals, id), Limit: 10, Page: 1,
	})
	if err != nil || len(page.Docs) != 1 {
		b.t.Fatalf("variants of %s: %v %v", name, page.Docs, err)
	}
	b.variants[name], b.products[name] = page.Docs[0].ID(), id
}

// fakeAuthenticator knows credentials of one shop, and an outsider's.
type fakeAuthenticator struct{ b *bed }

func (fakeAuthenticator) IsSameSite(access.Credentials) bool { return true }

func (d fakeAuthenticator) Authenticate(_ context.Context, c access.Credentials) (tenant.Principal, error) {
	p := tenant.Principal{Tenant: d.b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true, ID: "k", Kind: tenant.Anonymous}
	switch {
	case c.APIKey == "sk_stranger":
		p.Kind, p.Tenant.ID = tenant.SecretKey, tenant.ID(shops.NewID())
	case c.APIKey == "sk_live":
		p.Kind, p.Environment = tenant.SecretKey, tenant.Live
	case c.APIKey == "sk_reader":
		p.Kind, p.CanWrite = tenant.SecretKey, false
	case c.APIKey == "sk_blog":
		p.Kind, p.Tenant.CommerceEnabled = tenant.SecretKey, false
	case c.APIKey != "":
		p.Kind = tenant.SecretKey
	case c.Bearer == "customer":
		p.Kind = tenant.Customer
	case c.Bearer != "":
		p.Kind, p.Role = tenant.User, tenant.Role(c.Bearer)
	case c.ClientKey != "":
		p.Kind = tenant.ClientKey
	}
	return p, nil
}

var owner = []string{"X-API-Key", "sk"}

func key() string { return "ik_" + rand.Text() + "abcdef" }

func (b *bed) do(r *http.Request) (*http.Response, error) { return b.app.Test(r, -1) }

func (b *bed) ask(method, path, body string, headers ...string) (int, jsonAnswer) {
	b.t.Helper()
	status, s := shops.Do(b.t, b.do, method, path, body, headers...)
	return status, jsonAnswer(s)
}

// draft makes a draft of one line per product, quantity 1 unless the name says "3 mug"; more is further members.
func (b *bed) draft(more string, names ...string) string {
	b.t.Helper()
	status, made := b.ask("POST", "/draft-orders",
		`{"lines":[`+b.lines(names...)+`],"customerSnapshot":{"name":"Kim","email":"kim@example.com","phone":"010"},"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"}`+more+`}`,
		owner...)
	if status != 201 {
		b.t.Fatalf("%d %v", status, made["raw"])
	}
	return made.text("doc.id")
}

func (b *bed) lines(names ...string) string {
	var rows []string
	for _, name := range names {
		n, rest, ok := strings.Cut(name, " ")
		if !ok {
			n, rest = "1", name
		}
		rows = append(rows, `{"variant":"`+b.variants[rest]+`","quantity":`+n+`}`)
	}
	return strings.Join(rows, ",")
}

func (b *bed) patch(id, body string) (int, jsonAnswer) {
	b.t.Helper()
	return b.ask("PATCH", "/draft-orders/"+id, body, owner...)
}

func (b *bed) calculate(id string) jsonAnswer {
	b.t.Helper()
	status, got := b.ask("POST", "/draft-orders/"+id+"/calculate", "", owner...)
	if status != 200 {
		b.t.Fatalf("%d %v", status, got["raw"])
	}
	return got
}

func (b *bed) finalize(id, key string) (int, jsonAnswer) {
	b.t.Helper()
	return b.ask("POST", "/draft-orders/"+id+"/finalize", "", append(owner, "Idempotency-Key", key)...)
}

// call is a finalize of the shop's server under a key, for instances.
func (b *bed) call(key, id string) idempotency.Call {
	return idempotency.Call{
		Principal: tenant.Principal{
			Kind: tenant.SecretKey, ID: "k", Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true,
		},
		Key: key, Operation: "draftOrders.finalize", Fingerprint: idempotency.Fingerprint("POST", "finalize", []string{id}, nil),
		RequestID: shops.NewID(),
	}
}

func (b *bed) view() shops.View { return shops.NewView(b.t, b.store, b.shop.ID) }

func (b *bed) get(s *collection.Schema, id string) collection.Record { return b.view().Get(s, id) }

func (b *bed) all(s *collection.Schema) []collection.Record { return b.view().All(s) }

func (b *bed) orders() []collection.Record { return b.all(order.Schema) }

func (b *bed) level(name string) ports.StockLevel { return b.view().Level(b.variants[name]) }

// jsonAnswer is an answer read back.
type jsonAnswer map[string]any

func (s jsonAnswer) at(path string) any { return shops.Response(s).Path(path) }

func (s jsonAnswer) text(path string) string { return shops.Response(s).TextAt(path) }

func (s jsonAnswer) reason() string { return shops.Response(s).Reason() }
