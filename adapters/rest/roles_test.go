package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// member is a user of the shop with a role, and their requests.
func (b *harness) member(name, role string) (id string, do func(method, path, body string) answer) {
	b.t.Helper()
	bearer, _ := b.login()
	a := b.request("POST", "/api/users", fmt.Sprintf(`{"email":"%s@shop.example","password":"correct horse","role":%q}`, name, role),
		"Authorization", bearer)
	if a.status != 201 {
		b.t.Fatalf("%s as %s: %s", name, role, a.raw)
	}
	in := b.request("POST", "/api/users/login", fmt.Sprintf(`{"email":"%s@shop.example","password":"correct horse"}`, name))
	token := "Bearer " + in.body["token"].(string)
	return a.doc()["id"].(string), func(method, path, body string) answer {
		return b.request(method, "/api"+path, body, "Authorization", token)
	}
}

// Every permission of a finer role is one that there is, and the four broad roles need none.
func TestFinerRoles(t *testing.T) {
	b := newSQLiteHarness(t)
	all := access.Permissions(b.registry)
	for _, role := range tenant.Roles {
		var has []string
		for _, p := range all {
			if slices.Contains(p.Roles, role) {
				has = append(has, string(p.Permission))
			}
		}
		if len(has) == 0 {
			t.Errorf("%s may do nothing", role)
		}
		for _, p := range tenant.PermissionsOf(role) {
			if !slices.Contains(has, string(p)) {
				t.Errorf("%s has %s, which is no permission", role, p)
			}
		}
	}
	for role, wants := range map[tenant.Role]map[tenant.Permission]bool{
		tenant.Packer:     {tenant.FulfillOrders: true, tenant.RefundOrders: false, "orders:read": true, "orders:update": false, "customers:read": false},
		tenant.Support:    {tenant.DecideReturns: true, tenant.RefundReturns: false, "orders:update": true, "customers:update": true, "products:update": false},
		tenant.Marketer:   {"products:update": true, "discounts:create": true, "orders:read": false, "customers:read": false, tenant.AdjustStock: false},
		tenant.Accountant: {tenant.ReconcilePayments: true, tenant.RefundOrders: false, "transactions:read": true, "orders:update": false},
		tenant.Editor:     {tenant.FulfillOrders: true, tenant.AdjustStock: true, tenant.DecideReturns: true, tenant.CancelOrders: false},
		tenant.Viewer:     {tenant.FulfillOrders: false},
		tenant.Admin:      {tenant.ImportOrders: true, tenant.CapturePayments: true, "products:create": true},
	} {
		for _, p := range all {
			if want, said := wants[p.Permission]; said && slices.Contains(p.Roles, role) != want {
				t.Errorf("%s has %s: %t", role, p.Permission, !want)
			}
		}
	}
}

// Rule access-52: whoever has a role of the tenant's own does what it contains, and nothing else, from the moment it does.
func TestOwnRoles(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		made := admin("POST", "/roles", `{"slug":"buyer","name":"Buyer","permissions":["gadgets:update","gadgets:read","gadgets:read"]}`)
		if made.status != 201 || !strings.Contains(made.raw, `"permissions":["gadgets:read","gadgets:update"]`) {
			t.Fatal(made.status, made.raw)
		}
		role := made.doc()["id"].(string)
		gadget := admin("POST", "/gadgets", `{"name":"G"}`).doc()["id"].(string)
		id, pia := b.member("pia", "buyer")
		want := func(when string, statuses map[string]int) {
			t.Helper()
			for call, status := range statuses {
				method, path, _ := strings.Cut(call, " ")
				body := ""
				if method == "POST" || method == "PATCH" {
					body = `{"name":"H"}`
				}
				if a := pia(method, path, body); a.status != status {
					t.Errorf("%s: %s: %d %s", when, call, a.status, a.raw)
				}
			}
		}
		want("with the role", map[string]int{
			"GET /gadgets": 200, "PATCH /gadgets/" + gadget: 200, "POST /gadgets": 403, "DELETE /gadgets/" + gadget: 403, "GET /customers": 403,
			"GET /orders": 403, "POST /roles": 403, "GET /roles": 403, "PATCH /roles/" + role: 403, "PATCH /users/" + id: 403, "GET /permissions": 200,
		})
		if own := pia("GET", "/permissions", "").body["own"]; fmt.Sprint(own) != "[gadgets:read gadgets:update]" {
			t.Errorf("own permissions: %v", own)
		}
		if a := admin("PATCH", "/roles/"+role, `{"permissions":["gadgets:create"]}`); a.status != 200 {
			t.Fatal(a.raw)
		}
		want("with the changed role", map[string]int{"GET /gadgets": 403, "POST /gadgets": 201, "PATCH /gadgets/" + gadget: 403})
		if a := admin("PATCH", "/users/"+id, `{"role":"tenant-viewer"}`); a.status != 200 {
			t.Fatal(a.raw)
		}
		want("as a viewer", map[string]int{"GET /gadgets": 200, "POST /gadgets": 403})
		if a := admin("DELETE", "/roles/"+role, ""); a.status != 200 {
			t.Error("a role that nobody has", a.raw)
		}
	})
}

func TestOwnRolesGrantNothingOfAdmins(t *testing.T) {
	b := newSQLiteHarness(t)
	admin, theirs := b.adminOf(b.shop), b.adminOf(b.other)
	for body, field := range map[string]string{
		`{"slug":"a","name":"A","permissions":["orders:read","users:update"]}`:                "permissions.1",
		`{"slug":"a","name":"A","permissions":["users:create"]}`:                              "permissions.0",
		`{"slug":"a","name":"A","permissions":["roles:create"]}`:                              "permissions.0",
		`{"slug":"a","name":"A","permissions":["api-keys:create"]}`:                           "permissions.0",
		`{"slug":"a","name":"A","permissions":["api-keys:read"]}`:                             "permissions.0",
		`{"slug":"a","name":"A","permissions":["tenants:update"]}`:                            "permissions.0",
		`{"slug":"a","name":"A","permissions":["provider-connections:create"]}`:               "permissions.0",
		`{"slug":"a","name":"A","permissions":["webhook-endpoints:create"]}`:                  "permissions.0",
		`{"slug":"a","name":"A","permissions":["everything"]}`:                                "permissions.0",
		`{"slug":"a","name":"A","permissions":[]}`:                                            "permissions",
		`{"slug":"tenant-admin","name":"A","permissions":["orders:read"]}`:                    "slug",
		`{"slug":"packer","name":"A","permissions":["orders:read"]}`:                          "slug",
		`{"slug":"Night Shift","name":"A","permissions":["orders:read"]}`:                     "slug",
		`{"slug":"-a","name":"A","permissions":["orders:read"]}`:                              "slug",
		`{"slug":"` + strings.Repeat("a", 64) + `","name":"A","permissions":["orders:read"]}`: "slug",
	} {
		if a := admin("POST", "/roles", body); a.status != 400 || !strings.Contains(a.raw, fmt.Sprintf(`"field":%q`, field)) {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
	}
	const own = `{"slug":"night","name":"N","permissions":["orders:read"]}`
	for name, a := range map[string]answer{
		"a secret key": b.request("POST", "/api/roles", own, "X-API-Key", b.shop.SecretKey),
		"a storefront": b.request("GET", "/api/roles", "", "X-Client-Key", b.shop.ClientKey),
	} {
		if a.status != 403 {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	if a := theirs("POST", "/roles", own); a.status != 201 {
		t.Fatal(a.raw)
	}
	for name, body := range map[string]string{
		"another shop's role": `{"email":"x@shop.example","password":"correct horse","role":"night"}`,
		"invited to it":       `{"email":"x@shop.example","role":"night"}`,
	} {
		if a := admin("POST", "/users", body); a.status != 400 || !strings.Contains(a.raw, `"field":"role"`) {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
}

// A role is given and deleted at the same time: one of both is refused.
func TestRoleIsNotDeletedWhileItIsGiven(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		for i := range 12 {
			slug := fmt.Sprintf("role-%d", i)
			role := admin("POST", "/roles", fmt.Sprintf(`{"slug":%q,"name":"R","permissions":["gadgets:read"]}`, slug)).doc()["id"].(string)
			var deleted, given answer
			var both sync.WaitGroup
			both.Go(func() { deleted = admin("DELETE", "/roles/"+role, "") })
			both.Go(func() {
				given = admin("POST", "/users", fmt.Sprintf(`{"email":"u%d@shop.example","password":"correct horse","role":%q}`, i, slug))
			})
			both.Wait()
			if (deleted.status == 200) == (given.status == 201) || deleted.status != 200 && deleted.reason() != "role_in_use" {
				t.Errorf("deleted: %d %s, given: %d %s", deleted.status, deleted.raw, given.status, given.raw)
			}
		}
		invited := admin("POST", "/roles", `{"slug":"invited","name":"R","permissions":["gadgets:read"]}`).doc()["id"].(string)
		if a := admin("POST", "/users", `{"email":"guest@shop.example","role":"invited"}`); a.status != 202 {
			t.Fatal(a.raw)
		}
		if a := admin("DELETE", "/roles/"+invited, ""); a.reason() != "role_in_use" {
			t.Errorf("with an open invitation: %d %s", a.status, a.raw)
		}
	})
}
