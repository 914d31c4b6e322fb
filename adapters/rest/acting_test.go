package rest_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// acting is the role of who asked for work in the background, or why there is none; keys say what they may.
func (b *harness) acting(t tenant.ID, env tenant.Environment, kind tenant.Kind, id string) string {
	b.t.Helper()
	p, err := b.access.Acting(b.t.Context(), t, env, tenant.Actor{Kind: kind, ID: id, Via: tenant.ViaConsole})
	switch {
	case errors.Is(err, access.ErrNoLonger):
		return "no longer"
	case errors.Is(err, tenant.ErrSuspended):
		return "suspended"
	case err != nil:
		b.t.Fatal(err)
	}
	if p.Tenant.ID != t || p.Environment != env || p.ID != id || p.Via != tenant.ViaConsole || p.Tenant.Currency == "" {
		b.t.Errorf("acts as %+v", p)
	}
	if kind == tenant.SecretKey {
		return map[[2]bool]string{{true, true}: "reads and writes", {true, false}: "reads"}[[2]bool{p.CanRead, p.CanWrite}]
	}
	return string(p.Role)
}

// Rule transfers-7: work in the background has the rights of now, whatever they were when somebody asked for it.
func TestWorkInTheBackgroundHasTheRightsOfNow(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		shop, other := b.shop.Tenant.ID, b.other.Tenant.ID
		want := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		user, _ := b.member("mina", "tenant-editor")
		want("an editor", b.acting(shop, tenant.Live, tenant.User, user), "tenant-editor")
		want("in test", b.acting(shop, tenant.Test, tenant.User, user), "tenant-editor")
		want("in another shop", b.acting(other, tenant.Live, tenant.User, user), "no longer")
		b.secret(200, "GET", "/api/users/"+user, "")
		admin := b.adminOf(b.shop)
		if a := admin("PATCH", "/users/"+user, `{"role":"packer"}`); a.status != 200 {
			t.Fatal(a.raw)
		}
		want("after another role", b.acting(shop, tenant.Live, tenant.User, user), "packer")
		if a := admin("DELETE", "/users/"+user, ""); a.status != 200 {
			t.Fatal(a.raw)
		}
		want("after they left", b.acting(shop, tenant.Live, tenant.User, user), "no longer")
		made := admin("POST", "/api-keys", `{"name":"reader","kind":"secret","environment":"live","scopes":["read"]}`)
		if made.status != 201 {
			t.Fatal(made.raw)
		}
		key := made.body["id"].(string)
		want("a key", b.acting(shop, tenant.Live, tenant.SecretKey, key), "reads")
		want("a key in test", b.acting(shop, tenant.Test, tenant.SecretKey, key), "no longer")
		want("a key in another shop", b.acting(other, tenant.Live, tenant.SecretKey, key), "no longer")
		if a := admin("DELETE", "/api-keys/"+key, ""); a.status != 200 {
			t.Fatal(a.raw)
		}
		want("a revoked key", b.acting(shop, tenant.Live, tenant.SecretKey, key), "no longer")
		for _, kind := range []tenant.Kind{tenant.Customer, tenant.ClientKey, tenant.Anonymous, tenant.System, ""} {
			want(string(kind), b.acting(shop, tenant.Live, kind, key), "no longer")
		}
	})
}
