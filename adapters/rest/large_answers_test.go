package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// Records may have a megabyte each. Whoever asks for five hundred of them, or in fifteen lists of one document, is refused
// before they are read: the memory of a server is not for one shop's page. Rule collections-31.
func TestAnswersAreBoundedInBytes(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		note := strings.Repeat("x", 1_000_000)
		for i := range 20 {
			b.make("products", fmt.Sprintf(`{"name":"Heavy %d","status":"published","price":1000,"metadata":{"note":%q}}`, i, note))
		}
		client := []string{"X-Client-Key", b.shop.ClientKey}
		refused := func(what string, a answer, status int) {
			t.Helper()
			if a.status != status || !strings.Contains(a.raw, `"reason":"answer_too_large"`) || len(a.raw) > 1<<20 {
				t.Errorf("%s: %d %.300s", what, a.status, a.raw)
			}
		}
		refused("a list", b.request("GET", "/api/products?limit=500", "", client...), 400)
		refused("a sorted list", b.request("GET", "/api/products?limit=500&sort=-name", "", client...), 400)
		refused("a listing", b.request("GET", "/api/commerce/products/listing?limit=100", "", client...), 400)
		patched := b.request("PATCH", "/api/products?where[price][equals]=1000&limit=500", `{"price":2000}`, "X-API-Key", b.shop.SecretKey)
		refused("a bulk update", patched, 400)
		if n := b.secret(200, "GET", "/api/products/count?where[price][equals]=2000", "").body["totalDocs"]; n != 0.0 {
			t.Errorf("%v records were changed by an update whose answer is too large", n)
		}
		graph := func(query string) answer {
			return b.request("POST", "/api/graphql", `{"query":"`+query+`"}`, client...)
		}
		refused("a list over GraphQL", graph("{ Products(limit: 100) { docs { metadata } } }"), 200)
		refused("many lists in one document", graph("{ "+aliases("Products(limit: 12) { docs { name } }", 4)+"}"), 200)
		if a := b.request("GET", "/api/products?limit=10", "", client...); a.status != 200 || len(a.body["docs"].([]any)) != 10 {
			t.Errorf("ten of them: %d", a.status)
		}
		if a := graph("{ Products(limit: 10) { totalDocs docs { metadata } } }"); !strings.Contains(a.raw, `"totalDocs":20`) {
			t.Errorf("ten of them over GraphQL: %.300s", a.raw)
		}
	})
}

// What is embedded is counted as it is read, also where little of it is shown: few records may refer to many large ones,
// and each of a document's relations to others. Rule collections-31.
func TestEmbeddedRecordsAreBoundedInBytes(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		note := strings.Repeat("x", 1_000_000)
		for i := range 36 {
			b.make("products", fmt.Sprintf(
				`{"name":"Heavy %d","status":"published","price":1000,"metadata":{"note":%q},"variants":[{"title":"A","sku":"a-%[1]d"}]}`, i, note))
		}
		client := []string{"X-Client-Key", b.shop.ClientKey}
		list := func(limit int) answer {
			return b.request("GET", fmt.Sprintf("/api/product-variants?depth=1&limit=%d&populate[products][name]=true", limit), "", client...)
		}
		if a := list(20); a.status != 400 || a.reason() != "answer_too_large" {
			t.Errorf("a list that embeds 20 MB: %d %.300s", a.status, a.raw)
		}
		if a := list(10); a.status != 200 || len(a.raw) > 100_000 {
			t.Errorf("a list that embeds 10 MB, and shows little: %d %.300s", a.status, a.raw)
		}
		graph := func(limit int) answer {
			return b.request("POST", "/api/graphql", fmt.Sprintf(`{"query":"{ ProductVariants(limit: %d) { docs { product { name } } } }"}`, limit), client...)
		}
		if a := graph(36); !strings.Contains(a.raw, `"reason":"answer_too_large"`) {
			t.Errorf("a document that embeds 36 MB: %d %.300s", a.status, a.raw)
		}
		if a := graph(25); strings.Contains(a.raw, "errors") {
			t.Errorf("a document that embeds 25 MB, and shows little: %.300s", a.raw)
		}
		bulk := func(what, params, body string) {
			t.Helper()
			a := b.request("PATCH", "/api/product-variants?where[sku][contains]=a-"+params, body, "X-API-Key", b.shop.SecretKey)
			if a.status != 400 || a.reason() != "answer_too_large" {
				t.Errorf("a bulk write %s: %d, %d bytes %.300s", what, a.status, len(a.raw), a.raw)
			}
		}
		bulk("that embeds 36 MB", "&depth=1", `{"title":"B"}`)
		bulk("that embeds 10 MB", "&depth=1&limit=10", `{"title":"B"}`)
		bulk("that makes all records large", "", `{"metadata":{"note":"`+note+`"}}`)
		if n := b.secret(200, "GET", "/api/product-variants/count?where[title][equals]=A", "").body["totalDocs"]; n != 36.0 {
			t.Errorf("%v of 36 records are unchanged by writes whose answers are too large", n)
		}
	})
}

// A record that many others embed is read once and written many times: the answer counts. Rule collections-31.
func TestRepeatedlyEmbeddedRecordsAreBounded(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		var categories []string
		for i := range 20 {
			categories = append(categories, `"`+b.make("categories", fmt.Sprintf(`{"name":"C%d","description":%q}`, i, strings.Repeat("x", 39_000)))+`"`)
		}
		all := strings.Join(categories, ",")
		for i := range 60 {
			b.make("products", fmt.Sprintf(`{"name":"Heavy %d","status":"published","price":1000,"categories":[%s]}`, i, all))
		}
		client := []string{"X-Client-Key", b.shop.ClientKey}
		for path, want := range map[string]int{
			"/api/products?depth=1&limit=60": 400, "/api/products?depth=1&limit=5": 200,
			"/api/commerce/products/listing?limit=60": 400, "/api/commerce/products/listing?limit=30": 200,
		} {
			if a := b.request("GET", path, "", client...); a.status != want || want == 400 && a.reason() != "answer_too_large" {
				t.Errorf("%s: %d, %d bytes: %.300s", path, a.status, len(a.raw), a.raw)
			}
		}
		graph := `{"query":"{ Products(limit: 60) { docs { categories { description } } } }"}`
		if a := b.request("POST", "/api/graphql", graph, client...); !strings.Contains(a.raw, `"reason":"answer_too_large"`) {
			t.Errorf("a document: %d bytes: %.300s", len(a.raw), a.raw)
		}
		b.secret(200, "PATCH", "/api/products?where[name][contains]=Heavy&select[name]=true", `{"categories":[]}`)
		a := b.secret(400, "PATCH", "/api/products?where[name][contains]=Heavy&depth=1", `{"categories":[`+all+`]}`)
		written, refused := a.body["docs"].([]any), a.body["errors"].([]any)
		if len(written) < 15 || len(written)+len(refused) != 60 || len(a.raw) > 20<<20 {
			t.Errorf("a bulk write that embeds 47 MB: %d written, %d refused, %d bytes", len(written), len(refused), len(a.raw))
		}
		categorized := "/api/products/count?where[categories][in]=" + strings.Trim(categories[0], `"`)
		if n := b.secret(200, "GET", categorized, "").body["totalDocs"]; n != float64(len(written)) {
			t.Errorf("%v records are written, %d were answered", n, len(written))
		}
	})
}

// aliases is a selection n times, under different names.
func aliases(selection string, n int) (all string) {
	for i := range n {
		all += fmt.Sprintf("a%d: %s ", i, selection)
	}
	return all
}
