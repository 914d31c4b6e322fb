package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// named are bodies that name a tenant in every way that the collection has.
func (b *harness) named(slug, tenant string) string {
	if slug == "users" {
		return fmt.Sprintf(`"tenant":%q,"tenants":[%[1]q],"memberships":[{"tenant":%[1]q,"role":"tenant-viewer"}]`, tenant)
	}
	return fmt.Sprintf(`"tenant":%q`, tenant)
}

// naming are writes of records by an admin, without the end of their bodies.
var naming = map[string]string{
	"gadgets": `{"name":"A",`, "customers": `{"email":"%s@shop.example",`, "products": `{"name":"Cup","price":5,"status":"draft",`,
	"users":    `{"email":"%s@shop.example","password":"correct horse","role":"tenant-viewer",`,
	"api-keys": `{"name":"K","kind":"secret","environment":"live",`, "webhook-endpoints": `{"url":"https://erp.example/hook",`,
}

func numbered(body string, n int) string {
	return strings.Replace(body, "%s", fmt.Sprintf("person%d", n), 1)
}

// Clients of Payload name their tenant in what they write. It is accepted when it is the acting one and otherwise
// refused, whichever way the record comes: as JSON, in a form, or over GraphQL.
func TestInputMayNameTheActingTenant(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		bearer, _ := b.login()
		own, foreign := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
		people := 0
		for slug, body := range naming {
			people += 2
			path := "/api/" + slug
			made := b.request("POST", path, numbered(body, people)+b.named(slug, own)+`}`, "Authorization", bearer)
			if made.status != 201 || made.doc()["tenant"] != own {
				t.Errorf("%s: %d %s", slug, made.status, made.raw)
				continue
			}
			b.wantReadOnly(slug, b.request("POST", path, numbered(body, people+1)+b.named(slug, foreign)+`}`, "Authorization", bearer))
			if slug == "api-keys" {
				continue // changed by operations alone
			}
			path += "/" + made.doc()["id"].(string)
			if a := b.request("PATCH", path, `{`+b.named(slug, own)+`}`, "Authorization", bearer); a.status != 200 {
				t.Errorf("changed %s: %d %s", slug, a.status, a.raw)
			}
			b.wantReadOnly(slug, b.request("PATCH", path, `{`+b.named(slug, foreign)+`}`, "Authorization", bearer))
			if slug != "users" {
				continue
			}
			promoted := strings.ReplaceAll(`{"role":"tenant-viewer",`+b.named(slug, own)+`}`, "tenant-viewer", "tenant-editor")
			if a := b.request("PATCH", path, promoted, "Authorization", bearer); a.status != 200 || a.doc()["role"] != "tenant-editor" {
				t.Errorf("promoted: %d %s", a.status, a.raw)
			}
			b.wantReadOnly("memberships", b.request("PATCH", path,
				`{"role":"tenant-viewer","memberships":[{"tenant":"`+own+`","role":"tenant-admin"}]}`, "Authorization", bearer))
		}
	})
}

// wantReadOnly expects that a foreign tenant was refused by name.
func (b *harness) wantReadOnly(what string, a answer) {
	b.t.Helper()
	if a.status != 400 || !strings.Contains(a.raw, `"message":"This field is read-only."`) {
		b.t.Errorf("%s of another tenant: %d %s", what, a.status, a.raw)
	}
}

func TestFormMayNameTheActingTenant(t *testing.T) {
	b := newSQLiteHarness(t)
	bearer, _ := b.login()
	own, foreign := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
	file, carriers, user := entry{"file", "a.txt", "hello"}, entry{"file", "a.csv", "trackingNumber,carrier,orderNumber\n"},
		`{"email":"one@shop.example","password":"correct horse","role":"tenant-viewer"}`
	for name, c := range map[string]struct {
		path   string
		parts  []entry
		status int
		says   string
	}{
		"a file":             {"/api/media", []entry{{"tenant", "", own}, file}, 201, own},
		"a file, last":       {"/api/media", []entry{file, {"tenant", "", own}, {"_payload", "", `{"tenant":"` + own + `"}`}}, 201, own},
		"a file, another":    {"/api/media", []entry{{"tenant", "", foreign}, file}, 400, "This field is read-only."},
		"a file, two values": {"/api/media", []entry{{"tenant", "", own}, {"_payload", "", `{"tenant":"` + foreign + `"}`}, file}, 400, "two different"},
		"a file, two fields": {"/api/media", []entry{{"tenant", "", own}, {"tenant", "", foreign}, file}, 400, "two different"},
		"a record":           {"/api/gadgets", []entry{{"tenant", "", own}, {"_payload", "", `{"name":"A"}`}}, 201, own},
		"a record, another":  {"/api/gadgets", []entry{{"_payload", "", `{"name":"A"}`}, {"tenant", "", foreign}}, 400, "This field is read-only."},
		"a record, two values": {
			"/api/gadgets", []entry{{"_payload", "", `{"name":"A","tenant":"` + own + `"}`}, {"tenant", "", foreign}}, 400, "two different",
		},
		"a user": {"/api/users", []entry{{"_payload", "", user}, {"tenant", "", own}, {"tenants", "", own}}, 201, own},
		"a user of another": {
			"/api/users", []entry{{"_payload", "", strings.Replace(user, "one", "two", 1)}, {"tenants", "", foreign}}, 400, "read-only",
		},
		"a carrier file": {"/api/fulfillments/carrier-file", []entry{{"tenant", "", own}, carriers}, 200, `"applied":0`},
		"a carrier file of another": {
			"/api/fulfillments/carrier-file", []entry{{"tenant", "", foreign}, carriers}, 400, "read-only",
		},
		"a field that is no name": {"/api/gadgets", []entry{{"_payload", "", `{"name":"A"}`}, {"tenants", "", foreign}}, 201, own},
	} {
		kind, body := form(t, c.parts...)
		if a := b.request("POST", c.path, body, "Authorization", bearer, "Content-Type", kind); a.status != c.status || !strings.Contains(a.raw, c.says) {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
}

func TestGraphQLMayNameTheActingTenant(t *testing.T) {
	b := newSQLiteHarness(t)
	bearer, _ := b.login()
	own, foreign := string(b.shop.Tenant.ID), string(b.other.Tenant.ID)
	user := `createUser(data: {email: "%[1]s@shop.example", password: "correct horse", role: "tenant-viewer", tenant: %[2]q, tenants: [%[2]q],` +
		` memberships: [{tenant: %[2]q, role: "tenant-viewer"}]}) { id tenants { id } }`
	for name, mutation := range map[string]string{ // of the admin, or of a page
		"gadget":   `createGadget(data: {name: "%[1]s", tenant: %[2]q}) { tenant { id } }`,
		"customer": `createCustomer(data: {email: "%[1]s@shop.example", tenant: %[2]q}) { tenant { id } }`,
		"variants": `createProduct(data: {name: "%[1]s", price: 5, status: draft, tenant: %[2]q, variants: [{title: "A", tenant: %[2]q}]}) { tenant { id } }`,
		"user":     user,
		"key":      `apiKeyCreate(input: {name: "%[1]s", kind: secret, environment: live, tenant: %[2]q}) { id }`,
		"endpoint": `webhookEndpointCreate(input: {url: "https://erp.example/hook", tenant: %[2]q}) { message }`,
		"cart":     `cartCreate(input: {tenant: %[2]q}) { cart { id } }`,
		"shopper":  `registerCustomer(data: {email: "%[1]s@shop.example", password: "correct horse", tenant: %[2]q}) { customer { id } }`,
		"update":   `updateGadget(id: "` + b.make("gadgets", `{"name":"Z"}`) + `", data: {tenant: %[2]q}) { tenant { id } }`,
	} {
		send := func(who, tenant string) answer {
			header, credential := "Authorization", bearer
			if name == "cart" || name == "shopper" {
				header, credential = "X-Client-Key", b.shop.ClientKey
			}
			return b.graphql(200, document("mutation { "+fmt.Sprintf(mutation, who, tenant)+" }"), header, credential)
		}
		if a := send(name+"1", own); strings.Contains(a.raw, `"errors"`) {
			t.Errorf("%s: %s", name, a.raw)
		}
		if a := send(name+"2", foreign); !strings.Contains(a.raw, "This field is read-only.") {
			t.Errorf("%s of another tenant: %s", name, a.raw)
		}
	}
}
