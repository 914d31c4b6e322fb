package rest_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// loggedIn is a new customer, and the headers of their session.
func (b *harness) loggedIn(admin func(method, path, body string, headers ...string) answer) (id string, headers []string) {
	const account = `{"email":"ann@people.example","password":"correct horse"}`
	id = admin("POST", "/customers", account).doc()["id"].(string)
	session := b.request("POST", "/api/customers/login", account, "X-Client-Key", b.shop.ClientKey)
	return id, []string{"X-Client-Key", b.shop.ClientKey, "Authorization", "Bearer " + session.body["token"].(string)}
}

// Rule access-66.
func TestCustomersAskToBeErased(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		id, me := b.loggedIn(admin)
		ask := func(verb, body string) answer { return b.request("POST", "/api/customers/"+verb, body, me...) }
		asking := "/customers?where[erasureRequestedAt][exists]=true&where[id][equals]=" + id
		for name, c := range map[string]struct {
			a      answer
			status int
		}{
			"no password":      {ask("request-erasure", `{}`), 400},
			"a wrong password": {ask("request-erasure", `{"password":"wrong horse"}`), 400},
			"a huge password":  {ask("request-erasure", `{"password":"`+strings.Repeat("x", 5000)+`"}`), 400},
			"an unknown word":  {ask("request-erasure", `{"password":"correct horse","also":"this"}`), 400},
			"a storefront":     {b.request("POST", "/api/customers/request-erasure", `{"password":"correct horse"}`, "X-Client-Key", b.shop.ClientKey), 401},
			"an admin":         {admin("POST", "/customers/request-erasure", `{"password":"correct horse"}`), 401},
			"by a change":      {b.request("PATCH", "/api/customers/"+id, `{"erasureRequestedAt":"2026-01-01T00:00:00.000Z"}`, me...), 400},
		} {
			if c.a.status != c.status {
				t.Errorf("%s: %d %s", name, c.a.status, c.a.raw)
			}
		}
		if a := admin("GET", asking, ""); a.status != 200 || len(a.docs()) != 0 {
			t.Errorf("nobody asked: %s", a.raw)
		}
		other := []string{"X-Client-Key", b.other.ClientKey, "Authorization", me[3]}
		if a := b.request("POST", "/api/customers/request-erasure", `{"password":"correct horse"}`, other...); a.status != 401 && a.status != 403 {
			t.Errorf("at another shop: %d %s", a.status, a.raw)
		}
		if a := admin("GET", asking, ""); len(a.docs()) != 0 {
			t.Errorf("asked at another shop: %s", a.raw)
		}
		first := ask("request-erasure", `{"password":"correct horse"}`)
		if at, _ := first.body["customer"].(map[string]any); first.status != 200 || at["erasureRequestedAt"] == nil || at["email"] != "ann@people.example" {
			t.Errorf("%d %s", first.status, first.raw)
		}
		b.clock.Add(60_000)
		if again := ask("request-erasure", `{"password":"correct horse"}`); again.raw != first.raw {
			t.Errorf("asked again: %s", again.raw)
		}
		if a := admin("GET", asking, ""); len(a.docs()) != 1 || !strings.Contains(a.raw, id) {
			t.Errorf("who asks: %s", a.raw)
		}
		if a := ask("withdraw-erasure", ""); a.status != 200 || len(admin("GET", asking, "").docs()) != 0 {
			t.Errorf("withdrawn: %d %s", a.status, a.raw)
		}
		ask("request-erasure", `{"password":"correct horse"}`)
		b.erased(admin, id)
		if a := admin("GET", "/customers/"+id, ""); a.body["erasureRequestedAt"] != nil || a.body["erasedAt"] == nil {
			t.Errorf("erased: %s", a.raw)
		}
		if a := ask("withdraw-erasure", ""); a.status != 401 {
			t.Errorf("too late: %d %s", a.status, a.raw)
		}
	})
}

// Rule access-66: guesses are counted with those of logins, so that a stolen session finds no password.
func TestGuessesAtRequestsToBeErasedAreFailedLogins(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const account = `{"email":"bo@people.example","password":"correct horse"}`
		b.adminOf(b.shop)("POST", "/customers", account)
		login := func() answer {
			return b.request("POST", "/api/customers/login", account, "X-Client-Key", b.shop.ClientKey)
		}
		token := login().body["token"].(string)
		ask := func(password string) answer {
			return b.request("POST", "/api/customers/request-erasure", `{"password":"`+password+`"}`,
				"X-Client-Key", b.shop.ClientKey, "Authorization", "Bearer "+token)
		}
		for range 5 {
			if a := ask("wrong horse"); a.status != 400 || a.reason() != "password_wrong" {
				t.Fatalf("a guess: %d %s", a.status, a.raw)
			}
		}
		for name, a := range map[string]answer{"another guess": ask("wrong horse"), "the password": ask("correct horse"), "a login": login()} {
			if a.status != 429 || a.reason() != "rate_limited" {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
	})
}

// Rule access-70.
func TestShopsDeclineRequestsToBeErased(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		admin := b.adminOf(b.shop)
		id, me := b.loggedIn(admin)
		ask := func() {
			b.request("POST", "/api/customers/request-erasure", `{"password":"correct horse"}`, me...)
		}
		path, because := "/customers/"+id+"/decline-erasure", `{"reason":"The law has us keep it."}`
		if a := admin("POST", path, because); a.status != 409 || a.reason() != "erasure_not_requested" {
			t.Errorf("nobody asked: %d %s", a.status, a.raw)
		}
		ask()
		for name, a := range map[string]answer{
			"no reason": admin("POST", path, `{}`), "a blank one": admin("POST", path, `{"reason":"  "}`),
			"a long one": admin("POST", path, `{"reason":"`+strings.Repeat("x", 501)+`"}`),
		} {
			if a.status != 400 || !strings.Contains(a.raw, `"reason"`) {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
		_, viewer := b.colleague(b.shop, "eddy", tenant.Viewer)
		for name, a := range map[string]answer{
			"the customer": b.request("POST", "/api"+path, because, me...), "a viewer": viewer("POST", path, because),
			"another shop": b.adminOf(b.other)("POST", path, because),
		} {
			if a.status < 401 || a.status > 404 {
				t.Errorf("%s: %d %s", name, a.status, a.raw)
			}
		}
		before := b.countEvents("customers", "update")
		first := b.requestWithKey("decline-erasure-of-ann", "POST", "/api"+path, because)
		again := b.requestWithKey("decline-erasure-of-ann", "POST", "/api"+path, because)
		if first.status != 200 || again.raw != first.raw || b.countEvents("customers", "update") != before+1 {
			t.Errorf("%d %s, again %s", first.status, first.raw, again.raw)
		}
		shown := b.request("GET", "/api/customers/me", "", me...)
		if !strings.Contains(shown.raw, `"erasureDeclineReason":"The law has us keep it."`) {
			t.Error(shown.raw)
		}
		ask()
		if a := admin("GET", "/customers/"+id, ""); a.body["erasureRequestedAt"] == nil || a.body["erasureDeclinedAt"] != nil {
			t.Errorf("asked again: %s", a.raw)
		}
		if a := b.graphql(200, `{"query":"mutation { customerErasureDecline(customerId: \"`+id+`\", input: {reason: \"No.\"}) { customer { erasureDeclineReason } } }"}`,
			"X-API-Key", b.shop.SecretKey); !strings.Contains(a.raw, `"erasureDeclineReason":"No."`) {
			t.Error(a.raw)
		}
		b.erased(admin, id)
		if a := admin("GET", "/customers/"+id, ""); a.body["erasureDeclineReason"] != nil || a.body["erasureDeclinedAt"] != nil {
			t.Errorf("erased: %s", a.raw)
		}
	})
}
