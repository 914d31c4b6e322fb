package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// told are the notifications of a user, each as "kind record mailTo".
func (b *harness) told(user string) (list []string) {
	b.t.Helper()
	a := b.secret(200, "GET", "/api/notifications?limit=100&sort=id&depth=0&where[recipient][equals]="+user, "")
	for _, d := range a.docs() {
		d := d.(map[string]any)
		list = append(list, fmt.Sprint(d["kind"], " ", d["record"], " ", d["mailTo"]))
	}
	return list
}

// Rule team-9: who is mentioned or assigned is told once, and mailed if they want it.
func TestUsersAreToldOnceAndMailedIfTheyWant(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		mina, asMina := b.colleague(b.shop, "mina", tenant.Editor)
		joon, asJoon := b.colleague(b.shop, "joon", tenant.Editor)
		order := b.anOrder("260131-1")
		must := func(a answer) answer {
			t.Helper()
			if a.status != 200 && a.status != 201 {
				t.Fatalf("%d %s", a.status, a.raw)
			}
			return a
		}
		must(asJoon("PATCH", "/users/me/preferences", `{"mail":{"assigned":false}}`))
		body := say("orders", order, "Look, @"+joon+" and me", mina, joon)
		key := []string{"Idempotency-Key", "ik_mention_0123456789"}
		first := must(asMina("POST", "/comments", body, key...))
		must(asMina("POST", "/comments", body, key...)) // the same once more
		path := "/comments/" + first.doc()["id"].(string)
		must(asMina("PATCH", path, `{"text":"Never mind","mentions":[]}`))
		must(asMina("PATCH", path, `{"text":"Or do, @`+joon+`"}`)) // told already
		must(asMina("PATCH", "/orders/"+order, `{"assignee":"`+joon+`"}`))
		must(asMina("PATCH", "/orders/"+order, `{"tags":["vip"]}`)) // still theirs
		must(asJoon("PATCH", "/orders/"+order, `{"assignee":"`+mina+`"}`))
		must(asMina("PATCH", "/orders/"+order, `{"assignee":null}`))
		must(asMina("PATCH", "/orders/"+order, `{"assignee":"`+mina+`"}`)) // nobody is told what they do themselves
		draft := must(asMina("POST", "/draft-orders", `{"assignee":"`+joon+`"}`)).doc()["id"].(string)
		const mailed = "@people.example"
		for user, want := range map[string][]string{
			joon: {"mentioned " + order + " joon" + mailed, "assigned " + order + " <nil>", "assigned " + draft + " <nil>"},
			mina: {"assigned " + order + " mina" + mailed},
		} {
			if got := b.told(user); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
		unseen := "/notifications?limit=1&where[seen][equals]=false&where[recipient][equals]=" + joon
		at := "/notifications/" + must(asJoon("GET", unseen, "")).docs()[0].(map[string]any)["id"].(string)
		if a := asMina("PATCH", at, `{"seen":true}`); a.status != 403 || a.reason() != "notification_of_another" {
			t.Errorf("mina marks what joon is told: %d %s", a.status, a.raw)
		}
		if a := asJoon("PATCH", at, `{"seen":true}`); a.status != 200 || a.doc()["seen"] != true {
			t.Errorf("joon marks it: %d %s", a.status, a.raw)
		}
		if a := b.request("POST", "/api/notifications", `{}`, "X-API-Key", b.shop.SecretKey); a.status != 405 {
			t.Errorf("a notification is made by hand: %d %s", a.status, a.raw)
		}
	})
}

// A mention is told once, however many changes of the comment name the user at once.
func TestConcurrentMentionsAreToldOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		joon, _ := b.colleague(b.shop, "joon", tenant.Editor)
		comment := b.make("comments", say("orders", b.anOrder("260131-1"), "Hello"))
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				a := b.request("PATCH", "/api/comments/"+comment, fmt.Sprintf(`{"text":"%d, @%s"}`, i, joon), "X-API-Key", b.shop.SecretKey)
				if a.status != 200 {
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		if told := b.told(joon); len(told) != 1 {
			t.Errorf("%q", told)
		}
	})
}

// aboutTheShop takes the defaults of what is told about the shop off preferences.
var aboutTheShop = strings.NewReplacer(
	`,"lowStock":false,"paymentAttention":false,"returnRequested":false,"erasureRequested":false,"orderPlaced":false`, "",
	`,"tell":{"lowStock":true,"paymentAttention":true,"returnRequested":true,"erasureRequested":true,"orderPlaced":false}`, "",
)

// Rule team-8: preferences are a user's own, and merged name by name.
func TestPreferencesAreMergedNameByName(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		_, asMina := b.colleague(b.shop, "mina", tenant.Viewer)
		admin := b.adminOf(b.shop)
		const path = "/users/me/preferences"
		for _, step := range []struct{ body, want string }{
			{"", `{"values":{},"mail":{"mentioned":true,"assigned":true},"revision":0}`},
			{`{"values":{"theme":"dark","table":{"rows":20,"dense":true}}}`,
				`{"values":{"table":{"dense":true,"rows":20},"theme":"dark"},"mail":{"mentioned":true,"assigned":true},"revision":1}`},
			{`{"values":{"theme":null,"table":{"rows":50}},"mail":{"mentioned":false},"expectedRevision":1}`,
				`{"values":{"table":{"dense":true,"rows":50}},"mail":{"mentioned":false,"assigned":true},"revision":2}`},
		} {
			a := asMina(map[bool]string{true: "GET", false: "PATCH"}[step.body == ""], path, step.body)
			if got := aboutTheShop.Replace(a.raw); a.status != 200 || got != step.want {
				t.Errorf("%s: %d %s, want %s", step.body, a.status, got, step.want)
			}
		}
		var many strings.Builder
		for i := range 100 {
			fmt.Fprintf(&many, `"n%d":1,`, i)
		}
		for body, want := range map[string]int{
			`{"values":{"a":1},"expectedRevision":1}`: 412,
			`{"values":[]}`: 400,
			`{"values":{"a":"` + strings.Repeat("x", 16<<10) + `"}}`:      400,
			`{"values":{` + strings.TrimSuffix(many.String(), ",") + `}}`: 400, // with the one that is there
			`{"mail":{"stock":true}}`:                                     400,
			`{"tell":{"mentioned":true}}`:                                 400,
			`{"mail":{"mentioned":"no"}}`:                                 400,
			`{"value":{}}`:                                                400,
		} {
			if a := asMina("PATCH", path, body); a.status != want {
				t.Errorf("%.60s: %d %s", body, a.status, a.raw)
			}
		}
		if a := admin("GET", path, ""); !strings.Contains(a.raw, `"values":{}`) {
			t.Errorf("the admin reads %s", a.raw)
		}
		if a := admin("GET", "/user-preferences", ""); a.status != 200 || len(a.docs()) != 0 {
			t.Errorf("the admin lists %s", a.raw)
		}
		if a := b.request("GET", "/api"+path, "", "X-API-Key", b.shop.SecretKey); a.status != 403 {
			t.Errorf("a key: %d %s", a.status, a.raw)
		}
	})
}

// Of many changes at once none is lost, also of the first ones.
func TestConcurrentPreferencesAreAllThere(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		_, asMina := b.colleague(b.shop, "mina", tenant.Editor)
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				if a := asMina("PATCH", "/users/me/preferences", fmt.Sprintf(`{"values":{"n%d":%d}}`, i, i)); a.status != 200 {
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		a := asMina("GET", "/users/me/preferences", "")
		if values, _ := a.body["values"].(map[string]any); len(values) != 16 || a.body["revision"] != 16.0 {
			t.Errorf("%s", a.raw)
		}
	})
}
