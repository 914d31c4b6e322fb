package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// A suspended shop is refused to all its callers at once, on both APIs; other shops, also of the same people, go on.
func TestSuspendedTenantIsRefused(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		root, admin := b.platformAdmin(), b.adminOf(b.shop)
		verification := b.customer("kim@shop.example")
		b.request("POST", "/api/customers/verify-email", fmt.Sprintf(`{"token":%q}`, verification), "X-Client-Key", b.shop.TestClientKey)
		kim := "Bearer " + b.loginCustomer("kim@shop.example", "correct horse").body["token"].(string)
		server := b.request("POST", "/api/auth/token", "", "X-API-Key", b.shop.SecretKey)
		person := b.provenUser("both@people.example", `"role":"tenant-admin"`)
		b.joinOther("both@people.example", "tenant-viewer", person)
		password, err := b.access.SetRandomPassword(b.t.Context(), "both@people.example", "")
		if err != nil {
			t.Fatal(err)
		}
		person = b.user("both@people.example", password)
		callers := map[string][]string{
			"client key": {"X-Client-Key", b.shop.ClientKey}, "test client key": {"X-Client-Key", b.shop.TestClientKey},
			"secret key": {"X-API-Key", b.shop.SecretKey}, "server token": {"Authorization", "Bearer " + server.body["token"].(string)},
			"customer": {"Authorization", kim, "X-Client-Key", b.shop.TestClientKey},
		}
		ask := func(headers []string) answer { return b.request("GET", "/api/products", "", headers...) }
		for name, headers := range callers {
			if a := ask(headers); a.status != 200 {
				t.Fatalf("%s, before: %d %s", name, a.status, a.raw)
			}
		}
		path := "/tenants/" + string(b.shop.Tenant.ID)
		for _, again := range []string{"unpaid", "another reason"} {
			if a := root("POST", path+"/suspend", fmt.Sprintf(`{"reason":%q}`, again)); a.status != 200 || !strings.Contains(a.raw, `"status":"suspended"`) ||
				!strings.Contains(a.raw, `"reason":"unpaid"`) {
				t.Fatal(a.status, a.raw)
			}
		}
		want := func(name string, a answer) {
			t.Helper()
			if a.status != 403 || !strings.Contains(a.raw, `"reason":"tenant_suspended"`) {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
		for name, headers := range callers {
			want(name, ask(headers))
			if a := b.request("POST", "/api/graphql", `{"query":"{Products{totalDocs}}"}`, headers...); !strings.Contains(a.raw, "tenant_suspended") {
				t.Errorf("%s over GraphQL: %d %s", name, a.status, a.raw)
			}
		}
		want("admin", admin("GET", "/products", ""))
		want("admin who logs in", b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword)))
		want("customer who logs in", b.loginCustomer("kim@shop.example", "correct horse"))
		want("storefront", b.request("GET", "/api/commerce/shop", "", "X-Client-Key", b.shop.ClientKey))
		want("platform admin in the shop", root("GET", "/products", "", "X-Tenant-Id", string(b.shop.Tenant.ID)))
		want("person of two shops in this one", person("GET", "/products", ""))
		if a := person("GET", "/products", "", "X-Tenant-Id", string(b.other.Tenant.ID)); a.status != 200 {
			t.Errorf("in their other shop: %d %s", a.status, a.raw)
		}
		if a := b.user("both@people.example", password)("GET", "/products", ""); a.status != 200 {
			t.Errorf("logged in anew: %d %s", a.status, a.raw)
		}
		if a := ask([]string{"X-Client-Key", b.other.ClientKey}); a.status != 200 {
			t.Errorf("another shop: %d %s", a.status, a.raw)
		}
		if a := root("POST", path+"/resume", ""); a.status != 200 || !strings.Contains(a.raw, `"status":"active"`) ||
			!strings.Contains(a.raw, `"suspension":{"reason":null`) {
			t.Fatal(a.status, a.raw)
		}
		for name, headers := range callers {
			if a := ask(headers); a.status != 200 {
				t.Errorf("%s, resumed: %d %s", name, a.status, a.raw)
			}
		}
	})
}

func TestOnlyThePlatformSuspends(t *testing.T) {
	b := newSQLiteHarness(t)
	root, admin := b.platformAdmin(), b.adminOf(b.shop)
	shop, own, nobody := "/tenants/"+string(b.shop.Tenant.ID), "/tenants/"+string(b.other.Tenant.ID), "/tenants/"+"01890000-0000-7000-8000-000000000000"
	for name, c := range map[string]struct {
		got    answer
		status int
		reason string
	}{
		"an admin of the shop":       {admin("POST", shop+"/suspend", `{"reason":"x"}`), 403, "forbidden"},
		"an admin of another one":    {admin("POST", own+"/suspend", `{"reason":"x"}`), 403, "forbidden"},
		"an admin who resumes":       {admin("POST", shop+"/resume", ""), 403, "forbidden"},
		"its secret key":             {b.request("POST", "/api"+shop+"/suspend", `{"reason":"x"}`, "X-API-Key", b.shop.SecretKey), 403, "forbidden"},
		"nobody":                     {b.request("POST", "/api"+shop+"/suspend", `{"reason":"x"}`), 401, "unauthenticated"},
		"a PATCH of the status":      {root("PATCH", own, `{"status":"suspended"}`), 400, "validation_failed"},
		"without a reason":           {root("POST", shop+"/suspend", `{}`), 400, "validation_failed"},
		"the tenant one acts in":     {root("POST", own+"/suspend", `{"reason":"x"}`), 409, "tenant_acting"},
		"a tenant that there is not": {root("POST", nobody+"/suspend", `{"reason":"x"}`), 404, "not_found"},
	} {
		if c.got.status != c.status || !strings.Contains(c.got.raw, `"reason":"`+c.reason+`"`) {
			t.Errorf("%s: %d %s", name, c.got.status, c.got.raw)
		}
	}
	if a := b.request("GET", "/api/products", "", "X-Client-Key", b.shop.ClientKey); a.status != 200 {
		t.Error("refused calls suspended the shop", a.raw)
	}
}

// Rule access-71.
func TestOnlyThePlatformListsShops(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		root := b.platformAdmin()
		b.createTenant("Zebra Store")
		here, there := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
		all := root("GET", "/platform/tenants", "")
		if all.status != 200 || !strings.Contains(all.raw, here) || !strings.Contains(all.raw, there) || strings.Contains(all.raw, "settings") {
			t.Fatalf("%d %s", all.status, all.raw)
		}
		root("POST", "/tenants/"+here+"/suspend", `{"reason":"unpaid"}`)
		for query, want := range map[string]string{
			"q=zEBRA": "1 ", "q=zebra&plan=free": "0 ", "status=suspended": "1 unpaid", "q=%25": "0 ",
			"limit=1": all.text("totalDocs") + " ", "limit=1&page=99": all.text("totalDocs") + " ",
		} {
			a := root("GET", "/platform/tenants?"+query, "")
			reason := ""
			if strings.Contains(a.raw, `"suspensionReason":"unpaid"`) && query == "status=suspended" {
				reason = "unpaid"
			}
			if got := a.text("totalDocs") + " " + reason; a.status != 200 || got != want {
				t.Errorf("%s: %d %s, want %s", query, a.status, a.raw, want)
			}
		}
		for name, c := range map[string]struct {
			got    answer
			status int
		}{
			"an admin of a shop": {b.adminOf(b.other)("GET", "/platform/tenants", ""), 403},
			"a secret key":       {b.request("GET", "/api/platform/tenants", "", "X-API-Key", b.other.SecretKey), 403},
			"nobody":             {b.request("GET", "/api/platform/tenants", ""), 401},
			"too long a page":    {root("GET", "/platform/tenants?limit=101", ""), 400},
			"an unknown plan":    {root("GET", "/platform/tenants?plan=gold", ""), 400},
		} {
			if c.got.status != c.status {
				t.Errorf("%s: %d %s", name, c.got.status, c.got.raw)
			}
		}
	})
}

// text is a member of an answer as text.
func (a answer) text(name string) string { return fmt.Sprint(a.body[name]) }
