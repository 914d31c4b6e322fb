package rest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// guestEmail is the address of who holdGuest makes.
var guestEmail = strings.ToLower(needle) + "1@people.example"

// holdGuest makes the seeded records of a shop ones about a guest, who is full of personal words.
func (b *harness) holdGuest(t tenant.ID, there seeded, word string) {
	b.t.Helper()
	b.heldAbout(t, there)
	for _, s := range erasedSchemas()[1:] {
		for n := range 2 { // what is there before and after a change
			b.change(t, s, there[s.Slug].ID(), func(r collection.Record) { ofGuest(s, r, there["orders"].ID(), fmt.Sprint(word, n)) })
		}
	}
}

// ofGuest makes r a record about a guest and their order.
func ofGuest(s *collection.Schema, r collection.Record, orderID, word string) {
	maps.Copy(r, personalSample(s.Slug, s.Fields, r, word))
	maps.Copy(r, over[s.Slug])
	switch s {
	case team.Comments, webhook.Deliveries, mail.Deliveries:
		r["record"] = orderID
	case inventory.Movements, returns.Schema:
		r["order"] = orderID
	case draft.Schema:
		r["customerSnapshot"] = collection.Record{"name": word, "email": " " + word + "@People.example "}
	}
	if _, belongs := s.Field("customer"); belongs {
		r["customer"] = nil
	}
}

// erasedGuest begins the erasure of a guest, goes on until it is done, and returns it.
func (b *harness) erasedGuest(admin func(method, path, body string, headers ...string) answer, email string, headers ...string) map[string]any {
	b.t.Helper()
	a := admin("POST", "/guest-erasures/begin", `{"email":"`+email+`","reason":"asked for it"}`, headers...)
	erasure, _ := a.body["erasure"].(map[string]any)
	if a.status != 200 || erasure == nil || erasure["erasingSince"] == nil {
		b.t.Fatalf("%d %s", a.status, a.raw)
	}
	b.goOnErasing()
	return admin("GET", "/guest-erasures/"+erasure["id"].(string), "").body
}

// Rule access-63.
func TestErasedGuestIsInNoTable(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here, there := b.seed(b.shop.Tenant, "plain", nil), b.seed(b.other.Tenant, "plain", nil)
		b.holdGuest(b.shop.Tenant.ID, here, needle)
		b.holdGuest(b.other.Tenant.ID, there, "Foreignia")
		admin, ordered := b.adminOf(b.shop), "/orders/"+here["orders"].ID()
		if a := admin("PATCH", ordered, `{"notes":"`+needle+`"}`, "Idempotency-Key", "ik_receipt01234567890"); a.status != 200 {
			t.Fatal(a.raw)
		}
		before, theirs := b.rowsWith(needle), b.rowsWith("Foreignia")
		shown := admin("POST", "/guest-erasures/preview", `{"email":" `+strings.ToUpper(guestEmail)+` "}`)
		if shown.status != 200 || shown.body["erasure"] != nil || shown.body["customer"] != nil || len(shown.body["collections"].([]any)) < 10 {
			t.Errorf("the preview: %d %s", shown.status, shown.raw)
		}
		if !reflect.DeepEqual(b.rowsWith(needle), before) {
			t.Error("the preview changed something")
		}
		erasure := b.erasedGuest(admin, guestEmail, "Idempotency-Key", "ik_receipt01234567891")
		for table, rows := range b.rowsWith(needle) {
			t.Errorf("%s: %.3000s", table, rows)
		}
		if !reflect.DeepEqual(b.rowsWith("Foreignia"), theirs) {
			t.Error("what another shop has was changed")
		}
		mark := fmt.Sprintf("erased-%s@erased.invalid", erasure["id"])
		if erasure["email"] != mark || erasure["erasedAt"] == nil || erasure["erasingSince"] != nil || erasure["erasureReason"] != "asked for it" {
			t.Errorf("the erasure: %v", erasure)
		}
		if a := admin("GET", "/orders?where[email][equals]="+mark, ""); len(a.docs()) != 1 {
			t.Errorf("orders with the address of the erasure: %s", a.raw)
		}
		if told := admin("GET", ordered+"/timeline", ""); told.status != 200 || len(told.docs()) < 3 {
			t.Errorf("the timeline of the order: %d %s", told.status, told.raw)
		}
		if a := admin("PATCH", ordered, `{"notes":"Back"}`); a.reason() != "customer_erased" {
			t.Errorf("new words about the guest: %d %s", a.status, a.raw)
		}
	})
}

// Rule access-63.
func TestInterruptedGuestErasureGoesOn(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdGuest(b.shop.Tenant.ID, here, needle)
		admin := b.adminOf(b.shop)
		a := admin("POST", "/guest-erasures/begin", `{"email":"`+guestEmail+`"}`)
		if a.status != 200 {
			t.Fatal(a.raw)
		}
		path := "/guest-erasures/" + a.body["erasure"].(map[string]any)["id"].(string)
		interrupted := 0
		for attempts := int64(0); admin("GET", path, "").body["erasedAt"] == nil; attempts++ {
			if attempts > 100 {
				t.Fatal("it does not end")
			}
			b.clock.Add((2 * time.Minute).Milliseconds())
			left := &atomic.Int64{}
			left.Store(1 + attempts%2)
			e := personaldata.Eraser{Store: mortalStore{b.store, left}, Find: b.store.ErasureFinder(), Now: b.content.Now, NewID: newID, Fold: fold}
			if _, err := e.Run(t.Context()); errors.Is(err, errKilled) {
				interrupted++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if left := b.rowsWith(needle); len(left) > 0 || interrupted < len(erasedSchemas())/2 {
			t.Errorf("interrupted %d times, left: %.3000v", interrupted, left)
		}
	})
}

// Rule access-64.
func TestGuestErasureWaitsForWhatIsUnderWay(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdGuest(b.shop.Tenant.ID, here, needle)
		admin, ask := b.adminOf(b.shop), `{"email":"`+guestEmail+`"}`
		status := func(s *collection.Schema, status string) {
			b.change(b.shop.Tenant.ID, s, here[s.Slug].ID(), func(r collection.Record) { r["status"] = status })
		}
		for s, under := range map[*collection.Schema][2]string{order.Schema: {"paid", "delivered"}, returns.Schema: {"approved", "rejected"}} {
			status(s, under[0])
			a := admin("POST", "/guest-erasures/begin", ask)
			if a.status != 409 || a.reason() != "customer_busy" || !strings.Contains(a.raw, here[s.Slug].ID()) {
				t.Errorf("%s: %d %s", s.Slug, a.status, a.raw)
			}
			shown := admin("POST", "/guest-erasures/preview", ask)
			if blocking, _ := shown.body["blocking"].([]any); shown.status != 200 || len(blocking) != 1 {
				t.Errorf("%s: %d %s", s.Slug, shown.status, shown.raw)
			}
			status(s, under[1])
		}
		if a := admin("GET", "/guest-erasures?where[email][equals]="+guestEmail, ""); a.status != 200 || len(a.docs()) != 0 {
			t.Errorf("refused erasures left something: %s", a.raw)
		}
		a := admin("POST", "/guest-erasures/begin", ask)
		status(order.Schema, "paid") // it was placed at the same moment
		b.goOnErasing()
		path := "/guest-erasures/" + a.body["erasure"].(map[string]any)["id"].(string)
		if now := admin("GET", path, ""); now.body["erasedAt"] != nil || now.body["email"] != guestEmail {
			t.Errorf("while the order is to be delivered: %s", now.raw)
		}
		status(order.Schema, "delivered")
		b.clock.Add(time.Hour.Milliseconds())
		b.goOnErasing()
		if left := b.rowsWith(needle); admin("GET", path, "").body["erasedAt"] == nil || len(left) > 0 {
			t.Errorf("left: %.3000v", left)
		}
	})
}

// An account of the same address, and what was bought with it, stays. Rule access-63.
func TestGuestErasureLeavesAccounts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdGuest(b.shop.Tenant.ID, here, needle)
		admin := b.adminOf(b.shop)
		account := admin("POST", "/customers", `{"email":"`+guestEmail+`","password":"correct horse"}`).doc()["id"].(string)
		shown := admin("POST", "/guest-erasures/preview", `{"email":"`+guestEmail+`"}`)
		if shown.body["customer"] != account {
			t.Errorf("the account is not told: %s", shown.raw)
		}
		for _, s := range []*collection.Schema{order.Schema, checkout.Schema} {
			b.change(b.shop.Tenant.ID, s, here[s.Slug].ID(), func(r collection.Record) { r["customer"] = account })
		}
		erasure := b.erasedGuest(admin, guestEmail)
		for path, email := range map[string]any{"/orders/" + here["orders"].ID(): guestEmail, "/customers/" + account: guestEmail} {
			if a := admin("GET", path, ""); a.body["email"] != email {
				t.Errorf("%s: %s", path, a.raw)
			}
		}
		left := admin("GET", "/draft-orders/"+here["draft-orders"].ID(), "").body["customerSnapshot"].(map[string]any)
		if left["email"] != erasure["email"] || left["name"] != nil {
			t.Errorf("the draft of the guest: %v", left)
		}
		b.erased(admin, account)
		if a := admin("GET", "/orders/"+here["orders"].ID(), ""); a.body["email"] != nil {
			t.Errorf("the order of the customer: %s", a.raw)
		}
	})
}

// The address of an order can be corrected: its checkout, its draft and its cart are of the same person. What somebody buys with the
// address after the erasure began is none of it.
func TestGuestErasureTakesWholePurchases(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdGuest(b.shop.Tenant.ID, here, needle)
		admin, of := b.adminOf(b.shop), b.shop.Tenant.ID
		b.change(of, order.Schema, here["orders"].ID(), func(r collection.Record) {
			r["email"], r["checkout"], r["draftOrder"] = "corrected@people.example", here["checkouts"].ID(), here["draft-orders"].ID()
		})
		b.change(of, checkout.Schema, here["checkouts"].ID(), func(r collection.Record) { r["cart"] = here["carts"].ID() })
		a := admin("POST", "/guest-erasures/begin", `{"email":"corrected@people.example"}`)
		if a.status != 200 {
			t.Fatal(a.raw)
		}
		b.clock.Add(time.Hour.Milliseconds())
		later := b.copied(of, order.Schema, here["orders"].ID(), collection.Record{
			"email": "corrected@people.example", "orderNumber": "LATER-1", "checkout": nil, "draftOrder": nil, "status": "paid",
		})
		b.goOnErasing()
		if left := b.rowsWith(needle); len(left) > 0 {
			t.Errorf("left: %.3000v", left)
		}
		if a := admin("GET", "/orders/"+later, ""); a.body["email"] != "corrected@people.example" {
			t.Errorf("a later order: %s", a.raw)
		}
		if a := admin("GET", "/orders/"+here["orders"].ID(), ""); !collection.IsErasedEmail(fmt.Sprint(a.body["email"])) {
			t.Errorf("the order: %s", a.raw)
		}
	})
}

// copied stores a copy of a record without what is personal and with other values, and returns its id.
func (b *harness) copied(t tenant.ID, s *collection.Schema, id string, but collection.Record) string {
	b.t.Helper()
	was, err := b.store.Read(ports.ForTenant(t)).Get(b.t.Context(), s, id)
	if err != nil {
		b.t.Fatal(err)
	}
	next, _ := s.Redact(was)
	next = next.Clone()
	maps.Copy(next, but)
	next["id"] = newID()
	err = b.store.Atomically(b.t.Context(), ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, nil, next, newID(), b.content.Now()))
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return next.ID()
}

// Many erase the guest at once: it begins once. What is written later is erased by the address of the erasure. Rule access-63.
func TestGuestErasuresAtOnceBeginOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdGuest(b.shop.Tenant.ID, here, needle)
		admin := b.adminOf(b.shop)
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if a := admin("POST", "/guest-erasures/begin", `{"email":"`+guestEmail+`"}`); a.status != 200 || a.body["erasure"] == nil {
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		b.goOnErasing()
		listed := admin("GET", "/guest-erasures?where[erasedAt][exists]=true", "").docs()
		if left := b.rowsWith(needle); len(listed) != 1 || len(left) > 0 {
			t.Fatalf("%d erasures, left: %.3000v", len(listed), left)
		}
		mark := listed[0].(map[string]any)["email"].(string)
		again := admin("POST", "/guest-erasures/begin", `{"email":"`+mark+`"}`)
		if erasure := again.body["erasure"].(map[string]any); erasure["erasingSince"] != nil {
			t.Errorf("nothing came since: %s", again.raw)
		}
		b.change(b.shop.Tenant.ID, returns.Schema, here["return-requests"].ID(), func(r collection.Record) { r["notes"] = needle })
		shown := admin("POST", "/guest-erasures/preview", `{"email":"`+mark+`"}`)
		if n := personalOf(shown)["return-requests"]; n != 1 {
			t.Errorf("what came since: %s", shown.raw)
		}
		if now := b.erasedGuest(admin, mark); now["erasedAt"] == nil || len(b.rowsWith(needle)) > 0 {
			t.Errorf("erased again: %v, left %.3000v", now, b.rowsWith(needle))
		}
	})
}

// The database takes both for one address, and the look-up for two.
func TestGuestErasureOfAnAddressInOtherLettersIsRefused(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		for _, c := range []struct {
			email  string
			status int
		}{{"kim@straße.example", 200}, {"kim@strasse.example", 409}, {"kim@straße.example", 200}} {
			if a := admin("POST", "/guest-erasures/begin", `{"email":"`+c.email+`"}`); a.status != c.status {
				t.Errorf("%s: %d %s", c.email, a.status, a.raw)
			}
		}
	})
}

// personalOf is how many records have something personal, by collection, as a preview says.
func personalOf(a answer) map[string]float64 {
	counts := map[string]float64{}
	for _, row := range a.body["collections"].([]any) {
		counts[row.(map[string]any)["collection"].(string)] = row.(map[string]any)["personal"].(float64)
	}
	return counts
}

// Whoever may not erase does not, and gets no preview.
func TestWhoErasesGuests(t *testing.T) {
	b := newSQLiteHarness(t)
	_, pia := b.member("pia", "support")
	me := b.actors()["customer"]
	const ask = `{"email":"ann@people.example"}`
	for _, path := range []string{"/guest-erasures/begin", "/guest-erasures/preview"} {
		for name, c := range map[string]struct {
			a      answer
			status int
		}{
			"an admin":        {b.adminOf(b.shop)("POST", path, ask), 200},
			"support":         {pia("POST", path, ask), 403},
			"a storefront":    {b.request("POST", "/api"+path, ask, "X-Client-Key", b.shop.ClientKey), 403},
			"a customer":      {b.request("POST", "/api"+path, ask, me...), 403},
			"nobody":          {b.request("POST", "/api"+path, ask), 401},
			"an unknown word": {b.adminOf(b.shop)("POST", path, `{"email":"ann@people.example","also":"this"}`), 400},
			"no address":      {b.adminOf(b.shop)("POST", path, `{}`), 400},
			"no such address": {b.adminOf(b.shop)("POST", path, `{"email":"ann"}`), 400},
		} {
			if c.a.status != c.status {
				t.Errorf("%s %s: %d %s", name, path, c.a.status, c.a.raw)
			}
		}
	}
	if done := b.erasedGuest(b.adminOf(b.shop), "nobody@people.example"); done["erasedAt"] == nil || strings.Contains(fmt.Sprint(done), "nobody") {
		t.Errorf("of nobody: %v", done)
	}
}

// The same over GraphQL.
func TestGuestErasureOverGraphQL(t *testing.T) {
	b := newSQLiteHarness(t)
	here := b.seed(b.shop.Tenant, "plain", nil)
	b.holdGuest(b.shop.Tenant.ID, here, needle)
	ask := func(query string) answer {
		return b.request("POST", "/api/graphql", fmt.Sprintf(`{"query":%q}`, query), "X-API-Key", b.shop.SecretKey)
	}
	shown := ask(`{ guestErasurePreview(email: "` + guestEmail + `") { erasure { id } customer blocking { record } collections { collection personal } } }`)
	if shown.status != 200 || shown.body["errors"] != nil || !strings.Contains(shown.raw, `"orders"`) {
		t.Errorf("preview: %d %s", shown.status, shown.raw)
	}
	begun := ask(`mutation { guestErase(input: {email: "` + guestEmail + `"}) { erasure { id email erasingSince } collections { collection } } }`)
	if begun.status != 200 || begun.body["errors"] != nil || begun.at("guestErase.erasure.email") != guestEmail {
		t.Errorf("begin: %d %s", begun.status, begun.raw)
	}
	b.goOnErasing()
	listed := ask(`{ GuestErasures(where: {erasedAt: {exists: true}}) { docs { id email } } }`)
	if !strings.Contains(listed.raw, "erased-") || len(b.rowsWith(needle)) > 0 {
		t.Errorf("listed: %s", listed.raw)
	}
}
