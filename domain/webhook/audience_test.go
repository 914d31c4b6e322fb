package webhook_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	. "github.com/cartwright-dev/cartwright/domain/webhook"
)

// reach is a tenant in which only admins may read audits.
var reach = ReadableCollections{
	Admins:  {"orders", "orders-old", "products", "carts", "customers", "users", "audits"},
	Servers: {"orders", "orders-old", "products", "carts", "customers", "users"},
}

func TestEndpointReceivesOnlyReadableCollections(t *testing.T) {
	t.Parallel()
	users, customers := []string{"users"}, []string{"customers"}
	for name, tc := range map[string]struct {
		endpoint     Endpoint
		of           string
		hears, token bool
	}{
		"an admin's, of users it names": {
			Endpoint{Audience: Admins, Environment: tenant.Live, Collections: users}, "users", true, true,
		},
		"an admin's in test, of users": {
			Endpoint{Audience: Admins, Environment: tenant.Test, Collections: users}, "users", true, false,
		},
		"an admin's of everything, of users": {Endpoint{Audience: Admins, Environment: tenant.Live}, "users", true, false},
		"an admin's of customers, of users": {
			Endpoint{Audience: Admins, Environment: tenant.Live, Collections: customers}, "users", false, false,
		},
		"a server's of everything, of users": {Endpoint{Audience: Servers, Environment: tenant.Live}, "users", true, false},
		"a server's that names users, of users": {
			Endpoint{Audience: Servers, Environment: tenant.Live, Collections: users}, "users", true, false,
		},
		"an admin's that names audits, of audits": {
			Endpoint{Audience: Admins, Environment: tenant.Live, Collections: []string{"audits"}}, "audits", true, true,
		},
		"a server's of everything, of audits": {Endpoint{Audience: Servers, Environment: tenant.Live}, "audits", false, false},
		"a server's that names audits, of audits": {
			Endpoint{Audience: Servers, Environment: tenant.Live, Collections: []string{"audits"}}, "audits", false, false,
		},
		"a server's of everything, of customers": {Endpoint{Audience: Servers, Environment: tenant.Live}, "customers", true, false},
		"a server's, of customers it names": {
			Endpoint{Audience: Servers, Environment: tenant.Live, Collections: customers}, "customers", true, true,
		},
		"a server's in test, of customers": {
			Endpoint{Audience: Servers, Environment: tenant.Test, Collections: customers}, "customers", true, true,
		},
		"an unknown audience, of everything": {Endpoint{Environment: tenant.Live}, "orders", false, false},
	} {
		e := tc.endpoint.WithReadable(reach)
		e.Enabled = true
		if got := e.Receives(Event{1, tc.of, collection.Updated, ""}); got != tc.hears {
			t.Errorf("%s: hears %v", name, got)
		}
		if got := e.ReceivesTokens(tc.of); got != tc.token {
			t.Errorf("%s: gets tokens %v", name, got)
		}
	}
	if (Endpoint{Enabled: true, Audience: Admins}).Receives(Event{1, "orders", collection.Updated, ""}) {
		t.Error("an endpoint without readable collections received an event")
	}
}

func TestWeakerAudience(t *testing.T) {
	t.Parallel()
	for a, all := range map[Audience]map[Audience]Audience{
		Admins: {Admins: Admins, Servers: Servers, "": Servers}, Servers: {Admins: Servers, Servers: Servers}, "": {Admins: Servers},
	} {
		for b, want := range all {
			if got := a.Weaker(b); got != want {
				t.Errorf("%q and %q: %q", a, b, got)
			}
		}
	}
	for text, want := range map[any]Audience{"admin": Admins, "server": Servers, "else": Servers, nil: Servers} {
		if got := EndpointFrom(collection.Record{"audience": text}).Audience; got != want {
			t.Errorf("of %v: %q", text, got)
		}
	}
}

func TestRetargetedDetectsSubscriptionChanges(t *testing.T) {
	t.Parallel()
	before := collection.Record{
		"url": "https://a.example", "collections": []string{"orders"}, "operations": []string{"create"}, "enabled": true,
		"description": "ERP",
	}
	off := before.Clone()
	off["enabled"] = false
	for name, tc := range map[string]struct {
		before collection.Record
		field  string
		value  any
		want   bool
	}{
		"another address":     {before, "url", "https://b.example", true},
		"more collections":    {before, "collections", []string{"orders", "carts"}, true},
		"all collections":     {before, "collections", nil, true},
		"all operations":      {before, "operations", nil, true},
		"switching on":        {off, "enabled", true, true},
		"switching off":       {before, "enabled", false, false},
		"another description": {before, "description", "CRM", false},
		"nothing":             {before, "url", "https://a.example", false},
	} {
		after := tc.before.Clone()
		after[tc.field] = tc.value
		if got := Retargeted(tc.before, after); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
