package program

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The demo shop shows what taxes can do: they are included, added and reduced, and its orders and payments have them.
func TestDemoShopHasTaxes(t *testing.T) {
	t.Parallel()
	k := openCoreWith(t, []string{"CARTWRIGHT_DATA=" + t.TempDir()})
	demo, err := readDemo()
	if err != nil {
		t.Fatal(err)
	}
	demo.Recent = demo.Recent[len(demo.Recent)-2:]
	if _, err := k.createDemoTenant(t.Context(), demo, "http://127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	shop, err := k.store.APIKeys().Tenant(t.Context(), demoID)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.fillDemo(t.Context(), onboarding.SystemPrincipal(shop, tenant.Live), demo, "http://127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	all := func(s *collection.Schema, env string) []collection.Record {
		found, err := ports.FindAll(t.Context(), k.store.Read(ports.ForTenant(demoID)), collection.Query{Schema: s, Environment: env, Sort: s.SortBy("id")})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	var modes []string
	for _, m := range all(catalog.Markets, "") {
		modes = append(modes, m.Text("code")+" "+m.Text("taxes"))
	}
	slices.Sort(modes)
	if !slices.Equal(modes, []string{"jp included", "kr included", "us added"}) || len(all(tax.Schema, "")) != len(demo.TaxRates) {
		t.Errorf("%v, %d rates", modes, len(all(tax.Schema, "")))
	}
	if !slices.ContainsFunc(all(catalog.Products, ""), func(p collection.Record) bool { return p.Text("taxClass") == string(tax.Reduced) }) {
		t.Error("nothing is taxed at a reduced rate")
	}
	taxed := 0
	for _, r := range all(order.Schema, "test") {
		o := order.FromRecord(r)
		if o.Taxes == nil {
			continue
		}
		taxed++
		// the rounding of a few lines apart, a tenth on top of the net price
		if off := o.Total.Minor/11 - o.Taxes.Amount.Minor; o.Taxes.Rates.Sum() != o.Taxes.Amount.Minor || off > 3 || off < -3 {
			t.Errorf("%s of %v has %+v", o.Number, o.Total, o.Taxes)
		}
	}
	if taxed == 0 {
		t.Error("no order has taxes")
	}
	if !slices.ContainsFunc(all(payment.Transactions, "test"), func(p collection.Record) bool { return len(p.Rows("taxes")) == 1 }) {
		t.Error("no payment has taxes")
	}
}
