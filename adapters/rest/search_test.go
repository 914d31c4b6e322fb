package rest_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/searchindex"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/search"
)

// catchUp has all changes in the search indexes.
func (b *harness) catchUp() {
	b.t.Helper()
	x := searchindex.Indexer{
		Index: b.store.SearchIndex(), Events: b.store.EventLog(), Store: b.store, Fold: fold, Log: slog.New(slog.DiscardHandler),
	}
	if _, err := b.store.Sequence(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	if err := x.Follower().CatchUp(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// search lists the names of products that are found, and its totalDocs and nextPage.
func (b *harness) search(q, more string) string {
	b.t.Helper()
	a := b.request("GET", "/api/products?q="+url.QueryEscape(q)+more, "", "X-API-Key", b.shop.SecretKey)
	if a.status != 200 {
		b.t.Fatalf("for %q: %d %s", q, a.status, a.raw)
	}
	var names []string
	for _, doc := range a.docs() {
		names = append(names, fmt.Sprint(doc.(map[string]any)["name"]))
	}
	return fmt.Sprintf("%s; %v, next %v", strings.Join(names, ", "), a.body["totalDocs"], a.body["nextPage"])
}

func (b *harness) makeMugs(n int) {
	b.t.Helper()
	for i := range n {
		status := []string{"draft", "published"}[i%2]
		b.make("products", fmt.Sprintf(`{"name":"Mug %02d","price":1000,"status":%q,"variants":[{"sku":"M-%02d"}]}`, i, status, i))
	}
	b.catchUp()
}

// Rule search-1.
func TestListsAreSearched(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.makeMugs(5)
		for more, want := range map[string]string{
			"": "Mug 04, Mug 03, Mug 02, Mug 01, Mug 00; 5, next <nil>", "&limit=2": "Mug 04, Mug 03; 3, next 2",
			"&limit=2&page=2": "Mug 02, Mug 01; 5, next 3", "&limit=2&page=3": "Mug 00; 5, next <nil>",
			"&limit=2&page=4": "; 5, next <nil>", "&limit=2&page=2000000": "; 5, next <nil>",
			"&pagination=false": "Mug 04, Mug 03, Mug 02, Mug 01, Mug 00; 5, next <nil>",
		} {
			if got := b.search("mug", more); got != want {
				t.Errorf("%q lists %s, want %s", more, got, want)
			}
		}
		if got, want := b.search("M-03", ""), "Mug 03; 1, next <nil>"; got != want {
			t.Errorf("an SKU finds %s", got)
		}
		if got, want := b.search(" ", ""), "Mug 04, Mug 03, Mug 02, Mug 01, Mug 00; 5, next <nil>"; got != want {
			t.Errorf("without a text it lists %s", got)
		}
		data := b.graphql(200, document(`{ Products(q: "m-03 m-01") { docs { name } totalDocs hasNextPage } }`), "X-API-Key", b.shop.SecretKey)
		const want = `{"data":{"Products":{"docs":[{"name":"Mug 03"},{"name":"Mug 01"}],"totalDocs":2,"hasNextPage":false}}}`
		if data.raw != want {
			t.Errorf("over GraphQL: %s", data.raw)
		}
	})
}

// Rule search-1.
func TestSearchIsNarrowedByAWhere(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.makeMugs(60)
		var published []string
		for i := 59; i >= 0; i-- {
			if i%2 == 1 {
				published = append(published, fmt.Sprintf("Mug %02d", i))
			}
		}
		const where = "&where[status][equals]=published"
		for limit := range slices.Values([]int{1, 7, 29, 30, 31, 500}) {
			var all []string
			for page := 1; page > 0; {
				got := b.search("mug", fmt.Sprintf("%s&limit=%d&page=%d", where, limit, page))
				names, rest, _ := strings.Cut(got, "; ")
				all = append(all, strings.Split(names, ", ")...)
				if page++; strings.HasSuffix(rest, "next <nil>") {
					page = 0
				}
			}
			if !slices.Equal(all, published) {
				t.Errorf("by %d: %q", limit, all)
			}
		}
		if got := b.search("mug", where+"&limit=7&page=9"); got != "; 30, next <nil>" {
			t.Errorf("past the end: %s", got)
		}
		if got := b.search("mug", "&where[name][equals]=Cup"); got != "; 0, next <nil>" {
			t.Errorf("nothing matches: %s", got)
		}
	})
}

// Rules search-1, search-3.
func TestSearchIsRefusedWhereThereIsNone(t *testing.T) {
	b := newSQLiteHarness(t)
	for path, want := range map[string]string{
		"brands?q=a":                              "validation_failed",
		"products/count?q=a":                      "validation_failed",
		"products?q=a&sort=name":                  "query_invalid",
		"products?q=a&limit=0":                    "validation_failed",
		"products?q=a&limit=501":                  "validation_failed",
		"products?q[a]=a":                         "validation_failed",
		"products?q=-":                            "query_invalid",
		"products?q=a&where[nothing][in]=1":       "query_invalid",
		"products?q=" + strings.Repeat("a", 4001): "query_invalid",
		"search":              "query_invalid",
		"search?q=-":          "query_invalid",
		"search?q=a&limit=0":  "validation_failed",
		"search?q=a&limit=21": "validation_failed",
		"search?q=a&page=2":   "validation_failed",
	} {
		a := b.request("GET", "/api/"+path, "", "X-API-Key", b.shop.SecretKey)
		if a.status != 400 || a.reason() != want {
			t.Errorf("%.60s: %d %s", path, a.status, a.raw)
		}
	}
	for path, want := range map[string]string{"products?q=a": "query_invalid", "orders?q=a": "forbidden", "search?q=a": "forbidden"} {
		if a := b.request("GET", "/api/"+path, "", "X-Client-Key", b.shop.ClientKey); a.reason() != want {
			t.Errorf("a visitor at %s: %d %s", path, a.status, a.raw)
		}
	}
	for _, s := range b.registry.All() {
		a := b.request("GET", "/api/"+s.Slug+"?q=a", "", "X-API-Key", b.shop.SecretKey)
		if search.IsTarget(s) != (a.status == 200) || a.status != 200 && a.status != 400 && a.status != 403 {
			t.Errorf("%s: %d %s", s.Slug, a.status, a.raw)
		}
	}
}

// Rule search-6.
func TestSearchKeepsTenantsAndEnvironmentsApart(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		for i, key := range []string{b.shop.SecretKey, b.shop.TestSecretKey, b.other.SecretKey, b.other.TestSecretKey} {
			for slug, body := range map[string]string{
				"draft-orders": `{"customerSnapshot":{"name":"Ann %d"}}`, "products": `{"name":"Ann %d","price":1,"status":"draft"}`,
			} {
				if a := b.request("POST", "/api/"+slug, fmt.Sprintf(body, i), "X-API-Key", key); a.status != 201 {
					t.Fatal(a.raw)
				}
			}
		}
		b.catchUp()
		for key, want := range map[string]string{
			b.shop.SecretKey: "draft-orders Ann 0; products Ann 1, Ann 0", b.shop.TestSecretKey: "draft-orders Ann 1; products Ann 1, Ann 0",
			b.other.SecretKey: "draft-orders Ann 2; products Ann 3, Ann 2", b.other.TestSecretKey: "draft-orders Ann 3; products Ann 3, Ann 2",
		} {
			a := b.request("GET", "/api/search?q=ann", "", "X-API-Key", key)
			if got := groupsOf(a); got != want {
				t.Errorf("%s finds %s, want %s", key, got, want)
			}
		}
	})
}

// groupsOf are the titles of the groups of an answer that found something.
func groupsOf(a answer) string {
	var groups []string
	all, _ := a.body["groups"].([]any)
	for _, one := range all {
		group := one.(map[string]any)
		var titles []string
		for _, doc := range group["docs"].([]any) {
			titles = append(titles, doc.(map[string]any)["title"].(string))
		}
		if titles != nil {
			groups = append(groups, group["collection"].(string)+" "+strings.Join(titles, ", "))
		}
	}
	slices.Sort(groups)
	return strings.Join(groups, "; ")
}

// Rule search-9.
func TestEverythingIsSearchedAtOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		there := b.seed(b.shop.Tenant, "treasure", nil)
		b.catchUp()
		a := b.request("GET", "/api/search?q=treasure", "", "X-API-Key", b.shop.SecretKey)
		if a.status != 200 {
			t.Fatal(a.raw)
		}
		order := there["orders"].Text("orderNumber")
		want := "customers treasure; draft-orders treasure; orders " + order + "; products treasure; return-requests " + order
		if got := groupsOf(a); got != want {
			t.Errorf("it finds %s, want %s", got, want)
		}
		over := b.graphql(200, document(`{ search(q: "treasure", limit: 1) { groups { collection more docs { id title status createdAt } } } }`),
			"X-API-Key", b.shop.SecretKey)
		for _, s := range search.Targets() {
			if !strings.Contains(over.raw, `"collection":"`+s.Slug+`"`) || !strings.Contains(over.raw, there[s.Slug].ID()) {
				t.Errorf("over GraphQL %s is not found: %s", s.Slug, over.raw)
			}
		}
		b.makeMugs(3)
		for limit, want := range map[string]bool{"1": true, "2": true, "3": false, "20": false} {
			a := b.request("GET", "/api/search?q=mug&limit="+limit, "", "X-API-Key", b.shop.SecretKey)
			for _, one := range a.body["groups"].([]any) {
				if group := one.(map[string]any); group["collection"] == "products" && group["more"] != want {
					t.Errorf("limit %s: %s", limit, a.raw)
				}
			}
		}
	})
}

// Every field by which something is found is one that those may read who search: users and secret keys. Rule search-6.
func TestWhatIsSearchedIsShownToStaff(t *testing.T) {
	t.Parallel()
	for _, s := range search.Sources {
		for _, name := range []string{"orderNumber", "email", "customerSnapshot", "shippingAddress", "lines", "trackingNumber",
			"name", "phone", "addresses", "sku", "barcode"} {
			if f, ok := s.Schema.Field(name); ok && f.VisibleTo > collection.Staff {
				t.Errorf("%s.%s is hidden from staff", s.Schema.Slug, name)
			}
		}
	}
}

// Rule search-2.
func TestOpenDraftsAreFoundByTheirGoods(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.make("products", `{"name":"Mug","price":1000,"status":"published","variants":[{"sku":"MUG-1"}]}`)
		variant := b.secret(200, "GET", "/api/product-variants?where[sku][equals]=MUG-1", "").docs()[0].(map[string]any)["id"].(string)
		b.make("draft-orders", `{"lines":[{"variant":"`+variant+`","quantity":1}]}`)
		found := func(q string) float64 {
			b.catchUp()
			return b.secret(200, "GET", "/api/draft-orders?q="+q, "").body["totalDocs"].(float64)
		}
		if n := found("mug1"); n != 1 {
			t.Errorf("%v drafts", n)
		}
		b.secret(200, "PATCH", "/api/product-variants/"+variant, `{"sku":"CUP-1"}`)
		if was, is := found("mug1"), found("cup-1"); was != 0 || is != 1 {
			t.Errorf("after the SKU changed, %v drafts are found by the old one and %v by the new one", was, is)
		}
	})
}
