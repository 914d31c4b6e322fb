package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func (a answer) refusesPassword() bool {
	return a.status == 400 && strings.Contains(a.raw, `"field":"password"`)
}

// Wherever a password is chosen, the same is asked of it.
func TestGuessablePasswordsAreRefusedEverywhere(t *testing.T) {
	b := newSQLiteHarness(t)
	admin := b.adminOf(b.shop)
	b.customer("annemarie@example.com")
	customer := fmt.Sprint(b.request("GET", "/api/customers", "", "X-API-Key", b.shop.SecretKey).docs()[0].(map[string]any)["id"])
	made := admin("POST", "/users", `{"email":"evangeline@shop.example","password":"correct horse","role":"tenant-viewer"}`)
	user := fmt.Sprint(made.doc()["id"])
	admin("POST", "/users", `{"email":"maximilian@shop.example","role":"tenant-viewer"}`)
	invitation := b.emailToken("maximilian@shop.example")
	token := func(kind, email string) string {
		b.post("/"+kind+"/forgot-password", fmt.Sprintf(`{"email":%q}`, email))
		return b.emailToken(email)
	}
	customerToken, userToken := token("customers", "annemarie@example.com"), token("users", "evangeline@shop.example")
	for name, try := range map[string]struct {
		person string // whose name the password must not contain
		send   func(password string) answer
	}{
		"registration": {"josephine", func(p string) answer {
			return b.post("/customers/register", fmt.Sprintf(`{"email":"josephine@example.com","password":%q}`, p))
		}},
		"customer changed": {"annemarie", func(p string) answer {
			return b.request("PATCH", "/api/customers/"+customer, fmt.Sprintf(`{"password":%q}`, p), "X-API-Key", b.shop.SecretKey)
		}},
		"customer reset": {"annemarie", func(p string) answer { return b.resetPassword("customers", customerToken, p) }},
		"user made": {"theodora", func(p string) answer {
			return admin("POST", "/users", fmt.Sprintf(`{"email":"theodora@shop.example","password":%q,"role":"tenant-viewer"}`, p))
		}},
		"user changed": {"evangeline", func(p string) answer { return admin("PATCH", "/users/"+user, fmt.Sprintf(`{"password":%q}`, p)) }},
		"user reset":   {"evangeline", func(p string) answer { return b.resetPassword("users", userToken, p) }},
		"invitation": {"maximilian", func(p string) answer {
			return admin("POST", "/invitations/"+invitation+"/accept", fmt.Sprintf(`{"password":%q}`, p))
		}},
	} {
		for _, password := range []string{"short12", "Password1", "qwertyuiop", try.person + " the first"} {
			if a := try.send(password); !a.refusesPassword() {
				t.Errorf("%s: %q: %d %s", name, password, a.status, a.raw)
			}
		}
		if a := admin("PATCH", "/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"passwordMinLength":20}}`); a.status != 200 {
			t.Fatal(a.raw)
		}
		if a := try.send("nineteen characters"); !a.refusesPassword() || !strings.Contains(a.raw, "20 characters") {
			t.Errorf("%s: shorter than the tenant requires: %d %s", name, a.status, a.raw)
		}
		if a := admin("PATCH", "/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"passwordMinLength":8}}`); a.status != 200 {
			t.Fatal(a.raw)
		}
	}
	for _, n := range []int{7, 65} {
		if a := admin("PATCH", "/tenants/"+string(b.shop.Tenant.ID), fmt.Sprintf(`{"settings":{"passwordMinLength":%d}}`, n)); a.status != 400 {
			t.Errorf("a tenant requires %d characters: %d %s", n, a.status, a.raw)
		}
	}
}

// A password that opens several tenants is as long as the strictest of them requires, whichever the person acts in.
func TestPasswordOfSeveralTenantsMeetsTheStrictest(t *testing.T) {
	b := newSQLiteHarness(t)
	eve := b.provenUser("eve@shop.example", `"role":"tenant-admin"`)
	b.joinOther("eve@shop.example", "tenant-viewer", eve)
	if a := b.adminOf(b.other)("PATCH", "/tenants/"+string(b.other.Tenant.ID), `{"settings":{"passwordMinLength":20}}`); a.status != 200 {
		t.Fatal(a.raw)
	}
	me, _ := eve("GET", "/users/me", "").body["user"].(map[string]any)
	change := func(password string) answer {
		return eve("PATCH", fmt.Sprint("/users/", me["id"]), fmt.Sprintf(`{"password":%q}`, password), "X-Tenant-Id", string(b.shop.Tenant.ID))
	}
	if a := change("nineteen characters"); !a.refusesPassword() {
		t.Error(a.status, a.raw)
	}
	if a := change("twenty characters it has"); a.status != 200 {
		t.Error(a.status, a.raw)
	}
}
