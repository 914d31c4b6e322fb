package reports_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Everybody is told of what they may read in full, and of nothing else. Rule reports-7.
func TestTasksAreThoseThatOneMayRead(t *testing.T) {
	f := newFixture(t.Context(), t, shops.SQLite(), "")
	f.open()
	every := []report.Task{
		report.Attention, report.LowStock, report.ReturnsOpen, report.ToPack, report.ToShip, report.WaitingForDeposit,
	}
	orders := []report.Task{report.ToPack, report.ToShip}
	own := func(permissions ...tenant.Permission) tenant.Principal {
		return tenant.Principal{Kind: tenant.User, Role: "own", ID: "u2", Tenant: f.shop, Environment: tenant.Live, Permissions: permissions}
	}
	for name, c := range map[string]struct {
		by   tenant.Principal
		want []report.Task
	}{
		"an admin":                       {f.admin(tenant.Live), every},
		"a secret key":                   {tenant.Principal{Kind: tenant.SecretKey, CanRead: true, Tenant: f.shop, Environment: tenant.Live}, every},
		"a role with orders":             {own("orders:read"), orders},
		"a role with products alone":     {own("products:read"), nil},
		"a role with all that is stored": {own("products:read", "product-variants:read"), []report.Task{report.LowStock}},
		"a role without anything":        {own(), nil},
	} {
		got, err := f.service().Today(t.Context(), c.by)
		if tasks := slices.Sorted(maps.Keys(got.Tasks)); err != nil || !slices.Equal(tasks, c.want) {
			t.Errorf("%s: %v, %v", name, tasks, err)
		}
		if (got.Setup != nil) != (name == "an admin") {
			t.Errorf("%s: setup %v", name, got.Setup)
		}
	}
	if _, err := f.service().Today(t.Context(), tenant.Principal{Kind: tenant.ClientKey, Tenant: f.shop}); err == nil {
		t.Error("a storefront is told what waits")
	}
}

// What is left to be set up is told until all is done, or the shop does not want to be told. Rule shop-8.
func TestSetupIsToldUntilItIsDone(t *testing.T) {
	f := newFixture(t.Context(), t, shops.SQLite(), "")
	f.open()
	id := string(f.shop.ID)
	record := func(more collection.Record) collection.Record {
		r := collection.Record{"id": shops.NewID(), "tenant": id}
		maps.Copy(r, more)
		return r
	}
	ask := func(env tenant.Environment) *reports.Setup {
		t.Helper()
		got, err := f.service().Today(t.Context(), f.admin(env))
		if err != nil {
			t.Fatal(err)
		}
		return got.Setup
	}
	want := func(when string, want reports.Setup) {
		t.Helper()
		if got := ask(tenant.Live); got == nil || *got != want {
			t.Errorf("%s: %+v", when, got)
		}
	}
	first := shipping.DefaultPolicy(shops.NewID(), f.shop)
	f.write(shipping.Schema, nil, first)
	want("at the beginning", reports.Setup{})
	f.write(catalog.Products, nil, record(collection.Record{"name": "Cup", "status": "draft"}))
	connection := func(env tenant.Environment, enabled bool) collection.Record {
		return record(collection.Record{
			"name": "A", "provider": "stripe", "accountKey": shops.NewID(), "environment": string(env), "enabled": enabled,
		})
	}
	f.write(payment.Connections, nil, connection(tenant.Test, true))
	f.write(payment.Connections, nil, connection(tenant.Live, false))
	want("with an account that is off", reports.Setup{Product: true})
	if got := ask(tenant.Test); got == nil || !got.Payment {
		t.Errorf("the test data: %+v", got)
	}
	f.write(payment.Connections, nil, connection(tenant.Live, true))
	f.write(tax.Schema, nil, record(collection.Record{"name": "VAT", "country": "KR"}))
	f.now = f.now.Add(time.Minute)
	stored, changed := f.record(shipping.Schema, first.ID()), f.record(shipping.Schema, first.ID()).Clone()
	changed["title"] = "By post"
	f.write(shipping.Schema, stored, changed)
	want("but for the storefront", reports.Setup{Product: true, Payment: true, Shipping: true, Taxes: true})
	setting := func(name string, to any) {
		before := f.record(identity.Tenants, id)
		after := before.Clone()
		after["settings"] = collection.Record{name: to}
		f.write(identity.Tenants, before, after)
	}
	setting("setupDismissed", true)
	if got := ask(tenant.Live); got != nil {
		t.Errorf("dismissed: %+v", got)
	}
	setting("storefrontUrl", "https://shop.example/")
	if got := ask(tenant.Live); got != nil {
		t.Errorf("all is done: %+v", got)
	}
}
