package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// Visitors see the profile of the shop of their key, cacheable, and nothing that is for the shop alone.
func TestVisitorsReadTheShop(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		visitor := []string{"X-Client-Key", b.shop.TestClientKey}
		list := admin("GET", "/shop-profiles", "")
		if !strings.Contains(list.raw, `"id":"`) {
			t.Fatal(list.status, list.raw)
		}
		id, _, _ := strings.Cut(strings.SplitAfter(list.raw, `"id":"`)[1], `"`)
		first := b.request("GET", "/api/commerce/shop", "", visitor...)
		if first.status != 200 || !strings.Contains(first.raw, fmt.Sprintf(`"businessName":%q`, b.shop.Name)) {
			t.Fatal("the profile of a new shop", first.status, first.raw, list.raw)
		}
		logo := b.upload("logo.png", pngImage(t, 30, 20))
		changed := admin("PATCH", "/shop-profiles/"+id, fmt.Sprintf(`{"logo":%q,"registrationNumber":"2208162517","email":"Hello@Shop.example",`+
			`"address":{"country":"kr","address1":"1 Teheran-ro"},"returnAddress":{"address1":"2 Depot"},"policies":{"returns":"Within 7 days."}}`,
			logo["id"]))
		if changed.status != 200 {
			t.Fatal(changed.status, changed.raw)
		}
		b.secret(200, "PATCH", "/api/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"locale":"KO-kr","orderNumberFormat":"N{SEQ}","timeZone":"Asia/Seoul"}}`)
		seen := b.request("GET", "/api/commerce/shop", "", append(visitor, "If-None-Match", first.header.Get("ETag"))...)
		for _, want := range []string{
			`"locale":"ko-KR"`, `"registrationNumber":"220-81-62517"`, `"email":"hello@shop.example"`, `"country":"KR"`, `"returns":"Within 7 days."`,
			`"logo":{"id":`, `"filename":"logo.png"`, `"mailOrderNumber":null`,
		} {
			if seen.status != 200 || !strings.Contains(seen.raw, want) {
				t.Errorf("%s is missing in %d %s", want, seen.status, seen.raw)
			}
		}
		for _, hidden := range []string{"Depot", "orderNumberFormat", "Seoul", "single", "settings", "plan", "checksum"} {
			if strings.Contains(seen.raw, hidden) {
				t.Errorf("visitors see %s: %s", hidden, seen.raw)
			}
		}
		if same := b.request("GET", "/api/commerce/shop", "", append(visitor, "If-None-Match", seen.header.Get("ETag"))...); same.status != 304 {
			t.Error("the shop as it was", same.status)
		}
		if other := b.request("GET", "/api/commerce/shop", "", "X-Client-Key", b.other.TestClientKey); strings.Contains(other.raw, "220-81") {
			t.Error("another shop", other.raw)
		}
		graph := b.graphql(200, `{"query":"{shop{name businessName locale logo{filename} address{country} policies{returns}}}"}`, visitor...)
		if !strings.Contains(graph.raw, `"logo":{"filename":"logo.png"}`) || !strings.Contains(graph.raw, `"returns":"Within 7 days."`) {
			t.Error("over GraphQL", graph.raw)
		}
	})
}
