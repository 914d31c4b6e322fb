package program

import (
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// A start that crashed while it made the demo shop's orders is completed by the next one, and one after that changes nothing.
func TestDemoOrdersAreCompletedAfterCrash(t *testing.T) {
	t.Parallel()
	k := openCoreWith(t, []string{"CARTWRIGHT_DATA=" + t.TempDir()})
	demo, err := readDemo()
	if err != nil {
		t.Fatal(err)
	}
	whole := demo.Recent
	demo.Recent = append([]demoOrder(nil), whole[len(whole)-3:]...)
	demo.Recent[0].Status = order.Paid // it had taken one step
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
	demo.Recent = whole
	revisions := map[string]any{}
	for again := range 2 {
		if err := k.importDemoOrders(t.Context(), shop, demo); err != nil {
			t.Fatal(err)
		}
		found, err := k.store.Read(ports.ForTenant(demoID)).Find(t.Context(), collection.Query{Schema: order.Schema, Environment: "test", Limit: 100, Page: 1})
		if err != nil || len(found.Docs) != len(whole)+len(demo.Orders) {
			t.Fatal(len(found.Docs), err)
		}
		for _, o := range found.Docs {
			if again == 1 && revisions[o.ID()] != o["revision"] {
				t.Errorf("%s was changed again", o.Text("orderNumber"))
			}
			revisions[o.ID()] = o["revision"]
		}
		for _, o := range whole {
			if !hasStatus(found.Docs, o) {
				t.Errorf("%s is not %s", o.Number, o.Status)
			}
		}
	}
}

func hasStatus(docs []collection.Record, o demoOrder) bool {
	for _, d := range docs {
		if d.Text("orderNumber") == o.Number {
			return d.Text("status") == string(o.Status)
		}
	}
	return false
}
