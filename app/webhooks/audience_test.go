package webhooks_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// refused makes a call that must be answered with 403 and a message that contains what.
func (b *fixture) refused(why, method, path, body, what string, headers ...string) {
	b.t.Helper()
	status, said := b.ask(method, path, body, headers...)
	if status != 403 || said.Reason() != "forbidden" || !strings.Contains(said.TextAt("errors.0.message"), what) {
		b.t.Errorf("%s: %d %v", why, status, said["raw"])
	}
}

func TestEndpointNeedsReadAccess(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		keys := map[string][]string{"a key": owner, "a test key": asTest}
		for name, who := range keys {
			b.refused(name, "POST", "/webhook-endpoints", `{"url":"https://evil.example","collections":["orders","tags"]}`,
				`"tags"`, who...)
			made := b.endpoint(`,"collections":["customers"]`, who...)
			if made.TextAt("doc.audience") != "server" {
				t.Errorf("%s makes one for %q", name, made.TextAt("doc.audience"))
			}
			b.refused(name+", later", "PATCH", "/webhook-endpoints/"+made.TextAt("doc.id"), `{"collections":["tags"]}`, `"tags"`, who...)
			b.refused(name+", with an address", "PATCH", "/webhook-endpoints/"+made.TextAt("doc.id"),
				`{"url":"https://evil.example","collections":["tags"]}`, `"tags"`, who...)
			if all := b.stored(b.endpoint("", who...).TextAt("doc.id")); all.CanRead(closed) ||
				!all.CanRead("customers") || !all.CanRead("orders") || all.ReceivesTokens("users") {
				t.Errorf("%s hears of all that admins may read", name)
			}
		}
		writer := []string{"X-API-Key", "sk_writer"}
		b.refused("a key that reads nothing",
			"POST", "/webhook-endpoints", `{"url":"https://evil.example","collections":["orders"]}`, `"orders"`, writer...)
		b.refused("a key that reads nothing", "POST", "/webhook-endpoints", `{"url":"https://evil.example"}`, "", writer...)
		status, said := b.ask("POST", "/webhook-endpoints", `{"url":"https://evil.example","audience":"admin"}`, owner...)
		if status != 400 || said.TextAt("errors.0.data.0.field") != "audience" {
			t.Errorf("a key says whose it is: %d %v", status, said["raw"])
		}
	})
}

// Whatever a key may read it may hear of: who runs its shop and which keys there are, too. The tokens of users are
// for endpoints of admins alone.
func TestKeyHearsOfUsersAndKeys(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		for name, who := range map[string][]string{"a key": owner, "a test key": asTest} {
			e := b.stored(b.endpoint(`,"collections":["users","api-keys","user-invitations"]`, who...).TextAt("doc.id"))
			if e.Audience != webhook.Servers || !e.CanRead("users") || !e.CanRead("api-keys") || !e.CanRead("user-invitations") {
				t.Errorf("%s makes %+v", name, e)
			}
			if e.ReceivesTokens("users") || e.ReceivesTokens("user-invitations") {
				t.Errorf("%s is sent tokens of users", name)
			}
		}
		taken := b.endpoint(`,"collections":["users"]`, admin...).TextAt("doc.id")
		b.must("PATCH", "/webhook-endpoints/"+taken, `{"url":"https://erp.example"}`, owner...)
		if e := b.stored(taken); e.Audience != webhook.Servers || e.ReceivesTokens("users") || !e.CanRead("users") {
			t.Errorf("what a key redirected is %+v", e)
		}
	})
}

func TestKeyCannotRedirectAdminEndpoint(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		named := b.endpoint(`,"collections":["users","tags","orders"]`, admin...).TextAt("doc.id")
		if e := b.stored(named); e.Audience != webhook.Admins || !e.ReceivesTokens("users") || !e.CanRead(closed) {
			t.Fatalf("an admin's endpoint is %+v", e)
		}
		path := "/webhook-endpoints/" + named
		b.refused("another address", "PATCH", path, `{"url":"https://evil.example"}`, `"tags"`, owner...)
		b.refused("other operations", "PATCH", path, `{"operations":["update"]}`, `"tags"`, owner...)
		b.must("PATCH", path, `{"enabled":false,"description":"off for now"}`, owner...)
		b.refused("switching on", "PATCH", path, `{"enabled":true}`, `"tags"`, owner...)
		if e := b.stored(named); e.Audience != webhook.Admins || e.URL != "https://shop.example/hook" {
			t.Errorf("after what was refused it is %+v", e)
		}
		b.must("PATCH", path, `{"enabled":true}`, admin...)
		if e := b.stored(named); !e.Enabled || !e.ReceivesTokens("users") || !e.CanRead(closed) {
			t.Errorf("an admin's endpoint is %+v", e)
		}
		b.must("PATCH", path, `{"url":"https://erp.example","collections":["orders"]}`, owner...)
		if e := b.stored(named); e.Audience != webhook.Servers || e.CanRead(closed) || e.ReceivesTokens("users") {
			t.Errorf("what a key redirected is %+v", e)
		}
		b.refused("naming a closed one for a key", "PATCH", path, `{"collections":["tags"]}`, "created or changed by a key", admin...)
		b.must("PATCH", path, `{"collections":["orders","customers"]}`, admin...)
		all := b.endpoint("", admin...).TextAt("doc.id")
		b.must("PATCH", "/webhook-endpoints/"+all, `{"url":"https://erp.example"}`, owner...)
		if e := b.stored(all); e.Matches(webhook.Event{Collection: closed}) || !e.Matches(webhook.Event{Collection: "orders"}) {
			t.Errorf("of everything, redirected by a key: %+v", e)
		}
	})
}
