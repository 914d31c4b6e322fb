package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// deletion is a shop that a platform admin wants to delete.
type deletion struct {
	*harness

	t    *testing.T
	root func(method, path, body string, headers ...string) answer
	path string
	slug string
}

func newDeletion(t *testing.T, b *harness) *deletion {
	t.Helper()
	d := &deletion{harness: b, t: t, root: b.platformAdmin(), path: "/tenants/" + string(b.shop.Tenant.ID)}
	d.slug = d.root("GET", d.path, "", "X-Tenant-Id", string(b.shop.Tenant.ID)).body["slug"].(string)
	return d
}

// delete deletes the shop with the slug that confirms it.
func (d *deletion) delete(slug string) answer {
	return d.root("POST", d.path+"/delete", fmt.Sprintf(`{"confirm":%q}`, slug))
}

func (d *deletion) want(name string, a answer, status int, text string) {
	d.t.Helper()
	if a.status != status || !strings.Contains(a.raw, text) {
		d.t.Errorf("%s: %d %s, want %d %s", name, a.status, a.raw, status, text)
	}
}

// A shop is deleted in one order: stopped, without money under way, exported, confirmed. Nothing else begins it, and what blocks it
// is shown before. Rule access-58.
func TestTenantIsDeletedOnlyAfterItsExport(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		d := newDeletion(t, b)
		preview := func(blocked ...string) {
			t.Helper()
			a := d.root("GET", d.path+"/deletion", "")
			var got []string
			for _, one := range a.body["blocked"].([]any) {
				got = append(got, one.(map[string]any)["reason"].(string))
			}
			if a.status != 200 || fmt.Sprint(got) != fmt.Sprint(blocked) || !strings.Contains(a.raw, `{"collection":"api-keys"`) {
				t.Errorf("%d %s, want %v", a.status, a.raw, blocked)
			}
		}
		preview("tenant_not_suspended", "tenant_not_exported")
		d.want("without the slug", d.delete("another"), 400, "tenant_not_confirmed")
		d.want("a shop that works", d.delete(d.slug), 409, "tenant_not_suspended")
		if a := d.root("GET", d.path+"/export", ""); a.status != 200 || !strings.HasPrefix(a.raw, "PK") {
			t.Fatal(a.status)
		}
		d.root("POST", d.path+"/suspend", `{"reason":"closed"}`)
		d.want("exported while it worked", d.delete(d.slug), 409, "tenant_not_exported")
		d.export()
		preview()
		d.write(payment.Sessions, collection.Record{"id": "s1", "status": "processing", "environment": "test"})
		preview("money_under_way", "tenant_changed")
		d.want("with a payment under way", d.delete(d.slug), 409, `"paymentSessions":1`)
		d.end(payment.Sessions, "s1")
		d.want("changed since", d.delete(d.slug), 409, "tenant_changed")
		d.export()
		d.want("in order", d.delete(d.slug), 200, `"status":"deleting"`)
		d.want("again", d.delete("whatever"), 200, `"status":"deleting"`)
		d.want("shown", d.root("GET", d.path+"/deletion", ""), 200, `"deletion":{"tenant":"`+string(b.shop.Tenant.ID))
		for _, call := range []string{"POST resume", "POST suspend", "GET export"} {
			method, op, _ := strings.Cut(call, " ")
			body := ""
			if op == "suspend" {
				body = `{"reason":"x"}`
			}
			d.want(op, d.root(method, d.path+"/"+op, body), 404, "not_found")
		}
	})
}

// export downloads the archive until it counts: work that was on its way may come between.
func (d *deletion) export() {
	d.t.Helper()
	for range 100 {
		if a := d.root("GET", d.path+"/export", ""); a.status != 200 {
			d.t.Fatal(a.status, a.raw)
		}
		if a := d.root("GET", d.path+"/deletion", ""); strings.Contains(a.raw, `"checksum":"`) {
			return
		}
	}
	d.t.Fatal("no export was complete")
}

// write creates a record as the server does.
func (d *deletion) write(s *collection.Schema, r collection.Record) {
	d.t.Helper()
	r["tenant"] = string(d.shop.Tenant.ID)
	d.change(s, nil, r)
}

// end gives a payment session that is not paid its end.
func (d *deletion) end(s *collection.Schema, id string) {
	d.t.Helper()
	before, err := d.store.Read(ports.ForTenant(d.shop.Tenant.ID)).Get(d.t.Context(), s, id)
	if err != nil {
		d.t.Fatal(err)
	}
	after := before.Clone()
	after["status"] = "canceled"
	d.change(s, before, after)
}

func (d *deletion) change(s *collection.Schema, before, after collection.Record) {
	d.t.Helper()
	err := d.store.Atomically(d.t.Context(), ports.ForTenant(d.shop.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, fmt.Sprint("e", time.Now().UnixNano()), time.Now()))
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func TestOnlyThePlatformExportsAndDeletes(t *testing.T) {
	b := newSQLiteHarness(t)
	d, admin := newDeletion(t, b), b.adminOf(b.shop)
	own, nobody := "/tenants/"+string(b.other.Tenant.ID), "/tenants/"+"01890000-0000-7000-8000-000000000000"
	alone, err := b.onboarding.AddMember(t.Context(), b.shop.Tenant.ID, onboarding.MemberInput{
		Email: "alone@platform.example", Role: tenant.PlatformAdmin,
	})
	if err != nil {
		t.Fatal(err)
	}
	byShop := b.user("alone@platform.example", alone.Password)
	for name, c := range map[string]struct {
		got    answer
		status int
		reason string
	}{
		"an admin who exports":   {admin("GET", d.path+"/export", ""), 403, "forbidden"},
		"an admin who looks":     {admin("GET", d.path+"/deletion", ""), 403, "forbidden"},
		"an admin who deletes":   {admin("POST", d.path+"/delete", `{"confirm":"x"}`), 403, "forbidden"},
		"its secret key":         {b.request("GET", "/api"+d.path+"/export", "", "X-API-Key", b.shop.SecretKey), 403, "forbidden"},
		"nobody":                 {b.request("GET", "/api"+d.path+"/export", ""), 401, "unauthenticated"},
		"the tenant one acts in": {d.root("POST", own+"/delete", `{"confirm":"x"}`), 409, "tenant_acting"},
		"the tenant by which one is it": {
			byShop("POST", d.path+"/delete", `{"confirm":"x"}`, "X-Tenant-Id", string(b.other.Tenant.ID)), 409, "tenant_acting",
		},
		"a tenant that there is not":   {d.root("POST", nobody+"/delete", `{"confirm":"x"}`), 404, "not_found"},
		"an export of none":            {d.root("GET", nobody+"/export", ""), 404, "not_found"},
		"a preview of none":            {d.root("GET", nobody+"/deletion", ""), 404, "not_found"},
		"without a confirmation":       {d.root("POST", d.path+"/delete", `{}`), 400, "validation_failed"},
		"over the export, by API only": {d.root("POST", d.path+"/delete", `{"confirm":"x","withoutExport":true}`), 400, "validation_failed"},
	} {
		if c.got.status != c.status || !strings.Contains(c.got.raw, `"reason":"`+c.reason+`"`) {
			t.Errorf("%s: %d %s", name, c.got.status, c.got.raw)
		}
	}
}

func TestDeletedTenantIsUnknownOnBothAPIs(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		d := newDeletion(t, b)
		admin := b.adminOf(b.shop)
		d.root("POST", d.path+"/suspend", `{"reason":"closed"}`)
		d.export()
		q := fmt.Sprintf(`{"query":"mutation{tenantDelete(tenantId:\"%s\",input:{confirm:\"%s\"}){status}}"}`, b.shop.Tenant.ID, d.slug)
		d.want("over GraphQL", d.root("POST", "/graphql", q), 200, `"status":"deleting"`)
		d.want("its key", b.request("GET", "/api/products", "", "X-API-Key", b.shop.SecretKey), 401, "key_unknown")
		d.want("its client key", b.request("GET", "/api/commerce/shop", "", "X-Client-Key", b.shop.ClientKey), 401, "key_unknown")
		d.want("its admin", admin("GET", "/products", ""), 403, "tenant_not_joined")
		login := fmt.Sprintf(`{"email":%q,"password":%q}`, b.shop.AdminEmail, b.shop.AdminPassword)
		d.want("its admin who logs in", b.request("POST", "/api/users/login", login), 401, "credentials_invalid")
		d.want("the platform in it", d.root("GET", "/products", "", "X-Tenant-Id", string(b.shop.Tenant.ID)), 403, "tenant_not_joined")
	})
}
