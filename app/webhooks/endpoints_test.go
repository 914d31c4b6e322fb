package webhooks_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestSecretIsShownOnceAndSealed(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		made := b.endpoint(`,"collections":["orders"],"operations":["create"],"description":"ERP"`)
		secret, id := made.TextAt("secret"), made.TextAt("doc.id")
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(raw) != 32 || !strings.HasPrefix(secret, "whsec_") || made.TextAt("doc.secret") != secret {
			t.Fatalf("the secret is %q, in the record %q: %v", secret, made.TextAt("doc.secret"), err)
		}
		for path, want := range map[string]string{
			"doc.environment": "live", "doc.enabled": "true", "doc.url": "https://shop.example/hook", "doc.collections.0": "orders",
			"doc.operations.0": "create", "doc.description": "ERP",
		} {
			if got := made.TextAt(path); got != want {
				t.Errorf("%s is %q", path, got)
			}
		}
		for _, path := range []string{"/webhook-endpoints/" + id, "/webhook-endpoints", "/webhook-endpoints?where[url][exists]=true"} {
			if raw := b.must("GET", path, "", owner...).TextAt("raw"); strings.Contains(raw, "whsec_") || strings.Contains(raw, "sealed") {
				t.Errorf("%s tells %s", path, raw)
			}
		}
		e := b.stored(id)
		if strings.Contains(e.SealedSecret, secret) || e.SealedSecret == "" {
			t.Errorf("it is kept as %q", e.SealedSecret)
		}
		if got, err := webhooks.SigningSecrets(b.Vault, e, b.now()); err != nil || !slices.Equal(got, []string{secret}) {
			t.Errorf("it signs with %v %v", got, err)
		}
		b.number()
		page, err := b.Log.Events(t.Context(), ports.EventQuery{
			Tenant: b.shop.ID, Collections: []string{webhook.Endpoints.Slug}, Limit: 10,
		})
		if err != nil || len(page.Events) != 1 || bytes.Contains(page.Events[0].Body, []byte("whsec_")) ||
			bytes.Contains(page.Events[0].Body, []byte("sealed")) {
			t.Errorf("the event tells %v %v", page.Events, err)
		}
	})
}

func TestReplayedCreateShowsSameSecret(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		k := append(slices.Clone(owner), "Idempotency-Key", key())
		first, again := b.endpoint("", k...), b.endpoint("", k...)
		if again.TextAt("raw") != first.TextAt("raw") || again.TextAt("replayed") != "true" || len(b.view().All(webhook.Endpoints)) != 1 {
			t.Errorf("%v\nafter %v", again["raw"], first["raw"])
		}
		rotation := "/webhook-endpoints/" + first.TextAt("doc.id") + "/rotate-secret"
		k = append(slices.Clone(owner), "Idempotency-Key", key())
		one, two := b.must("POST", rotation, "", k...), b.must("POST", rotation, "", k...)
		if one.TextAt("raw") != two.TextAt("raw") || one.TextAt("secret") == first.TextAt("secret") {
			t.Errorf("%v\nafter %v", two["raw"], one["raw"])
		}
		if other := b.endpoint(""); other.TextAt("secret") == first.TextAt("secret") {
			t.Error("two endpoints have one secret")
		}
	})
}

func TestRotatedSecretOverlapsForADay(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		made := b.endpoint("")
		id := made.TextAt("doc.id")
		rotate := func() string {
			return b.must("POST", "/webhook-endpoints/"+id+"/rotate-secret", "", owner...).TextAt("secret")
		}
		signs := func() []string {
			got, err := webhooks.SigningSecrets(b.Vault, b.stored(id), b.now())
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		second := rotate()
		b.pass(24*time.Hour - time.Second)
		if got := signs(); !slices.Equal(got, []string{second, made.TextAt("secret")}) {
			t.Errorf("within the day: %v", got)
		}
		if b.pass(time.Second); !slices.Equal(signs(), []string{second}) {
			t.Errorf("after it: %v", signs())
		}
		third, fourth := rotate(), rotate()
		if got := signs(); !slices.Equal(got, []string{fourth, third}) {
			t.Errorf("rotated twice: %v", got)
		}
	})
}

func TestEndpointLimitPerPlan(t *testing.T) {
	for plan, most := range map[tenant.Plan]int{tenant.Free: 1, tenant.Basic: 3, tenant.Pro: 5} {
		t.Run(string(plan), func(t *testing.T) {
			on(t, plan, func(t *testing.T, b *fixture) {
				var made atomic.Int64
				var all sync.WaitGroup
				for i := range most + 3 { // concurrently, in both environments
					all.Go(func() {
						who := owner
						if i%2 == 1 {
							who = asTest
						}
						status, said := b.ask("POST", "/webhook-endpoints", fmt.Sprintf(`{"url":"https://shop.example/%d"}`, i), who...)
						if status == 201 {
							made.Add(1)
						} else if status != 422 || said.Reason() != "webhook_endpoint_limit" {
							t.Errorf("%d %v", status, said["raw"])
						}
					})
				}
				all.Wait()
				rows := b.view().All(webhook.Endpoints)
				if int(made.Load()) != most || len(rows) != most {
					t.Fatalf("%d were made, %d are there", made.Load(), len(rows))
				}
				who := map[string][]string{"live": owner, "test": asTest}[rows[0].Text("environment")]
				b.must("DELETE", "/webhook-endpoints/"+rows[0].ID(), "", who...)
				b.endpoint("")
			})
		})
	}
}

func TestEndpointValidation(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		for body, field := range map[string]string{
			`{}`:                                 "url",
			`{"url":""}`:                         "url",
			`{"url":7}`:                          "url",
			`{"url":"http://shop.example/"}`:     "url",
			`{"url":"https://a:b@c.example"}`:    "url",
			`{"url":"https://shop.example:25/"}`: "url",
			`{"url":"https://shop.example","collections":["nothing"]}`:                     "collections.0",
			`{"url":"https://shop.example","collections":["orders","webhook-deliveries"]}`: "collections.1",
			`{"url":"https://shop.example","operations":["read"]}`:                         "operations.0",
			`{"url":"https://shop.example","environment":"stage"}`:                         "environment",
			`{"url":"https://shop.example","secret":"whsec_mine"}`:                         "secret",
			`{"url":"https://shop.example","sealedSecret":"x"}`:                            "sealedSecret",
			`{"url":"https://shop.example","since":1}`:                                     "since",
			`{"url":"https://shop.example","colections":[]}`:                               "colections",
			`{"url":"https://` + strings.Repeat("a", 2000) + `.example"}`:                  "url",
		} {
			status, said := b.ask("POST", "/webhook-endpoints", body, owner...)
			if status != 400 || said.TextAt("errors.0.data.0.field") != field {
				t.Errorf("%.80s: %d %v", body, status, said["raw"])
			}
		}
		_, said := b.ask("POST", "/webhook-endpoints", `{"url":"https://shop.example","environment":"stage"}`, owner...)
		if message := said.TextAt("errors.0.data.0.message"); !strings.Contains(message, "live, test") {
			t.Errorf("of an environment that is none is said: %s", message)
		}
		if n := len(b.view().All(webhook.Endpoints)); n != 0 {
			t.Errorf("%d are there", n)
		}
		id := b.endpoint("").TextAt("doc.id")
		for body, field := range map[string]string{
			`{"url":"http://shop.example/"}`: "url", `{"collections":["nothing"]}`: "collections.0", `{"secret":"whsec_mine"}`: "secret",
			`{"disabledReason":"gone"}`: "disabledReason",
		} {
			status, said := b.ask("PATCH", "/webhook-endpoints/"+id, body, owner...)
			if status != 400 || said.TextAt("errors.0.data.0.field") != field {
				t.Errorf("PATCH %s: %d %v", body, status, said["raw"])
			}
		}
	})
}

func TestEndpointEnvironment(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		if got := b.endpoint("", asTest...).TextAt("doc.environment"); got != "test" {
			t.Errorf("of a test key: %s", got)
		}
		if got := b.endpoint(`,"environment":"test"`, admin...).TextAt("doc.environment"); got != "test" {
			t.Errorf("of an admin who asks for test: %s", got)
		}
		live := b.endpoint("", admin...).TextAt("doc.id")
		for _, who := range [][]string{owner, asTest} {
			other := map[string]string{"sk": "test", "sk_test": "live"}[who[1]]
			status, said := b.ask("POST", "/webhook-endpoints", `{"url":"https://shop.example","environment":"`+other+`"}`, who...)
			if status != 403 {
				t.Errorf("%s makes one in %s: %d %v", who[1], other, status, said["raw"])
			}
		}
		for _, call := range [][2]string{
			{"GET", ""}, {"PATCH", ""}, {"DELETE", ""}, {"POST", "/rotate-secret"}, {"POST", "/test"}, {"POST", "/replay"},
		} {
			body := map[string]string{"PATCH": `{"enabled":false}`, "POST/replay": `{"from":1}`}[call[0]+
				strings.TrimPrefix(call[1], "/rotate-secret")]
			for _, who := range [][]string{asTest, {"X-API-Key", "sk_stranger"}} {
				if status, said := b.ask(call[0], "/webhook-endpoints/"+live+call[1], body, who...); status != 404 {
					t.Errorf("%s %s as %s: %d %v", call[0], call[1], who[1], status, said["raw"])
				}
			}
		}
	})
}

func TestWhoManagesWebhooks(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		made := b.endpoint("").TextAt("doc.id")
		test := b.must("POST", "/webhook-endpoints/"+made+"/test", "", owner...).TextAt("delivery.id")
		for name, who := range map[string][]string{
			"an editor": {"Authorization", "Bearer tenant-editor"}, "a viewer": {"Authorization", "Bearer tenant-viewer"},
			"a read-only key": {"X-API-Key", "sk_reader"}, "a client key": {"X-Client-Key", "pk"},
			"a customer": {"Authorization", "Bearer customer"},
		} {
			for _, call := range [][3]string{
				{"POST", "/webhook-endpoints", `{"url":"https://shop.example"}`},
				{"PATCH", "/webhook-endpoints/" + made, `{"enabled":false}`}, {"DELETE", "/webhook-endpoints/" + made, ""},
				{"POST", "/webhook-endpoints/" + made + "/rotate-secret", ""}, {"POST", "/webhook-endpoints/" + made + "/test", ""},
				{"POST", "/webhook-endpoints/" + made + "/replay", `{"from":1}`},
				{"POST", "/webhook-deliveries/" + test + "/redeliver", ""},
				{"PATCH", "/webhook-deliveries/" + test, `{"status":"succeeded"}`}, {"DELETE", "/webhook-deliveries/" + test, ""},
				{"POST", "/webhook-deliveries", "{}"},
			} {
				if status, said := b.ask(call[0], call[1], call[2], who...); status != 403 && status != 401 && status != 405 {
					t.Errorf("%s: %s %s: %d %v", name, call[0], call[1], status, said["raw"])
				}
			}
			reads := strings.HasPrefix(name, "an editor") || strings.HasPrefix(name, "a viewer")
			if status, _ := b.ask("GET", "/webhook-endpoints/"+made, "", who...); (status == 200) != (reads || name == "a read-only key") {
				t.Errorf("%s reads an endpoint: %d", name, status)
			}
			if status, _ := b.ask("GET", "/webhook-deliveries", "", who...); (status == 200) != (name == "a read-only key") {
				t.Errorf("%s reads what endpoints answered: %d", name, status)
			}
		}
	})
}

func TestReenabledEndpointSkipsMissedEvents(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.endpoint("").TextAt("doc.id")
		off := b.must("PATCH", "/webhook-endpoints/"+id, `{"enabled":false}`, owner...)
		if off.TextAt("doc.disabledReason") != "operator" || off.TextAt("doc.disabledAt") == "" {
			t.Errorf("off: %v", off["raw"])
		}
		b.brands(3)
		before := b.stored(id).SinceSequence
		on := b.must("PATCH", "/webhook-endpoints/"+id, `{"enabled":true}`, owner...)
		if on.Path("doc.disabledReason") != nil || on.Path("doc.disabledAt") != nil || on.TextAt("doc.secret") != "" {
			t.Errorf("on: %v", on["raw"])
		}
		after := b.stored(id).SinceSequence
		if after < before+3 {
			t.Errorf("it hears of what came after event %d, before of what came after %d", after, before)
		}
		b.must("PATCH", "/webhook-endpoints/"+id, `{"enabled":true,"description":"x"}`, owner...)
		if got := b.stored(id).SinceSequence; got != after {
			t.Errorf("switching on what is on makes it miss the events up to %d", got)
		}
		if sent := b.must("GET", "/webhook-endpoints/"+id, "", owner...).TextAt("raw"); true {
			if status, said := b.ask("PATCH", "/webhook-endpoints/"+id, sent, owner...); status != 200 {
				t.Errorf("sent back as it was read: %d %v", status, said["raw"])
			}
		}
	})
}

func TestDelivererDisablesEndpoint(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		id := b.endpoint("").TextAt("doc.id")
		for i, want := range []bool{true, false} {
			if done, err := b.Disable(t.Context(), b.shop.ID, id, webhook.DisabledFailing); done != want || err != nil {
				t.Errorf("time %d: %v %v", i+1, done, err)
			}
		}
		got := b.view().Get(webhook.Endpoints, id)
		if got.Bool("enabled") || got.Text("disabledReason") != "failing" || got.Sequence() != 2 {
			t.Errorf("%v", got)
		}
		if done, err := b.Disable(t.Context(), b.shop.ID, "00000000-0000-7000-8000-000000000000", webhook.DisabledGone); done || err != nil {
			t.Errorf("one that is gone: %v %v", done, err)
		}
		b.number()
		page, err := b.Log.Events(t.Context(), ports.EventQuery{
			Tenant: b.shop.ID, Collections: []string{webhook.Endpoints.Slug}, Limit: 10,
		})
		if err != nil || len(page.Events) != 2 || !bytes.Contains(page.Events[1].Body, []byte(`"data":{"enabled":false,"disabledAt":"`)) {
			t.Errorf("nobody is told: %v %v", page.Events, err)
		}
	})
}

func TestSecretsAreResealed(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		made := b.endpoint("")
		id := made.TextAt("doc.id")
		second := b.must("POST", "/webhook-endpoints/"+id+"/rotate-secret", "", owner...).TextAt("secret")
		b.secrets[2] = []byte("another thirty-two bytes of secret")
		b.Vault = b.vault()
		seals := webhooks.Resealer(only{b.store, b.shop.ID}, b.Vault, b.now, b.NewID)
		if found, err := seals.Check(t.Context()); err != nil || found.Outdated != 1 || found.Checked != 1 {
			t.Errorf("before: %+v %v", found, err)
		}
		if found, err := seals.Rotate(t.Context()); err != nil || found.Outdated != 1 {
			t.Errorf("rotating: %+v %v", found, err)
		}
		delete(b.secrets, 1)
		seals.Vault = b.vault()
		if found, err := seals.Check(t.Context()); err != nil || found.Outdated != 0 || found.Checked != 1 || len(found.Unreadable) != 0 {
			t.Errorf("after: %+v %v", found, err)
		}
		if got, err := webhooks.SigningSecrets(seals.Vault, b.stored(id), b.now()); err != nil ||
			!slices.Equal(got, []string{second, made.TextAt("secret")}) {
			t.Errorf("it signs with %v %v", got, err)
		}
		b.secrets = map[int][]byte{3: []byte("a secret that never sealed anything")}
		seals.Vault = b.vault()
		if found, err := seals.Check(t.Context()); err != nil || !slices.Equal(found.Unreadable, []string{id}) {
			t.Errorf("with another secret: %+v %v", found, err)
		}
	})
}

// only is a store whose system scope is limited to one tenant, because other tests share the database.
type only struct {
	ports.Store

	shop tenant.ID
}

func (o only) Read(ports.Scope) ports.Reader { return o.Store.Read(ports.ForTenant(o.shop)) }
