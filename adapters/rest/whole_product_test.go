package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// teapot is the form of a product with two options, three variants, and prices in a market.
const teapot = `{"name":"Teapot","status":"published","price":30000,"costPrice":11000,"images":[%q],
	"options":[{"name":"Size","values":[{"label":"S"},{"label":"L"}]},{"name":"Glaze","values":[{"label":"Blue"},{"label":"White"}]}],
	"variants":[
		{"sku":"T-S-B","barcode":"4006381333931","optionValues":[{"option":"Size","value":"S"},{"option":"Glaze","value":"Blue"}],"stock":5,
			"prices":[{"market":"jp","amount":3100}]},
		{"sku":"T-L-B","optionValues":[{"option":"Size","value":"L"},{"option":"Glaze","value":"Blue"}],"price":40000,"stock":2,"images":[%q]},
		{"sku":"T-L-W","optionValues":[{"option":"Glaze","value":"White"},{"option":"Size","value":"L"}],"costPrice":9000}],
	"stockReason":"opening"}`

// whole makes the teapot and returns it as it is answered, with its path.
func (b *harness) whole() (product map[string]any, path string) {
	b.t.Helper()
	b.make("markets", `{"name":"Japan","code":"jp","currency":"JPY","exchangeRate":0.1,"status":"active"}`)
	image, _ := b.upload("teapot.png", pngImage(b.t, 3, 2))["id"].(string)
	a := b.secret(201, "POST", "/api/products/complete", fmt.Sprintf(teapot, image, image))
	product, _ = a.body["product"].(map[string]any)
	return product, "/api/products/" + product["id"].(string) + "/complete"
}

// eventCount is how many events all shops have.
func (b *harness) eventCount() (n int) {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(b.t.Context(), "SELECT count(*) FROM events").Scan(&n); err != nil || n == 0 {
		b.t.Fatal(n, err)
	}
	return n
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// part is the nth object of a list of a product in one piece.
func part(product map[string]any, list string, n int) map[string]any {
	return product[list].([]any)[n].(map[string]any)
}

// Rule catalog-28.
func TestAProductIsWrittenInOnePiece(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, path := b.whole()
		if p["slug"] != "teapot" || p["costPrice"] != 11000.0 || len(p["variants"].([]any)) != 3 {
			t.Fatalf("%v", p)
		}
		for i, want := range []string{"S / Blue T-S-B 5 <nil>", "L / Blue T-L-B 2 40000", "L / White T-L-W 0 <nil>"} {
			v := part(p, "variants", i)
			if got := fmt.Sprint(v["title"], " ", v["sku"], " ", v["stock"], " ", v["price"]); got != want {
				t.Errorf("variant %d: %s, want %s", i, got, want)
			}
		}
		if price := part(part(p, "variants", 0), "prices", 0); price["amount"] != 3100.0 || price["currency"] != "JPY" {
			t.Errorf("%v", price)
		}
		if n := b.secret(200, "GET", "/api/product-variants/count", "").body["totalDocs"]; n != 3.0 {
			t.Errorf("%v variants", n)
		}
		moved := b.secret(200, "GET", "/api/stock-movements?limit=10", "")
		for _, m := range moved.docs() {
			if m.(map[string]any)["reason"] != "opening" {
				t.Errorf("%v", m)
			}
		}
		if len(moved.docs()) != 2 {
			t.Errorf("%s", moved.raw)
		}
		before := b.eventCount()
		again := b.secret(200, "PUT", path, encoded(t, p))
		if encoded(t, again.body["product"]) != encoded(t, p) || b.eventCount() != before {
			t.Errorf("what was read and sent back: %s\nwas %s", again.raw, encoded(t, p))
		}
		if r := b.secret(200, "GET", path, ""); encoded(t, r.body["product"]) != encoded(t, p) {
			t.Errorf("%s", r.raw)
		}
	})
}

// Rule catalog-28.
func TestEveryProblemOfAProductHasItsPath(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.make("markets", `{"name":"Japan","code":"jp","currency":"JPY","exchangeRate":0.1,"status":"active"}`)
		b.make("products", `{"name":"Taken","status":"draft","price":1,"variants":[{"sku":"TAKEN"}]}`)
		a := b.secret(400, "POST", "/api/products/complete", `{"id":"mine","name":"","price":"cheap","status":"draft","colour":1,"images":["nowhere"],"stock":3,
			"options":[{"name":"Size","values":[{"label":"S"},{"label":"S"}]},{"name":"Size"}],
			"variants":[{"optionValues":[{"option":"Size","value":"S"}],"weight":-1},{"optionValues":[{"option":"Size","value":"S"}],"barcode":"4006381333932"},
				{"optionValues":[{"option":"Size","value":"XL"},{"option":"Colour","value":"Red"}],"images":["nowhere"],"expectedStock":1,
				"prices":[{"market":"jp","amount":1.5},{"market":"fr","amount":1},{"market":"jp","amount":1,"currency":"KRW"}]},
				{"sku":"A","revision":2},{"sku":"A","id":"somebody"}]}`)
		for _, want := range []string{
			"id", "name", "price", "colour", "stock", "options.0.values.1.label", "options.1.name", "options.1.values", "variants.0.weight",
			"variants.1.optionValues", "variants.1.barcode", "variants.2.optionValues.0.value", "variants.2.optionValues.1.option", "variants.2.images.0",
			"variants.2.prices.0.amount", "variants.2.prices.1.market", "variants.2.prices.2.market", "variants.2.prices.2.currency",
			"variants.2.expectedStock", "variants.3.revision", "variants.4.sku", "variants.4.id",
		} {
			if !strings.Contains(a.raw, `"field":"`+want+`"`) {
				t.Errorf("%s is not told: %s", want, a.raw)
			}
		}
		a = b.secret(400, "POST", "/api/products/complete", `{"name":"New","status":"draft","price":1,"variants":[{"sku":"FREE"},{"sku":"TAKEN"}]}`)
		if a.reason() != "value_not_unique" || !strings.Contains(a.raw, `[{"field":"variants.1.sku","message":`) {
			t.Errorf("%s", a.raw)
		}
		many := strings.TrimSuffix(strings.Repeat(`{},`, 1001), ",")
		a = b.secret(400, "POST", "/api/products/complete", `{"name":"New","status":"draft","price":1,"variants":[`+many+`]}`)
		if !strings.Contains(a.raw, "more than 1000") {
			t.Errorf("%s", a.raw)
		}
		if n := b.secret(200, "GET", "/api/products/count", "").body["totalDocs"]; n != 1.0 {
			t.Errorf("%v products", n)
		}
	})
}

// Rule catalog-29.
func TestAFormIsTheWholeProduct(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, path := b.whole()
		p["name"] = "Kettle"
		revision := p["revision"].(float64)
		variants := p["variants"].([]any)
		gone := part(p, "variants", 1)["id"]
		added := map[string]any{
			"sku": "T-L-B", "stock": 4,
			"optionValues": []any{map[string]any{"option": "Size", "value": "M"}, map[string]any{"option": "Glaze", "value": "White"}},
			"prices":       []any{map[string]any{"market": "jp", "amount": 1}},
		}
		part(p, "options", 0)["values"] = []any{map[string]any{"label": "S"}, map[string]any{"label": "L"}, map[string]any{"label": "M"}}
		glaze := part(p, "options", 1)
		glaze["values"] = []any{glaze["values"].([]any)[1], glaze["values"].([]any)[0]}
		part(p, "variants", 0)["prices"] = []any{}
		p["variants"] = []any{variants[2], added, variants[0]}
		a := b.secret(200, "PUT", path, encoded(t, p))
		got := a.body["product"].(map[string]any)
		for i, want := range []string{"L / White T-L-W 0 0", "M / White T-L-B 4 1", "S / Blue T-S-B 5 0"} {
			v := part(got, "variants", i)
			if text := fmt.Sprint(v["title"], " ", v["sku"], " ", v["stock"], " ", len(v["prices"].([]any))); text != want {
				t.Errorf("variant %d: %s, want %s", i, text, want)
			}
		}
		if got["name"] != "Kettle" || got["slug"] != "teapot" || got["revision"].(float64) <= revision {
			t.Errorf("%s", a.raw)
		}
		b.request("GET", "/api/product-variants/"+gone.(string), "", "X-API-Key", b.shop.SecretKey)
		events := b.eventCount()
		if again := b.secret(200, "PUT", path, encoded(t, got)); encoded(t, again.body["product"]) != encoded(t, got) || b.eventCount() != events {
			t.Errorf("%s\nwas %s", again.raw, a.raw)
		}
		// Without a list its parts stay; without options and with one plain variant, all others go.
		if a := b.secret(200, "PUT", path, `{"price":31000}`); len(a.body["product"].(map[string]any)["variants"].([]any)) != 3 {
			t.Errorf("%s", a.raw)
		}
		a = b.secret(200, "PUT", path, `{"options":[],"variants":[{"sku":"PLAIN"}]}`)
		got = a.body["product"].(map[string]any)
		if len(got["options"].([]any)) != 0 || len(got["variants"].([]any)) != 1 || part(got, "variants", 0)["sku"] != "PLAIN" {
			t.Errorf("%s", a.raw)
		}
		a = b.secret(200, "PUT", path, `{"variants":[]}`)
		if v := part(a.body["product"].(map[string]any), "variants", 0); v["sku"] != nil {
			t.Errorf("%s", a.raw)
		}
	})
}

// Rule catalog-29. Of two persons who have the same product before them, one saves.
func TestOfTwoFormsOfAProductOneIsSaved(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, path := b.whole()
		forms := make([]string, 6)
		for i := range forms {
			part(p, "variants", 0)["price"] = 20000 + i // a part, and not the product itself
			form := encoded(t, p)
			if i%2 == 0 {
				form = fmt.Sprintf(`{"expectedRevision":%v,"variants":[{"sku":"T-S-B","optionValues":[{"option":"Size","value":"S"},{"option":"Glaze","value":"Blue"}],"price":%d}]}`, p["revision"], 30000+i)
			}
			forms[i] = form
		}
		var all sync.WaitGroup
		var saved, refused atomic.Int32
		for _, form := range forms {
			all.Go(func() {
				a := b.request("PUT", path, form, "X-API-Key", b.shop.SecretKey)
				switch {
				case a.status == 200:
					saved.Add(1)
				case a.status == 412 && a.reason() == "changed_meanwhile":
					refused.Add(1)
				default:
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		if saved.Load() != 1 || refused.Load() != 5 {
			t.Errorf("%d were saved, %d refused", saved.Load(), refused.Load())
		}
		if a := b.request("PUT", path, `{"name":"X"}`, "X-API-Key", b.shop.SecretKey, "If-Match", `"1"`); a.status != 412 {
			t.Errorf("%d %s", a.status, a.raw)
		}
		there := b.secret(200, "GET", path, "")
		if a := b.request("PUT", path, `{"name":"X"}`, "X-API-Key", b.shop.SecretKey, "If-Match", there.header.Get("ETag")); a.status != 200 {
			t.Errorf("based on the tag %q that was read: %d %s", there.header.Get("ETag"), a.status, a.raw)
		}
		v := part(there.body["product"].(map[string]any), "variants", 0)
		if a := b.secret(412, "PUT", path, `{"variants":[{"id":"`+v["id"].(string)+`","revision":9}]}`); !strings.Contains(a.raw, `"path":"variants.0"`) {
			t.Errorf("%s", a.raw)
		}
	})
}

// Rules catalog-23, catalog-29.
func TestStockOfAFormSaysWhatItReplaces(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, path := b.whole()
		id := part(p, "variants", 0)["id"].(string)
		b.secret(200, "POST", "/api/product-variants/"+id+"/stock", `{"delta":-1,"reason":"sold"}`)
		a := b.secret(409, "PUT", path, encoded(t, p))
		if a.reason() != "stock_changed" || !strings.Contains(a.raw, `"stock":4`) || !strings.Contains(a.raw, `"path":"variants.0"`) {
			t.Errorf("%s", a.raw)
		}
		part(p, "variants", 0)["expectedStock"] = 4
		p["stockReason"] = "counted"
		if a := b.secret(200, "PUT", path, encoded(t, p)); part(a.body["product"].(map[string]any), "variants", 0)["stock"] != 5.0 {
			t.Errorf("%s", a.raw)
		}
		moved := b.secret(200, "GET", "/api/stock-movements?where[reason][equals]=counted", "")
		if len(moved.docs()) != 1 {
			t.Errorf("%s", moved.raw)
		}
	})
}

// Rule catalog-29. Units leave while forms set the stock; every movement continues the one before.
func TestUnitsLeaveWhileAFormSetsStock(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, path := b.whole()
		id := part(p, "variants", 0)["id"].(string)
		b.secret(200, "POST", "/api/product-variants/"+id+"/stock", `{"count":100,"reason":"delivery"}`)
		var all sync.WaitGroup
		var sold, set atomic.Int64
		for i := range 64 {
			all.Go(func() {
				a := b.request("POST", "/api/product-variants/"+id+"/stock", `{"delta":-1,"reason":"sold"}`, "X-API-Key", b.shop.SecretKey)
				if a.status == 200 {
					sold.Add(1)
				} else {
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
			if i%8 == 0 {
				all.Go(func() {
					a := b.request("PUT", path, fmt.Sprintf(`{"variants":[{"id":%q,"stock":200,"expectedStock":100}]}`, id), "X-API-Key", b.shop.SecretKey)
					if a.status == 200 {
						set.Add(1)
					} else if a.reason() != "stock_changed" {
						t.Errorf("%d %s", a.status, a.raw)
					}
				})
			}
		}
		all.Wait()
		left := part(b.secret(200, "GET", path, "").body["product"].(map[string]any), "variants", 0)["stock"]
		if want := float64(100 + 100*set.Load() - sold.Load()); left != want || set.Load() > 1 {
			t.Errorf("%v are left, want %v after %d sales and %d forms", left, want, sold.Load(), set.Load())
		}
	})
}

// Rule catalog-30.
func TestADuplicateIsADraftWithoutStockOrNumbers(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, path := b.whole()
		at := strings.TrimSuffix(path, "complete") + "duplicate"
		send := func() answer { return b.requestWithKey("ik_copy_0123456789abcde", "POST", at, `{"name":"Copy"}`) }
		a := send()
		c := a.body["product"].(map[string]any)
		if a.status != 201 || c["status"] != "draft" || c["name"] != "Copy" || c["slug"] != "copy" || c["costPrice"] != 11000.0 ||
			encoded(t, c["images"]) != encoded(t, p["images"]) {
			t.Errorf("%d %s", a.status, a.raw)
		}
		for i, want := range []string{"S / Blue <nil> <nil> 0 1", "L / Blue <nil> <nil> 0 0", "L / White <nil> <nil> 0 0"} {
			v := part(c, "variants", i)
			if got := fmt.Sprint(v["title"], " ", v["sku"], " ", v["barcode"], " ", v["stock"], " ", len(v["prices"].([]any))); got != want {
				t.Errorf("variant %d: %s, want %s", i, got, want)
			}
		}
		if again := send(); again.raw != a.raw {
			t.Errorf("the same key again: %s", again.raw)
		}
		if a := b.secret(201, "POST", at, `{}`); a.body["product"].(map[string]any)["slug"] != "teapot-2" {
			t.Errorf("%s", a.raw)
		}
		for _, call := range [][2]string{{"POST", at}, {"PUT", path}, {"GET", path}} {
			body := `{}`
			if call[0] == "GET" {
				body = ""
			}
			if a := b.request(call[0], call[1], body, "X-API-Key", b.other.SecretKey); a.status != 404 {
				t.Errorf("another tenant: %v %d %s", call, a.status, a.raw)
			}
			if a := b.request(call[0], call[1], body, "X-Client-Key", b.shop.ClientKey); a.status != 403 {
				t.Errorf("a shopper: %v %d %s", call, a.status, a.raw)
			}
		}
	})
}
