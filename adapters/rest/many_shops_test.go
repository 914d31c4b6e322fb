package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// An address that many shops know logs in to each of them by the password that counts there, whether the shop is named or
// not: shops that make accounts for an address keep nobody else out. Rule access-34.
func TestLoginFindsTheShopOfThePassword(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const shops = 7
		for i := range shops {
			shop := b.createTenant(fmt.Sprintf("Shop %d", i))
			body := fmt.Sprintf(`{"email":"eve@shop.example","role":"tenant-editor","password":"horse number %d"}`, i)
			switch a := b.adminOf(shop)("POST", "/users", body); a.status {
			case 201: // bound to the first shop
			case 202:
				if a := b.post("/invitations/"+b.emailToken("eve@shop.example")+"/accept", fmt.Sprintf(`{"password":"horse number %d"}`, i)); a.status != 200 {
					t.Fatal(a.status, a.raw)
				}
			default:
				t.Fatal(a.status, a.raw)
			}
		}
		for i := range shops {
			if a := b.loginEve(fmt.Sprintf("horse number %d", i), ""); a.status != 200 {
				t.Errorf("shop %d: %d %s", i, a.status, a.raw)
			}
		}
	})
}

// joinAsStranger makes an account of eve's address in a shop, by an invitation of the shop's admin, who reads its token and
// knows the password.
func (b *harness) joinAsStranger(shop tenant.ID, password string) {
	b.t.Helper()
	asked, err := b.onboarding.AddMember(b.t.Context(), shop,
		onboarding.MemberInput{Email: "eve@shop.example", Role: tenant.Admin, Invite: true})
	if err == nil {
		_, err = b.access.AcceptInvitation(b.t.Context(), access.Acceptance{Token: asked.Invitation.Token, Password: password})
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// However many shops make accounts for an address, the person logs in and recovers by naming the shop, also after attempts
// that named none have used up their count. Every answer to such an attempt advises it, for unknown addresses too.
func TestNamedShopIsNeverCrowdedOut(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		ours := b.shop.Tenant.ID
		if a := b.adminOf(b.shop)("POST", "/users", `{"email":"eve@shop.example","role":"tenant-admin","password":"first horse"}`); a.status != 201 {
			t.Fatal(a.raw)
		}
		for i := range max(access.MaxLoginCandidates, access.MaxResetTokens) {
			b.joinAsStranger(b.createTenant(fmt.Sprintf("Shop %d", i)).Tenant.ID, "other horse")
		}
		ask := func(path, email string, more ...string) answer {
			body := fmt.Sprintf(`{"email":%q}`, email)
			if path == "login" {
				body = fmt.Sprintf(`{"email":%q,"password":"first horse"}`, email)
			}
			return b.request("POST", "/api/users/"+path, body, more...)
		}
		named := []string{"X-Tenant-Id", string(ours)}
		for path, status := range map[string]int{"login": 401, "forgot-password": 200} {
			known, unknown := ask(path, "eve@shop.example"), ask(path, "nobody@shop.example")
			if known.status != status || known.body["message"] != unknown.body["message"] || !strings.Contains(known.raw, "X-Tenant-Id") {
				t.Errorf("%s: %s %s", path, known.raw, unknown.raw)
			}
			if a := ask(path, "nobody@shop.example", named...); a.status != status || strings.Contains(a.raw, "X-Tenant-Id") {
				t.Errorf("%s that named the shop: %s", path, a.raw)
			}
			for range 4 {
				ask(path, "eve@shop.example")
			}
			if a := ask(path, "eve@shop.example"); a.status != 429 {
				t.Errorf("%s: %d %s", path, a.status, a.raw)
			}
		}
		over := document(`mutation { loginUser(email: "adam@shop.example", password: "x") { token } }`)
		if a := b.graphql(200, over); !strings.Contains(a.raw, "X-Tenant-Id") {
			t.Error(a.raw)
		}
		for name, header := range map[string][]string{"its id": named, "its client key": {"X-Client-Key", b.shop.ClientKey}} {
			if a := ask("login", "eve@shop.example", header...); a.status != 200 {
				t.Errorf("a login by %s: %d %s", name, a.status, a.raw)
			}
			b.emailToken("eve@shop.example")
			if a := ask("forgot-password", "eve@shop.example", header...); a.status != 200 {
				t.Errorf("recovery by %s: %d %s", name, a.status, a.raw)
			}
			if a := b.resetPassword("users", b.emailToken("eve@shop.example"), "first horse"); a.status != 200 {
				t.Errorf("recovery by %s: %d %s", name, a.status, a.raw)
			}
			if a := b.loginEve("first horse", ours); a.status != 200 {
				t.Errorf("after recovery by %s: %d %s", name, a.status, a.raw)
			}
		}
		for range 5 {
			b.loginEve("x", ours)
		}
		for name, other := range map[string]tenant.ID{"the same shop": ours, "another shop": b.other.Tenant.ID, "no shop of this server": "x"} {
			if a := b.loginEve("x", other); a.status != 429 {
				t.Errorf("a sixth failure that names %s: %d %s", name, a.status, a.raw)
			}
		}
	})
}
