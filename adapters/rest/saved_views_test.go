package rest_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// aView is the body of a saved view of orders.
func aView(name, more string) string {
	return `{"name":"` + name + `","collection":"orders","where":{"status":{"in":["paid","preparing"]},"tags":{"contains":"vip"}},` +
		`"sort":"-placedAt","columns":["orderNumber","customerSnapshot.email","customer.name","totalAmount"]` + more + `}`
}

// Rules team-6, team-7: views are of their owner, or shared.
func TestSavedViewsAreOfTheirOwner(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mina, asMina := b.colleague(b.shop, "mina", tenant.Editor)
		_, asJoon := b.colleague(b.shop, "joon", tenant.Editor)
		_, asViewer := b.colleague(b.shop, "vera", tenant.Viewer)
		_, asEve := b.colleague(b.other, "eve", tenant.Admin)
		admin := b.adminOf(b.shop)
		made := asMina("POST", "/saved-views?depth=0", aView("To pack", ""))
		if made.status != 201 || made.doc()["owner"] != mina || made.doc()["shared"] != false || made.header.Get("X-Event-Sequence") != "" {
			t.Fatalf("%d %s", made.status, made.raw)
		}
		path := "/saved-views/" + made.doc()["id"].(string)
		others := map[string]func(method, path, body string, headers ...string) answer{
			"an editor": asJoon, "a viewer": asViewer, "an admin": admin, "another shop": asEve,
		}
		for who, as := range others {
			for method, body := range map[string]string{"GET": "", "PATCH": `{"name":"Mine"}`, "DELETE": ""} {
				if a := as(method, path, body); a.status != 404 {
					t.Errorf("%s, %s: %d %s", who, method, a.status, a.raw)
				}
			}
			if a := as("GET", "/saved-views?where[name][equals]=To%20pack", ""); a.status != 200 || len(a.docs()) != 0 {
				t.Errorf("%s lists %s", who, a.raw)
			}
			if a := as("GET", "/events?limit=500&collection=saved-views", ""); a.status == 200 {
				t.Errorf("%s is told of it: %s", who, a.raw)
			}
		}
		if a := b.request("GET", "/api/saved-views", "", "X-API-Key", b.shop.SecretKey); a.status != 403 {
			t.Errorf("a key: %d %s", a.status, a.raw)
		}
		if a := asMina("PATCH", path, `{"shared":true}`); a.status != 200 {
			t.Fatal(a.raw)
		}
		for who, as := range others {
			want := map[string]int{"another shop": 404}[who]
			if a := as("GET", path, ""); a.status != max(want, 200) {
				t.Errorf("%s reads the shared one: %d %s", who, a.status, a.raw)
			}
			want = map[string]int{"an admin": 200, "another shop": 404}[who]
			if a := as("PATCH", path, `{"name":"To pack"}`); a.status != max(want, 200) && a.reason() != "view_of_another" {
				t.Errorf("%s changes the shared one: %d %s", who, a.status, a.raw)
			}
		}
		if a := asViewer("POST", "/saved-views", aView("Mine", `,"shared":true`)); a.status != 403 || a.reason() != "view_not_shareable" {
			t.Errorf("a viewer shares: %d %s", a.status, a.raw)
		}
		if a := asViewer("POST", "/saved-views", aView("To pack", "")); a.status != 201 {
			t.Errorf("another one's view of the same name: %d %s", a.status, a.raw)
		}
		if a := asMina("POST", "/saved-views", aView("To pack", "")); a.status != 400 || a.reason() != "value_not_unique" {
			t.Errorf("twice: %d %s", a.status, a.raw)
		}
		if a := asMina("PATCH", path, `{"name":"x","expectedRevision":1}`); a.status != 412 {
			t.Errorf("of another revision: %d %s", a.status, a.raw)
		}
		if a := admin("DELETE", path, ""); a.status != 200 {
			t.Errorf("an admin deletes it: %d %s", a.status, a.raw)
		}
	})
}

func TestSavedViewsFitTheirCollection(t *testing.T) {
	b := newSQLiteHarness(t)
	_, asMina := b.colleague(b.shop, "mina", tenant.Editor)
	for body, names := range map[string]string{
		`{"name":"x","collection":"nothing"}`:                                                     "nothing",
		`{"name":"x","collection":"webhook-deliveries"}`:                                          "webhook-deliveries", // editors may not read it
		`{"name":"x","collection":"orders","where":{"colour":{"equals":1}}}`:                      "colour",
		`{"name":"x","collection":"orders","where":{"status":{"near":1}}}`:                        "near",
		`{"name":"x","collection":"orders","where":{"cancelKey":{"exists":true}}}`:                "cancelKey",
		`{"name":"x","collection":"orders","where":[]}`:                                           "where",
		`{"name":"x","collection":"orders","sort":"-colour"}`:                                     "colour",
		`{"name":"x","collection":"orders","columns":["orderNumber","lines.smell"]}`:              "lines.smell",
		`{"name":" ","collection":"orders"}`:                                                      "name",
		`{"name":"x","collection":"orders","owner":"somebody"}`:                                   "owner",
		`{"name":"x","collection":"orders","columns":["` + strings.Repeat(`id","`, 100) + `id"]}`: "columns",
	} {
		if a := asMina("POST", "/saved-views", body); a.status != 400 || !strings.Contains(a.raw, names) {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
	}
	if a := asMina("POST", "/saved-views", `{"name":"All","collection":"orders"}`); a.status != 201 {
		t.Errorf("a view of everything: %d %s", a.status, a.raw)
	}
	// What leads through records that somebody may not read is refused in a view as it is in the list.
	_, asJoon := b.colleague(b.shop, "joon", tenant.Packer)
	for _, part := range []string{`"where":{"customer.email":{"equals":"x"}}`, `"sort":"customer.email"`, `"columns":["customer.email"]`} {
		body := `{"name":"x","collection":"orders",` + part + `}`
		if a := asJoon("POST", "/saved-views", body); a.status != 400 || !strings.Contains(a.raw, "customer.email") {
			t.Errorf("%s by a packer: %d %s", body, a.status, a.raw)
		}
		if a := asMina("POST", "/saved-views", strings.Replace(body, `"name":"x"`, `"name":"`+part[1:5]+`"`, 1)); a.status != 201 {
			t.Errorf("%s by an editor: %d %s", body, a.status, a.raw)
		}
	}
}

// However many views somebody saves at once, the last of the two hundred is the last.
func TestSavedViewsOfOnePersonAreLimited(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		_, asMina := b.colleague(b.shop, "mina", tenant.Editor)
		for i := range 195 {
			if a := asMina("POST", "/saved-views", aView(fmt.Sprint("View ", i), "")); a.status != 201 {
				t.Fatal(a.raw)
			}
		}
		var made, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				switch a := asMina("POST", "/saved-views", aView(fmt.Sprint("More ", i), "")); {
				case a.status == 201:
					made.Add(1)
				case a.status == 422 && a.reason() == "views_too_many":
					refused.Add(1)
				default:
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		if made.Load() != 5 || refused.Load() != 7 {
			t.Errorf("%d were made, %d refused", made.Load(), refused.Load())
		}
	})
}
