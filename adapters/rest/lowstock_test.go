package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// lowStockEvent is an update event with lowStock.
type lowStockEvent struct {
	low         bool
	environment string
}

// lowStockEvents are those of a record, oldest first, and the number of its other updates.
func (b *harness) lowStockEvents(record string) (list []lowStockEvent, others int) {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT coalesce(environment, ''), "+table.EventText+
		" FROM events e WHERE record = $1 AND operation = 'update' ORDER BY record_sequence", record)
	if err != nil {
		b.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var a lowStockEvent
		var text []byte
		var body struct{ Data, Doc, PreviousDoc map[string]any }
		if err := rows.Scan(&a.environment, &text); err != nil {
			b.t.Fatal(err)
		}
		raw := table.PublishedBody(text)
		if err := json.Unmarshal(raw, &body); err != nil {
			b.t.Fatal(err)
		}
		low, ok := body.Data["lowStock"].(bool)
		if !ok {
			others++
			continue
		}
		if len(body.Data) != 1 || body.Doc["lowStock"] != low || body.PreviousDoc["lowStock"] != !low {
			b.t.Errorf("the event has other changes or values: %s", raw)
		}
		a.low = low
		list = append(list, a)
	}
	if err := rows.Err(); err != nil {
		b.t.Fatal(err)
	}
	return list, others
}

// wantLowStock requires these events of a record: "+" for low, "-" for recovered, "t" before those of test.
func (b *harness) wantLowStock(when, record, want string) {
	b.t.Helper()
	var got strings.Builder
	list, _ := b.lowStockEvents(record)
	for _, a := range list {
		got.WriteString(map[string]string{"live": "", "test": "t"}[a.environment] + map[bool]string{true: "+", false: "-"}[a.low])
	}
	if got.String() != want {
		b.t.Errorf("%s: events %q, want %q", when, got.String(), want)
	}
}

// lowStockProducts lists the names of the products with low stock that a key sees.
func (b *harness) lowStockProducts(key string) string {
	b.t.Helper()
	a := b.request("GET", "/api/products?sort=name&where[lowStock][equals]=true", "", "X-API-Key", key)
	if a.status != 200 {
		b.t.Fatal(a.status, a.raw)
	}
	return a.names()
}

// takeStock takes units of a variant in live, as a placement does.
func (b *harness) takeStock(variant string, n int64) error {
	return b.store.Atomically(b.t.Context(), ports.ForTenant(b.shop.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Stock.Take(ctx, b.shop.Tenant.ID, tenant.Live, newID(), []ports.Demand{{Variant: variant, Quantity: n}},
			ports.StockCause{Kind: inventory.Sold})
		return err
	})
}

func (b *harness) now() time.Time { return time.UnixMilli(b.clock.Load()).UTC() }

func (b *harness) variantOf(product string) string {
	b.t.Helper()
	return b.secret(200, "GET", "/api/product-variants?sort=createdAt&where[product][equals]="+product, "").docs()[0].(map[string]any)["id"].(string)
}

// Crossing the threshold makes one event, and so does crossing it back; nothing else makes one.
func TestLowStockIsAnnouncedOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":10,"lowStockThreshold":5}`)
		variant := b.variantOf(product)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(b.takeStock(variant, 4))
		b.wantLowStock("six are left", product, "")
		must(b.takeStock(variant, 1))
		b.wantLowStock("five are left", product, "+")
		must(b.takeStock(variant, 1))
		b.wantLowStock("four are left", product, "+")
		if _, others := b.lowStockEvents(product); others != 0 || b.lowStockProducts(b.shop.SecretKey) != "Tea" ||
			b.lowStockProducts(b.shop.TestSecretKey) != "" {
			t.Errorf("%d other updates, low are %q, in test %q",
				others, b.lowStockProducts(b.shop.SecretKey), b.lowStockProducts(b.shop.TestSecretKey))
		}
		if a := b.secret(200, "PATCH", "/api/products/"+product, `{"stock":6,"expectedStock":4}`); a.doc()["lowStock"] != false {
			t.Errorf("the response is not up to date: %s", a.raw)
		}
		b.wantLowStock("more came", product, "+-")
		b.secret(200, "PATCH", "/api/products/"+product, `{"stock":7,"expectedStock":6}`)
		b.secret(200, "PATCH", "/api/products/"+product, `{"name":"Tea","description":"x"}`)
		b.wantLowStock("nothing is crossed", product, "+-")
		if a := b.secret(200, "PATCH", "/api/products/"+product, `{"lowStockThreshold":7}`); a.doc()["lowStock"] != true {
			t.Errorf("the response is not up to date: %s", a.raw)
		}
		b.wantLowStock("the threshold rose to what is left", product, "+-+")
		b.secret(200, "PATCH", "/api/products/"+product, `{"lowStockThreshold":10}`)
		b.wantLowStock("it rose to what is left in test", product, "+-+t+")
		b.secret(200, "PATCH", "/api/product-variants/"+variant, `{"trackInventory":false}`)
		b.wantLowStock("the units are not counted any more", product, "+-+t+-t-")
		b.secret(200, "PATCH", "/api/product-variants/"+variant, `{"trackInventory":true,"stock":1,"expectedStock":7}`)
		b.wantLowStock("they are again", product, "+-+t+-t-+t+")
		b.secret(200, "PATCH", "/api/products/"+product, `{"lowStockThreshold":null}`)
		b.wantLowStock("there is no threshold", product, "+-+t+-t-+t+-t-")
		if list, _ := b.lowStockEvents(variant); len(list) != 0 {
			t.Errorf("the variant has no threshold of its own: %v", list)
		}
	})
}

// Reserved units count as sold, until their reservation ends.
func TestReservationsMakeStockLow(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products",
			`{"name":"Tea","status":"published","price":1500,"variants":[{"title":"A","stock":6,"lowStockThreshold":3},{"title":"B","stock":6}]}`)
		variant := b.secret(200, "GET", "/api/product-variants?where[product][equals]="+product+"&where[title][equals]=A", "").
			docs()[0].(map[string]any)["id"].(string)
		within := func(what func(context.Context, ports.Stock) error) {
			t.Helper()
			err := b.store.Atomically(t.Context(), ports.ForTenant(b.shop.Tenant.ID),
				func(ctx context.Context, tx ports.Tx) error { return what(ctx, tx.Stock) })
			if err != nil {
				t.Fatal(err)
			}
		}
		shop := b.shop.Tenant.ID
		reserve := func(holder string, n int64) {
			t.Helper()
			within(func(ctx context.Context, s ports.Stock) error {
				return s.Reserve(ctx, shop, tenant.Test, holder, []ports.Demand{{Variant: variant, Quantity: n}},
					b.now().Add(time.Millisecond))
			})
		}
		reserve("one", 2)
		b.wantLowStock("four are free", variant, "")
		reserve("two", 1)
		b.wantLowStock("three are free", variant, "t+")
		within(func(ctx context.Context, s ports.Stock) error {
			_, err := s.Take(ctx, shop, tenant.Test, "one", []ports.Demand{{Variant: variant, Quantity: 2}}, ports.StockCause{Kind: inventory.Sold})
			return err
		})
		b.wantLowStock("the reserved units are taken", variant, "t+")
		within(func(ctx context.Context, s ports.Stock) error { return s.Release(ctx, shop, "two") })
		b.wantLowStock("a reservation is released", variant, "t+t-")
		reserve("three", 1)
		b.advance(time.Second)
		if _, err := b.store.Sweep(t.Context(), b.now()); err != nil {
			t.Fatal(err)
		}
		b.wantLowStock("a reservation expires", variant, "t+t-t+t-")
		if list, _ := b.lowStockEvents(product); len(list) != 0 {
			t.Errorf("the product has no threshold: %v", list)
		}
	})
}

// Of many concurrent sales exactly one crosses the threshold, also those of different variants of one product.
func TestConcurrentSalesAnnounceLowStockOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"lowStockThreshold":20,"variants":[{"title":"A","stock":20,"lowStockThreshold":7},{"title":"B","stock":20},{"title":"C","stock":20}]}`)
		var variants []string
		for _, v := range b.secret(200, "GET", "/api/product-variants?sort=position&where[product][equals]="+product, "").docs() {
			variants = append(variants, v.(map[string]any)["id"].(string))
		}
		var all sync.WaitGroup
		for i := range 48 {
			all.Go(func() {
				if err := b.takeStock(variants[i%3], 1); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		b.wantLowStock("12 of 60 are left", product, "+")
		b.wantLowStock("4 of 20 are left", variants[0], "+")
		b.wantLowStock("it has no threshold", variants[1], "")
		var counted atomic.Int64
		for range 16 { // of those who expect 4, one is right
			all.Go(func() {
				if a := b.request("PATCH", "/api/product-variants/"+variants[1], `{"stock":40,"expectedStock":4}`,
					"X-API-Key", b.shop.SecretKey); a.status == 200 {
					counted.Add(1)
				}
			})
			all.Go(func() {
				b.secret(200, "PATCH", "/api/products/"+product, `{"lowStockThreshold":20}`)
			})
		}
		all.Wait()
		b.wantLowStock("more came", product, "+-")
		if _, others := b.lowStockEvents(variants[1]); others != 1 || counted.Load() != 1 {
			t.Errorf("%d events of %d changes of the variant", others, counted.Load())
		}
	})
}

// Operators can filter products and variants by low stock in every API; shoppers cannot.
func TestLowStockCanBeFiltered(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		born := b.secret(201, "POST", "/api/products",
			`{"name":"Born low","status":"published","price":1,"stock":2,"lowStockThreshold":2}`).doc()
		b.make("products", `{"name":"Enough","status":"published","price":1,"stock":3,"lowStockThreshold":2}`)
		b.make("products", `{"name":"Careless","status":"published","price":1,"stock":0}`)
		rare := b.make("products", `{"name":"Rare","status":"draft","price":1,"lowStockThreshold":5,"variants":[{"title":"S","stock":5,"lowStockThreshold":1},{"title":"L","stock":1,"lowStockThreshold":1}]}`)
		if born["lowStock"] != true || b.lowStockProducts(b.shop.SecretKey) != "Born low" {
			t.Errorf("%v, low are %q", born, b.lowStockProducts(b.shop.SecretKey))
		}
		list, updates := b.lowStockEvents(born["id"].(string))
		if len(list)+updates != 0 {
			t.Errorf("a product created with low stock crosses no threshold: %v", list)
		}
		for query, want := range map[string]string{
			"where[lowStock][equals]=false": "Careless Enough Rare", "where[lowStock][not_equals]=true": "Careless Enough Rare",
			"where[lowStock][in]=true": "Born low", "where[lowStock][exists]=true": "Born low Careless Enough Rare",
			"where[lowStock][exists]=false": "", "sort=-lowStock,name": "Born low Careless Enough Rare",
			"where[or][0][lowStock][equals]=true&where[or][1][name][equals]=Rare": "Born low Rare",
		} {
			if !strings.Contains(query, "sort=") {
				query += "&sort=name"
			}
			if a := b.secret(200, "GET", "/api/products?"+query, ""); a.names() != want {
				t.Errorf("%s: %q", query, a.names())
			}
		}
		if a := b.secret(200, "GET", "/api/product-variants?where[lowStock][equals]=true", ""); a.body["totalDocs"] != 1.0 ||
			a.docs()[0].(map[string]any)["title"] != "L" {
			t.Errorf("variants: %s", a.raw)
		}
		if a := b.secret(200, "GET", "/api/product-variants/count?where[product.lowStock][equals]=true", ""); a.body["totalDocs"] != 1.0 {
			t.Errorf("by a relation: %s", a.raw)
		}
		graph := b.graphql(200, document(`{ Products(where: {lowStock: {equals: true}}) { docs { name lowStock } } }`), "X-API-Key",
			b.shop.SecretKey)
		if !strings.Contains(graph.raw, `"docs":[{"name":"Born low","lowStock":true}]`) {
			t.Error(graph.raw)
		}
		for _, path := range []string{
			"/api/products?where[lowStock][equals]=true", "/api/products?sort=lowStock", "/api/products?where[lowLive][equals]=true",
			"/api/commerce/products/listing?where[lowStock][equals]=true",
		} {
			if a := b.request("GET", path, "", "X-Client-Key", b.shop.ClientKey); a.status != 400 {
				t.Errorf("a shopper requests %s: %d %s", path, a.status, a.raw)
			}
		}
		if a := b.secret(400, "PATCH", "/api/products/"+rare, `{"lowStock":true}`); !strings.Contains(a.raw, `"field":"lowStock"`) {
			t.Error(a.raw)
		}
		if a := b.request("GET", "/api/products?where[lowLive][equals]=true", "", "X-API-Key", b.shop.SecretKey); a.status != 400 {
			t.Errorf("an internal column can be filtered: %d %s", a.status, a.raw)
		}
	})
}

// The stock of a product is that of its current variants: new ones add to it, and deleted ones no longer count.
func TestLowStockFollowsVariants(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products",
			`{"name":"Tea","status":"published","price":1500,"lowStockThreshold":5,"variants":[{"title":"A","stock":5},{"title":"B","stock":5}]}`)
		more := b.make("product-variants", fmt.Sprintf(`{"product":%q,"title":"C","stock":4}`, product))
		first := b.variantOf(product)
		b.secret(200, "DELETE", "/api/product-variants/"+first, "")
		b.wantLowStock("nine are left", product, "")
		b.secret(200, "DELETE", "/api/product-variants/"+more, "")
		b.wantLowStock("five are left", product, "+t+")
		b.make("product-variants", fmt.Sprintf(`{"product":%q,"title":"D","stock":1}`, product))
		b.wantLowStock("one more came", product, "+t+-t-")
		b.secret(200, "DELETE", "/api/products/"+product, "")
	})
}
