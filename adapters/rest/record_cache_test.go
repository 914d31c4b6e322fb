package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// One record of the catalog can be cached and revalidated by visitors, and by nobody else; what a key may not see is
// never stored, so that no cache answers it to the next one.
func TestCatalogRecordsAreCacheable(t *testing.T) {
	s := newCatalogHarness(newSQLiteHarness(t))
	first := func(slug string) string {
		return s.secret(200, "GET", "/api/"+slug+"?limit=1&sort=createdAt", "").docs()[0].(map[string]any)["id"].(string)
	}
	s.make("categories", `{"name":"Shoes"}`)
	s.make("tags", `{"name":"New"}`)
	page := s.make("pages", `{"title":"About","slug":"about","status":"published"}`)
	hidden := s.make("pages", `{"title":"Plans","slug":"plans","status":"draft"}`)
	paths := []string{"/api/products/" + s.shirt, "/api/pages/" + page, "/api/commerce/products/detail?market=jp&id=" + s.shirt}
	for _, slug := range []string{"product-variants", "product-options", "brands", "categories", "tags", "markets", "shipping-policies"} {
		paths = append(paths, "/api/"+slug+"/"+first(slug))
	}
	for _, path := range paths {
		visit := func(method string, headers ...string) answer {
			return s.request(method, path, "", append(headers, "X-Client-Key", s.shop.ClientKey)...)
		}
		read := visit("GET")
		tag := read.header.Get("ETag")
		for name, a := range map[string]answer{
			"read": read, "HEAD": visit("HEAD"), "unchanged": visit("GET", "If-None-Match", tag),
			"the other environment": s.request("GET", path, "", "X-Client-Key", s.shop.TestClientKey),
		} {
			want := map[bool]int{true: 304, false: 200}[name == "unchanged"]
			if a.status != want || a.header.Get("ETag") == "" || a.header.Get("Cache-Control") != "public, max-age=0, must-revalidate" ||
				!strings.Contains(strings.Join(a.header.Values("Vary"), ", "), "X-Client-Key, Authorization, X-API-Key") {
				t.Errorf("%s, %s: %d %v", path, name, a.status, a.header)
			}
		}
		for name, a := range map[string]answer{
			"a server":       s.request("GET", path, "", "X-API-Key", s.shop.SecretKey, "If-None-Match", tag),
			"another shop":   s.request("GET", path, "", "X-Client-Key", s.other.ClientKey, "If-None-Match", tag),
			"a longer query": s.request("POST", path, "", "X-Client-Key", s.shop.ClientKey, "X-HTTP-Method-Override", "GET", "If-None-Match", tag),
			"nobody":         s.request("GET", path, "", "If-None-Match", tag),
		} {
			tagged := name == "a server" && !strings.HasPrefix(path, "/api/commerce/") // with the record's revision, for If-Match
			if a.status == 304 || a.header.Get("Cache-Control") != "private, no-store" || (a.header.Get("ETag") != "") != tagged {
				t.Errorf("%s, %s: %d %v", path, name, a.status, a.header)
			}
		}
	}
	for name, path := range map[string]string{
		"a draft": "/api/pages/" + hidden, "nothing": "/api/products/nothing", "no detail": "/api/commerce/products/detail?slug=idea",
		"staff's": "/api/orders/nothing",
	} {
		if a := s.request("GET", path, "", "X-Client-Key", s.shop.ClientKey); a.status < 400 || a.header.Get("ETag") != "" ||
			a.header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %d %v", name, a.status, a.header)
		}
	}
	jp := s.visit("GET", "/detail?slug=shirt&market=jp", "")
	if a := s.visit("GET", "/detail?slug=shirt", "", "If-None-Match", jp.header.Get("ETag")); a.status != 200 {
		t.Errorf("the prices of another market are taken for the same: %d", a.status)
	}
	before := s.request("GET", "/api/products/"+s.mug, "", "X-Client-Key", s.shop.ClientKey).header.Get("ETag")
	s.secret(200, "PATCH", "/api/products/"+s.mug, `{"price":700}`)
	if a := s.request("GET", "/api/products/"+s.mug, "", "X-Client-Key", s.shop.ClientKey, "If-None-Match", before); a.status != 200 ||
		fmt.Sprint(a.body["price"]) != "700" {
		t.Errorf("a new price must be visible at once: %d %s", a.status, a.raw)
	}
}
