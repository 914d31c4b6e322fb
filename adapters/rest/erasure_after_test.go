package rest_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// What a team writes about somebody who was erased is shown, and goes with the next erasure, even what was taken back meanwhile.
// Rule access-65.
func TestWhatIsWrittenAfterAnErasureGoesWithTheNext(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdPerson(b.shop.Tenant.ID, here, needle)
		id, admin := here["customers"].ID(), b.adminOf(b.shop)
		b.erased(admin, id)
		first := admin("GET", "/customers/"+id, "").body["erasedAt"]
		transaction := "/transactions/" + here["transactions"].ID()
		for name, a := range map[string]answer{
			"a comment":            admin("POST", "/comments", `{"collection":"orders","record":"`+here["orders"].ID()+`","text":"`+needle+` called"}`),
			"the note of a refund": admin("PATCH", transaction, `{"note":"`+needle+`"}`),
		} {
			if a.status != 200 && a.status != 201 {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
		b.change(b.shop.Tenant.ID, returns.Schema, here["return-requests"].ID(), func(r collection.Record) {
			r["auditNote"], r["statusReason"], r["lines"] = needle, needle, []collection.Record{{"orderLine": "l1", "reason": needle}}
		})
		b.change(b.shop.Tenant.ID, order.Schema, here["orders"].ID(), func(r collection.Record) {
			r["lineCancels"], r["cancelReason"] = []collection.Record{{"status": "done", "reason": needle}}, needle
		})
		shown := personalOf(admin("GET", "/customers/"+id+"/erasure", ""))
		for slug, n := range shown {
			if came := slug == "comments" || slug == "transactions" || slug == "return-requests" || slug == "orders"; came != (n == 1) {
				t.Errorf("%s: %v came since", slug, n)
			}
		}
		b.erased(admin, id)
		if now := admin("GET", "/customers/"+id, ""); now.body["erasedAt"] == first || now.body["erasedAt"] == nil || len(b.rowsWith(needle)) > 0 {
			t.Errorf("%s, left: %.3000v", now.raw, b.rowsWith(needle))
		}
		admin("PATCH", transaction, `{"note":"`+needle+`"}`)
		admin("PATCH", transaction, `{"note":null}`)
		if left := b.rowsWith(needle); len(left) == 0 {
			t.Error("nothing is told of the note that was taken back")
		}
		b.erased(admin, id)
		if left := b.rowsWith(needle); len(left) > 0 {
			t.Errorf("left: %.3000v", left)
		}
	})
}
