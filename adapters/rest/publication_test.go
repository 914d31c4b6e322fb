package rest_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/cataloging"
)

// Rule catalog-33.
func TestADraftIsPublishedAtItsTime(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		now := func() time.Time { return time.UnixMilli(b.clock.Load()).UTC() }
		publish := func() {
			t.Helper()
			p := &cataloging.Publisher{Store: b.store, Now: now, NewID: newID}
			if _, err := p.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		at := now().Add(time.Hour).Format(time.RFC3339)
		soon := b.make("products", `{"name":"Soon","status":"draft","price":1000,"publishAt":"`+at+`"}`)
		never := b.make("products", `{"name":"Never","status":"draft","price":1000}`)
		kept := b.make("products", `{"name":"Kept","status":"draft","price":1000,"publishAt":"`+at+`"}`)
		b.secret(200, "PATCH", "/api/products/"+kept, `{"publishAt":null}`)
		b.secret(400, "PATCH", "/api/products/"+never, `{"publishAt":"2020-01-01T00:00:00Z"}`)
		shopper := func() string {
			a := b.request("GET", "/api/products?limit=10", "", "X-Client-Key", b.shop.ClientKey)
			if strings.Contains(a.raw, "publishAt") {
				t.Errorf("a shopper sees when: %s", a.raw)
			}
			return a.names()
		}
		b.advance(time.Hour - time.Second)
		if publish(); shopper() != "" {
			t.Errorf("shoppers see %q before", shopper())
		}
		b.secret(200, "PATCH", "/api/products/"+soon, `{"name":"Now"}`)
		b.advance(time.Second)
		var all sync.WaitGroup
		for range 4 {
			all.Go(publish)
		}
		all.Wait()
		if shopper() != "Now" {
			t.Errorf("shoppers see %q", shopper())
		}
		events := b.secret(200, "GET", "/api/events?record="+soon, "")
		list := events.docs()
		last, _ := list[len(list)-1].(map[string]any)
		actor, _ := last["actor"].(map[string]any)
		if len(list) != 3 || actor["kind"] != "system" || !strings.Contains(encoded(t, last), `"published"`) {
			t.Errorf("%v %s", actor, encoded(t, list))
		}
		b.secret(200, "PATCH", "/api/products/"+soon, `{"status":"draft"}`)
		b.advance(time.Hour)
		if publish(); shopper() != "" {
			t.Errorf("what was taken back is published again: %q", shopper())
		}
	})
}
