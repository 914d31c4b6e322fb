package rest_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// placed is where the units of a variant lie: "unplaced", and units by the name of each location, in their order.
func (b *harness) placed(key, variant string) string {
	b.t.Helper()
	a := b.request("GET", "/api/product-variants/"+variant+"/stock", "", "X-API-Key", key)
	if a.status != 200 {
		b.t.Fatal(a.status, a.raw)
	}
	text, sum := fmt.Sprint(a.body["unplaced"]), a.body["unplaced"].(float64)
	for _, p := range a.body["places"].([]any) {
		at := p.(map[string]any)
		text += fmt.Sprintf(" %s:%v", at["name"], at["units"])
		sum += at["units"].(float64)
	}
	if sum != a.body["stock"].(float64) || a.body["reserved"] != 0.0 {
		b.t.Errorf("%s", a.raw)
	}
	return text
}

func (b *harness) wantPlaced(when, variant, want string) {
	b.t.Helper()
	if got := b.placed(b.shop.SecretKey, variant); got != want {
		b.t.Errorf("%s: %s, want %s", when, got, want)
	}
}

func (b *harness) moveStock(variant, body string) answer {
	b.t.Helper()
	return b.secret(200, "POST", "/api/product-variants/"+variant+"/stock/move", body)
}

// placedTea is a variant with 10 units, and two locations: the shelf before the cellar.
func (b *harness) placedTea() (variant, cellar, shelf string) {
	b.t.Helper()
	product := b.make("products", `{"name":"Tea","status":"published","price":1500,"variants":[{"title":"A","sku":"TEA-A","stock":10}]}`)
	cellar = b.make("stock-locations", `{"name":"Cellar","code":"C","position":2}`)
	return b.variantOf(product), cellar, b.make("stock-locations", `{"name":"Shelf","position":1}`)
}

func TestUnitsLieWhereTheyWereSaidToBe(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		variant, cellar, shelf := b.placedTea()
		b.wantPlaced("at first", variant, "10 Shelf:0 Cellar:0")
		a := b.moveStock(variant, `{"to":"`+shelf+`","units":4,"note":"Monday"}`)
		m := a.body["movement"].(map[string]any)
		if a.body["stock"] != 10.0 || m["kind"] != "transfer" || m["delta"] != 0.0 || m["stockBefore"] != 10.0 || m["stockAfter"] != 10.0 ||
			m["units"] != 4.0 || m["location"] != shelf || m["from"] != nil || m["note"] != "Monday" || m["reason"] != "transfer" || m["product"] == nil {
			t.Errorf("the answer is %s", a.raw)
		}
		b.adjust(200, variant, `{"delta":5,"location":"`+cellar+`","reason":"received"}`)
		b.wantPlaced("received", variant, "6 Shelf:4 Cellar:5")
		if err := b.takeStock(variant, 8); err != nil {
			t.Fatal(err)
		}
		b.wantPlaced("sold", variant, "0 Shelf:4 Cellar:3")
		a = b.adjust(200, variant, `{"count":6,"location":"`+cellar+`","reason":"recount","expected":7}`)
		m = a.body["movement"].(map[string]any)
		if a.body["stock"] != 10.0 || m["delta"] != 3.0 || m["units"] != nil || m["location"] != cellar || m["kind"] != "count" {
			t.Errorf("the answer is %s", a.raw)
		}
		b.wantPlaced("counted", variant, "0 Shelf:4 Cellar:6")
		b.adjust(200, variant, `{"delta":-1,"reason":"damaged"}`)
		b.wantPlaced("removed as a sale does", variant, "0 Shelf:4 Cellar:5")
		b.secret(200, "PATCH", "/api/product-variants/"+variant, `{"stock":12,"expectedStock":9}`)
		b.wantPlaced("edited", variant, "3 Shelf:4 Cellar:5")
		a = b.moveStock(variant, `{"from":"`+cellar+`","to":"`+shelf+`","units":5}`)
		if m := a.body["movement"].(map[string]any); m["from"] != cellar || m["location"] != shelf {
			t.Errorf("the answer is %s", a.raw)
		}
		b.moveStock(variant, `{"from":"`+shelf+`","units":2}`)
		b.wantPlaced("moved", variant, "5 Shelf:7 Cellar:0")
		b.wantContents(shelf, variant, 7)
		if got := b.placed(b.shop.TestSecretKey, variant); got != "10 Shelf:0 Cellar:0" {
			t.Errorf("in test: %s", got)
		}
		b.secret(200, "DELETE", "/api/stock-locations/"+shelf, "")
		b.wantPlaced("a location goes", variant, "12 Cellar:0")
	})
}

// wantContents asks for what lies at a location, which is units of one variant.
func (b *harness) wantContents(location, variant string, units float64) {
	b.t.Helper()
	a := b.secret(200, "GET", "/api/stock-locations/"+location+"/stock?limit=1", "")
	docs := a.docs()
	if a.body["totalDocs"] != 1.0 || a.body["hasNextPage"] != false || len(docs) != 1 {
		b.t.Fatal(a.raw)
	}
	doc := docs[0].(map[string]any)
	if v := doc["variant"].(map[string]any); doc["units"] != units || v["id"] != variant || v["sku"] != "TEA-A" || v["title"] != "A" ||
		v["productName"] != "Tea" || v["product"] == nil {
		b.t.Errorf("%s", a.raw)
	}
}

func TestMovesOfUnitsThatCannotBeAreRefused(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		variant, cellar, shelf := b.placedTea()
		b.moveStock(variant, `{"to":"`+shelf+`","units":4}`)
		foreign := b.otherLocation()
		for what, c := range map[string]struct {
			status     int
			path, body string
			want       string
		}{
			"more than lie there":         {409, "/move", `{"from":"` + shelf + `","to":"` + cellar + `","units":5}`, `"units":4`},
			"more than lie nowhere":       {409, "/move", `{"to":"` + cellar + `","units":7}`, `"reason":"not_at_location"`},
			"the same place":              {400, "/move", `{"from":"` + shelf + `","to":"` + shelf + `","units":1}`, "two different places"},
			"no place":                    {400, "/move", `{"units":1}`, "two different places"},
			"no units":                    {400, "/move", `{"to":"` + shelf + `","units":0}`, `"units"`},
			"an unknown location":         {400, "/move", `{"to":"nowhere","units":1}`, `"to"`},
			"a location of another shop":  {400, "/move", `{"from":"` + foreign + `","units":1}`, `"from"`},
			"removing more than there":    {409, "", `{"delta":-5,"location":"` + shelf + `","reason":"damaged"}`, `"not_at_location"`},
			"counting less than nothing":  {400, "", `{"count":-1,"location":"` + shelf + `","reason":"recount"}`, `"count"`},
			"adding at another's":         {400, "", `{"delta":1,"location":"` + foreign + `","reason":"received"}`, `"location"`},
			"with another expectation":    {409, "", `{"delta":1,"location":"` + shelf + `","expected":4,"reason":"received"}`, `"stock_changed"`},
			"a variant of nobody, moving": {404, "/../../none/stock/move", `{"to":"` + shelf + `","units":1}`, `"not_found"`},
		} {
			path := "/api/product-variants/" + variant + "/stock" + c.path
			if strings.Contains(c.path, "..") {
				path = "/api/product-variants/none/stock/move"
			}
			if a := b.secret(c.status, "POST", path, c.body); !strings.Contains(a.raw, c.want) {
				t.Errorf("%s: %s", what, a.raw)
			}
		}
		b.wantPlaced("after all refusals", variant, "6 Shelf:4 Cellar:0")
		b.secret(404, "GET", "/api/product-variants/none/stock", "")
		b.secret(404, "GET", "/api/stock-locations/"+foreign+"/stock", "")
		b.secret(400, "GET", "/api/stock-locations/"+shelf+"/stock?page=0", "")
		for _, path := range []string{"/api/product-variants/" + variant + "/stock", "/api/stock-locations/" + shelf + "/stock", "/api/stock-locations"} {
			if a := b.request("GET", path, "", "X-Client-Key", b.shop.ClientKey); a.status != 403 {
				t.Errorf("a visitor: %s %d %s", path, a.status, a.raw)
			}
		}
	})
}

// otherLocation is a location of another shop.
func (b *harness) otherLocation() string {
	b.t.Helper()
	a := b.request("POST", "/api/stock-locations", `{"name":"Theirs"}`, "X-API-Key", b.other.SecretKey)
	if a.status != 201 {
		b.t.Fatal(a.raw)
	}
	return a.doc()["id"].(string)
}

// 64 people move the last units at once, under a key each, and send it twice.
func TestConcurrentMovesMakeNoUnits(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		variant, cellar, shelf := b.placedTea()
		b.moveStock(variant, `{"to":"`+shelf+`","units":10}`)
		var moved atomic.Int64
		var all sync.WaitGroup
		for i := range 64 {
			all.Go(func() {
				key := fmt.Sprintf("ik_%032d", i)
				for again := range 2 {
					a := b.request("POST", "/api/product-variants/"+variant+"/stock/move", `{"from":"`+shelf+`","to":"`+cellar+`","units":1}`,
						"X-API-Key", b.shop.SecretKey, "Idempotency-Key", key)
					switch {
					case a.status == 200 && again == 0:
						moved.Add(1)
					case a.status != 200 && !strings.Contains(a.raw, `"reason":"not_at_location"`):
						t.Errorf("move %d: %d %s", i, a.status, a.raw)
					}
				}
			})
		}
		all.Wait()
		if moved.Load() != 10 {
			t.Errorf("%d moves of 10 units", moved.Load())
		}
		b.wantPlaced("after the moves", variant, "0 Shelf:0 Cellar:10")
		if got := b.movements(b.shop.SecretKey, variant); len(got) != 12 {
			t.Errorf("movements %v", got)
		}
	})
}
