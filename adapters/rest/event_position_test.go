package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// position is the event position in the response to a change; "" without one.
func (a answer) position() string { return a.header.Get("X-Event-Sequence") }

// eventList lists the events of the acting shop, each as "record recordSequence operation".
func (b *harness) eventList() (all []string) {
	b.t.Helper()
	if _, err := b.store.Sequence(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	for _, e := range b.secret(200, "GET", "/api/events?limit=500", "").docs() {
		e := e.(map[string]any)
		of, _ := e["doc"].(map[string]any)
		if of == nil {
			of = e["data"].(map[string]any)
		}
		all = append(all, fmt.Sprint(of["id"], " ", e["recordSequence"], " ", e["operation"]))
	}
	return all
}

// Rule events-9: a response has the recordSequence of its change's event, also when it is replayed.
func TestResponsesHaveEventPosition(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		id := ""
		for i, step := range []struct{ operation, method, path, body string }{
			{"create", "POST", "/api/gadgets", `{"name":"One"}`},
			{"update", "PATCH", "/api/gadgets/%s", `{"name":"Two"}`},
			{"update", "PATCH", "/api/gadgets/%s", `{"name":"Two"}`}, // nothing changes, but there is an event
			{"delete", "DELETE", "/api/gadgets/%s", ``},
		} {
			path, key := strings.ReplaceAll(step.path, "%s", id), fmt.Sprintf("ik_position_%032d", i)
			first := b.requestWithKey(key, step.method, path, step.body)
			again := b.requestWithKey(key, step.method, path, step.body)
			if want := fmt.Sprint(i + 1); first.position() != want || again.position() != want ||
				again.header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s %d: %q and again %q, want %s: %s", step.operation, i, first.position(), again.position(), want, first.raw)
			}
			id, _ = first.doc()["id"].(string)
			if logged := b.eventList(); !slices.Contains(logged, fmt.Sprint(id, " ", i+1, " ", step.operation)) {
				t.Errorf("change %d of %s is not among the events %v", i+1, id, logged)
			}
		}
	})
}

// The position of a changed cart is its revision, since only changes of the revision make events.
func TestCartChangesHaveEventPosition(t *testing.T) {
	k := newCartHarness(t)
	key := newKey()
	added := k.guest("POST", "/items", k.item(2, 1), key)
	later := k.guest("POST", "/clear", `{"expectedRevision":2}`, newKey())
	again := k.guest("POST", "/items", k.item(2, 1), key)
	for name, c := range map[string]struct {
		a                  answer
		position, revision string
	}{
		"a change": {added, "2", "2"}, "the next one": {later, "3", "3"}, "the first one replayed": {again, "2", "3"},
		"a refusal":    {k.guest("POST", "/clear", `{"expectedRevision":2}`, newKey()), "", "3"},
		"a read":       {k.guest("GET", "", "", newKey()), "", "3"},
		"a new cart":   {k.request("POST", "/api/commerce/carts", "{}", "X-Client-Key", k.shop.ClientKey), "1", "1"},
		"previous API": {k.request("POST", "/api/commerce/cart", "{}", "X-Client-Key", k.shop.ClientKey), "1", "1"},
	} {
		if c.a.position() != c.position || c.a.header.Get("X-Cart-Revision") != c.revision {
			t.Errorf("%s: position %q and revision %q, want %q and %q: %s", name, c.a.position(), c.a.header.Get("X-Cart-Revision"),
				c.position, c.revision, c.a.raw)
		}
	}
	for _, want := range []string{k.id + " 2 update", k.id + " 3 update"} {
		if logged := k.eventList(); !slices.Contains(logged, want) {
			t.Errorf("%s is not among the events %v", want, logged)
		}
	}
}

// A response with several records, or none, has no position. Browsers may read the header.
func TestResponsesWithoutOneRecordHaveNoEventPosition(t *testing.T) {
	b := newSQLiteHarness(t)
	id := b.make("gadgets", `{"name":"One"}`)
	for name, a := range map[string]answer{
		"many records": b.secret(200, "PATCH", "/api/gadgets?where[id][equals]="+id, `{"name":"Two"}`),
		"a refusal":    b.secret(400, "PATCH", "/api/gadgets/"+id, `{"name":""}`),
		"a read":       b.secret(200, "GET", "/api/gadgets/"+id, ""),
	} {
		if a.position() != "" {
			t.Errorf("%s has the position %s", name, a.position())
		}
	}
	page := b.request("GET", "/api/gadgets", "", "X-Client-Key", b.shop.ClientKey, "Origin", "https://any.example")
	if exposed := page.header.Get("Access-Control-Expose-Headers"); !slices.Contains(strings.Split(exposed, ", "), "X-Event-Sequence") {
		t.Errorf("pages may read %s", exposed)
	}
}
