package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
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

// Who has a password for an address, in a shop of their own, cannot end the count of wrong guesses of another password of
// the address: not by logging in, and not by setting it anew. Right passwords never fill the count.
func TestSuccessOfOneAccountForgivesNoGuessesOfAnother(t *testing.T) {
	const theirs = "their horse"
	shops := 0
	login := func(shop func(b *harness) tenant.ID) func(*testing.T, *harness) {
		return func(t *testing.T, b *harness) {
			t.Helper()
			if a := b.loginEve(theirs, shop(b)); a.status != 200 {
				t.Fatal(a.status, a.raw)
			}
		}
	}
	other, none := func(b *harness) tenant.ID { return b.other.Tenant.ID }, func(*harness) tenant.ID { return "" }
	reset := func(t *testing.T, b *harness) {
		t.Helper()
		b.request("POST", "/api/users/forgot-password", `{"email":"eve@shop.example"}`, "X-Tenant-Id", string(b.other.Tenant.ID))
		if a := b.resetPassword("users", b.emailToken("eve@shop.example"), theirs); a.status != 200 {
			t.Fatal(a.status, a.raw)
		}
	}
	ownAccount := func(_ *testing.T, b *harness) { b.joinAsStranger(b.other.Tenant.ID, theirs) }
	for name, c := range map[string]struct {
		join    func(*harness, func(method, path, body string, headers ...string) answer)
		prepare func(*testing.T, *harness)
		succeed func(*testing.T, *harness)
	}{
		"a login":                           {nil, ownAccount, login(none)},
		"a login that names the shop":       {nil, ownAccount, login(other)},
		"a recovery":                        {nil, ownAccount, reset},
		"a login by the password of a shop": {joined, reset, login(none)},
		"a login there":                     {joined, reset, login(other)},
		"a recovery by the token of a shop": {joined, reset, reset},
		"an invitation": {nil, ownAccount, func(_ *testing.T, b *harness) {
			shops++
			b.joinAsStranger(b.createTenant(fmt.Sprintf("Shop %d", shops)).Tenant.ID, theirs)
		}},
	} {
		for guessing, guessed := range map[string]func(*harness) tenant.ID{
			"unnamed": none, "named": func(b *harness) tenant.ID { return b.shop.Tenant.ID },
		} {
			t.Run(name+", "+guessing, func(t *testing.T) {
				b := newSQLiteHarness(t)
				eve := b.provenUser("eve@shop.example", `"role":"tenant-admin"`)
				if c.join != nil {
					c.join(b, eve)
				}
				c.prepare(t, b)
				for i := range 5 {
					if a := b.loginEve("a guess", guessed(b)); a.status != 401 {
						t.Fatalf("guess %d: %d %s", i+1, a.status, a.raw)
					}
					if i < 4 {
						c.succeed(t, b)
					}
				}
				if a := b.loginEve("a guess", guessed(b)); a.status != 429 {
					t.Errorf("a sixth guess: %d %s", a.status, a.raw)
				}
			})
		}
	}
}

// joined makes the person a member of the other shop.
func joined(b *harness, as func(method, path, body string, headers ...string) answer) {
	b.t.Helper()
	b.joinOther("eve@shop.example", "tenant-editor", as)
}

// An address with one password: its login, and its recovery, end both counts, that of attempts that name a shop and that of
// those that do not.
func TestOnlyPasswordOfAnAddressEndsTheCounts(t *testing.T) {
	b := newSQLiteHarness(t)
	b.provenUser("eve@shop.example", `"role":"tenant-admin"`)
	ours, password := b.shop.Tenant.ID, "new horse"
	reset := func() answer {
		b.request("POST", "/api/users/forgot-password", `{"email":"eve@shop.example"}`)
		return b.resetPassword("users", b.emailToken("eve@shop.example"), password)
	}
	for i, success := range []func() answer{
		reset,
		func() answer { return b.loginEve(password, "") },
		func() answer { return b.loginEve(password, ours) },
		reset,
		func() answer { return b.loginEve(password, ours) },
	} {
		for range 4 {
			if named, unnamed := b.loginEve("x", ours), b.loginEve("x", ""); named.status != 401 || unnamed.status != 401 {
				t.Fatal(i, named.raw, unnamed.raw)
			}
		}
		if a := success(); a.status != 200 {
			t.Fatal(i, a.raw)
		}
	}
}

// busyPasswords fails at some comparisons, counted from 0 in each login.
type busyPasswords struct {
	ports.Passwords

	failAt int
	made   int
}

// Matches implements ports.Passwords.
func (p *busyPasswords) Matches(ctx context.Context, plain, hash string) (bool, error) {
	if p.made++; p.made > p.failAt {
		return false, fault.ErrUnavailable
	}
	return p.Passwords.Matches(ctx, plain, hash)
}

// A login that the server is too busy to check does not count. One that was compared with a password of the address already
// does: it would be a free guess at that one.
func TestComparedGuessesCount(t *testing.T) {
	for failAt, want := range map[int]int{0: 503, 1: 429} {
		b := newSQLiteHarness(t)
		b.provenUser("eve@shop.example", `"role":"tenant-admin"`)
		b.joinAsStranger(b.other.Tenant.ID, "their horse")
		busy := &busyPasswords{Passwords: b.access.Passwords, failAt: failAt}
		b.access.Passwords = busy
		for range 5 {
			busy.made = 0
			if a := b.loginEve("a guess", ""); a.status != 503 {
				t.Fatal(failAt, a.status, a.raw)
			}
		}
		busy.made = 0
		if a := b.loginEve("a guess", ""); a.status != want {
			t.Errorf("after %d comparisons: %d %s", failAt, a.status, a.raw)
		}
	}
}
