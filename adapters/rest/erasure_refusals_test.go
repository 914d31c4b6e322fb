package rest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// Rule access-61.
func TestErasureWaitsForWhatIsUnderWay(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdPerson(b.shop.Tenant.ID, here, needle)
		id, admin, e := here["customers"].ID(), b.adminOf(b.shop), b.eraser()
		put := func(s *collection.Schema, name string, v any) {
			b.change(b.shop.Tenant.ID, s, here[s.Slug].ID(), func(r collection.Record) { r[name] = v })
		}
		for s, under := range map[*collection.Schema][2]string{
			order.Schema: {"status", "paid"}, returns.Schema: {"status", "approved"}, payment.Transactions: {"status", "pending"},
			payment.Disputes: {"status", "under_review"}, checkout.Schema: {"status", "payment_pending"}, payment.Sessions: {"unsettledCart", "c1"},
		} {
			put(s, under[0], under[1])
			a := admin("POST", "/customers/"+id+"/erase", "")
			if a.status != 409 || a.reason() != "customer_busy" || !strings.Contains(a.raw, s.Slug) || !strings.Contains(a.raw, here[s.Slug].ID()) {
				t.Errorf("%s: %d %s", s.Slug, a.status, a.raw)
			}
			shown := admin("GET", "/customers/"+id+"/erasure", "")
			if blocking, _ := shown.body["blocking"].([]any); shown.status != 200 || len(blocking) != 1 {
				t.Errorf("%s: %d %s", s.Slug, shown.status, shown.raw)
			}
			put(s, under[0], over[s.Slug][under[0]])
		}
		offer := func(draft any) {
			b.change(b.shop.Tenant.ID, checkout.Schema, here["checkouts"].ID(), func(r collection.Record) {
				r["status"], r["expiresAt"], r["draftOrder"] = "open", b.content.Now().Add(time.Hour), draft
			})
		}
		offer(here["draft-orders"].ID())
		if a := admin("POST", "/customers/"+id+"/erase", ""); a.reason() != "customer_busy" || !strings.Contains(a.raw, here["checkouts"].ID()) {
			t.Errorf("a payment link: %d %s", a.status, a.raw)
		}
		if a := admin("GET", "/customers/"+id, ""); !strings.Contains(a.raw, needle) {
			t.Fatalf("refused erasures changed something: %s", a.raw)
		}
		offer(nil)
		if a := admin("POST", "/customers/"+id+"/erase", ""); a.status != 200 || !strings.Contains(a.raw, `"erasingSince":"`) {
			t.Fatalf("%d %s", a.status, a.raw)
		}
		put(order.Schema, "status", "paid") // it was placed at the same moment
		holds := func(s *collection.Schema) bool {
			r, err := b.store.Read(ports.ForTenant(b.shop.Tenant.ID)).Get(t.Context(), s, here[s.Slug].ID())
			if err != nil {
				t.Fatal(err)
			}
			_, personal := s.Redact(r)
			return personal
		}
		rounds := func(pause time.Duration) bool {
			for range 3 {
				if _, err := e.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.clock.Add(pause.Milliseconds())
			}
			return admin("GET", "/customers/"+id, "").body["erasedAt"] != nil
		}
		if done := rounds(3 * time.Minute); done || !holds(order.Schema) || !holds(checkout.Schema) || holds(returns.Schema) {
			t.Errorf("while two are under way: %t, order %t, checkout %t, return %t", done, holds(order.Schema), holds(checkout.Schema), holds(returns.Schema))
		}
		put(order.Schema, "status", "delivered")
		if done := rounds(3 * time.Minute); done || holds(order.Schema) || !holds(checkout.Schema) {
			t.Errorf("while the checkout is open: %t", done)
		}
		if done := rounds(time.Hour); !done || holds(checkout.Schema) {
			t.Errorf("after all is over: %t", done)
		}
		if left := b.rowsWith(needle); len(left) > 0 {
			t.Errorf("left: %.3000v", left)
		}
	})
}

// Rule access-62.
func TestNothingNewIsKeptAboutErasedCustomers(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdPerson(b.shop.Tenant.ID, here, needle)
		id, admin := here["customers"].ID(), b.adminOf(b.shop)
		alive := admin("POST", "/customers", `{"email":"alive@people.example","password":"correct horse"}`).doc()["id"].(string)
		b.erased(admin, id)
		ordered := "/orders/" + here["orders"].ID()
		for name, a := range map[string]answer{
			"their record":   admin("PATCH", "/customers/"+id, `{"name":"Back"}`),
			"a cart":         b.request("POST", "/api/server/commerce/carts", `{"customerId":"`+id+`"}`, "X-API-Key", b.shop.SecretKey),
			"notes":          admin("PATCH", ordered, `{"notes":"Back"}`),
			"merged into":    admin("POST", "/customers/"+id+"/merge", `{"from":"`+alive+`"}`),
			"merged":         admin("POST", "/customers/"+alive+"/merge", `{"from":"`+id+`"}`),
			"a draft for it": admin("POST", "/draft-orders", `{"customer":"`+id+`","customerNotes":"Back"}`),
		} {
			if a.status != 409 || a.reason() != "customer_erased" {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
		if a := admin("PATCH", ordered, `{"tags":["Settled"]}`); a.status != 200 {
			t.Errorf("work on their order: %d %s", a.status, a.raw)
		}
		if a := admin("DELETE", "/customers/"+id, ""); a.status != 200 {
			t.Errorf("%d %s", a.status, a.raw)
		}
	})
}

// Whoever may not erase does not, and gets no preview.
func TestWhoErasesCustomers(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.adminOf(b.shop)("POST", "/customers", `{"email":"ann@people.example","password":"correct horse"}`).doc()["id"].(string)
	_, pia := b.member("pia", "support")
	me := b.actors()["customer"]
	for _, call := range [][2]string{{"POST", "/customers/" + id + "/erase"}, {"GET", "/customers/" + id + "/erasure"}} {
		for name, c := range map[string]struct {
			a      answer
			status int
		}{
			"support":          {pia(call[0], call[1], ""), 403},
			"another shop":     {b.adminOf(b.other)(call[0], call[1], ""), 404},
			"a storefront":     {b.request(call[0], "/api"+call[1], "", "X-Client-Key", b.shop.ClientKey), 403},
			"another customer": {b.request(call[0], "/api"+call[1], "", me...), 403},
			"nobody":           {b.request(call[0], "/api"+call[1], ""), 401},
			"an unknown word":  {b.adminOf(b.shop)(call[0], call[1]+"?also=this", `{"also":"this"}`), 400},
		} {
			if c.a.status != c.status {
				t.Errorf("%s %s: %d %s", name, call[0], c.a.status, c.a.raw)
			}
		}
	}
	if a := b.adminOf(b.shop)("GET", "/customers/"+id, ""); a.body["email"] != "ann@people.example" {
		t.Errorf("%s", a.raw)
	}
}

// A customer of the same address in another shop stays, and so does their login.
func TestErasedInOneShopOnly(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const account = `{"email":"ann@people.example","password":"correct horse"}`
		id := b.adminOf(b.shop)("POST", "/customers", account).doc()["id"].(string)
		b.adminOf(b.other)("POST", "/customers", account)
		login := func(key string) answer {
			return b.request("POST", "/api/customers/login", account, "X-Client-Key", key)
		}
		session := login(b.shop.ClientKey)
		if session.status != 200 {
			t.Fatal(session.raw)
		}
		b.adminOf(b.shop)("POST", "/customers/"+id+"/erase", "")
		if a := login(b.shop.ClientKey); a.status != 401 {
			t.Errorf("erased: %d %s", a.status, a.raw)
		}
		headers := []string{"X-Client-Key", b.shop.ClientKey, "Authorization", "Bearer " + session.body["token"].(string)}
		if a := b.request("GET", "/api/customers/me", "", headers...); a.status != 401 && a.body["customer"] != nil {
			t.Errorf("the session goes on: %d %s", a.status, a.raw)
		}
		if a := login(b.other.ClientKey); a.status != 200 {
			t.Errorf("in the other shop: %d %s", a.status, a.raw)
		}
		if a := b.adminOf(b.shop)("POST", "/customers", account); a.status != 201 {
			t.Errorf("the address cannot be used again: %d %s", a.status, a.raw)
		}
	})
}
