package rest_test

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// catalogHarness is a shop with two published products, one unlisted and a draft, and a market "jp".
type catalogHarness struct {
	*harness

	shirt, mug, quiet string
	small, large      string // variants of the shirt
}

func newCatalogHarness(b *harness) catalogHarness {
	b.t.Helper()
	s := catalogHarness{harness: b}
	brand := b.make("brands", `{"name":"Acme"}`)
	s.shirt = b.make("products",
		fmt.Sprintf(`{"name":"Shirt","status":"active","price":10000,"discount":20,"lowStockThreshold":1,"brand":%q,"variants":[{"title":"Small","stock":3},{"title":"Large","price":20000,"stock":0}]}`, brand))
	s.mug = b.make("products", `{"name":"Mug","status":"published","price":500,"stock":2}`)
	s.quiet = b.make("products", `{"name":"Quiet","status":"unlisted","price":100,"stock":5}`)
	b.make("products", `{"name":"Idea","status":"draft","price":100}`)
	variants := b.secret(200, "GET", "/api/product-variants?sort=position&where[product][equals]="+s.shirt, "").docs()
	s.small, s.large = variants[0].(map[string]any)["id"].(string), variants[1].(map[string]any)["id"].(string)
	option := b.secret(201, "POST", "/api/product-options",
		fmt.Sprintf(`{"product":%q,"name":"Size","values":[{"label":"S"},{"label":"L"},{"label":"XL"}]}`, s.shirt))
	values := option.doc()["values"].([]any)
	for i, v := range []string{s.small, s.large} {
		b.secret(200, "PATCH", "/api/product-variants/"+v, fmt.Sprintf(`{"optionValues":[%q]}`, values[i].(map[string]any)["id"]))
	}
	market := b.make("markets", `{"name":"Japan","code":"jp","currency":"JPY","exchangeRate":0.1,"roundingIncrement":10}`)
	b.make("markets", `{"name":"Gone","code":"gone","currency":"USD","exchangeRate":1,"status":"inactive"}`)
	b.make("market-prices", fmt.Sprintf(`{"market":%q,"variant":%q,"amount":1234}`, market, s.large))
	return s
}

// visit sends a request as a visitor of the shop.
func (s catalogHarness) visit(method, path, body string, headers ...string) answer {
	s.t.Helper()
	return s.request(method, "/api/commerce/products"+path, body, append(headers, "X-Client-Key", s.shop.ClientKey)...)
}

// serve sends a request as the shop's server.
func (s catalogHarness) serve(method, path, body string) answer {
	s.t.Helper()
	return s.secret(200, method, "/api/server/commerce/products"+path, body)
}

var quantity = regexp.MustCompile(`"(stock|reserved|availableQuantity|lowStockThreshold|lowStock)"`)

// A listing has the published products with their price ranges, and shows no quantities to visitors.
func TestListingShowsPublishedProductsToStorefronts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := newCatalogHarness(b)
		a := s.visit("GET", "/listing?sort=name", "")
		if a.status != 200 || a.names() != "Mug Shirt" || a.body["totalDocs"] != 2.0 || a.body["limit"] != 10.0 ||
			a.body["hasNextPage"] != false {
			t.Fatal(a.status, a.raw)
		}
		shirt := a.docs()[1].(map[string]any)
		want := map[string]any{"min": 8000.0, "max": 16000.0, "currency": "KRW"}
		if !reflect.DeepEqual(shirt["priceRange"], want) || shirt["handle"] != "shirt" || shirt["available"] != true ||
			shirt["brand"].(map[string]any)["name"] != "Acme" || shirt["featuredImage"] != nil || shirt["variants"] != nil {
			t.Error(a.raw)
		}
		if found := quantity.FindString(a.raw); found != "" {
			t.Errorf("a visitor sees %s: %s", found, a.raw)
		}
		priced := s.visit("GET", "/listing?market=jp&where[name][equals]=Shirt", "")
		if got := priced.docs()[0].(map[string]any)["priceRange"]; !reflect.DeepEqual(got, map[string]any{
			"min": 800.0, "max": 1234.0, "currency": "JPY",
		}) {
			t.Errorf("in the market: %v", got)
		}
		mine := s.serve("GET", "/listing?sort=-price&limit=1", "")
		if mine.names() != "Shirt" || mine.body["hasNextPage"] != true || mine.docs()[0].(map[string]any)["stock"] != 3.0 ||
			mine.docs()[0].(map[string]any)["availableQuantity"] != 3.0 {
			t.Error(mine.raw)
		}
		if only := s.serve("GET", "/listing?where[status][in]=unlisted,draft", ""); only.body["totalDocs"] != 0.0 ||
			only.body["totalPages"] != 1.0 {
			t.Errorf("unpublished products are never listed: %s", only.raw)
		}
		if past := s.visit("GET", "/listing?page=9&market=jp", ""); past.status != 200 || len(past.docs()) != 0 ||
			past.body["totalDocs"] != 2.0 {
			t.Error(past.raw)
		}
		if none := s.visit("GET", "/listing?limit=0", ""); none.status != 200 || len(none.docs()) != 0 || none.body["totalDocs"] != 2.0 {
			t.Error(none.raw)
		}
	})
}

// With a market, no query can filter or sort by the base price, in whatever form. Rule catalog-6.
func TestMarketListingHidesBasePrices(t *testing.T) {
	s := newCatalogHarness(newSQLiteHarness(t))
	for name, query := range map[string]string{
		"a filter":                   "where[price][greater_than]=1",
		"a filter among others":      "where[name][equals]=Mug&where[price][greater_than]=1",
		"in and":                     "where[and][0][name][equals]=Mug&where[and][1][price][less_than]=1",
		"in or, in capitals":         "where[OR][0][price][less_than]=1",
		"by a relation":              "where[options.product.price][less_than]=1",
		"by a relation, nested":      "where[options][product][price][less_than]=1",
		"as JSON":                    "where=" + url.QueryEscape(`{"or":[{"and":[{"price":{"exists":true}}]}]}`),
		"an order":                   "sort=price",
		"an order, the other way":    "sort=name,-price",
		"an order as a list":         "sort[]=name&sort[]=-price",
		"whether there is a price":   "where[price][exists]=true",
		"the price of a GraphQL way": "where[options__product__price][equals]=1",
	} {
		for _, at := range []func(string) answer{
			func(q string) answer { return s.visit("GET", "/listing?market=jp&"+q, "") },
			func(q string) answer {
				return s.request("GET", "/api/server/commerce/products/listing?market=jp&"+q, "", "X-API-Key", s.shop.SecretKey)
			},
		} {
			if a := at(query); a.status != 400 || a.reason() != "market_filter_not_supported" {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
	}
	for _, query := range []string{"where[price][greater_than]=1&sort=-price", "market=jp&sort=-name&where[name][not_equals]=price"} {
		if a := s.visit("GET", "/listing?"+query, ""); a.status != 200 || a.names() != "Shirt Mug" {
			t.Errorf("%s: %d %s", query, a.status, a.raw)
		}
	}
	for _, market := range []string{"gone", "missingID"} {
		for name, a := range map[string]answer{
			"detail":  s.visit("GET", "/detail?id="+s.shirt+"&market="+market, ""),
			"catalog": s.visit("GET", "/detail-catalog?id="+s.shirt+"&market="+market, ""),
			"listing": s.visit("GET", "/listing?market="+market, ""), "an empty one": s.visit("GET", "/listing?limit=0&market="+market, ""),
			"groups": s.visit("POST", "/listing-groups", `{"productIds":[],"market":"`+market+`"}`),
		} {
			if a.status != 404 || a.reason() != "market_not_found" {
				t.Errorf("%s in %s: %d %s", name, market, a.status, a.raw)
			}
		}
	}
}

func TestListingTakesListParameters(t *testing.T) {
	s := newCatalogHarness(newSQLiteHarness(t))
	for query, field := range map[string]string{
		"limit=501": "limit", "limit=-1": "limit", "limit=x": "limit", "limit=1.5": "limit", "page=x": "page", "page=99999999999": "page",
		"wher[name][equals]=x": "wher", "depth=1": "depth",
	} {
		if a := s.visit("GET", "/listing?"+query, ""); a.status != 400 || !strings.Contains(a.raw, `"field":"`+field+`"`) {
			t.Errorf("%s: %d %s", query, a.status, a.raw)
		}
	}
	for _, query := range []string{
		"where[nothing][equals]=x", "where=1", "where[stock][equals]=3", "sort=stock", "sort=lowStockThreshold", "where[name][is]=x",
	} {
		if a := s.visit("GET", "/listing?"+query, ""); a.status != 400 || a.reason() != "query_invalid" {
			t.Errorf("%s: %d %s", query, a.status, a.raw)
		}
	}
	form := s.request("POST", "/api/commerce/products/listing", "where[name][equals]=Mug&limit=3", "X-Client-Key", s.shop.ClientKey,
		"X-HTTP-Method-Override", "GET", "Content-Type", "application/x-www-form-urlencoded")
	if form.status != 200 || form.names() != "Mug" || form.body["limit"] != 3.0 {
		t.Errorf("a query as a form: %d %s", form.status, form.raw)
	}
}

func TestListingGroups(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := newCatalogHarness(b)
		a := s.visit("POST", "/listing-groups",
			fmt.Sprintf(`{"productIds":[%q,%q,%q,%q,"nothing"],"market":"jp"}`, s.mug, s.shirt, s.shirt, s.quiet))
		groups, _ := a.body["groups"].([]any)
		if a.status != 200 || len(groups) != 1 || quantity.MatchString(a.raw) {
			t.Fatal(a.status, a.raw)
		}
		group := groups[0].(map[string]any)
		items := group["items"].([]any)
		if group["productId"] != s.shirt || group["optionName"] != "Size" || len(items) != 2 {
			t.Fatal(a.raw)
		}
		for i, want := range []map[string]any{
			{
				"label": "S", "image": nil, "variantIds": []any{s.small},
				"priceRange": map[string]any{"min": 800.0, "max": 800.0, "currency": "JPY"}, "available": true,
			},
			{
				"label": "L", "image": nil, "variantIds": []any{s.large},
				"priceRange": map[string]any{"min": 1234.0, "max": 1234.0, "currency": "JPY"}, "available": false,
			},
		} {
			got := items[i].(map[string]any)
			if delete(got, "optionValueId"); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
		for name, body := range map[string]string{
			"no products": `{}`, "too many": `{"productIds":[` + strings.Repeat(`"x",`, 500) + `"x"]}`,
			"something else": `{"productIds":"x"}`,
		} {
			if bad := s.visit("POST", "/listing-groups", body); bad.status != 400 || !strings.Contains(bad.raw, `"field":"productIds"`) {
				t.Errorf("%s: %d %s", name, bad.status, bad.raw)
			}
		}
		if none := s.serve("POST", "/listing-groups", `{"productIds":[]}`); none.raw != `{"groups":[]}` {
			t.Error(none.raw)
		}
	})
}

// A stock check adds up the requested units of a variant, and reports quantities to the shop's server only.
func TestStockIsChecked(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := newCatalogHarness(b)
		unlisted := b.secret(200, "GET", "/api/product-variants?where[product][equals]="+s.quiet, "").docs()[0].(map[string]any)["id"].(string)
		draft := b.secret(200, "GET", "/api/product-variants?where[product.status][equals]=draft", "").docs()[0].(map[string]any)["id"].(string)
		body := fmt.Sprintf(`{"items":[{"variantId":%q,"quantity":2},{"variantId":%q,"quantity":1},{"variantId":%q,"quantity":2},{"variantId":%q,"quantity":5},{"variantId":%q,"quantity":1},{"variantId":"x","quantity":1}]}`,
			s.small, s.large, s.small, unlisted, draft)
		a := s.visit("POST", "/stock-check", body)
		item := func(id string, n int, rest string) string {
			return fmt.Sprintf(`{"variantId":%q,"requested":%d,%s}`, id, n, rest)
		}
		want := `{"items":[` + strings.Join([]string{
			item(s.small, 4, `"available":false,"reason":"out_of_stock"`), item(s.large, 1, `"available":false,"reason":"out_of_stock"`),
			item(unlisted, 5, `"available":true`), item(draft, 1, `"available":false,"reason":"variant_unavailable"`),
			item("x", 1, `"available":false,"reason":"variant_unavailable"`),
		}, ",") + `],"allAvailable":false,"checkedAt":"2026-01-31T09:00:00.000Z"}`
		if a.status != 200 || a.raw != want {
			t.Errorf("got  %s\nwant %s", a.raw, want)
		}
		mine := s.serve("POST", "/stock-check", body)
		for i, want := range []any{3.0, 0.0, 5.0, 0.0, 0.0} {
			if got := mine.body["items"].([]any)[i].(map[string]any)["availableQuantity"]; got != want {
				t.Errorf("item %d: %v are left, want %v", i, got, want)
			}
		}
		if fine := s.visit("POST", "/stock-check", fmt.Sprintf(`{"items":[{"variantId":%q,"quantity":3}]}`, s.small)); fine.body["allAvailable"] != true {
			t.Error(fine.raw)
		}
		b.secret(200, "PATCH", "/api/product-variants/"+s.large, `{"trackInventory":false}`)
		if loose := s.serve("POST", "/stock-check",
			fmt.Sprintf(`{"items":[{"variantId":%q,"quantity":9999}]}`, s.large)); loose.body["allAvailable"] != true ||
			!strings.Contains(loose.raw, `"availableQuantity":null`) {
			t.Errorf("a variant without tracking: %s", loose.raw)
		}
		foreign := s.request("POST", "/api/commerce/products/stock-check",
			fmt.Sprintf(`{"items":[{"variantId":%q,"quantity":1}]}`, s.small), "X-Client-Key", s.other.ClientKey)
		if !strings.Contains(foreign.raw, "variant_unavailable") {
			t.Errorf("another shop's variant: %s", foreign.raw)
		}
		for field, bad := range map[string]string{
			"items":             `{"items":[` + strings.Repeat(`{"variantId":"x","quantity":1},`, 200) + `{"variantId":"x","quantity":1}]}`,
			"items.0.quantity":  `{"items":[{"variantId":"x","quantity":0}]}`,
			"items.0.variantId": `{"items":[{"quantity":1}]}`, "item": `{"item":[]}`,
		} {
			if a := s.visit("POST", "/stock-check", bad); a.status != 400 || !strings.Contains(a.raw, `"field":"`+field+`"`) {
				t.Errorf("%s: %d %s", field, a.status, a.raw)
			}
		}
	})
}

func TestTenantWithCommerceDisabled(t *testing.T) {
	s := newCatalogHarness(newSQLiteHarness(t))
	bearer, _ := s.login()
	if a := s.request("PATCH", "/api/tenants/"+string(s.shop.Tenant.ID),
		`{"settings":{"features":{"ecommerce":false}}}`, "Authorization", bearer); a.status != 200 {
		t.Fatal(a.status, a.raw)
	}
	for _, path := range []string{"/detail?slug=shirt", "/detail-catalog?slug=shirt", "/detail?slug=none"} {
		if a := s.visit("GET", path, ""); a.status != 404 || a.raw != `{"found":false,"reason":"feature_disabled"}` {
			t.Errorf("%s: %d %s", path, a.status, a.raw)
		}
	}
	for name, a := range map[string]answer{
		"listing": s.visit("GET", "/listing", ""), "listing in a market": s.visit("GET", "/listing?market=missingID&sort=price", ""),
		"groups": s.visit("POST", "/listing-groups", `{"productIds":[]}`), "a stock check": s.visit("POST", "/stock-check", `{"items":[]}`),
	} {
		if a.status != 403 || a.reason() != "feature_disabled" {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
}

// GraphQL has the same operations with the same names and refusals.
func TestCatalogOverGraphQL(t *testing.T) {
	s := newCatalogHarness(newSQLiteHarness(t))
	visitor, server := []string{"X-Client-Key", s.shop.ClientKey}, []string{"X-API-Key", s.shop.SecretKey}
	listing := `{ productListing(sort: "name", limit: 1, where: {status: {in: [active, unlisted]}, or: [{name: {like: "shirt"}}, {brand: {where: {name: {equals: "Acme"}}}}]}) { totalDocs hasNextPage docs { id handle brand { name } priceRange { min max currency } stock } } }`
	a := s.graphql(200, document(listing), visitor...)
	if !strings.Contains(a.raw, `"productListing":{"totalDocs":1,"hasNextPage":false,"docs":[{"id":"`+s.shirt+
		`","handle":"shirt","brand":{"name":"Acme"},"priceRange":{"min":8000,"max":16000,"currency":"KRW"},"stock":null}]}`) {
		t.Error(a.raw)
	}
	if mine := s.graphql(200, document(listing), server...); !strings.Contains(mine.raw, `"stock":3`) {
		t.Error(mine.raw)
	}
	for name, arguments := range map[string]string{
		"a filter": `where: {price: {greater_than: 1}}`, "in AND": `where: {AND: [{OR: [{price: {exists: true}}]}]}`,
		"an order": `sort: "-price"`, "by a relation": `where: {options: {where: {product: {where: {price: {equals: 1}}}}}}`,
	} {
		refused := s.graphql(200, document(`{ one: productListing(market: "jp", `+arguments+`) { totalDocs } }`), visitor...)
		if refused.reason() != "market_filter_not_supported" {
			t.Errorf("%s: %s", name, refused.raw)
		}
	}
	given := s.graphql(200, document(`query($w: Product_where) { productListing(market: "jp", where: $w) { totalDocs } }`, "variables",
		map[string]any{"w": map[string]any{"price": map[string]any{"equals": 1}}}), visitor...)
	if given.reason() != "market_filter_not_supported" {
		t.Error(given.raw)
	}
	rest := s.graphql(200, document(fmt.Sprintf(`{
		productDetailCatalog(slug: "shirt", market: "jp") { found product { variants { resolvedPrice { amount source } } } }
		productListingGroups(productIds: [%q]) { groups { optionName items { label available } } }
		productStockCheck(items: [{variantId: %q, quantity: 2}, {variantId: %q, quantity: 2}]) {
			items { requested available reason availableQuantity } allAvailable
		}
	}`, s.shirt, s.small, s.small)), server...)
	for _, want := range []string{
		`"productDetailCatalog":{"found":true,"product":{"variants":[{"resolvedPrice":{"amount":800,"source":"computed"}},{"resolvedPrice":{"amount":1234,"source":"fixed"}}]}}`,
		`"productListingGroups":{"groups":[{"optionName":"Size","items":[{"label":"S","available":true},{"label":"L","available":false}]}]}`,
		`"productStockCheck":{"items":[{"requested":4,"available":false,"reason":"out_of_stock","availableQuantity":3}],"allAvailable":false}`,
	} {
		if !strings.Contains(rest.raw, want) {
			t.Errorf("%s\nlacks %s", rest.raw, want)
		}
	}
}

// active is an alias of published in writes and filters; published is what is stored and returned. A
// reduction is part of every form of a product.
func TestActiveReadsAsPublished(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		s := catalogHarness{harness: b}
		made := b.secret(201, "POST", "/api/products", `{"name":"Tea","status":"active","price":10000,"discount":12.5}`).doc()
		if made["status"] != "published" || made["discount"] != 12.5 {
			t.Error(made)
		}
		id := made["id"].(string)
		b.make("products", `{"name":"Idea","status":"draft","price":1}`)
		for query, want := range map[string]string{
			"where[status][equals]=active": "Tea", "where[status][in]=active,unlisted": "Tea", "where[status][not_equals]=active": "Idea",
			"where[status][not_in]=active": "Idea", "where[or][0][status][equals]=active": "Tea",
			"where=" + url.QueryEscape(`{"status":{"in":["active"]}}`): "Tea", "where[status][like]=publish": "Tea",
		} {
			if a := b.secret(200, "GET", "/api/products?"+query, ""); a.names() != want {
				t.Errorf("%s: %q", query, a.names())
			}
		}
		b.secret(200, "PATCH", "/api/products/"+id, `{"status":"draft"}`)
		if a := b.secret(200, "PATCH", "/api/products/"+id, `{"status":"active"}`); a.doc()["status"] != "published" {
			t.Error(a.raw)
		}
		if a := b.secret(200, "PATCH", "/api/products?where[status][equals]=active", `{"status":"active","discount":20}`); a.names() != "Tea" ||
			a.docs()[0].(map[string]any)["status"] != "published" {
			t.Error(a.raw)
		}
		graph := b.graphql(200, document(fmt.Sprintf(`mutation { updateProduct(id: %q, data: {status: active}) { status discount } }`, id)),
			"X-API-Key", b.shop.SecretKey)
		if !strings.Contains(graph.raw, `"updateProduct":{"status":"published","discount":20}`) {
			t.Error(graph.raw)
		}
		graph = b.graphql(200, document(`{ Products(where: {status: {equals: active}}) { docs { name status } } productListing(where: {status: {in: [active]}}) { docs { name status discount priceRange { min } compareAtPriceRange { max } } } }`),
			"X-API-Key", b.shop.SecretKey)
		for _, want := range []string{
			`"Products":{"docs":[{"name":"Tea","status":"published"}]}`,
			`"productListing":{"docs":[{"name":"Tea","status":"published","discount":20,"priceRange":{"min":8000},"compareAtPriceRange":{"max":10000}}]}`,
		} {
			if !strings.Contains(graph.raw, want) {
				t.Errorf("%s lacks %s", graph.raw, want)
			}
		}
		for _, a := range []answer{
			s.visit("GET", "/detail?id="+id, ""), s.visit("GET", "/detail-catalog?id="+id, ""),
			s.visit("GET", "/listing?where[status][equals]=active", ""),
		} {
			if !strings.Contains(a.raw, `"status":"published"`) || !strings.Contains(a.raw, `"discount":20`) ||
				!strings.Contains(a.raw, `"priceRange":{"min":8000,"max":8000,"currency":"KRW"}`) ||
				!strings.Contains(a.raw, `"compareAtPriceRange":{"min":10000`) {
				t.Errorf("%d %s", a.status, a.raw)
			}
		}
	})
}
