package rest_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/productindex"
	"github.com/cartwright-dev/cartwright/ports"
)

// indexProducts has all changes in the product indexes.
func (b *harness) indexProducts() {
	b.t.Helper()
	x := productindex.Indexer{
		Index: b.store.ProductSearch(), Events: b.store.EventLog(), Store: b.store, Fold: fold, Log: slog.New(slog.DiscardHandler),
	}
	if _, err := b.store.Sequence(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	if err := x.Follower().CatchUp(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// remakeProducts has the product indexes made again from the records.
func (b *harness) remakeProducts() {
	b.t.Helper()
	x := b.store.ProductSearch()
	all, err := x.Behind(b.t.Context(), productindex.Version+1, 1000)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, l := range all {
		if err := x.Put(b.t.Context(), l.SearchPlace, ports.SearchPlace{Tenant: l.Tenant}, nil, nil); err != nil {
			b.t.Fatal(err)
		}
	}
	b.indexProducts()
}

// shopperFinds are the names that a shopper finds, as "Shirt, Mug", once all changes are in the index.
func (s catalogHarness) shopperFinds(query string) (string, answer) {
	s.t.Helper()
	a := s.visit("GET", "/search?"+query, "")
	if a.status != 200 {
		s.t.Fatalf("%s: %d %s", query, a.status, a.raw)
	}
	var names []string
	for _, doc := range a.docs() {
		names = append(names, fmt.Sprint(doc.(map[string]any)["name"]))
	}
	return strings.Join(names, ", "), a
}

// facets are what an answer can be narrowed by, as "Acme 1" for each value.
func facets(a answer, name string) string {
	var all []string
	for _, v := range a.body["facets"].(map[string]any)[name].([]any) {
		v := v.(map[string]any)
		all = append(all, fmt.Sprint(v["name"], " ", v["count"]))
	}
	return strings.Join(all, ", ")
}

// Shoppers find what is published, narrow it by facets, and see prices of their market. Rules search-10, search-14, search-15.
func TestShoppersSearchProducts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := newCatalogHarness(b)
		b.indexProducts()
		acme := b.secret(200, "GET", "/api/brands", "").docs()[0].(map[string]any)["id"].(string)
		for query, want := range map[string]string{
			"": "Mug, Shirt", "q=shirt": "Shirt", "q=acme": "Shirt", "q=shirr": "Shirt", "q=idea": "", "q=quiet": "", "q=small": "", "q=mug&limit=0": "",
			"brands=" + acme: "Shirt", "options=Size:S": "Shirt", "options=Size:XL": "", "options=Size:XL&options=Size:S": "Shirt",
			"brands=" + acme + "&brands=none": "Shirt", "options=Size:S,Size:XL": "", "inStock=true": "Mug, Shirt",
			"minPrice=500&maxPrice=500": "Mug", "minPrice=501": "Shirt", "minPrice=8000&maxPrice=8000": "Shirt", "maxPrice=499": "",
			"sort=price": "Mug, Shirt", "sort=-price": "Shirt, Mug", "sort=newest": "Mug, Shirt", "limit=1&page=2": "Shirt",
			"market=jp&maxPrice=50": "Mug", "market=jp&minPrice=800&maxPrice=800": "Shirt", "market=jp&minPrice=801": "", "market=jp&sort=price": "Mug, Shirt",
		} {
			if got, _ := s.shopperFinds(query); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		_, a := s.shopperFinds("q=shirr")
		for what, c := range map[string][2]string{
			"brands": {facets(a, "brands"), "Acme 1"}, "tags": {facets(a, "tags"), ""},
			"options":   {fmt.Sprint(a.body["facets"].(map[string]any)["options"]), "[map[label:Size name:Size values:[map[count:1 label:L value:L] map[count:1 label:S value:S]]]]"},
			"prices":    {fmt.Sprint(a.body["facets"].(map[string]any)["priceRange"]), "map[currency:KRW max:8000 min:8000]"},
			"corrected": {fmt.Sprint(a.body["corrections"]), "[map[taken:shirt typed:shirr]]"},
			"total":     {fmt.Sprint(a.body["totalDocs"], a.body["hasNextPage"]), "1 false"},
		} {
			if c[0] != c[1] {
				t.Errorf("%s: %s, want %s", what, c[0], c[1])
			}
		}
		if found := quantity.FindString(a.raw); found != "" {
			t.Errorf("shoppers see %s: %s", found, a.raw)
		}
		if _, a := s.shopperFinds("omitFacets=true"); a.body["facets"] != nil {
			t.Errorf("facets that nobody asked for: %s", a.raw)
		}
		for query, field := range map[string]string{
			"limit=101": "limit", "page=0": "page", "page=1001": "page", "options=red": "options", "minPrice=x": "minPrice", "sort=name": "sort",
		} {
			if a := s.visit("GET", "/search?"+query, ""); a.status != 400 || !strings.Contains(a.raw, `"field":"`+field+`"`) {
				t.Errorf("%s: %d %s", query, a.status, a.raw)
			}
		}
		if a := s.visit("GET", "/search?q="+strings.Repeat("x", 201), ""); a.status != 400 {
			t.Errorf("a long text: %d %s", a.status, a.raw)
		}
		data := b.graphql(200, document(`{ productSearch(q: "shirr") { docs { name } totalDocs corrections { taken } facets { brands { name count } } } }`),
			"X-Client-Key", s.shop.ClientKey)
		const want = `{"data":{"productSearch":{"docs":[{"name":"Shirt"}],"totalDocs":1,"corrections":[{"taken":"shirt"}],"facets":{"brands":[{"name":"Acme","count":1}]}}}}`
		if data.raw != want {
			t.Errorf("over GraphQL: %s", data.raw)
		}
	})
}

// What changes is found by what it has now, and the index that follows is the one that is made of the records. Rule search-16.
func TestTheProductIndexFollowsTheRecords(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := newCatalogHarness(b)
		b.indexProducts()
		brand := b.secret(200, "GET", "/api/brands", "").docs()[0].(map[string]any)["id"].(string)
		clothes := b.make("categories", `{"name":"Clothes"}`)
		shirts := b.make("categories", fmt.Sprintf(`{"name":"Shirts","parent":%q}`, clothes))
		variant := b.secret(200, "GET", "/api/product-variants?where[product][equals]="+s.mug, "").docs()[0].(map[string]any)["id"].(string)
		for _, step := range []struct {
			what        string
			do          func()
			query, want string
		}{
			{"a new name", func() { b.secret(200, "PATCH", "/api/products/"+s.mug, `{"name":"머그컵 Big"}`) }, "q=" + url.QueryEscape("ㅁㄱㅋ"), "머그컵 Big"},
			{"the former name", func() {}, "q=mug", ""},
			{"a brand is renamed", func() { b.secret(200, "PATCH", "/api/brands/"+brand, `{"name":"Zenith"}`) }, "q=zenith", "Shirt"},
			{"a category", func() {
				b.secret(200, "PATCH", "/api/products/"+s.shirt, fmt.Sprintf(`{"category":%q}`, shirts))
			}, "categories=" + clothes, "Shirt"},
			{"the category's name", func() {}, "q=shirts", "Shirt"},
			{"the last units go", func() {
				b.secret(200, "POST", "/api/product-variants/"+variant+"/stock", `{"count":0,"reason":"lost"}`)
			}, "inStock=true", "Shirt"},
			{"units arrive", func() {
				b.secret(200, "POST", "/api/product-variants/"+variant+"/stock", `{"delta":3,"reason":"received"}`)
			}, "inStock=true", "머그컵 Big, Shirt"},
			{"a variant's price", func() { b.secret(200, "PATCH", "/api/product-variants/"+variant, `{"price":77}`) }, "maxPrice=77", "머그컵 Big"},
			{"a fixed price", func() {
				b.make("market-prices", fmt.Sprintf(`{"market":%q,"variant":%q,"amount":9999}`, b.secret(200, "GET", "/api/markets?where[code][equals]=jp", "").docs()[0].(map[string]any)["id"], variant))
			}, "market=jp&minPrice=9999&maxPrice=9999", "머그컵 Big"},
			{"it is taken back", func() { b.secret(200, "PATCH", "/api/products/"+s.mug, `{"status":"draft"}`) }, "", "Shirt"},
			{"and published", func() { b.secret(200, "PATCH", "/api/products/"+s.mug, `{"status":"published"}`) }, "sort=newest", "머그컵 Big, Shirt"},
			{"a variant is deleted", func() { b.secret(200, "DELETE", "/api/product-variants/"+s.small, "") }, "options=Size:S", ""},
			{"a product is deleted", func() { b.secret(200, "DELETE", "/api/products/"+s.mug, "") }, "", "Shirt"},
		} {
			step.do()
			b.indexProducts()
			if got, _ := s.shopperFinds(step.query); got != step.want {
				t.Errorf("%s: %s finds %q, want %q", step.what, step.query, got, step.want)
			}
		}
		queries := []string{"", "q=shirts", "market=jp&sort=price", "inStock=true", "options=Size:L", "categories=" + clothes}
		raw := func() (all []string) {
			for _, q := range queries {
				_, a := s.shopperFinds(q)
				all = append(all, a.raw)
			}
			return all
		}
		followed := raw()
		b.remakeProducts()
		if made := raw(); !slices.Equal(made, followed) {
			t.Errorf("made again it finds\n%s, followed\n%s", made, followed)
		}
	})
}
