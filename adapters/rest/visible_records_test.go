package rest_test

import (
	"strings"
	"testing"
)

func TestEnvironmentsAreIsolated(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		live := b.make("gadgets", `{"name":"Live"}`)
		test := b.request("POST", "/api/gadgets", `{"name":"Test"}`, "X-API-Key", b.shop.TestSecretKey)
		if test.status != 201 || test.doc()["environment"] != "test" {
			t.Fatal(test.raw)
		}
		bearer, _ := b.login()
		for want, headers := range map[string][]string{
			"Live": {"X-API-Key", b.shop.SecretKey}, "Test": {"X-API-Key", b.shop.TestSecretKey},
		} {
			if a := b.request("GET", "/api/gadgets", "", headers...); a.names() != want {
				t.Errorf("%v: %s", headers, a.raw)
			}
		}
		if a := b.request("GET", "/api/gadgets", "", "Authorization", bearer, "X-Environment", "test"); a.names() != "Test" {
			t.Error(a.raw)
		}
		if a := b.request("GET", "/api/gadgets", "", "Authorization", bearer, "X-Environment", "moon"); a.status != 400 {
			t.Error(a.raw)
		}
		if a := b.request("GET", "/api/gadgets/"+live, "", "X-API-Key", b.shop.TestSecretKey); a.status != 404 {
			t.Error(a.raw)
		}
		if a := b.request("PATCH", "/api/gadgets/"+test.doc()["id"].(string),
			`{"parent":"`+live+`"}`, "X-API-Key", b.shop.TestSecretKey); a.status != 400 {
			t.Error("a link across environments", a.raw)
		}
	})
}

func TestShoppersSeePublicRecordsOnly(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		hidden := b.make("gadgets", `{"name":"Hidden","shown":false,"cost":7}`)
		shown := b.make("gadgets",
			`{"name":"Shown","cost":7,"parent":"`+hidden+`","owner":"`+b.make("customers", `{"email":"o@shop.example"}`)+`"}`)
		request := func(path string) answer {
			return b.request("GET", "/api/gadgets"+path, "", "X-Client-Key", b.shop.ClientKey)
		}
		if a := request("?depth=2"); a.names() != "Shown" || strings.Contains(a.raw, "cost") || strings.Contains(a.raw, "Hidden") ||
			strings.Contains(a.raw, "o@shop") || a.docs()[0].(map[string]any)["parent"] != hidden {
			t.Error(a.raw)
		}
		if a := request("/" + hidden); a.status != 404 {
			t.Error(a.raw)
		}
		for query, want := range map[string]string{
			"where[parent.name][equals]=Hidden": "", "where[parent.name][not_equals]=Other": "", "where[parent][equals]=" + hidden: "Shown",
		} {
			if a := request("?" + query); a.status != 200 || a.names() != want {
				t.Errorf("%s: %s", query, a.raw)
			}
		}
		for _, query := range []string{
			"where[cost][equals]=7", "sort=cost", "sort=parent.name", "where[owner.email][like]=o", "where[friends.name][equals]=Hidden",
			"select[cost]=true", "where[owner.password][exists]=true",
		} {
			if a := request("?" + query); a.status != 400 || strings.Contains(a.raw, "Hidden") {
				t.Errorf("%s: %d %s", query, a.status, a.raw)
			}
		}
		first := request("/" + shown)
		tag := first.header.Get("ETag")
		if tag == "" || first.header.Get("Cache-Control") == "" {
			t.Error(first.header)
		}
		if a := b.request("GET", "/api/gadgets/"+shown, "", "X-Client-Key", b.shop.ClientKey, "If-None-Match", tag); a.status != 304 ||
			a.raw != "" {
			t.Error(a.status, a.raw)
		}
	})
}

func TestUnlistedProductsAreReadableNotListed(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		quiet := b.make("products", `{"name":"Quiet","price":1,"status":"unlisted"}`)
		b.make("products", `{"name":"Loud","price":1,"status":"published"}`)
		b.make("products", `{"name":"Draft","price":1,"status":"draft"}`)
		request := func(path string) answer { return b.request("GET", "/api/"+path, "", "X-Client-Key", b.shop.ClientKey) }
		if a := request("products"); a.names() != "Loud" || strings.Contains(a.raw, "stock") {
			t.Error(a.raw)
		}
		if a := request("products/count"); a.body["totalDocs"] != 1.0 {
			t.Error(a.raw)
		}
		if a := request("products/" + quiet); a.status != 200 {
			t.Error(a.raw)
		}
		if a := request("product-variants?depth=1"); len(a.docs()) != 1 || strings.Contains(a.raw, "Quiet") {
			t.Error(a.raw)
		}
	})
}
