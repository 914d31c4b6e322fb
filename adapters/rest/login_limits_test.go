package rest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// However many emails one address tries, its failures are counted together; other addresses are not affected.
func TestFailedLoginsOfOneAddressAreLimited(t *testing.T) {
	b := newSQLiteHarness(t)
	try := func(address, email, password string) answer {
		return b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password), "X-Forwarded-For", address)
	}
	for i := range 300 {
		if a := try("203.0.113.1", fmt.Sprintf("nobody%d@shop.example", i), "x"); a.status != 401 {
			t.Fatalf("failure %d: %s", i, a.raw)
		}
		if i%100 == 50 { // a good login does not begin the count anew
			if a := try("203.0.113.1", b.shop.AdminEmail, b.shop.AdminPassword); a.status != 200 {
				t.Fatal(a.raw)
			}
		}
	}
	if a := try("203.0.113.1", "another@shop.example", "x"); a.status != 429 || a.header.Get("Retry-After") == "" {
		t.Error(a.status, a.raw)
	}
	if a := try("203.0.113.2", b.shop.AdminEmail, b.shop.AdminPassword); a.status != 200 {
		t.Error("another address:", a.raw)
	}
	b.advance(15 * time.Minute)
	if a := try("203.0.113.1", b.shop.AdminEmail, b.shop.AdminPassword); a.status != 200 {
		t.Error(a.status, a.raw)
	}
}

// Callers without credentials send short bodies. Those whose credentials are not accepted learn that first, since they
// can log in again.
func TestAnonymousBodiesAreShort(t *testing.T) {
	b := newSQLiteHarness(t)
	body := `{"name":"` + strings.Repeat("x", 70_000) + `"}`
	for name, c := range map[string]struct {
		headers []string
		status  int
	}{
		"nobody":              {nil, 413},
		"an unknown key":      {[]string{"X-API-Key", "sk_unknown"}, 401},
		"a token of the past": {[]string{"Authorization", "Bearer x.y.z"}, 401},
		"a secret key":        {[]string{"X-API-Key", b.shop.SecretKey}, 400}, // its name is too long
	} {
		if a := b.request("POST", "/api/gadgets", body, c.headers...); a.status != c.status {
			t.Errorf("%s: %d %.300s", name, a.status, a.raw)
		}
	}
	if a := b.request("POST", "/api/users/login", `{"email":"a@b.example","password":"`+strings.Repeat("x", 60_000)+`"}`); a.status != 401 {
		t.Error(a.status, a.raw)
	}
}

// An email that nobody can have is refused before anything remembers it.
func TestLongEmailsAreRefused(t *testing.T) {
	b := newSQLiteHarness(t)
	email, client := strings.Repeat("x", 250)+"@a.example", []string{"X-Client-Key", b.shop.ClientKey}
	for _, path := range []string{"users/forgot-password", "customers/forgot-password"} {
		a := b.request("POST", "/api/"+path, fmt.Sprintf(`{"email":%q}`, email), client...)
		if a.status != 400 || !strings.Contains(a.raw, `"field":"email"`) {
			t.Errorf("%s: %d %s", path, a.status, a.raw)
		}
	}
	if a := b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":"x"}`, email)); a.status != 401 {
		t.Error(a.status, a.raw)
	}
	asked := document(`mutation($e: String!) { forgotPasswordUser(email: $e) }`, "variables", map[string]any{"e": email})
	if a := b.graphql(200, asked); a.reason() != "validation_failed" {
		t.Error(a.raw)
	}
}
