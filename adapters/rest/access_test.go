package rest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestCredentialsAreChecked(t *testing.T) {
	b := newSQLiteHarness(t)
	pub, sec, otherPub := b.shop.ClientKey, b.shop.SecretKey, b.other.ClientKey
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		status       int
		reason       string
	}{
		"nobody":                       {"GET", "/api/gadgets", nil, 401, "unauthenticated"},
		"an unknown key":               {"GET", "/api/gadgets", []string{"X-API-Key", "sk_live_nope"}, 401, "key_unknown"},
		"a client key as a secret one": {"GET", "/api/gadgets", []string{"X-API-Key", pub}, 401, "key_unknown"},
		"a secret key as a client one": {"GET", "/api/gadgets", []string{"X-Client-Key", sec}, 401, "key_unknown"},
		"a secret key from a browser": {
			"GET", "/api/gadgets", []string{"X-API-Key", sec, "Origin", "https://shop.example"}, 403, "secret_key_in_browser",
		},
		"a secret key from a sandboxed frame": {
			"GET", "/api/gadgets", []string{"X-API-Key", sec, "Origin", "null"}, 403, "secret_key_in_browser",
		},
		"keys of two tenants": {"GET", "/api/gadgets", []string{"X-API-Key", sec, "X-Client-Key", otherPub}, 401, "key_mismatch"},
		"keys of one tenant":  {"GET", "/api/gadgets", []string{"X-API-Key", sec, "X-Client-Key", pub}, 200, ""},
		"a client key reads":  {"GET", "/api/gadgets", []string{"X-Client-Key", pub}, 200, ""},
		"a secret key from missingID at all": {
			"GET", "/api/gadgets", []string{"X-API-Key", sec, "Origin", ""}, 403, "secret_key_in_browser",
		},
		"a client key with any origin": {"GET", "/api/gadgets", []string{"X-Client-Key", pub, "Origin", "https://any.example"}, 200, ""},
		"a client key never writes":    {"POST", "/api/gadgets", []string{"X-Client-Key", pub}, 403, "forbidden"},
		"a client key on orders":       {"GET", "/api/orders", []string{"X-Client-Key", pub}, 403, "forbidden"},
		"a client key on an order":     {"GET", "/api/orders/x", []string{"X-Client-Key", pub}, 403, "forbidden"},
		"nonsense as a token":          {"GET", "/api/gadgets", []string{"Authorization", "Bearer x"}, 401, "unauthenticated"},
	} {
		t.Run(name, func(t *testing.T) {
			body := ""
			if c.method == "POST" {
				body = `{"name":"A"}`
			}
			a := b.request(c.method, c.path, body, c.headers...)
			if a.status != c.status || a.reason() != c.reason {
				t.Errorf("%d %s", a.status, a.raw)
			}
		})
	}
}

// login logs the admin of the acting shop in and returns the bearer header.
func (b *harness) login() (bearer string, a answer) {
	b.t.Helper()
	a = b.request("POST", "/api/users/login",
		fmt.Sprintf(`{"email":" %s","password":%q}`, strings.ToUpper(b.shop.AdminEmail), b.shop.AdminPassword))
	if a.status != 200 {
		b.t.Fatal(a.status, a.raw)
	}
	return "Bearer " + a.body["token"].(string), a
}

func TestUserSession(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		bearer, a := b.login()
		user := a.body["user"].(map[string]any)
		if a.body["message"] != "Authentication Passed" || a.body["exp"] != float64(b.clock.Load()/1000+604800) ||
			user["role"] != "tenant-admin" || user["tenants"].([]any)[0] != string(b.shop.Tenant.ID) || user["password"] != nil {
			t.Error(a.raw)
		}
		cookie := a.header.Get("Set-Cookie")
		if !strings.HasPrefix(cookie, "cartwright-token=") || !strings.Contains(cookie, "HttpOnly") ||
			!strings.Contains(cookie, "SameSite=Lax") {
			t.Error(cookie)
		}
		if me := b.request("GET", "/api/users/me", "", "Authorization", bearer); me.status != 200 ||
			me.body["user"].(map[string]any)["email"] != b.shop.AdminEmail {
			t.Error(me.raw)
		}
		for _, header := range []string{"", "Bearer x"} {
			if me := b.request("GET", "/api/users/me", "", "Authorization", header); me.status != 200 || me.raw != `{"user":null}` {
				t.Error(me.status, me.raw)
			}
		}
		crumb, _, _ := strings.Cut(cookie, ";")
		for origin, want := range map[string]int{"http://shop.example": 201, "https://evil.example": 403, "": 403} {
			headers := []string{"Cookie", crumb}
			if origin != "" {
				headers = append(headers, "Origin", origin)
			}
			if got := b.request("POST", "/api/gadgets", `{"name":"Cookie"}`, headers...); got.status != want {
				t.Errorf("a cookie write from %q: %d %s", origin, got.status, got.raw)
			}
		}
		b.advance(time.Hour)
		fresh := b.request("POST", "/api/users/refresh-token", "", "Authorization", bearer)
		if fresh.status != 200 || fresh.body["token"] != fresh.body["refreshedToken"] ||
			fresh.body["refreshedAt"] != "2026-01-31T10:00:00.000Z" {
			t.Fatal(fresh.status, fresh.raw)
		}
		reads := func(bearer string) int {
			return b.request("GET", "/api/users", "", "Authorization", bearer).status
		}
		newer := "Bearer " + fresh.body["token"].(string)
		if reads(bearer) != 200 {
			t.Error("the old token is valid for another minute")
		}
		if b.advance(61 * time.Second); reads(bearer) != 401 || reads(newer) != 200 {
			t.Error("the old token has expired, the new one has not")
		}
		if out := b.request("POST", "/api/users/logout", "", "Authorization", newer); out.status != 200 || reads(newer) != 401 {
			t.Error(out.status, out.raw)
		}
		last, _ := b.login()
		b.advance(8 * 24 * time.Hour)
		for _, path := range []string{"/api/users", "/api/users/me"} {
			if a := b.request("GET", path, "", "Authorization", last); a.status != 419 || a.reason() != "token_expired" {
				t.Errorf("%s with an expired token: %d %s", path, a.status, a.raw)
			}
		}
		if a := b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword),
			"Authorization", last); a.status != 200 {
			t.Error("logging in with an expired token", a.raw)
		}
	})
}

func TestFailedLoginsAreLimited(t *testing.T) {
	b := newSQLiteHarness(t)
	try := func(email, password string) answer {
		return b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
	}
	unknown, wrong := try("nobody@shop.example", "x"), try(b.shop.AdminEmail, "x")
	if unknown.status != 401 || wrong.status != 401 || unknown.reason() != "credentials_invalid" ||
		unknown.body["message"] != wrong.body["message"] {
		t.Error(unknown.raw, wrong.raw)
	}
	for range 4 {
		try(b.shop.AdminEmail, "x")
	}
	if a := try(b.shop.AdminEmail, b.shop.AdminPassword); a.status != 429 || a.header.Get("Retry-After") == "" ||
		a.reason() != "rate_limited" {
		t.Errorf("after five failures the right password must wait too: %d %s", a.status, a.raw)
	}
	if a := try(b.other.AdminEmail, b.other.AdminPassword); a.status != 200 {
		t.Error("another email is not affected", a.raw)
	}
	b.advance(15 * time.Minute)
	if a := try(b.shop.AdminEmail, b.shop.AdminPassword); a.status != 200 {
		t.Error(a.status, a.raw)
	}
	if a := b.request("POST", "/api/users/login", `{}`); a.status != 400 || !strings.Contains(a.raw, `"field":"email"`) ||
		!strings.Contains(a.raw, `"field":"password"`) {
		t.Error(a.status, a.raw)
	}
}

// A logout ends one session or, on request, all sessions of the person in every shop, and none of anyone else.
func TestLogoutEndsOneOrAllSessions(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("kim@shop.example")
		for kind, login := range map[string]string{
			"users":     fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword),
			"customers": `{"email":"kim@shop.example","password":"correct horse"}`,
		} {
			var tokens [3]string
			for i := range tokens {
				tokens[i], _ = b.post("/"+kind+"/login", login).body["token"].(string)
			}
			alive := func() (n int) {
				for _, token := range tokens {
					if me := b.request("GET", "/api/"+kind+"/me", "", "Authorization", "Bearer "+token); strings.Contains(me.raw, `"email"`) {
						n++
					}
				}
				return n
			}
			if a := b.request("POST", "/api/"+kind+"/logout", "", "Authorization", "Bearer "+tokens[0]); a.status != 200 || alive() != 2 {
				t.Errorf("%s: one logout left %d of 3: %s", kind, alive(), a.raw)
			}
			if a := b.request("POST", "/api/"+kind+"/logout?allSessions=true", "", "Authorization", "Bearer "+tokens[1]); a.status != 200 ||
				alive() != 0 {
				t.Errorf("%s: a logout of all left %d: %s", kind, alive(), a.raw)
			}
			if a := b.request("POST", "/api/"+kind+"/logout", "", "Authorization", "Bearer "+tokens[2]); a.status != 401 ||
				!strings.Contains(a.raw, "All sessions were ended") {
				t.Errorf("%s: the reason must not be a changed password: %d %s", kind, a.status, a.raw)
			}
			if a := b.post("/"+kind+"/login", login); a.status != 200 {
				t.Errorf("%s: %s", kind, a.raw)
			}
			if a := b.request("POST", "/api/"+kind+"/logout", ""); a.status != 401 {
				t.Errorf("%s: a logout without a session: %d %s", kind, a.status, a.raw)
			}
		}
	})
}

// A logout ends the login with all of its tokens: those it was refreshed from, in their last minute, and those
// refreshed from it.
func TestLogoutEndsTokensOfTheLogin(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("kim@shop.example")
		for kind, login := range map[string]string{
			"users":     fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword),
			"customers": `{"email":"kim@shop.example","password":"correct horse"}`,
		} {
			for name, ended := range map[string]int{"the first": 0, "the second": 1, "the last": 2} {
				tokens := make([]string, 3)
				tokens[0], _ = b.post("/"+kind+"/login", login).body["token"].(string)
				other, _ := b.post("/"+kind+"/login", login).body["token"].(string)
				for i := range tokens[1:] {
					tokens[i+1], _ = b.request("POST", "/api/"+kind+"/refresh-token", "", "Authorization", "Bearer "+tokens[i]).body["token"].(string)
				}
				alive := func(token string) bool {
					return strings.Contains(b.request("GET", "/api/"+kind+"/me", "", "Authorization", "Bearer "+token).raw, `"email"`)
				}
				if !alive(tokens[0]) || !alive(tokens[1]) || !alive(tokens[2]) {
					t.Fatal(kind, "a refreshed token ends after a minute")
				}
				if a := b.request("POST", "/api/"+kind+"/logout", "", "Authorization", "Bearer "+tokens[ended]); a.status != 200 {
					t.Error(a.raw)
				}
				if alive(tokens[0]) || alive(tokens[1]) || alive(tokens[2]) || !alive(other) {
					t.Errorf("%s: a logout with %s token ends this login alone", kind, name)
				}
				tokens[2], _ = b.request("POST", "/api/"+kind+"/refresh-token", "", "Authorization", "Bearer "+other).body["token"].(string)
				if b.advance(2 * time.Minute); alive(other) || !alive(tokens[2]) {
					t.Errorf("%s: a refresh ends the token alone, not the login", kind)
				}
			}
		}
	})
}

// Of concurrent logins, each with the right password opens a session of its own, and each with a wrong one is counted.
func TestConcurrentLoginsAreCounted(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		concurrently := func(n int, password string) []answer {
			answers := make([]answer, n)
			var wg sync.WaitGroup
			for i := range answers {
				wg.Go(func() {
					answers[i] = b.request("POST", "/api/users/login",
						fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, password))
				})
			}
			wg.Wait()
			return answers
		}
		for i, a := range concurrently(8, b.shop.AdminPassword) {
			if a.status != 200 {
				t.Fatalf("login %d: %d %s", i, a.status, a.raw)
			}
			if me := b.request("GET", "/api/users/me", "", "Authorization", "Bearer "+a.body["token"].(string)); me.body["user"] == nil {
				t.Errorf("the token of login %d is invalid: %s", i, me.raw)
			}
		}
		statuses := map[int]int{}
		for _, a := range concurrently(12, "wrong") {
			statuses[a.status]++
		}
		if statuses[401] != 5 || statuses[429] != 7 {
			t.Errorf("statuses of 12 concurrent guesses: %v", statuses)
		}
	})
}

func TestCustomerSession(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		pub := b.shop.ClientKey
		person := `{"email":"Kim@Shop.example","password":"correct horse","name":"Kim","marketingConsent":true}`
		a := b.request("POST", "/api/customers/register", person, "X-Client-Key", pub)
		customer, _ := a.body["customer"].(map[string]any)
		if a.status != 201 || customer["email"] != "kim@shop.example" || customer["consentedAt"] == nil ||
			a.body["verificationRequired"] != false || strings.Contains(a.raw, "argon") || strings.Contains(a.raw, "note") {
			t.Fatal(a.status, a.raw)
		}
		for name, c := range map[string]struct{ body, want string }{
			"the same email again": {person, `"field":"email"`},
			"a short password":     {`{"email":"a@b.example","password":"x"}`, `"field":"password"`},
			"no password":          {`{"email":"a@b.example"}`, `"field":"password"`},
			"a field that is not theirs": {
				`{"email":"a@b.example","password":"correct horse","groups":["vip"],"isVerified":true}`, `"field":"groups"`,
			},
		} {
			if a := b.request("POST", "/api/customers/register", c.body, "X-Client-Key", pub); a.status != 400 ||
				!strings.Contains(a.raw, c.want) {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
		login := `{"email":"kim@shop.example","password":"correct horse"}`
		if a := b.request("POST", "/api/customers/login", login, "X-Client-Key", b.other.ClientKey); a.status != 401 {
			t.Error("a customer of another shop", a.raw)
		}
		a = b.request("POST", "/api/customers/login", login, "X-Client-Key", pub)
		if a.status != 200 || a.header.Get("Set-Cookie") != "" {
			t.Fatal(a.status, a.raw)
		}
		bearer := "Bearer " + a.body["token"].(string)
		own := "/api/customers/" + customer["id"].(string)
		as := func(method, path, body string) answer {
			return b.request(method, path, body, "Authorization", bearer, "X-Client-Key", pub)
		}
		other := b.make("customers", `{"email":"lee@shop.example"}`)
		if a := as("GET", "/api/customers", ""); a.status != 200 || len(a.docs()) != 1 {
			t.Error("customers see themselves", a.raw)
		}
		if a := as("GET", "/api/customers/"+other, ""); a.status != 404 {
			t.Error(a.status, a.raw)
		}
		if a := as("PATCH", own, `{"name":"Kim Lee","addresses":[{"label":"home","postalCode":"06236"}]}`); a.status != 200 ||
			a.doc()["name"] != "Kim Lee" {
			t.Error(a.status, a.raw)
		}
		if a := as("PATCH", own, `{"groups":["vip"]}`); a.status != 400 {
			t.Error(a.status, a.raw)
		}
		if a := as("PATCH", "/api/customers/"+other, `{"name":"X"}`); a.status != 404 {
			t.Error(a.status, a.raw)
		}
		if a := as("DELETE", own, ""); a.status != 403 {
			t.Error(a.status, a.raw)
		}
		if a := as("GET", "/api/customers/me", ""); a.body["customer"].(map[string]any)["name"] != "Kim Lee" {
			t.Error(a.raw)
		}
		if a := as("PATCH", own, `{"password":"another horse"}`); a.status != 200 || as("GET", own, "").status != 401 {
			t.Error("a new password ends all sessions", a.raw)
		}
	})
}
