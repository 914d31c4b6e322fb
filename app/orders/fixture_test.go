package orders_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/reconciliation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// fixture is a shop of its own on a real database.
type fixture struct {
	*orders.Service

	t       testing.TB
	store   *sqlstore.Store
	shop    tenant.Settings
	at      atomic.Int64
	numbers atomic.Int64
	variant string // of a mug, 100 on the shelf
}

// start is when every test begins.
var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func newFixture(t testing.TB, store *sqlstore.Store) *fixture {
	t.Helper()
	b := &fixture{t: t, store: store, shop: tenant.Settings{
		ID: tenant.ID(shops.NewID()), Plan: tenant.Enterprise, Currency: "KRW", CommerceEnabled: true, AutoConfirmDays: 7,
	}}
	b.at.Store(start.UnixMilli())
	b.Service = b.instance()
	b.within(func(ctx context.Context, tx ports.Tx) error {
		id := string(b.shop.ID)
		shop := collection.Record{"id": id, "tenant": id, "name": "Shop", "slug": "shop-" + id, "plan": "enterprise", "currency": "KRW"}
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, nil, shop, shops.NewID(), start))
	})
	b.stock()
	return b
}

func (b *fixture) stock() {
	b.t.Helper()
	registry, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		b.t.Fatal(err)
	}
	c := &records.Service{
		Store: b.store, Registry: registry, Hooks: records.CatalogHooks(b.store, registry), Fold: strings.ToLower, Now: b.now,
		NewID: shops.NewID,
	}
	b.within(func(ctx context.Context, tx ports.Tx) error {
		by := b.key().Principal
		by.Kind = tenant.System
		_, err := records.InTransaction{Service: c}.Create(ctx, tx, by, catalog.Products,
			shops.ParseObject(b.t, `{"name":"Mug","status":"published","price":1000,"variants":[{"title":"One","sku":"MUG","stock":100}]}`))
		return err
	})
	b.variant = b.all(catalog.Variants)[0].ID()
}

func (b *fixture) now() time.Time          { return time.UnixMilli(b.at.Load()).UTC() }
func (b *fixture) advance(d time.Duration) { b.at.Add(d.Milliseconds()) }

// instance is a server process of its own: memory is not shared with another one. No provider can be asked:
// refunds are manual.
func (b *fixture) instance() *orders.Service {
	runner := &idempotency.Runner{
		Store: b.store, Claims: b.store.Claims(), Cache: memory.NewReceipts(1<<20, b.now, b.store), Now: b.now, NewID: shops.NewID,
	}
	return &orders.Service{Store: b.store, Idempotency: runner, Now: b.now, NewID: shops.NewID, Canceler: b.refunds(runner).Canceler}
}

func (b *fixture) refunds(runner *idempotency.Runner) *refunds.Service {
	return refunds.New(refunds.Options{
		Store: b.store, Idempotency: runner, Now: b.now, NewID: shops.NewID, Log: slog.New(slog.DiscardHandler),
	})
}

func (b *fixture) confirmations() *orders.AutoConfirmer {
	return &orders.AutoConfirmer{Store: b.store, Now: b.now, NewID: shops.NewID}
}

func (b *fixture) within(fn func(ctx context.Context, tx ports.Tx) error) {
	b.t.Helper()
	if err := b.store.Atomically(b.t.Context(), ports.ForTenant(b.shop.ID), fn); err != nil {
		b.t.Fatal(err)
	}
}

// key is a call of the shop's server without an idempotency key.
func (b *fixture) key() idempotency.Call {
	return idempotency.Call{
		Principal: tenant.Principal{
			Kind: tenant.SecretKey, ID: "key-1", Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true,
		},
		Operation: "orders.transition", RequestID: shops.NewID(),
	}
}

// under is c with an idempotency key; body distinguishes requests.
func under(c idempotency.Call, key, body string) idempotency.Call {
	c.Key, c.Fingerprint = key, idempotency.Fingerprint("POST", c.Operation, nil, body)
	return c
}

func newKey() string { return "ik_" + rand.Text() + "abcdef" }

// step moves an order as the shop's server.
func (b *fixture) step(id string, to order.Status) (idempotency.Response, error) {
	return b.Transition(b.t.Context(), b.key(), id, orders.Transition{To: to})
}

// must is the order of an answer that is a success.
func (b *fixture) must(a idempotency.Response, err error) map[string]any {
	b.t.Helper()
	o, _ := shops.ParseObject(b.t, string(shops.MustBody(b.t, a, err)))["order"].(map[string]any)
	return o
}

// told is an imported order: two mugs and a course for 5500 with shipping.
func told(change ...map[string]any) map[string]any {
	o := map[string]any{
		"orderNumber": "OLD-1", "status": "delivered", "email": "kim@example.com",
		"lines": []any{
			map[string]any{"title": "Mug", "quantity": collection.JSONNumber("2"), "unitPrice": collection.JSONNumber("1000")},
			map[string]any{
				"title": "Course", "quantity": collection.JSONNumber("1"), "unitPrice": collection.JSONNumber("500"), "kind": "digital",
			},
		},
		"shippingAmount": collection.JSONNumber("3000"), "totalAmount": collection.JSONNumber("5500"),
	}
	for _, c := range change {
		maps.Copy(o, c)
	}
	return o
}

// bring imports rows in one call.
func (b *fixture) bring(rows ...map[string]any) orders.ImportResult {
	b.t.Helper()
	all := make([]any, len(rows))
	for i, r := range rows {
		all[i] = r
	}
	done, err := b.Import(b.t.Context(), b.key(), all)
	if err != nil {
		b.t.Fatal(err)
	}
	return done
}

// ordered is a new order in a state, and its id.
func (b *fixture) ordered(status order.Status, change ...map[string]any) string {
	b.t.Helper()
	number := fmt.Sprint("N-", b.numbers.Add(1))
	done := b.bring(told(append([]map[string]any{{"orderNumber": number, "status": string(status)}}, change...)...))
	if done.Created != 1 {
		b.t.Fatalf("%s: %+v", status, done)
	}
	return b.numbered(number).ID()
}

// numbered is the order with that number.
func (b *fixture) numbered(number string) collection.Record {
	b.t.Helper()
	found, err := b.store.Read(ports.ForTenant(b.shop.ID)).Find(b.t.Context(), collection.Query{
		Schema: order.Schema, Where: order.Schema.Where("orderNumber", collection.Equals, number), Limit: 1, Page: 1,
	})
	if err != nil || found.TotalDocs != 1 {
		b.t.Fatalf("%s: %d orders, %v", number, found.TotalDocs, err)
	}
	return found.Docs[0]
}

func (b *fixture) order(id string) order.Order { return order.FromRecord(b.get(order.Schema, id)) }

func (b *fixture) view() shops.View { return shops.NewView(b.t, b.store, b.shop.ID) }

func (b *fixture) get(s *collection.Schema, id string) collection.Record { return b.view().Get(s, id) }

func (b *fixture) all(s *collection.Schema) []collection.Record { return b.view().All(s) }

// wantBooks insists that the money adds up, to so much.
func (b *fixture) wantBooks(minor int64) {
	b.t.Helper()
	a := reconciliation.Reconciler{
		Store: b.store, Ledger: b.store.LedgerReader(),
		OnDiscrepancy: func(d reconciliation.Discrepancy) { b.t.Errorf("%s %s: %s", d.Kind, d.ID, d.Detail) },
	}
	sums, err := a.CheckTenant(b.t.Context(), b.shop.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	var all int64
	for _, s := range sums {
		all += s.Ledger
		if !s.Balanced(false) {
			b.t.Errorf("%+v", s)
		}
	}
	if all != minor {
		b.t.Errorf("the books show %d, want %d", all, minor)
	}
}
