package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestDisallowedOriginsAreRefused(t *testing.T) {
	b := newSQLiteHarness(t)
	call := func(origin string) answer {
		return b.request("GET", "/api/gadgets", "", "X-Client-Key", b.shop.ClientKey, "Origin", origin)
	}
	if a := call("https://any.example"); a.status != 200 || a.header.Get("Access-Control-Allow-Origin") != "https://any.example" ||
		a.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error(a.status, a.header)
	}
	for _, wrong := range []string{"*", "mine.example", "https://mine.example/shop"} { // these would match no origin
		a := b.secret(400, "PATCH", "/api/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"allowedOrigins":["`+wrong+`"]}}`)
		if !strings.Contains(a.raw, `"field":"settings.allowedOrigins.0"`) {
			t.Error(wrong, a.raw)
		}
	}
	b.secret(200, "PATCH", "/api/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"allowedOrigins":["https://mine.example"]}}`)
	b.advance(2 * time.Second)
	if a := call("https://any.example"); a.status != 403 || a.reason() != "origin_not_allowed" ||
		a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error(a.status, a.raw, a.header)
	}
	if a := call("https://mine.example"); a.status != 200 || a.header.Get("Access-Control-Allow-Origin") != "https://mine.example" {
		t.Error(a.status, a.raw)
	}
	if a := b.request("GET", "/api/gadgets", "", "X-Client-Key", b.shop.ClientKey); a.status != 200 {
		t.Error("without an origin", a.raw)
	}
	pre := b.request("OPTIONS", "/api/gadgets", "", "Origin", "https://any.example", "Access-Control-Request-Method",
		"POST", "Access-Control-Request-Headers", "x-client-key")
	if pre.status != 204 || pre.header.Get("Access-Control-Allow-Origin") != "https://any.example" ||
		pre.header.Get("Access-Control-Allow-Headers") != "x-client-key" {
		t.Error(pre.status, pre.header)
	}
}

// Which pages may read a response follows from the allowed origins of the tenant whose client key they send.
func TestAllowedOriginsMayReadResponses(t *testing.T) {
	b := newSQLiteHarness(t)
	b.customer("kim@shop.example")
	shopper := "Bearer " + b.loginCustomer("kim@shop.example", "correct horse").body["token"].(string)
	staff, _ := b.login()
	b.secret(200, "PATCH", "/api/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"allowedOrigins":["https://mine.example"]}}`)
	b.advance(8 * 24 * time.Hour) // both tokens have expired
	fresh, _ := b.login()
	pub := b.shop.ClientKey
	for name, c := range map[string]struct {
		path, origin string
		headers      []string
		status       int
		allowed      string
	}{
		"a client key on a listed site": {"gadgets", "https://mine.example", []string{"X-Client-Key", pub}, 200, "https://mine.example"},
		"on another":                    {"gadgets", "https://any.example", []string{"X-Client-Key", pub}, 403, ""},
		"a part of a listed name":       {"gadgets", "https://mine.example.evil", []string{"X-Client-Key", pub}, 403, ""},
		"another port":                  {"gadgets", "https://mine.example:8443", []string{"X-Client-Key", pub}, 403, ""},
		"a sandboxed frame":             {"gadgets", "null", []string{"X-Client-Key", pub}, 403, ""},
		"a refusal can be read":         {"orders", "https://mine.example", []string{"X-Client-Key", pub}, 403, "https://mine.example"},
		"an expired customer can read the refusal": {
			"customers/me", "https://mine.example", []string{"X-Client-Key", pub, "Authorization", shopper}, 419, "https://mine.example",
		},
		"an expired user too": {
			"gadgets", "https://mine.example", []string{"X-Client-Key", pub, "Authorization", staff}, 419, "https://mine.example",
		},
		"nonsense too": {
			"gadgets", "https://mine.example", []string{"X-Client-Key", pub, "Authorization", "Bearer x"}, 401, "https://mine.example",
		},
		"but not from another site": {
			"gadgets", "https://any.example", []string{"X-Client-Key", pub, "Authorization", "Bearer x"}, 403, "",
		},
		"a user's token without a client key": {"gadgets", "https://any.example", []string{"Authorization", fresh}, 200, ""},
		"a user's token beside one, on another site": {
			"gadgets", "https://any.example", []string{"X-Client-Key", pub, "Authorization", fresh}, 403, "",
		},
		"nobody": {"gadgets", "https://mine.example", nil, 401, ""},
		"a shop without a list": {
			"gadgets", "https://any.example", []string{"X-Client-Key", b.other.ClientKey}, 200, "https://any.example",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.request("GET", "/api/"+c.path, "", append([]string{"Origin", c.origin}, c.headers...)...)
			if a.status != c.status || a.header.Get("Access-Control-Allow-Origin") != c.allowed {
				t.Errorf("%d %s %s", a.status, a.header.Get("Access-Control-Allow-Origin"), a.raw)
			}
			if a.header.Get("Access-Control-Allow-Credentials") != "" ||
				!strings.Contains(strings.Join(a.header.Values("Vary"), ","), "Origin") {
				t.Error(a.header)
			}
		})
	}
}

// Browsers send cookies on their own, so a cookie may read from anywhere, but write only from a page of the
// same origin.
func TestCookieWritesRequireSameOrigin(t *testing.T) {
	b := newSQLiteHarness(t)
	bearer, in := b.login()
	cookie := "cartwright-token=" + strings.TrimPrefix(bearer, "Bearer ")
	eve := b.request("POST", "/api/users", `{"email":"eve@shop.example","password":"correct horse","role":"tenant-viewer"}`,
		"Authorization", bearer)
	if eve.status != 201 {
		t.Fatal(eve.raw)
	}
	viewer := "Bearer " +
		b.request("POST", "/api/users/login", `{"email":"eve@shop.example","password":"correct horse"}`).body["token"].(string)
	for name, c := range map[string]struct {
		method  string
		headers []string
		status  int
		reason  string
	}{
		"reading":                            {"GET", nil, 200, ""},
		"reading for a page of another site": {"GET", []string{"Origin", "https://evil.example"}, 200, ""},
		"writing from a page of this server": {"POST", []string{"Origin", "http://shop.example"}, 201, ""},
		"with upper-case letters":            {"POST", []string{"Origin", "http://SHOP.example"}, 201, ""},
		"writing from another site":          {"POST", []string{"Origin", "https://evil.example"}, 403, "cross_site_request"},
		"from a name that begins like ours":  {"POST", []string{"Origin", "http://shop.example.evil"}, 403, "cross_site_request"},
		"from another port":                  {"POST", []string{"Origin", "http://shop.example:81"}, 403, "cross_site_request"},
		"with the port of the scheme":        {"POST", []string{"Origin", "http://shop.example:80"}, 201, ""},
		"from another scheme":                {"POST", []string{"Origin", "https://shop.example"}, 403, "cross_site_request"},
		"from a scheme that is none":         {"POST", []string{"Origin", "file://shop.example"}, 403, "cross_site_request"},
		"over HTTPS by a trusted proxy": {
			"POST", []string{"Origin", "https://shop.example", "X-Forwarded-Proto", "https"}, 201, "",
		},
		"over HTTP beside a trusted proxy": {
			"POST", []string{"Origin", "http://shop.example", "X-Forwarded-Proto", "https"}, 403, "cross_site_request",
		},
		"from a sandboxed frame":    {"POST", []string{"Origin", "null"}, 403, "cross_site_request"},
		"writing without an origin": {"POST", nil, 403, "cross_site_request"},
		"with an empty origin":      {"POST", []string{"Origin", ""}, 403, "cross_site_request"},
		"with a forged host": {
			"POST", []string{"Origin", "https://evil.example", "X-Forwarded-Host", "evil.example"}, 403, "cross_site_request",
		},
		"a query in a body writes nothing": {
			"POST", []string{"X-HTTP-Method-Override", "GET", "Content-Type", "application/x-www-form-urlencoded"}, 403,
			"cross_site_request",
		},
		"a token takes precedence": {"POST", []string{"Authorization", viewer, "Origin", "http://shop.example"}, 403, "forbidden"},
		"a client key takes precedence": {
			"POST", []string{"X-Client-Key", b.shop.ClientKey, "Origin", "http://shop.example"}, 403, "forbidden",
		},
		"a secret key takes precedence": {
			"POST", []string{"X-API-Key", b.shop.SecretKey, "Origin", "http://shop.example"}, 403, "secret_key_in_browser",
		},
	} {
		t.Run(name, func(t *testing.T) {
			body := ""
			if c.method == "POST" {
				body = `{"name":"Cookie"}`
			}
			a := b.request(c.method, "/api/gadgets", body, append([]string{"Cookie", cookie}, c.headers...)...)
			if a.status != c.status || a.reason() != c.reason {
				t.Errorf("%d %s", a.status, a.raw)
			}
		})
	}
	server := b.request("POST", "/api/auth/token", "", "X-API-Key", b.shop.SecretKey).body["token"].(string)
	if a := b.request("GET", "/api/gadgets", "", "Cookie", "cartwright-token="+server); a.status != 401 {
		t.Error("a server token is not accepted as a cookie", a.status, a.raw)
	}
	if set := in.header.Get("Set-Cookie"); !strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Lax") ||
		strings.Contains(strings.ToLower(set), "secure") {
		t.Error(set)
	}
	out := b.request("POST", "/api/users/logout", "", "Cookie", cookie, "Origin", "http://shop.example")
	if out.status != 200 || !strings.HasPrefix(out.header.Get("Set-Cookie"), "cartwright-token=;") {
		t.Error(out.raw, out.header)
	}
	if a := b.request("GET", "/api/gadgets", "", "Cookie", cookie); a.status != 401 {
		t.Error(a.raw)
	}
}

// A page of another site logs nobody in at this server: the browser would act as whomever that page chose.
func TestForeignPagesSetNoCookie(t *testing.T) {
	b := newSQLiteHarness(t)
	login := fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword)
	graph := document(fmt.Sprintf(`mutation { loginUser(email: %q, password: %q) { token } }`, b.shop.AdminEmail, b.shop.AdminPassword))
	for name, c := range map[string]struct {
		headers []string
		sets    bool
	}{
		"a page of this server":                {[]string{"Origin", "http://shop.example"}, true},
		"a program":                            {nil, true},
		"another site":                         {[]string{"Origin", "https://evil.example"}, false},
		"another server of the same domain":    {[]string{"Origin", "http://blog.shop.example"}, false},
		"a page that came over another scheme": {[]string{"Origin", "https://shop.example"}, false},
		"a sandboxed frame":                    {[]string{"Origin", "null"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for path, body := range map[string]string{"/api/users/login": login, "/api/graphql": graph} {
				a := b.request("POST", path, body, c.headers...)
				if a.status != 200 || !strings.Contains(a.raw, `"token":"`) {
					t.Fatal(path, a.status, a.raw)
				}
				if set := a.header.Get("Set-Cookie") != ""; set != c.sets {
					t.Errorf("%s sets a cookie: %t", path, set)
				}
			}
		})
	}
}
