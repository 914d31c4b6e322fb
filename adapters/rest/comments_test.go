package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// say is the body of a comment on a record.
func say(collection, record, text string, mentions ...string) string {
	body, err := json.Marshal(map[string]any{"collection": collection, "record": record, "text": text, "mentions": append([]string{}, mentions...)})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// mentionsOf are the users whom a comment mentions, in their order.
func mentionsOf(doc map[string]any) (ids []string) {
	list, _ := doc["mentions"].([]any)
	for _, it := range list {
		if m, embedded := it.(map[string]any); embedded {
			it = m["id"]
		}
		ids = append(ids, fmt.Sprint(it))
	}
	return ids
}

// Rules team-2, team-3: who writes, changes and deletes comments.
func TestTeamCommentsOnRecords(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mina, asMina := b.colleague(b.shop, "mina", tenant.Editor)
		joon, asJoon := b.colleague(b.shop, "joon", tenant.Editor)
		_, asViewer := b.colleague(b.shop, "vera", tenant.Viewer)
		admin := b.adminOf(b.shop)
		order := b.anOrder("260131-1")
		a := asMina("POST", "/comments?depth=0", say("orders", order, "Is @"+joon+" on it?", mina))
		if a.status != 201 || !slices.Equal(mentionsOf(a.doc()), []string{mina, joon}) || a.doc()["editedAt"] != nil {
			t.Fatalf("%d %s", a.status, a.raw)
		}
		if author, _ := a.doc()["author"].(map[string]any); author["kind"] != "user" || author["user"] != mina || author["via"] != "api" {
			t.Errorf("the author is %v", author)
		}
		path := "/comments/" + a.doc()["id"].(string)
		for who, as := range map[string]func(method, path, body string, headers ...string) answer{"another editor": asJoon, "an admin": admin} {
			if a := as("PATCH", path, `{"text":"mine"}`); a.status != 403 || a.reason() != "comment_of_another" {
				t.Errorf("%s changes it: %d %s", who, a.status, a.raw)
			}
		}
		if a := asJoon("DELETE", path, ""); a.status != 403 || a.reason() != "comment_of_another" {
			t.Errorf("another editor deletes it: %d %s", a.status, a.raw)
		}
		if a := b.request("DELETE", "/api"+path, "", "X-API-Key", b.shop.SecretKey); a.status != 403 {
			t.Errorf("a key deletes it: %d %s", a.status, a.raw)
		}
		if a := asViewer("POST", "/comments", say("orders", order, "Hello")); a.status != 403 {
			t.Errorf("a viewer writes: %d %s", a.status, a.raw)
		}
		if a := asViewer("GET", path, ""); a.status != 200 {
			t.Errorf("a viewer reads: %d %s", a.status, a.raw)
		}
		b.advance(time.Second)
		if a := asMina("PATCH", path, `{"text":"It is done."}`); a.status != 200 || !slices.Equal(mentionsOf(a.doc()), []string{mina}) || a.doc()["editedAt"] == nil {
			t.Errorf("its author changes it: %d %s", a.status, a.raw)
		}
		for what, body := range map[string]string{
			"another record": `{"record":"x"}`, "another author": `{"author":{"kind":"system"}}`, "nothing": `{"text":" "}`,
		} {
			if a := asMina("PATCH", path, body); a.status != 400 {
				t.Errorf("%s: %d %s", what, a.status, a.raw)
			}
		}
		if a := admin("DELETE", path, ""); a.status != 200 {
			t.Errorf("an admin deletes it: %d %s", a.status, a.raw)
		}
		own := b.make("comments", say("orders", order, "by the server"))
		b.secret(200, "PATCH", "/api/comments/"+own, `{"text":"by the same key"}`)
	})
}

func TestCommentsAreOnRecordsThatAreThere(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		stranger, _ := b.colleague(b.other, "eve", tenant.Editor)
		order, brand := b.anOrder("260131-1"), b.make("brands", `{"name":"Sea"}`)
		test := []string{"X-API-Key", b.shop.TestSecretKey}
		for what, c := range map[string]struct {
			headers []string
			body    string
			reason  string
		}{
			"nothing":                 {nil, say("orders", newID(), "Hello"), "comment_record_unknown"},
			"another collection":      {nil, say("customers", order, "Hello"), "comment_record_unknown"},
			"another environment":     {test, say("orders", order, "Hello"), "comment_record_unknown"},
			"another shop":            {[]string{"X-API-Key", b.other.SecretKey}, say("orders", order, "Hello"), "comment_record_unknown"},
			"what nobody comments on": {nil, say("brands", brand, "Hello"), "validation_failed"},
			"no text":                 {nil, say("orders", order, ""), "validation_failed"},
			"too much text":           {nil, say("orders", order, strings.Repeat("x", 5001)), "validation_failed"},
			"a stranger":              {nil, say("orders", order, "Hello", stranger), "mention_unknown"},
			"a stranger in the text":  {nil, say("orders", order, "Hello @"+stranger), "mention_unknown"},
			"too many":                {nil, say("orders", order, "Hello", strings.Split(strings.Repeat("x ", 50)+"x", " ")...), "validation_failed"},
		} {
			if c.headers == nil {
				c.headers = []string{"X-API-Key", b.shop.SecretKey}
			}
			if a := b.request("POST", "/api/comments", c.body, c.headers...); a.status != 400 || a.reason() != c.reason {
				t.Errorf("%s: %d %s, want %s", what, a.status, a.raw, c.reason)
			}
		}
		if a := b.secret(200, "GET", "/api/comments?limit=1", ""); len(a.docs()) != 0 {
			t.Errorf("what was refused is there: %s", a.raw)
		}
		for name, headers := range map[string][]string{"a client key": {"X-Client-Key", b.shop.ClientKey}, "nobody": nil} {
			if a := b.request("GET", "/api/comments", "", headers...); a.status != 403 && a.status != 401 {
				t.Errorf("%s reads comments: %d %s", name, a.status, a.raw)
			}
		}
	})
}

// Rule team-5: with a record go its comments.
func TestCommentsGoWithTheirRecord(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		customer := b.make("customers", `{"email":"kim@example.com","password":"a long sentence"}`)
		product := b.make("products", `{"title":"Lamp","status":"draft","price":1000}`)
		order := b.anOrder("260131-1")
		for range 3 {
			b.make("comments", say("customers", customer, "Pays late"))
			b.make("comments", say("products", product, "New photos"))
		}
		b.make("comments", say("orders", order, "stays"))
		in := []string{"X-API-Key", b.shop.TestSecretKey}
		if a := b.request("POST", "/api/comments", say("customers", customer, "in the other environment"), in...); a.status != 201 {
			t.Fatal(a.raw)
		}
		b.secret(200, "DELETE", "/api/customers/"+customer, "")
		b.secret(200, "DELETE", "/api/products/"+product, "")
		if a := b.secret(200, "GET", "/api/comments", ""); len(a.docs()) != 1 {
			t.Errorf("left: %s", a.raw)
		}
		if a := b.request("GET", "/api/comments", "", in...); len(a.docs()) != 0 {
			t.Errorf("left in the other environment: %s", a.raw)
		}
		if n := b.countEvents("comments", "delete"); n != 7 {
			t.Errorf("%d deletes were told, want 7", n)
		}
	})
}

// Rule team-3: comments stand in the timeline of their record.
func TestCommentsAreToldInTheTimeline(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mina, asMina := b.colleague(b.shop, "mina", tenant.Editor)
		order := b.anOrder("260131-1")
		comment := func(text string) (id string) {
			b.advance(time.Second)
			a := asMina("POST", "/comments", say("orders", order, text))
			if a.status != 201 {
				t.Fatal(a.raw)
			}
			return a.doc()["id"].(string)
		}
		first, gone := comment("Ask @"+mina), comment("gone")
		b.advance(time.Second)
		b.secret(200, "PATCH", "/api/orders/"+order, `{"tags":["vip"]}`)
		last := comment("last")
		for _, a := range []answer{asMina("PATCH", "/comments/"+first, `{"text":"Asked"}`), asMina("DELETE", "/comments/"+gone, "")} {
			if a.status != 200 {
				t.Fatal(a.raw)
			}
		}
		tell := func(query string) (told []string, page answer) {
			page = asMina("GET", "/orders/"+order+"/timeline?"+query, "")
			for _, e := range page.docs() {
				e := e.(map[string]any)
				text := fmt.Sprint(e["summary"])
				if c, _ := e["comment"].(map[string]any); c != nil {
					text = fmt.Sprintf("%s of %v: %v, edited %v", e["record"], e["actor"].(map[string]any)["name"], c["text"], c["edited"])
				}
				told = append(told, text)
			}
			return told, page
		}
		want := []string{
			last + " of mina: last, edited false", "Tags changed", first + " of mina: Asked, edited true", "Order created",
		}
		if told, page := tell("limit=10"); !slices.Equal(told, want) || page.body["hasMore"] != false {
			t.Errorf("%q, want %q\n%s", told, want, page.raw)
		}
		var paged []string
		for before := ""; ; {
			told, page := tell("limit=1" + before)
			if paged = append(paged, told...); page.body["hasMore"] == false || len(paged) > len(want) {
				break
			}
			before = "&before=" + page.body["nextBefore"].(string)
		}
		if !slices.Equal(paged, want) {
			t.Errorf("page by page: %q, want %q", paged, want)
		}
	})
}

// Two shops comment on records of one id at once: nothing is lost, nothing is there twice, and nobody reads the other.
func TestConcurrentCommentsAreEachThereOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const n = 32
		id := newID()
		shops := []onboarding.PreparedTenant{b.shop, b.other}
		for _, of := range shops {
			b.storeCustomer(of.Tenant.ID, id)
		}
		var all sync.WaitGroup
		for _, of := range shops {
			for i := range 2 * n { // each is sent twice
				all.Go(func() {
					a := b.request("POST", "/api/comments", say("customers", id, fmt.Sprint(of.Name, " ", i/2)),
						"X-API-Key", of.SecretKey, "Idempotency-Key", fmt.Sprintf("ik_comment_%s_%08d", of.Slug, i/2))
					if a.status != 201 {
						t.Errorf("%d %s", a.status, a.raw)
					}
				})
			}
		}
		all.Wait()
		for _, of := range shops {
			a := b.request("GET", "/api/comments?limit=500&where[record][equals]="+id, "", "X-API-Key", of.SecretKey)
			var texts []string
			for _, d := range a.docs() {
				texts = append(texts, d.(map[string]any)["text"].(string))
			}
			slices.Sort(texts)
			if len(texts) != n || len(slices.Compact(texts)) != n || slices.ContainsFunc(texts, func(s string) bool { return !strings.HasPrefix(s, of.Name) }) {
				t.Errorf("%s has %d comments: %q", of.Name, len(texts), texts)
			}
		}
	})
}

// storeCustomer stores a customer of a shop under an id.
func (b *harness) storeCustomer(of tenant.ID, id string) {
	b.t.Helper()
	r := collection.Record{"id": id, "tenant": string(of), "email": "kim@example.com"}
	err := b.store.Atomically(b.t.Context(), ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(identity.Customers, nil, r, newID(), b.now()))
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// Rule team-2: a finer role reads and writes comments on what it may read alone, in lists, events and timelines alike.
func TestFinerRolesReadCommentsOnWhatTheyMayRead(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		_, asPacker := b.colleague(b.shop, "paul", tenant.Packer)
		_, asSupport := b.colleague(b.shop, "sue", tenant.Support)
		order, customer := b.anOrder("260131-1"), b.make("customers", `{"email":"kim@example.com","password":"a long sentence"}`)
		onOrder, onCustomer := b.make("comments", say("orders", order, "Fragile")), b.make("comments", say("customers", customer, "Pays late"))
		for name, c := range map[string]struct {
			as             func(method, path, body string, headers ...string) answer
			list, customer int
		}{"a packer": {asPacker, 1, 404}, "support": {asSupport, 2, 200}} {
			if a := c.as("GET", "/comments?where[text][in]=Fragile,Pays%20late", ""); len(a.docs()) != c.list {
				t.Errorf("%s lists %d %s", name, a.status, a.raw)
			}
			if a := c.as("GET", "/comments/"+onOrder, ""); a.status != 200 {
				t.Errorf("%s reads that on the order: %d %s", name, a.status, a.raw)
			}
			if a := c.as("GET", "/comments/"+onCustomer, ""); a.status != c.customer {
				t.Errorf("%s reads that on the customer: %d %s", name, a.status, a.raw)
			}
			if a := c.as("GET", "/orders/"+order+"/timeline", ""); !strings.Contains(a.raw, "Fragile") {
				t.Errorf("%s is told: %d %s", name, a.status, a.raw)
			}
			if a := c.as("POST", "/comments", say("orders", order, "Packed")); a.status != 201 {
				t.Errorf("%s comments on the order: %d %s", name, a.status, a.raw)
			}
			if a := c.as("POST", "/saved-views", `{"name":"Mine","collection":"orders"}`); a.status != 201 {
				t.Errorf("%s saves a view: %d %s", name, a.status, a.raw)
			}
		}
		if a := asPacker("POST", "/comments", say("customers", customer, "Hello")); a.reason() != "comment_record_unknown" {
			t.Errorf("a packer comments on the customer: %d %s", a.status, a.raw)
		}
		if a := asPacker("GET", "/events?collection=comments", ""); a.status != 403 {
			t.Errorf("a packer reads the events of comments: %d %s", a.status, a.raw)
		}
	})
}
