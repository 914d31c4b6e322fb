package webhook_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	. "github.com/cartwright-dev/cartwright/domain/webhook"
)

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func TestEndpointReceivesSubscribedEvents(t *testing.T) {
	t.Parallel()
	orders := Endpoint{
		Environment: tenant.Live, Enabled: true, SinceSequence: 10, Collections: []string{"orders"},
		Operations: []string{"create", "delete"}, Audience: Servers,
	}.WithReadable(reach)
	everything := Endpoint{Environment: tenant.Test, Enabled: true, Audience: Servers}.WithReadable(reach)
	off := everything
	off.Enabled = false
	for name, tc := range map[string]struct {
		endpoint Endpoint
		what     Event
		want     bool
	}{
		"a collection and operation it names":        {orders, Event{11, "orders", collection.Created, tenant.Live}, true},
		"another operation":                          {orders, Event{11, "orders", collection.Updated, tenant.Live}, false},
		"another collection":                         {orders, Event{11, "products", collection.Created, tenant.Live}, false},
		"the other environment":                      {orders, Event{11, "orders", collection.Created, tenant.Test}, false},
		"an event from before it was created":        {orders, Event{10, "orders", collection.Created, tenant.Live}, false},
		"an event of both environments":              {everything, Event{1, "products", collection.Updated, ""}, true},
		"everything of its environment":              {everything, Event{1, "carts", collection.Deleted, tenant.Test}, true},
		"everything, of the other environment":       {everything, Event{1, "carts", collection.Deleted, tenant.Live}, false},
		"any event, while it is disabled":            {off, Event{1, "products", collection.Updated, ""}, false},
		"a collection whose name has it as a prefix": {orders, Event{11, "orders-old", collection.Created, tenant.Live}, false},
	} {
		if got := tc.endpoint.Receives(tc.what); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
	if !off.Matches(Event{1, "products", collection.Updated, ""}) || orders.Matches(Event{99, "orders", collection.Created, tenant.Test}) {
		t.Error("Matches depends on when the event occurred")
	}
	if !orders.NamesCollection("orders") || everything.NamesCollection("orders") {
		t.Error("an endpoint of all collections must not name any")
	}
}

func TestBothSecretsSignDuringRotation(t *testing.T) {
	t.Parallel()
	r := collection.Record{"id": "e", "sealedSecret": "first"}
	if got := EndpointFrom(r).ActiveSecrets(now); !slices.Equal(got, []string{"first"}) {
		t.Errorf("before: %v", got)
	}
	RotateSecret(r, "second", now)
	for after, want := range map[time.Duration][]string{
		0: {"second", "first"}, RotationOverlap - time.Millisecond: {"second", "first"}, RotationOverlap: {"second"},
	} {
		if got := EndpointFrom(r).ActiveSecrets(now.Add(after)); !slices.Equal(got, want) {
			t.Errorf("after %s: %v", after, got)
		}
	}
	RotateSecret(r, "third", now.Add(time.Hour))
	if got := EndpointFrom(r).ActiveSecrets(now.Add(2 * time.Hour)); !slices.Equal(got, []string{"third", "second"}) {
		t.Errorf("after another rotation: %v", got)
	}
}

func TestEnabledEndpointReceivesOnlyNewEvents(t *testing.T) {
	t.Parallel()
	r := collection.Record{"enabled": true, "since": int64(3)}
	SetEnabled(r, false, DisabledGone, 7, now)
	if r.Bool("enabled") || r.Text("disabledReason") != "gone" || !r.Time("disabledAt").Equal(now) || r.Int("since") != 3 {
		t.Errorf("off: %v", r)
	}
	SetEnabled(r, true, DisabledByOperator, 9, now.Add(time.Hour))
	if !r.Bool("enabled") || r["disabledReason"] != nil || r["disabledAt"] != nil || r.Int("since") != 9 {
		t.Errorf("on: %v", r)
	}
}

func TestPlanLimitsEndpoints(t *testing.T) {
	t.Parallel()
	for plan, want := range map[tenant.Plan]int{tenant.Free: 1, tenant.Basic: 3, tenant.Pro: 5, "": 1} {
		if got, limited := MaxEndpoints(plan); got != want || !limited {
			t.Errorf("%s: %d %v", plan, got, limited)
		}
	}
	if _, limited := MaxEndpoints(tenant.Enterprise); limited {
		t.Error("enterprise must have no limit")
	}
}

func TestEndpointURLRules(t *testing.T) {
	t.Parallel()
	strict, home := AddressPolicy{}, AddressPolicy{AllowHTTP: true, AllowAnyPort: true}
	for url, want := range map[string]struct{ strict, home bool }{
		"https://shop.example/hook":              {true, true},
		"https://shop.example":                   {true, true},
		"https://shop.example?a=b":               {true, true},
		"https://shop.example/hook?to=a@b.c":     {true, true},
		"HTTPS://shop.example/hook":              {true, true},
		"https://shop.example:443/hook":          {true, true},
		"https://shop.example:8443/hook":         {true, true},
		"https://[2001:db8::1]/hook":             {true, true},
		"https://[2001:db8::1]:8443/hook":        {true, true},
		"https://shop.example:6379/":             {false, true},
		"http://shop.example/hook":               {false, true},
		"http://127.0.0.1:9999/hook":             {false, true},
		"https://shop.example:0/":                {false, false},
		"https://shop.example:65536/":            {false, false},
		"https://shop.example:http/":             {false, false},
		"https://kim@shop.example/":              {false, false},
		"https://kim:secret@shop.example/":       {false, false},
		"https://shop.example@127.0.0.1/":        {false, false},
		"https://shop.example/#part":             {false, false},
		"https://":                               {false, false},
		"https:///hook":                          {false, false},
		"https://:443/":                          {false, false},
		"https://shop example/":                  {false, false},
		"https://shop.example\\@127.0.0.1/":      {false, false},
		"ftp://shop.example/":                    {false, false},
		"file:///etc/passwd":                     {false, false},
		"gopher://shop.example:6379/_FLUSHALL":   {false, false},
		"shop.example/hook":                      {false, false},
		"":                                       {false, false},
		"https://%31%32%37.0.0.1/":               {false, false},
		"javascript://shop.example/%0aalert(1)":  {false, false},
		"https://shop.example:443:80/":           {false, false},
		"https://[2001:db8::1/hook":              {false, false},
		"https://[2001:db8::1]evil.example/hook": {false, false},
	} {
		if got := strict.URLProblem(url) == ""; got != want.strict {
			t.Errorf("%s: taken %v, %s", url, got, strict.URLProblem(url))
		}
		if got := home.URLProblem(url) == ""; got != want.home {
			t.Errorf("%s at home: taken %v, %s", url, got, home.URLProblem(url))
		}
	}
}

// Rule team-4.
func TestInternalCollectionsAreSentWhereTheyAreNamed(t *testing.T) {
	t.Parallel()
	all := ReadableCollections{Servers: {"orders", "comments"}}
	said := Event{1, "comments", collection.Created, tenant.Live}
	for name, c := range map[string]struct {
		named []string
		want  bool
	}{"everything": {nil, false}, "orders": {[]string{"orders"}, false}, "comments": {[]string{"comments"}, true}} {
		e := Endpoint{Environment: tenant.Live, Enabled: true, Audience: Servers, Collections: c.named}.WithReadable(all)
		if got := e.Receives(said); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
