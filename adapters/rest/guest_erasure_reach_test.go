package rest_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Live purchases are not erased from the test environment, nor the other way around. Rules access-24, access-63.
func TestGuestErasureIsOfOneEnvironment(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "plain", nil)
		b.holdGuest(b.shop.Tenant.ID, here, needle)
		admin, ask := b.adminOf(b.shop), `{"email":"`+guestEmail+`"}`
		tried := b.copied(b.shop.Tenant.ID, order.Schema, here["orders"].ID(), collection.Record{
			"email": guestEmail, "orderNumber": "TEST-1", "checkout": nil, "draftOrder": nil, "environment": "test", "status": "delivered",
		})
		before, inTest := b.rowsWith(needle), []string{"X-Environment", "test"}
		shown := admin("POST", "/guest-erasures/preview", ask, inTest...)
		if all := personalOf(shown); len(all) != 1 || all["orders"] != 1 {
			t.Errorf("the preview in test: %s", shown.raw)
		}
		begun := admin("POST", "/guest-erasures/begin", `{"email":"`+guestEmail+`","reason":"asked in test"}`, inTest...)
		if begun.status != 200 {
			t.Fatal(begun.raw)
		}
		if a := admin("POST", "/guest-erasures/preview", ask); a.body["erasure"] != nil {
			t.Errorf("live sees the erasure in test: %s", a.raw)
		}
		b.goOnErasing()
		if a := admin("GET", "/orders/"+tried, "", inTest...); !collection.IsErasedEmail(fmt.Sprint(a.body["email"])) {
			t.Errorf("the test order: %s", a.raw)
		}
		if a := admin("GET", "/guest-erasures", ""); a.status != 200 || strings.Contains(a.raw, "asked in test") {
			t.Errorf("live lists the erasure in test: %s", a.raw)
		}
		for table, rows := range before {
			name := strings.TrimPrefix(table, "public.")
			if left := b.rowsWith(needle)[table]; name != "events" && name != "orders" && !reflect.DeepEqual(left, rows) {
				t.Errorf("%s: live data changed: %.3000s", table, left)
			}
		}
		if a := admin("GET", "/orders/"+here["orders"].ID(), ""); a.body["email"] != guestEmail {
			t.Errorf("the live order: %s", a.raw)
		}
		b.erasedGuest(admin, guestEmail)
		if left := b.rowsWith(needle); len(left) > 0 {
			t.Errorf("left after the live erasure: %.3000v", left)
		}
	})
}

// An order that came from another system is found by every address that it had: nothing else has them. Rule access-63.
func TestGuestErasureFindsCorrectedOrders(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here, admin := b.seed(b.shop.Tenant, "plain", nil), b.adminOf(b.shop)
		path := "/orders/" + b.copied(b.shop.Tenant.ID, order.Schema, here["orders"].ID(), collection.Record{
			"email": "ann-first@people.example", "customerSnapshot": collection.Record{"email": "ann-first@people.example"}, "customer": nil,
			"orderNumber": "API-1", "source": "api", "checkout": nil, "draftOrder": nil, "status": "delivered", "formerEmails": nil,
		})
		for _, email := range []string{"ann-second@people.example", "ann-third@people.example"} {
			if a := admin("PATCH", path, `{"email":"`+email+`"}`, "Idempotency-Key", "ik_"+email); a.status != 200 || strings.Contains(a.raw, "ormerEmail") {
				t.Fatalf("%d %s", a.status, a.raw)
			}
		}
		if told := admin("GET", path+"/timeline", ""); told.status != 200 || strings.Contains(told.raw, "ormerEmail") {
			t.Errorf("the timeline: %d %s", told.status, told.raw)
		}
		if a := admin("GET", "/orders?where[formerEmails][contains]=ann-first@people.example", ""); a.status != 400 {
			t.Errorf("a search for former addresses: %d %s", a.status, a.raw)
		}
		b.erasedGuest(admin, "ann-second@people.example")
		if left := b.rowsWith("ann-first", "ann-second", "ann-third"); len(left) > 0 {
			t.Errorf("left: %.3000v", left)
		}
		if a := admin("GET", path, ""); !collection.IsErasedEmail(fmt.Sprint(a.body["email"])) {
			t.Errorf("the order: %s", a.raw)
		}
	})
}

// A round that has looked for stored answers may end the erasure after one more is stored: none has the address. Rule access-63.
func TestStoredAnswersDoNotTellWhichGuestIsErased(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		begin := func() answer {
			return admin("POST", "/guest-erasures/begin", `{"email":"ann-only@people.example"}`, "Idempotency-Key", "ik_receipt01234567892")
		}
		first := begin()
		erasure, _ := first.body["erasure"].(map[string]any)
		if first.status != 200 || erasure["email"] != "ann-only@people.example" {
			t.Fatalf("%d %s", first.status, first.raw)
		}
		for table := range b.rowsWith("ann-only") {
			if strings.TrimPrefix(table, "public.") != "guest_erasures" {
				t.Errorf("%s has the address", table)
			}
		}
		again := begin()
		replayed, _ := again.body["erasure"].(map[string]any)
		if again.status != 200 || replayed["id"] != erasure["id"] || replayed["email"] != collection.ErasedEmail(fmt.Sprint(erasure["id"])) {
			t.Errorf("repeated: %d %s", again.status, again.raw)
		}
	})
}

// What looks like erased could not be corrected, nor erased. Rule access-65.
func TestNobodyHasAnAddressOfErasures(t *testing.T) {
	b := newSQLiteHarness(t)
	here, admin := b.seed(b.shop.Tenant, "plain", nil), b.adminOf(b.shop)
	b.holdGuest(b.shop.Tenant.ID, here, needle)
	path := "/orders/" + here["orders"].ID()
	for _, email := range []string{"erased-1@erased.invalid", " Ann@Erased.invalid"} {
		if a := admin("PATCH", path, `{"email":"`+email+`"}`); a.status != 400 || !strings.Contains(a.raw, "who was erased") {
			t.Errorf("%s: %d %s", email, a.status, a.raw)
		}
		if a := admin("POST", "/customers", `{"email":"`+email+`","password":"correct horse"}`); a.status != 400 {
			t.Errorf("a customer as %s: %d %s", email, a.status, a.raw)
		}
	}
	mark := b.erasedGuest(admin, guestEmail)["email"].(string)
	if a := admin("PATCH", path, `{"email":"`+mark+`","tags":["sent-back"]}`); a.status != 200 || a.doc()["email"] != mark {
		t.Errorf("sent back: %d %s", a.status, a.raw)
	}
}

// An address of many purchases is refused before anything begins. Rule access-64.
func TestSharedAddressIsNotErased(t *testing.T) {
	b := newSQLiteHarness(t)
	here := b.seed(b.shop.Tenant, "plain", nil)
	b.holdGuest(b.shop.Tenant.ID, here, needle)
	call := idempotency.Call{Principal: tenant.Principal{
		Kind: tenant.SecretKey, ID: newID(), Tenant: b.shop.Tenant, Environment: tenant.Live, CanRead: true, CanWrite: true,
	}}
	try := func(limit int) (previewed, begun error) {
		s := personaldata.Service{
			Store: b.store, Records: b.content, Now: b.content.Now, NewID: newID, Find: b.store.ErasureFinder(), MaxGuestRecords: limit,
			Idempotency: &idempotency.Runner{},
		}
		_, previewed = s.GuestErasure(t.Context(), call, guestEmail)
		_, begun = s.EraseGuest(t.Context(), call, guestEmail, "")
		return previewed, begun
	}
	before := b.rowsWith(needle, "guest-erasures")
	for _, limit := range []int{1, 5} {
		if previewed, begun := try(limit); !errors.Is(previewed, personaldata.ErrTooManyRecords) || !errors.Is(begun, personaldata.ErrTooManyRecords) {
			t.Errorf("more than %d records: %v, %v", limit, previewed, begun)
		}
	}
	if !reflect.DeepEqual(b.rowsWith(needle, "guest-erasures"), before) {
		t.Error("the refused erasures changed something")
	}
	if previewed, begun := try(0); previewed != nil || begun != nil {
		t.Errorf("of few records: %v, %v", previewed, begun)
	}
	if previewed, begun := try(1); previewed != nil || begun != nil {
		t.Errorf("once it has begun: %v, %v", previewed, begun)
	}
}
