package fulfillments_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// bed is a tenant of its own on a real database.
type bed struct {
	*fulfillments.Service

	t     testing.TB
	store *sqlstore.Store
	shop  tenant.Settings
}

// start is the time of every test.
var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func now() time.Time { return start }

func newBed(t testing.TB, store *sqlstore.Store) *bed {
	t.Helper()
	b := &bed{t: t, store: store, shop: tenant.Settings{
		ID: tenant.ID(shops.NewID()), Plan: tenant.Enterprise, Currency: "KRW", CommerceEnabled: true,
	}}
	b.Service = b.instance()
	return b
}

// instance is another server process, which shares no memory.
func (b *bed) instance() *fulfillments.Service {
	return &fulfillments.Service{
		Store: b.store, Now: now, NewID: shops.NewID,
		Idempotency: &idempotency.Runner{
			Store: b.store, Claims: b.store.Claims(), Cache: memory.NewReceipts(1<<20, now, b.store), Now: now, NewID: shops.NewID,
		},
	}
}

// nothing is the price of everything here, since these rules do not depend on money.
var nothing = money.Of(0, "KRW")

func key() string { return "ik_" + rand.Text() + "abcdef" }

// staff is a call of the tenant's server; with a key, body distinguishes requests.
func (b *bed) staff(key, body string) idempotency.Call {
	return idempotency.Call{
		Principal: tenant.Principal{
			Kind: tenant.SecretKey, ID: "key-1", Tenant: b.shop, Environment: tenant.Test, CanRead: true, CanWrite: true,
		},
		Key: key, Operation: "fulfillments.test", Fingerprint: idempotency.Fingerprint("POST", "/", nil, body), RequestID: shops.NewID(),
	}
}

// storedOrder is a stored order: ids of its fulfillment orders and lines.
type storedOrder struct {
	id, byCarrier, byHand string
	lines                 map[string]string // by name
}

// items are quantities of its lines, "2 mug, 1 course".
func (s storedOrder) items(text string) []order.Item {
	var items []order.Item
	for part := range strings.SplitSeq(text, ", ") {
		n, name, _ := strings.Cut(part, " ")
		items = append(items, order.Item{OrderLine: s.lines[name], Quantity: int64(n[0] - '0')})
	}
	return items
}

// sell stores a paid order of the wanted items; courses do not ship.
func (b *bed) sell(wanted string) storedOrder {
	b.t.Helper()
	sold := storedOrder{lines: map[string]string{}}
	c := checkout.Checkout{
		Tenant: b.shop.ID, Environment: tenant.Test, Currency: "KRW",
		Totals: sale.Totals{Subtotal: nothing, Discount: nothing, Total: nothing},
	}
	for _, it := range (storedOrder{lines: map[string]string{"mug": "mug", "lamp": "lamp", "course": "course"}}).items(wanted) {
		c.Lines = append(c.Lines, sale.Line{
			Title: it.OrderLine, Quantity: it.Quantity, RequiresShipping: it.OrderLine != "course", Kind: "physical",
			UnitPrice: nothing, Subtotal: nothing, Discount: nothing, Total: nothing,
		})
	}
	o, work := order.Place(c, shops.NewID(), start, shops.NewID)
	o.Source, sold.id = order.Manual, o.ID
	for _, l := range o.Lines {
		sold.lines[l.Title] = l.ID
	}
	changes := []collection.Change{collection.NewChange(order.Schema, nil, o.Record(), shops.NewID(), start)}
	for _, f := range work {
		if f.Type == order.ShippingFulfillmentOrder {
			sold.byCarrier = f.ID
		} else {
			sold.byHand = f.ID
		}
		changes = append(changes, collection.NewChange(order.FulfillmentOrders, nil, f.Record(), shops.NewID(), start))
	}
	b.atomically(func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, changes...) })
	return sold
}

func (b *bed) atomically(fn func(ctx context.Context, tx ports.Tx) error) { b.view().Atomically(fn) }

func (b *bed) view() shops.View { return shops.NewView(b.t, b.store, b.shop.ID) }

func (b *bed) get(s *collection.Schema, id string) collection.Record { return b.view().Get(s, id) }

// status is the status of a record, and how many events it has.
func (b *bed) status(s *collection.Schema, id string) (status string, events int64) {
	b.t.Helper()
	r := b.get(s, id)
	return r.Text("status"), r.Sequence()
}

// jsonAnswer is a response: its records by name.
type jsonAnswer map[string]map[string]any

func (b *bed) must(a idempotency.Response, err error) jsonAnswer {
	b.t.Helper()
	var s jsonAnswer
	if err := json.Unmarshal(shops.MustBody(b.t, a, err), &s); err != nil {
		b.t.Fatal(err)
	}
	return s
}

func refused(t *testing.T, name string, a idempotency.Response, err, want error) {
	t.Helper()
	if err == nil && a.Fault != nil {
		err = a.Fault
	}
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", name, err, want)
	}
}

// pack creates a fulfillment by CJ and returns its id; units "" is everything open.
func (b *bed) pack(s storedOrder, units string) string {
	b.t.Helper()
	in := fulfillments.FulfillmentInput{FulfillmentOrder: s.byCarrier, Tracking: order.Tracking{Carrier: order.CJ, Number: "123456789012"}}
	if units != "" {
		in.Items = s.items(units)
	}
	id, _ := b.must(b.Create(b.t.Context(), b.staff("", ""), in))["fulfillment"]["id"].(string)
	return id
}
