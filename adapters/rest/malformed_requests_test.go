package rest_test

import (
	"strings"
	"testing"
)

// Every request that matches no route gets an error of the API; a 405 lists the allowed methods.
func TestUnusualPathsAndMethods(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.make("gadgets", `{"name":"A"}`)
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"PUT", "/api/gadgets", 405, "GET, HEAD, POST, PATCH, DELETE, OPTIONS"},
		{"PUT", "/api/gadgets/" + id, 405, "GET, HEAD, PATCH, DELETE, OPTIONS"},
		{"POST", "/api/gadgets/" + id, 405, "GET, HEAD, PATCH, DELETE, OPTIONS"},
		{"POST", "/api/gadgets/count", 405, "GET, HEAD, OPTIONS"},
		{"DELETE", "/api/gadgets/count/", 405, "GET, HEAD, OPTIONS"},
		{"GET", "/api/users/login", 405, "POST, OPTIONS"},
		{"TRACE", "/api/gadgets", 405, "GET, HEAD, POST, PATCH, DELETE, OPTIONS"},
		{"BREW", "/api/gadgets", 405, "GET, HEAD, POST, PATCH, DELETE, OPTIONS"},
		{"get", "/api/gadgets", 405, "GET, HEAD, POST, PATCH, DELETE, OPTIONS"},
		{"BREW", "/api/nothing", 404, ""},
		{"POST", "/api/orders", 405, "GET, HEAD, PATCH, OPTIONS"},
		{"POST", "/api/carts", 405, "GET, HEAD, OPTIONS"},
		{"PUT", "/api/carts", 405, "GET, HEAD, OPTIONS"},
		{"PATCH", "/api/carts/x", 405, "GET, HEAD, OPTIONS"},
		{"PATCH", "/api/carts", 405, "GET, HEAD, OPTIONS"},
		{"DELETE", "/api/carts/x", 405, "GET, HEAD, OPTIONS"},
		{"OPTIONS", "/api/gadgets", 204, "GET, HEAD, POST, PATCH, DELETE, OPTIONS"},
		{"OPTIONS", "/api/nothing", 404, ""},
		{"HEAD", "/api/gadgets", 200, ""},
		{"HEAD", "/api/gadgets/" + id, 200, ""},
		{"HEAD", "/api/gadgets/nothing", 404, ""},
		{"GET", "/api/gadgets/", 200, ""},
		{"GET", "/api/gadgets/" + id + "/", 200, ""},
		{"GET", "/api/gadgets/count/", 200, ""},
		{"GET", "/api//gadgets", 404, ""},
		{"GET", "/api/gadgets//" + id, 404, ""},
		{"GET", "/api/Gadgets", 404, ""},
		{"GET", "/API/gadgets", 404, ""},
		{"GET", "/api/%67adgets", 404, ""},
		{"GET", "/api/gadgets/" + strings.ToUpper(id), 404, ""},
		{"GET", "/api/gadgets/%20" + id, 404, ""},
		{"GET", "/api/gadgets/" + id + "%00", 404, ""},
		{"GET", "/api/gadgets/" + id + "%0d%0aX-Bad:%201", 404, ""},
		{"GET", "/api/gadgets/..%2f" + id, 404, ""},
		{"GET", "/api/gadgets/%ff%fe", 404, ""},
		{"GET", "/api/gadgets/" + strings.Repeat("a", 8000), 404, ""},
		{"DELETE", "/api/gadgets/" + strings.Repeat("%F0%9F%98%80", 600), 404, ""},
		{"PATCH", "/api/gadgets/'%20OR%20''='", 404, ""},
		{"GET", "/api/gadgets/" + id + "/more", 404, ""},
		{"GET", "/api/nothing", 404, ""},
		{"GET", "/api", 404, ""},
		{"GET", "/api/", 404, ""},
		{"GET", "/api/gadgets/../gadgets", 404, ""},
		{"GET", "/api/gadgets?" + strings.Repeat("&", 5000), 200, ""},
		{"GET", "/api/gadgets?" + strings.Repeat("a=1&", 1001), 400, ""},
	} {
		body := ""
		if c.method == "POST" || c.method == "PATCH" {
			body = "{}"
		}
		a := b.request(c.method, c.path, body, "X-API-Key", b.shop.SecretKey)
		if a.status != c.status || a.header.Get("Allow") != c.allow || a.header.Get("X-Request-Id") == "" || a.header.Get("X-Bad") != "" {
			t.Errorf("%s %.80s: %d, Allow %q, %.300s", c.method, c.path, a.status, a.header.Get("Allow"), a.raw)
		}
		if failed := a.status >= 400 && c.method != "HEAD"; failed && a.reason() == "" || c.method == "HEAD" && a.raw != "" {
			t.Errorf("%s %.80s: %d %.300s", c.method, c.path, a.status, a.raw)
		}
	}
	for method, path := range map[string]string{"POST": "/api/orders", "PATCH": "/api/carts"} {
		if a := b.secret(405, method, path, "{}"); a.reason() != "collection_operated" {
			t.Errorf("%s %s: %s", method, path, a.raw)
		}
	}
	if a := b.request("POST", "/api/gadgets", `{"name":"B"}`, "X-API-Key", b.shop.SecretKey, "X-HTTP-Method-Override", "DELETE"); a.status != 400 {
		t.Errorf("a POST was overridden to a DELETE: %d %s", a.status, a.raw)
	}
	if a := b.secret(200, "GET", "/api/gadgets", ""); a.names() != "A" {
		t.Error(a.raw)
	}
}

// Numbers are exact and within their range; they are never read from text nor rounded.
func TestNumbersAreExactOrRejected(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		for text, want := range map[string]string{
			"12": "12", "-0": "0", "0e5": "0", "1e3": "1000", "1.5E1": "15", "12.0": "12", "1200e-2": "12",
		} {
			if a := b.secret(201, "POST", "/api/gadgets", `{"name":"N","price":`+text+`,"weight":`+text+`,"size":{"width":`+text+
				`}}`); !strings.Contains(a.raw, `"price":`+want+`,`) || !strings.Contains(a.raw, `"weight":`+want+`,`) ||
				!strings.Contains(a.raw, `"width":`+want+`}`) {
				t.Errorf("%s: %s", text, a.raw)
			}
		}
		for text, message := range map[string]string{
			`"12"`: "This field takes an amount.", `true`: "This field takes an amount.", `[1]`: "This field takes an amount.",
			`{"amount":1}`: "This field takes an amount.", `0.1`: "KRW has 0 fraction digits.", `1E400`: "This number is too large.",
			`1e99999999999999999999`: "This number is too large.", `99999999999999999999`: "This number is too large.",
			`1e-400`: "KRW has 0 fraction digits.",
		} {
			if a := b.secret(400, "POST", "/api/gadgets", `{"name":"N","price":`+text+`}`); !strings.Contains(a.raw,
				`{"field":"price","message":"`+message+`"}`) {
				t.Errorf("%s: %s", text, a.raw)
			}
		}
		for text, message := range map[string]string{
			`"3"`: "This field takes a whole number.", `1.5`: "This field takes a whole number.", `1e30`: "This number is too large.",
		} {
			if a := b.secret(400, "POST", "/api/gadgets", `{"name":"N","size":{"width":`+text+`}}`); !strings.Contains(a.raw,
				`{"field":"size.width","message":"`+message+`"}`) {
				t.Errorf("%s: %s", text, a.raw)
			}
		}
		for _, extra := range []string{
			`1e400000`, `"\ud83d\ude00"`, `{"__proto__":{"a":1},"constructor":null}`, strings.Repeat("9", 10_000), `-0.0`, `[[],{},""]`,
		} {
			if a := b.secret(201, "POST", "/api/gadgets", `{"name":"J","extra":`+extra+`}`); !strings.Contains(
				b.secret(200, "GET", "/api/gadgets/"+a.doc()["id"].(string), "").raw,
				`"extra":`+strings.ReplaceAll(extra, `\ud83d\ude00`, "😀")+`}`) {
				t.Errorf("%.80s: %.300s", extra, a.raw)
			}
		}
		all := b.secret(400, "POST", "/api/gadgets",
			`{"name":" ","price":"x","made":"soon","colours":["green"],"size":{"depth":1},"parent":"none","nope":1,"shown":"yes"}`)
		for _, field := range []string{"name", "price", "made", "colours.0", "size.depth", "nope", "shown"} {
			if !strings.Contains(all.raw, `{"field":"`+field+`","message":"`) {
				t.Errorf("%s is not among %s", field, all.raw)
			}
		}
	})
}
