package rest_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// emailToken is the token last sent to an address, "" when there was none.
func (b *harness) emailToken(email string) string {
	b.t.Helper()
	b.access.Wait()
	l, _ := b.emailTokens.LoadAndDelete(email)
	sent, _ := l.(access.EmailToken)
	return sent.Token
}

// post sends a POST with the acting shop's client key.
func (b *harness) post(path, body string) answer {
	b.t.Helper()
	return b.request("POST", "/api"+path, body, "X-Client-Key", b.shop.ClientKey)
}

// customer registers a customer with the password "correct horse" and returns the verification token, if the
// shop requires verified addresses.
func (b *harness) customer(email string) (verification string) {
	b.t.Helper()
	if a := b.post("/customers/register", fmt.Sprintf(`{"email":%q,"password":"correct horse"}`, email)); a.status != 201 {
		b.t.Fatal(a.raw)
	}
	return b.emailToken(email)
}

func (b *harness) loginCustomer(email, password string) answer {
	b.t.Helper()
	return b.post("/customers/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
}

func (b *harness) resetPassword(kind, token, password string) answer {
	b.t.Helper()
	return b.post("/"+kind+"/reset-password", fmt.Sprintf(`{"token":%q,"password":%q}`, token, password))
}

func TestPasswordReset(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("kim@shop.example")
		admin := b.request("POST", "/api/users/login",
			fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword)).body["token"].(string)
		shopper := b.loginCustomer("kim@shop.example", "correct horse").body["token"].(string)
		for kind, c := range map[string]struct{ email, bearer string }{
			"users": {b.shop.AdminEmail, admin}, "customers": {"kim@shop.example", shopper},
		} {
			forgot := func(email string) answer {
				return b.post("/"+kind+"/forgot-password", fmt.Sprintf(`{"email":%q}`, email))
			}
			known, unknown := forgot(" "+strings.ToUpper(c.email)), forgot("nobody@shop.example")
			if known.status != 200 || unknown.status != 200 || known.raw != unknown.raw {
				t.Errorf("%s: the response reveals who has an account: %s %s", kind, known.raw, unknown.raw)
			}
			if got := b.emailToken("nobody@shop.example"); got != "" {
				t.Errorf("%s: a token for an unknown address: %s", kind, got)
			}
			first := b.emailToken(c.email)
			forgot(c.email)
			second := b.emailToken(c.email)
			for name, wrong := range map[string]string{
				"invented": "rst_1.zzzzzz.x.y", "empty": "", "of another kind": strings.Replace(first, "rst_", "vfy_", 1),
				"changed": first[:len(first)-1] + "_", "prolonged": prolonged(first),
			} {
				if a := b.resetPassword(kind, wrong, "another horse"); a.status != 400 || !strings.Contains(a.raw, `"field":"token"`) {
					t.Errorf("%s, %s token: %d %s", kind, name, a.status, a.raw)
				}
			}
			if a := b.resetPassword(kind, first, "short"); a.status != 400 || !strings.Contains(a.raw, `"field":"password"`) {
				t.Errorf("%s: %d %s", kind, a.status, a.raw)
			}
			a := b.resetPassword(kind, first, "another horse")
			if a.status != 200 || a.body["token"] == nil || strings.Contains(a.raw, "argon") {
				t.Fatalf("%s: %d %s", kind, a.status, a.raw)
			}
			for name, old := range map[string]string{"the used token": first, "an earlier one": second} {
				if a := b.resetPassword(kind, old, "third horse"); a.status != 400 || a.reason() != "token_invalid" {
					t.Errorf("%s, %s: %d %s", kind, name, a.status, a.raw)
				}
			}
			if me := b.request("GET", "/api/"+kind+"/me", "", "Authorization", "Bearer "+c.bearer); strings.Contains(me.raw, c.email) {
				t.Errorf("%s: an earlier session is still valid: %s", kind, me.raw)
			}
			if me := b.request("GET", "/api/"+kind+"/me", "", "Authorization", "Bearer "+a.body["token"].(string)); !strings.Contains(me.raw, c.email) {
				t.Errorf("%s: the new session is invalid: %s", kind, me.raw)
			}
			forgot(c.email)
			late := b.emailToken(c.email)
			b.advance(time.Hour)
			if a := b.resetPassword(kind, late, "third horse"); a.status != 400 || a.reason() != "token_invalid" {
				t.Errorf("%s: a token of an hour ago: %d %s", kind, a.status, a.raw)
			}
			b.advance(time.Hour)
			for range 5 {
				forgot("one@shop.example")
			}
			if a := forgot("one@shop.example"); a.status != 429 || a.header.Get("Retry-After") == "" {
				t.Errorf("%s: a sixth token within 15 minutes: %d %s", kind, a.status, a.raw)
			}
			if a := forgot(""); a.status != 400 {
				t.Errorf("%s: %d %s", kind, a.status, a.raw)
			}
		}
	})
}

// prolonged is a token with a forged later expiry.
func prolonged(token string) string {
	parts := strings.Split(token, ".")
	parts[1] += "0"
	return strings.Join(parts, ".")
}

func TestPasswordResetLiftsLoginThrottle(t *testing.T) {
	b := newSQLiteHarness(t)
	b.customer("kim@shop.example")
	for range 5 {
		b.loginCustomer("kim@shop.example", "wrong")
	}
	if a := b.loginCustomer("kim@shop.example", "correct horse"); a.status != 429 {
		t.Fatal(a.raw)
	}
	b.post("/customers/forgot-password", `{"email":"kim@shop.example"}`)
	if a := b.resetPassword("customers", b.emailToken("kim@shop.example"), "another horse"); a.status != 200 {
		t.Fatal(a.raw)
	}
	if a := b.loginCustomer("kim@shop.example", "another horse"); a.status != 200 {
		t.Error(a.raw)
	}
}

func TestEmailVerification(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.secret(200, "PATCH", "/api/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"requireEmailVerification":true}}`)
		first := b.customer("kim@shop.example")
		if a := b.loginCustomer("kim@shop.example", "correct horse"); a.status != 403 || a.reason() != "email_not_verified" {
			t.Error(a.status, a.raw)
		}
		if a := b.loginCustomer("kim@shop.example", "wrong"); a.status != 401 {
			t.Error("that the address is not verified must be revealed only with the right password", a.raw)
		}
		verify := func(token string) answer {
			return b.post("/customers/verify-email", fmt.Sprintf(`{"token":%q}`, token))
		}
		if a := b.request("POST", "/api/customers/verify-email",
			fmt.Sprintf(`{"token":%q}`, first), "X-Client-Key", b.other.ClientKey); a.status != 400 {
			t.Error("a token of another shop", a.raw)
		}
		b.advance(71 * time.Hour)
		if a := verify(first); a.status != 200 || a.body["customer"].(map[string]any)["isVerified"] != true {
			t.Error(a.status, a.raw)
		}
		if a := verify(first); a.status != 400 || a.reason() != "token_invalid" {
			t.Error("the token again", a.raw)
		}
		if a := b.loginCustomer("kim@shop.example", "correct horse"); a.status != 200 {
			t.Error(a.status, a.raw)
		}
		late := b.customer("lee@shop.example")
		b.advance(72 * time.Hour)
		if a := verify(late); a.status != 400 {
			t.Error("a token of three days ago", a.raw)
		}
		again := b.post("/customers/verify-email", `{"email":"lee@shop.example"}`)
		if nobody := b.post("/customers/verify-email", `{"email":"nobody@shop.example"}`); again.status != 200 || again.raw != nobody.raw {
			t.Error(again.raw, nobody.raw)
		}
		fresh := b.emailToken("lee@shop.example")
		b.post("/customers/verify-email", `{"email":"kim@shop.example"}`)
		if got := b.emailToken("kim@shop.example"); got != "" {
			t.Error("a verified customer got another token")
		}
		if a := verify(fresh); a.status != 200 || b.loginCustomer("lee@shop.example", "correct horse").status != 200 {
			t.Error(a.raw)
		}
		b.customer("ann@shop.example")
		b.post("/customers/forgot-password", `{"email":"ann@shop.example"}`)
		if a := b.resetPassword("customers", b.emailToken("ann@shop.example"), "another horse"); a.status != 200 ||
			b.loginCustomer("ann@shop.example", "another horse").status != 200 {
			t.Error("a reset by a mailed token must verify the address", a.raw)
		}
		ann := b.request("GET", "/api/customers?where[email][equals]=ann@shop.example", "", "X-API-Key", b.shop.SecretKey).
			docs()[0].(map[string]any)["id"].(string)
		if a := b.secret(200, "PATCH", "/api/customers/"+ann, `{"email":"anna@shop.example"}`); a.doc()["isVerified"] != false ||
			b.loginCustomer("anna@shop.example", "another horse").reason() != "email_not_verified" {
			t.Error("a new address must not be verified", a.raw)
		}
	})
}

// The token is stored only in sealed form, with an event that reveals nothing.
func TestEmailTokensOnlyInDeliveries(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("kim@shop.example")
		b.post("/customers/forgot-password", `{"email":"kim@shop.example"}`)
		want := b.emailToken("kim@shop.example")
		db, err := b.database()
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var event string
		var text []byte
		last := "SELECT id, " + table.EventText +
			" FROM events e WHERE collection = 'customers' AND operation = 'update' ORDER BY record_sequence DESC LIMIT 1"
		if err := db.QueryRowContext(t.Context(), last).Scan(&event, &text); err != nil {
			t.Fatal(err)
		}
		body := string(table.PublishedBody(text))
		if !strings.HasPrefix(body, `{"data":{},`) || strings.Contains(body, "signals") || strings.Contains(body, want) {
			t.Error("the event contains data:", body)
		}
		vault := token.NewVault(b.secrets)
		sealed := func(id tenant.ID) (members map[string]string, err error) {
			err = b.store.Atomically(t.Context(), ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
				e, err := tx.SealedTokens.ForEvent(ctx, event)
				if err != nil {
					return err
				}
				if strings.Contains(e.Ciphertext, want) || e.Collection != "customers" {
					t.Error(e)
				}
				members, err = access.OpenSealedToken(vault, e)
				return err
			})
			return members, err
		}
		if got, err := sealed(b.shop.Tenant.ID); err != nil || len(got) != 1 || got["resetToken"] != want {
			t.Error(got, err)
		}
		if _, err := sealed(b.other.Tenant.ID); !errors.Is(err, ports.ErrNotFound) {
			t.Error(err)
		}
		if n := count(t, db, "sealed_tokens"); n != 2 { // the registration's, and this one
			t.Errorf("%d tokens are stored", n)
		}
		for after, left := range map[time.Duration]int{time.Hour: 1} {
			if _, err := b.store.Sweep(t.Context(), time.UnixMilli(b.clock.Load()).Add(after)); err != nil {
				t.Fatal(err)
			}
			if n := count(t, db, "sealed_tokens"); n != left {
				t.Errorf("%d tokens are left after %s", n, after)
			}
		}
	})
}

func count(t *testing.T, db *sql.DB, table string) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
