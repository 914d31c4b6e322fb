package rest_test

import (
	"strings"
	"testing"
)

// The cacheable product page has no stock for any caller, and does not change when units are sold.
func TestCatalogPageIsStable(t *testing.T) {
	s := newCatalogHarness(newSQLiteHarness(t))
	first := s.visit("GET", "/detail-catalog?slug=shirt&market=jp", "")
	tag := first.header.Get("ETag")
	if first.status != 200 || tag == "" || strings.Contains(first.raw, `"available`) || quantity.MatchString(first.raw) ||
		!strings.Contains(first.raw, `"selectedOptions":[{"name":"Size","value":"S"}]`) {
		t.Fatal(first.status, first.raw)
	}
	if mine := s.serve("GET", "/detail-catalog?slug=shirt&market=jp", ""); mine.raw != first.raw {
		t.Errorf("the shop's server gets a different response: %s", mine.raw)
	}
	s.secret(200, "PATCH", "/api/product-variants/"+s.small, `{"stock":0,"expectedStock":3}`) // the clock does not move, so updatedAt stays the same
	if again := s.visit("GET", "/detail-catalog?slug=shirt&market=jp", "", "If-None-Match", tag); again.status != 304 {
		t.Errorf("the response depends on stock: %d %s", again.status, again.raw)
	}
	if a := s.visit("GET", "/detail-catalog", ""); a.status != 400 || !strings.Contains(a.raw, `"field":"slug"`) {
		t.Error(a.status, a.raw)
	}
	if a := s.visit("GET", "/detail-catalog?slug=shirt&id="+s.shirt, ""); a.status != 400 {
		t.Error(a.status, a.raw)
	}
	if a := s.visit("GET", "/detail-catalog?slug=idea", ""); a.status != 404 || a.raw != `{"found":false,"reason":"unpublished"}` {
		t.Error(a.status, a.raw)
	}
}

// Responses to storefronts can be cached and revalidated; those to servers cannot be cached.
func TestCatalogReadsAreCacheable(t *testing.T) {
	s := newCatalogHarness(newSQLiteHarness(t))
	for _, path := range []string{
		"/detail?slug=shirt", "/detail-catalog?slug=shirt", "/listing?market=jp", "/listing?where[name][like]=mug",
	} {
		first := s.visit("GET", path, "")
		cacheHeaders := func(a answer) string {
			return a.header.Get("ETag") + "|" + a.header.Get("Cache-Control") + "|" + a.header.Get("Vary")
		}
		if want := "|public, max-age=0, must-revalidate|"; !strings.Contains(cacheHeaders(first), want) ||
			!strings.Contains(cacheHeaders(first), "X-Client-Key, Authorization, X-API-Key") || first.header.Get("ETag") == "" {
			t.Errorf("%s: %s", path, cacheHeaders(first))
		}
		same := s.visit("GET", path, "", "If-None-Match", first.header.Get("ETag"))
		if same.status != 304 || same.raw != "" || cacheHeaders(same) != cacheHeaders(first) {
			t.Errorf("%s: %d %s %s", path, same.status, same.raw, cacheHeaders(same))
		}
		if other := s.visit("GET", path, "", "If-None-Match", `"other"`); other.status != 200 || other.raw != first.raw {
			t.Errorf("%s: %d %s", path, other.status, other.raw)
		}
		if mine := s.serve("GET", path, ""); mine.header.Get("Cache-Control") != "private, no-store" || mine.header.Get("ETag") != "" {
			t.Errorf("%s: %s", path, cacheHeaders(mine))
		}
	}
	changed := s.visit("GET", "/listing", "").header.Get("ETag")
	s.secret(200, "PATCH", "/api/products/"+s.mug, `{"price":600}`)
	if a := s.visit("GET", "/listing", "", "If-None-Match", changed); a.status != 200 {
		t.Errorf("a new price must be visible at once: %d", a.status)
	}
	for name, a := range map[string]answer{
		"groups": s.visit("POST", "/listing-groups", `{"productIds":[]}`), "a stock check": s.visit("POST", "/stock-check", `{"items":[]}`),
		"nothing": s.visit("GET", "/detail?slug=none", ""),
	} {
		if a.header.Get("ETag") != "" {
			t.Errorf("%s must not be cacheable", name)
		}
	}
}
