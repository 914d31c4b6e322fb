package team_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestOccasionsOfNotifications(t *testing.T) {
	t.Parallel()
	type state = team.State
	happens := func(slug string, operation collection.Operation, doc, before state) team.Change {
		return team.Change{Collection: slug, Operation: operation, Doc: doc, Before: before}
	}
	sets := func(slug string, operation collection.Operation, data state) team.Change {
		return team.Change{Collection: slug, Operation: operation, Doc: state{LowStock: true}, Data: data}
	}
	const made, changed, gone = collection.Created, collection.Updated, collection.Deleted
	imported := happens("orders", made, state{}, state{})
	imported.Actor.Via = tenant.ViaImport
	needed, failed := state{Status: "requires_attention"}, state{Type: "refund", Status: "failed"}
	for name, c := range map[string]struct {
		h    team.Change
		want string
	}{
		"stock becomes low":         {sets("product-variants", changed, state{LowStock: true}), team.LowStock},
		"stock is enough again":     {sets("products", changed, state{LowStock: false}), ""},
		"something else of it":      {sets("products", changed, state{}), ""},
		"a product is made low":     {sets("products", made, state{}), team.LowStock},
		"a low one goes":            {sets("products", gone, state{LowStock: true}), ""},
		"a payment needs somebody":  {happens("payment-sessions", changed, needed, state{Status: "pending"}), team.PaymentAttention},
		"it still does":             {happens("payment-sessions", changed, needed, needed), ""},
		"a dispute":                 {happens("disputes", made, state{}, state{}), team.PaymentAttention},
		"a dispute goes on":         {happens("disputes", changed, state{}, state{}), ""},
		"a refund fails":            {happens("transactions", changed, failed, state{Status: "pending"}), team.PaymentAttention},
		"a payment fails":           {happens("transactions", changed, state{Type: "payment", Status: "failed"}, state{}), ""},
		"a return is requested":     {happens("return-requests", made, state{Status: "requested"}, state{}), team.ReturnRequested},
		"a return is received":      {happens("return-requests", changed, state{Status: "received"}, state{}), ""},
		"an order":                  {happens("orders", made, state{}, state{}), team.OrderPlaced},
		"an imported order":         {imported, ""},
		"an order is shipped":       {happens("orders", changed, state{Status: "shipped"}, state{}), ""},
		"what nobody is told about": {happens("carts", made, state{}, state{}), ""},
		"a customer asks to be erased": {
			happens("customers", changed, state{ErasureRequestedAt: "2026-01-31"}, state{ErasureRequestedAt: nil}), team.ErasureRequested,
		},
		"they still do": {
			happens("customers", changed, state{ErasureRequestedAt: "2026-01-31"}, state{ErasureRequestedAt: "2026-01-31"}), "",
		},
		"a customer registers": {happens("customers", made, state{ErasureRequestedAt: nil}, state{}), ""},
	} {
		if got := team.NoticeOf(c.h); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if c.want != "" && !slices.Contains(team.NoticedCollections, c.h.Collection) {
			t.Errorf("%s: nobody looks at %s", name, c.h.Collection)
		}
	}
}

func TestNoticesReachWhoMayDoSomething(t *testing.T) {
	t.Parallel()
	for _, n := range team.Notices {
		var got []tenant.Role
		for _, role := range tenant.Roles {
			p := tenant.Principal{Kind: tenant.User, Role: role}
			if n.Reaches(p, team.PreferencesFrom(nil)) {
				got = append(got, role)
			}
			if n.Reaches(p, team.Preferences{}) {
				t.Errorf("%s: %s is told, and does not want it", n.Kind, role)
			}
		}
		want := map[string][]tenant.Role{
			team.LowStock:         {tenant.PlatformAdmin, tenant.Admin, tenant.Editor},
			team.PaymentAttention: {tenant.PlatformAdmin, tenant.Admin, tenant.Accountant},
			team.ReturnRequested:  {tenant.PlatformAdmin, tenant.Admin, tenant.Editor, tenant.Support},
			team.ErasureRequested: {tenant.PlatformAdmin, tenant.Admin},
		}[n.Kind]
		if !slices.Equal(got, want) {
			t.Errorf("%s reaches %v", n.Kind, got)
		}
	}
	all := team.Preferences{Tell: map[string]bool{team.OrderPlaced: true}}
	if n := team.Notices[len(team.Notices)-1]; !n.Reaches(tenant.Principal{Kind: tenant.User, Role: tenant.Packer}, all) {
		t.Errorf("a packer who wants it is not told %s", n.Kind)
	}
}

// Whatever comes in which portions: every record is told once until it is seen, and nobody has more unseen notifications of a kind
// than there may be.
func TestNobodyIsFlooded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var unseen []collection.Record
		told, counted := map[string]bool{}, int64(0)
		for range rapid.IntRange(1, 6).Draw(r, "pages") {
			var page []string
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 60), 1, 40, rapid.ID[int]).Draw(r, "records") {
				page = append(page, fmt.Sprint("r", n))
			}
			plan := team.PlanTelling(unseen, page)
			fresh := 0
			for _, id := range page {
				if !told[id] {
					fresh++
				}
			}
			if len(plan.Singly)+int(plan.Together) != fresh {
				r.Fatalf("%d are new, %d are told and %d counted", fresh, len(plan.Singly), plan.Together)
			}
			for _, id := range plan.Singly {
				unseen, told[id] = append(unseen, collection.Record{"record": id}), true
			}
			if counted += plan.Together; plan.Together > 0 && plan.Counted == nil {
				unseen = append(unseen, collection.Record{"count": plan.Together})
			}
			if len(unseen) > team.MaxToldSingly+1 {
				r.Fatalf("%d are unseen", len(unseen))
			}
		}
	})
}
