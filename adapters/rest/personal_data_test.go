package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// heldAbout makes each seeded record of a shop one about the seeded customer.
func (b *harness) heldAbout(t tenant.ID, there seeded) {
	b.t.Helper()
	for _, h := range personaldata.Holdings {
		before := there[h.Schema.Slug]
		after := before.Clone()
		if after[h.By] = there[identity.Customers.Slug].ID(); h.Via != nil {
			after[h.By] = there[h.Via.Slug].ID()
		}
		err := b.store.Atomically(b.t.Context(), ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
			now, err := tx.Records.Lock(ctx, h.Schema, before.ID())
			if err != nil {
				return err
			}
			return tx.Records.Write(ctx, collection.NewChange(h.Schema, now, after, newID(), b.content.Now()))
		})
		if err != nil {
			b.t.Fatalf("%s: %v", h.Schema.Slug, err)
		}
	}
}

// exported lists the ids in a file by collection.
func exported(t *testing.T, a answer) map[string][]string {
	t.Helper()
	var all []struct {
		Collection string
		Record     map[string]any
	}
	if err := json.Unmarshal([]byte(a.raw), &all); err != nil || a.status != 200 {
		t.Fatalf("%v: %d %s", err, a.status, a.raw)
	}
	out := map[string][]string{}
	for _, one := range all {
		out[one.Collection] = append(out[one.Collection], one.Record["id"].(string))
	}
	return out
}

// Rule access-53.
func TestCustomersGetWhatTheShopHoldsAboutThem(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here, there := b.seed(b.shop.Tenant, "word", nil), b.seed(b.other.Tenant, "foreign", nil)
		b.heldAbout(b.shop.Tenant.ID, here)
		b.heldAbout(b.other.Tenant.ID, there)
		id := here["customers"].ID()
		path := "/customers/" + id + "/export"
		whole := b.adminOf(b.shop)("GET", path, "")
		found := exported(t, whole)
		for _, h := range personaldata.Holdings {
			if want := []string{here[h.Schema.Slug].ID()}; !slices.Equal(found[h.Schema.Slug], want) {
				t.Errorf("%s: %v, want %v", h.Schema.Slug, found[h.Schema.Slug], want)
			}
		}
		if !slices.Equal(found["customers"], []string{id}) || len(found) != len(personaldata.Holdings)+1 ||
			strings.Contains(whole.raw, `"password"`) || strings.Contains(whole.raw, "foreign") {
			t.Errorf("%s", whole.raw)
		}
		if key := exported(t, b.request("GET", "/api"+path, "", "X-API-Key", b.shop.SecretKey)); len(key) != len(found) {
			t.Errorf("with a secret key: %v", key)
		}
		if found = exported(t, b.adminOf(b.shop)("GET", path, "", "X-Environment", "test")); len(found) != 1 {
			t.Errorf("in the other environment: %v", found)
		}
		b.wantNoExport(path)
	})
}

// wantNoExport requires that those who may not read all of it get nothing.
func (b *harness) wantNoExport(path string) {
	b.t.Helper()
	_, packer := b.member("pack", "packer")
	if a := b.adminOf(b.shop)("POST", "/roles", `{"slug":"half","name":"H","permissions":["customers:read","orders:read"]}`); a.status != 201 {
		b.t.Fatal(a.raw)
	}
	_, half := b.member("half", "half")
	for name, c := range map[string]struct {
		a      answer
		status int
	}{
		"another shop":       {b.adminOf(b.other)("GET", path, ""), 404},
		"a packer":           {packer("GET", path, ""), 403},
		"half of it":         {half("GET", path, ""), 403},
		"a storefront":       {b.request("GET", "/api"+path, "", "X-Client-Key", b.shop.ClientKey), 403},
		"nobody":             {b.request("GET", "/api"+path, ""), 401},
		"another customer":   {b.request("GET", "/api"+path, "", b.actors()["customer"]...), 404},
		"nobody's customer":  {b.adminOf(b.shop)("GET", "/customers/"+missingID+"/export", ""), 404},
		"an unknown setting": {b.adminOf(b.shop)("GET", path+"?format=xml", ""), 400},
	} {
		if c.a.status != c.status {
			b.t.Errorf("%s: %d %s", name, c.a.status, c.a.raw)
		}
	}
}

func TestCustomersExportThemselves(t *testing.T) {
	b := newSQLiteHarness(t)
	me := b.actors()["customer"]
	id := b.request("GET", "/api/customers/me", "", me...).body["customer"].(map[string]any)["id"].(string)
	here := b.seed(b.shop.Tenant, "word", nil)
	here["customers"] = collection.Record{"id": id}
	b.heldAbout(b.shop.Tenant.ID, here)
	a := b.request("GET", "/api/customers/"+id+"/export", "", me...)
	found := exported(t, a)
	for _, slug := range []string{"carts", "checkouts", "orders", "return-requests"} {
		if !slices.Equal(found[slug], []string{here[slug].ID()}) {
			t.Errorf("%s: %v", slug, found[slug])
		}
	}
	if len(found) != 5 || strings.Contains(a.raw, `"groups"`) {
		t.Errorf("more than a customer may read: %s", a.raw)
	}
}

// A collection that leads to customers belongs into their files.
func TestEveryCollectionAboutCustomersIsExported(t *testing.T) {
	for _, s := range registry.Schemas() {
		for _, f := range s.Fields {
			about := slices.ContainsFunc(personaldata.Holdings, func(h personaldata.Holding) bool { return h.Schema == s && h.By == f.Name })
			if f.Kind == collection.Relation && f.RelationTo == identity.Customers.Slug && !about {
				t.Errorf("%s.%s", s.Slug, f.Name)
			}
		}
	}
}

// Rule access-54.
func TestMergedCustomersAreOne(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "word", nil)
		b.heldAbout(b.shop.Tenant.ID, here)
		from, admin := here["customers"].ID(), b.adminOf(b.shop)
		made := admin("POST", "/customers", `{"email":"stays@people.example","password":"correct horse","phone":"02-1","groups":["vip"],"marketingConsent":false}`)
		into := made.doc()["id"].(string)
		path := "/customers/" + into + "/merge"
		for name, c := range map[string]struct {
			a      answer
			status int
		}{
			"an editor's role without it": {func() answer { _, pia := b.member("pia", "support"); return pia("POST", path, `{"from":"`+from+`"}`) }(), 403},
			"another shop":                {b.adminOf(b.other)("POST", path, `{"from":"`+from+`"}`), 404},
			"a storefront":                {b.request("POST", "/api"+path, `{"from":"`+from+`"}`, "X-Client-Key", b.shop.ClientKey), 403},
			"nobody":                      {b.request("POST", "/api"+path, `{"from":"`+from+`"}`), 401},
			"themselves":                  {admin("POST", path, `{"from":"`+into+`"}`), 400},
			"who does not exist":          {admin("POST", path, `{"from":"`+missingID+`"}`), 400},
			"nothing":                     {admin("POST", path, `{}`), 400},
		} {
			if c.a.status != c.status {
				t.Errorf("%s: %d %s", name, c.a.status, c.a.raw)
			}
		}
		if a := admin("GET", "/customers/"+from, ""); a.status != 200 || a.body["name"] != "word" {
			t.Fatalf("refused merges changed something: %s", a.raw)
		}
		told := admin("POST", path, `{"from":"`+from+`","preview":true}`)
		if a := admin("GET", "/customers/"+into, ""); a.body["name"] != nil || fmt.Sprint(a.body["groups"]) != "[vip]" {
			t.Errorf("a preview changed something: %s", a.raw)
		}
		a := admin("POST", path, `{"from":"`+from+`"}`, "Idempotency-Key", "ik_0123456789abcdef")
		for _, part := range []string{"moved", "changes"} {
			if !reflect.DeepEqual(told.body[part], a.body[part]) {
				t.Errorf("%s: foretold %v, happened %v", part, told.body[part], a.body[part])
			}
		}
		if as, _ := told.body["customer"].(map[string]any); as["name"] != "word" || fmt.Sprint(as["groups"]) != "[vip word]" {
			t.Errorf("foretold %v", as)
		}
		customer, _ := a.body["customer"].(map[string]any)
		if a.status != 200 || customer["name"] != "word" || customer["phone"] != "02-1" || customer["email"] != "stays@people.example" ||
			customer["marketingConsent"] != false || fmt.Sprint(customer["groups"]) != "[vip word]" || len(a.body["moved"].([]any)) != 6 {
			t.Fatalf("%d %s", a.status, a.raw)
		}
		if again := admin("POST", path, `{"from":"`+from+`"}`, "Idempotency-Key", "ik_0123456789abcdef"); again.raw != a.raw {
			t.Errorf("with the same key: %s", again.raw)
		}
		if found := exported(t, admin("GET", "/customers/"+into+"/export", "")); len(found) != len(personaldata.Holdings)+1 {
			t.Errorf("the customer has %v", found)
		}
		if gone := admin("GET", "/customers/"+from, ""); gone.status != 404 {
			t.Errorf("%d %s", gone.status, gone.raw)
		}
	})
}

// Two merges of the same customer, and merges in a circle: everything ends up with one customer, and nothing is lost.
func TestMergesAtOnceLoseNothing(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		here := b.seed(b.shop.Tenant, "word", nil)
		b.heldAbout(b.shop.Tenant.ID, here)
		admin, ids := b.adminOf(b.shop), []string{here["customers"].ID()}
		for i := range 2 {
			ids = append(ids, admin("POST", "/customers", fmt.Sprintf(`{"email":"c%d@people.example","password":"correct horse"}`, i)).doc()["id"].(string))
		}
		var all sync.WaitGroup
		for i, into := range ids {
			all.Go(func() { admin("POST", "/customers/"+into+"/merge", `{"from":"`+ids[(i+1)%len(ids)]+`"}`) })
		}
		all.Wait()
		left := slices.DeleteFunc(ids, func(id string) bool { return admin("GET", "/customers/"+id, "").status == 404 })
		if len(left) == 0 {
			t.Fatal("every customer is gone")
		}
		for _, id := range left[1:] {
			if a := admin("POST", "/customers/"+left[0]+"/merge", `{"from":"`+id+`"}`); a.status != 200 {
				t.Fatalf("%d %s", a.status, a.raw)
			}
		}
		found := exported(t, admin("GET", "/customers/"+left[0]+"/export", ""))
		for _, h := range personaldata.Holdings {
			if !slices.Equal(found[h.Schema.Slug], []string{here[h.Schema.Slug].ID()}) {
				t.Errorf("%s: %v", h.Schema.Slug, found[h.Schema.Slug])
			}
		}
	})
}
