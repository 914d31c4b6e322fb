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
			for _, slug := range []string{"users", "api-keys"} {
				b.refused(name, "POST", "/webhook-endpoints", `{"url":"https://evil.example","collections":["orders","`+slug+`"]}`,
					`"`+slug+`"`, who...)
			}
			made := b.endpoint(`,"collections":["customers"]`, who...)
			if made.TextAt("doc.audience") != "server" {
				t.Errorf("%s makes one for %q", name, made.TextAt("doc.audience"))
			}
			b.refused(name+", later", "PATCH", "/webhook-endpoints/"+made.TextAt("doc.id"), `{"collections":["users"]}`, `"users"`, who...)
			b.refused(name+", with an address", "PATCH", "/webhook-endpoints/"+made.TextAt("doc.id"),
				`{"url":"https://evil.example","collections":["users"]}`, `"users"`, who...)
			if all := b.stored(b.endpoint("", who...).TextAt("doc.id")); all.CanRead("users") || all.CanRead("api-keys") ||
				!all.CanRead("customers") || !all.CanRead("orders") {
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

func TestKeyCannotRedirectAdminEndpoint(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		named := b.endpoint(`,"collections":["users","orders"]`, admin...).TextAt("doc.id")
		if e := b.stored(named); e.Audience != webhook.Admins || !e.ReceivesTokens("users") {
			t.Fatalf("an admin's endpoint is %+v", e)
		}
		path := "/webhook-endpoints/" + named
		b.refused("another address", "PATCH", path, `{"url":"https://evil.example"}`, `"users"`, owner...)
		b.refused("other operations", "PATCH", path, `{"operations":["update"]}`, `"users"`, owner...)
		b.must("PATCH", path, `{"enabled":false,"description":"off for now"}`, owner...)
		b.refused("switching on", "PATCH", path, `{"enabled":true}`, `"users"`, owner...)
		if e := b.stored(named); e.Audience != webhook.Admins || e.URL != "https://shop.example/hook" {
			t.Errorf("after what was refused it is %+v", e)
		}
		b.must("PATCH", path, `{"enabled":true}`, admin...)
		if e := b.stored(named); !e.Enabled || !e.ReceivesTokens("users") {
			t.Errorf("an admin's endpoint is %+v", e)
		}
		b.must("PATCH", path, `{"url":"https://erp.example","collections":["orders"]}`, owner...)
		if e := b.stored(named); e.Audience != webhook.Servers || e.CanRead("users") {
			t.Errorf("what a key redirected is %+v", e)
		}
		b.refused("naming users for a key", "PATCH", path, `{"collections":["users"]}`, "created or changed by a key", admin...)
		b.must("PATCH", path, `{"collections":["orders","customers"]}`, admin...)
		all := b.endpoint("", admin...).TextAt("doc.id")
		b.must("PATCH", "/webhook-endpoints/"+all, `{"url":"https://erp.example"}`, owner...)
		if e := b.stored(all); e.Matches(webhook.Event{Collection: "users"}) || !e.Matches(webhook.Event{Collection: "orders"}) {
			t.Errorf("of everything, redirected by a key: %+v", e)
		}
	})
}
