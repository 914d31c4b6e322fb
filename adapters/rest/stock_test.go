package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// An operator opens a form, units are sold, and the form is saved with the stock it was opened with.
func TestAFormOpenedBeforeASaleDoesNotUndoIt(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":10}`)
		variant := b.variantOf(product)
		opened := b.secret(200, "GET", "/api/product-variants/"+variant, "").header.Get("ETag")
		if err := b.takeStock(variant, 4); err != nil {
			t.Fatal(err)
		}
		for what, send := range map[string]func() answer{
			"a variant": func() answer { return b.secret(409, "PATCH", "/api/product-variants/"+variant, `{"stock":10}`) },
			"a product": func() answer { return b.secret(409, "PATCH", "/api/products/"+product, `{"stock":10}`) },
			"with another expectation": func() answer {
				return b.secret(409, "PATCH", "/api/product-variants/"+variant, `{"stock":12,"expectedStock":10}`)
			},
			"with another expectation, to what is there": func() answer { // one was sold, and one is broken
				return b.secret(409, "PATCH", "/api/product-variants/"+variant, `{"stock":6,"expectedStock":10}`)
			},
			"with an older version, to what is there": func() answer {
				return b.request("PATCH", "/api/product-variants/"+variant, `{"stock":6}`, "X-API-Key", b.shop.SecretKey, "If-Match", opened)
			},
			"a product to what is there": func() answer {
				return b.secret(409, "PATCH", "/api/products/"+product, `{"stock":6,"expectedStock":10}`)
			},
			"with an older version": func() answer {
				return b.request("PATCH", "/api/product-variants/"+variant, `{"stock":12}`, "X-API-Key", b.shop.SecretKey, "If-Match", opened)
			},
			"many at once": func() answer {
				a := b.secret(400, "PATCH", "/api/product-variants?where[id][equals]="+variant, `{"stock":10}`)
				a.status = 409
				return a
			},
			"over GraphQL": func() answer {
				a := b.secret(200, "POST", "/api/graphql",
					`{"query":"mutation { updateProductVariant(id: \"`+variant+`\", data: {stock: 10}) { stock } }"}`)
				a.status = 409
				return a
			},
		} {
			a := send()
			if a.status != 409 || !strings.Contains(a.raw, `"reason":"stock_changed"`) || !strings.Contains(a.raw, `"stock":6`) {
				t.Errorf("%s: %d %s", what, a.status, a.raw)
			}
		}
		if got := b.secret(200, "PATCH", "/api/product-variants/"+variant, `{"stock":6,"sku":"T"}`).doc(); got["stock"] != 6.0 || got["sku"] != "T" {
			t.Errorf("a form with the present stock: %v", got)
		}
	})
}

func TestAStockWriteSaysWhatItReplaces(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":10}`)
		variant := b.variantOf(product)
		steps := []struct {
			path, body string
			want       float64
		}{
			{"/api/product-variants/" + variant, `{"stock":8,"expectedStock":10}`, 8},
			{"/api/products/" + product, `{"stock":7,"expectedStock":8}`, 7},
		}
		for _, s := range steps {
			if got := b.secret(200, "PATCH", s.path, s.body).doc()["stock"]; got != s.want {
				t.Errorf("%s: stock is %v", s.body, got)
			}
		}
		read := b.secret(200, "GET", "/api/product-variants/"+variant, "")
		a := b.request("PATCH", "/api/product-variants/"+variant, `{"stock":5}`, "X-API-Key", b.shop.SecretKey, "If-Match", read.header.Get("ETag"))
		if a.status != 200 || a.doc()["stock"] != 5.0 {
			t.Errorf("with the version that was read: %d %s", a.status, a.raw)
		}
		made := b.secret(200, "POST", "/api/graphql",
			`{"query":"mutation { updateProductVariant(id: \"`+variant+`\", data: {stock: 4, expectedStock: 5}) { stock } }"}`)
		if !strings.Contains(made.raw, `"stock":4`) {
			t.Errorf("over GraphQL: %s", made.raw)
		}
		b.secret(400, "PATCH", "/api/product-variants/"+variant, `{"stock":3,"expectedStock":"four"}`)
		if visit := b.request("GET", "/api/product-variants/"+variant, "", "X-Client-Key", b.shop.ClientKey); strings.Contains(
			visit.header.Get("ETag"), ".4") {
			t.Error("a visitor's entity tag tells the stock")
		}
	})
}

// movements lists the movements of a variant, oldest first, as kind, difference and stock after it.
func (b *harness) movements(key, variant string) (list []string) {
	b.t.Helper()
	a := b.request("GET", "/api/stock-movements?limit=100&sort=createdAt,id&where[variant][equals]="+variant, "", "X-API-Key", key)
	if a.status != 200 {
		b.t.Fatal(a.status, a.raw)
	}
	for _, d := range a.docs() {
		m := d.(map[string]any)
		list = append(list, fmt.Sprintf("%s %+v=%v", m["kind"], m["delta"], m["stockAfter"]))
		if m["stockBefore"].(float64)+m["delta"].(float64) != m["stockAfter"].(float64) || m["actor"] == nil || m["reason"] == nil {
			b.t.Errorf("movement %v", m)
		}
	}
	return list
}

func (b *harness) adjust(status int, variant, body string) answer {
	b.t.Helper()
	return b.secret(status, "POST", "/api/product-variants/"+variant+"/stock", body)
}

func TestEveryChangeOfStockIsAMovement(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"variants":[{"title":"A","stock":10},{"title":"B"}]}`)
		variant := b.secret(200, "GET", "/api/product-variants?where[product][equals]="+product+"&where[title][equals]=A", "").
			docs()[0].(map[string]any)["id"].(string)
		if err := b.takeStock(variant, 4); err != nil {
			t.Fatal(err)
		}
		b.inStock(func(ctx context.Context, s ports.Stock) error {
			return s.Restock(ctx, b.shop.Tenant.ID, tenant.Live, []ports.Demand{{Variant: variant, Quantity: 1}},
				ports.StockCause{Kind: inventory.Canceled})
		})
		a := b.adjust(200, variant, `{"delta":5,"reason":"received","note":"Pallet 7"}`)
		m := a.body["movement"].(map[string]any)
		actor := m["actor"].(map[string]any)
		if a.body["stock"] != 12.0 || m["delta"] != 5.0 || m["stockBefore"] != 7.0 || m["stockAfter"] != 12.0 || m["reason"] != "received" ||
			m["note"] != "Pallet 7" || m["environment"] != "live" || actor["kind"] != "secret-key" || actor["id"] == nil {
			t.Errorf("the answer is %s", a.raw)
		}
		b.adjust(200, variant, `{"count":11,"reason":"recount","expected":12}`)
		b.adjust(200, variant, `{"count":11,"reason":"recount"}`)
		b.secret(200, "PATCH", "/api/product-variants/"+variant, `{"stock":9,"expectedStock":11}`)
		want := "initial 10=10, sale -4=6, cancellation 1=7, adjustment 5=12, count -1=11, count 0=11, edit -2=9"
		if got := strings.Join(b.movements(b.shop.SecretKey, variant), ", "); got != want {
			t.Errorf("the movements are %s\nwant %s", got, want)
		}
		if got := strings.Join(b.movements(b.shop.TestSecretKey, variant), ", "); got != "initial 10=10" {
			t.Errorf("in test: %s", got)
		}
	})
}

func (b *harness) inStock(what func(context.Context, ports.Stock) error) {
	b.t.Helper()
	err := b.store.Atomically(b.t.Context(), ports.ForTenant(b.shop.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return what(ctx, tx.Stock)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func TestAdjustmentsAreRefusedThatCannotBe(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":10}`)
		variant := b.variantOf(product)
		b.inStock(func(ctx context.Context, s ports.Stock) error {
			return s.Reserve(ctx, b.shop.Tenant.ID, tenant.Live, "h", []ports.Demand{{Variant: variant, Quantity: 3}}, b.now().AddDate(0, 0, 1))
		})
		for body, want := range map[string]struct {
			status int
			part   string
		}{
			`{"delta":1}`:                                 {400, `"field":"reason"`},
			`{"reason":"x"}`:                              {400, `"field":"delta"`},
			`{"reason":"x","delta":0}`:                    {400, `"field":"delta"`},
			`{"reason":"x","delta":1,"count":2}`:          {400, `"field":"delta"`},
			`{"reason":"x","delta":1.5}`:                  {400, `"field":"delta"`},
			`{"reason":"x","count":-1}`:                   {400, `"field":"count"`},
			`{"reason":"x","delta":2000000000000}`:        {400, `"field":"delta"`},
			`{"reason":"x","delta":-8}`:                   {422, `"out_of_stock"`},
			`{"reason":"x","count":2}`:                    {422, `"out_of_stock"`},
			`{"reason":"x","delta":1,"expected":9}`:       {409, `"stock":10`},
			`{"reason":"x","count":9,"expected":11}`:      {409, `"stock_changed"`},
			`{"reason":"x","delta":1,"expectedStock":10}`: {400, `"field":"expectedStock"`},
		} {
			if a := b.adjust(want.status, variant, body); !strings.Contains(a.raw, want.part) {
				t.Errorf("%s: %s", body, a.raw)
			}
		}
		b.adjust(404, newID(), `{"reason":"x","delta":1}`)
		if a := b.request("POST", "/api/product-variants/"+variant+"/stock", `{"reason":"x","delta":1}`, "X-Client-Key", b.shop.ClientKey); a.status != 403 {
			t.Errorf("a client key: %d", a.status)
		}
		if a := b.request("GET", "/api/stock-movements", "", "X-Client-Key", b.shop.ClientKey); a.status != 403 {
			t.Errorf("a client key reads movements: %d", a.status)
		}
		if a := b.request("POST", "/api/product-variants/"+variant+"/stock", `{"reason":"x","delta":1}`, "X-API-Key", b.other.SecretKey); a.status != 404 {
			t.Errorf("another tenant: %d", a.status)
		}
		if got := b.movements(b.shop.SecretKey, variant); len(got) != 1 {
			t.Errorf("refusals made movements: %v", got)
		}
	})
}

// Sales and adjustments at once: the stock is what the differences add up to, and each saw the one before.
func TestConcurrentAdjustmentsAndSalesAddUp(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":100}`)
		variant := b.variantOf(product)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := b.takeStock(variant, 3); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() { b.adjust(http.StatusOK, variant, `{"delta":2,"reason":"received"}`) })
		}
		all.Wait()
		if got := b.secret(200, "GET", "/api/product-variants/"+variant, "").body["stock"]; got != 92.0 {
			t.Errorf("the stock is %v, want 92", got)
		}
		if got := b.movements(b.shop.SecretKey, variant); len(got) != 17 {
			t.Errorf("%d movements: %v", len(got), got)
		}
	})
}

func TestAnAdjustmentUnderAKeyCountsOnce(t *testing.T) {
	b := newSQLiteHarness(t)
	variant := b.variantOf(b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":10}`))
	for range 2 {
		a := b.request("POST", "/api/product-variants/"+variant+"/stock", `{"delta":1,"reason":"received"}`, "X-API-Key", b.shop.SecretKey,
			"Idempotency-Key", "ik_0123456789abcdefghijABCDEFGHIJ01")
		if a.status != 200 || a.body["stock"] != 11.0 {
			t.Fatal(a.status, a.raw)
		}
	}
}

// Who writes products need not be who counts them: a marketer has no stock:adjust. Rule access-51.
func TestStockIsCorrectedByThoseWhoMay(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.make("products", `{"name":"Tea","status":"published","price":1500,"stock":10}`)
		variant := b.variantOf(product)
		_, asMarketer := b.member("mia", string(tenant.Marketer))
		_, asEditor := b.member("edo", string(tenant.Editor))
		for call, body := range map[string]string{
			"POST /product-variants/" + variant + "/stock": `{"delta":5,"reason":"found"}`,
			"PATCH /product-variants/" + variant:           `{"stock":15,"expectedStock":10}`,
			"PATCH /products/" + product:                   `{"stock":15,"expectedStock":10}`,
			"POST /product-variants/bulk":                  `{"atomic":true,"patches":[{"id":"` + variant + `","data":{"stock":15,"expectedStock":10}}]}`,
			"PUT /products/" + product + "/complete":       `{"variants":[{"id":"` + variant + `","stock":15,"expectedStock":10}]}`,
			"POST /graphql":                                `{"query":"mutation { updateProductVariant(id: \"` + variant + `\", data: {stock: 15, expectedStock: 10}) { stock } }"}`,
		} {
			method, path, _ := strings.Cut(call, " ")
			if a := asMarketer(method, path, body); !strings.Contains(a.raw, fault.ErrForbidden.Message) {
				t.Errorf("a marketer: %s: %d %s", call, a.status, a.raw)
			}
		}
		if a := asMarketer("PATCH", "/product-variants/"+variant, `{"stock":10,"expectedStock":10,"price":1600}`); a.status != 200 {
			t.Errorf("a marketer who leaves the stock as it is: %d %s", a.status, a.raw)
		}
		if a := asMarketer("POST", "/products", `{"name":"Mug","status":"draft","price":900,"stock":3}`); a.status != 201 {
			t.Errorf("a marketer who makes a product: %d %s", a.status, a.raw)
		}
		if a := asEditor("PATCH", "/product-variants/"+variant, `{"stock":15,"expectedStock":10}`); a.status != 200 || a.doc()["stock"] != 15.0 {
			t.Errorf("an editor: %d %s", a.status, a.raw)
		}
	})
}
