package rest_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// addUsage stores a number of today's calls of a shop, as counted by another instance.
func (b *harness) addUsage(shop tenant.ID, calls int64) {
	b.t.Helper()
	today := quota.DayOf(time.UnixMilli(b.clock.Load()))
	if err := b.store.Usage().Save(b.t.Context(), "earlier", []ports.CallCount{{Tenant: shop, Day: today, Count: calls}}); err != nil {
		b.t.Fatal(err)
	}
}

// limits are the limit headers of a response: limit, remaining and reset, and both headers of the draft.
func (a answer) limits() string {
	var all []string
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"} {
		all = append(all, a.header.Get(name))
	}
	return strings.Join(all, " | ")
}

// The clock of a harness is at nine in the morning of the last day of January 2026.
const (
	endOfJanuary = "1769904000"
	untilThen    = "54000"
)

func TestCallsAreCounted(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		shop := b.createTenantOn("Small", tenant.Free)
		key, visitor := []string{"X-API-Key", shop.SecretKey}, []string{"X-Client-Key", shop.ClientKey}
		left := 10_000
		counted := func(what string, status int, a answer) answer {
			t.Helper()
			left--
			n := strconv.Itoa(left)
			want := "10000 | " + n + " | " + endOfJanuary + ` | "month";q=10000;w=2678400 | "month";r=` + n + ";t=" + untilThen
			if a.status != status || a.limits() != want {
				t.Errorf("%s: %d %s\nwant %d %s\n%s", what, a.status, a.limits(), status, want, a.raw)
			}
			return a
		}
		uncounted := func(what string, status int, a answer) {
			t.Helper()
			if a.status != status || strings.Trim(a.limits(), " |") != "" {
				t.Errorf("%s: %d %s", what, a.status, a.limits())
			}
		}
		counted("a list", 200, b.request("GET", "/api/products", "", key...))
		counted("nothing there", 404, b.request("GET", "/api/products/nothing", "", key...))
		counted("a wrong body", 400, b.request("POST", "/api/brands", `{"nme":"x"}`, key...))
		counted("no such address", 404, b.request("GET", "/api/missingID", "", key...))
		counted("what is forbidden", 403, b.request("GET", "/api/customers", "", visitor...))
		page := counted("a page", 200, b.request("GET", "/api/brands", "", visitor...))
		counted("the same page", 304, b.request("GET", "/api/brands", "", append(visitor, "If-None-Match", page.header.Get("ETag"))...))
		keyed := append(slices.Clone(key), "Idempotency-Key", "0123456789abcdef")
		counted("a cart", 201, b.request("POST", "/api/server/commerce/carts", "{}", keyed...))
		counted("a replay", 201, b.request("POST", "/api/server/commerce/carts", "{}", keyed...))
		counted("a document with two fields",
			200, b.request("POST", "/api/graphql", `{"query":"{ a: Brands { totalDocs } b: Brands { totalDocs } }"}`, key...))
		uncounted("nobody", 401, b.request("GET", "/api/customers", ""))
		uncounted("an unknown key", 401, b.request("GET", "/api/products", "", "X-API-Key", "sk_live_unknown"))
		uncounted("a wrong password", 401,
			b.request("POST", "/api/customers/login", `{"email":"a@shop.example","password":"wrong"}`, visitor...))
		uncounted("a preflight", 204, b.request("OPTIONS", "/api/products", "",
			append(visitor, "Origin", "https://shop.example", "Access-Control-Request-Method", "GET")...))
		a := counted("the usage", 200, b.request("GET", "/api/usage", "", key...))
		daily, _ := a.body["daily"].([]any)
		if a.body["plan"] != "free" || a.body["limit"] != 10000.0 || a.body["used"] != 10.0 || a.body["remaining"] != 9990.0 ||
			a.body["resetAt"] != "2026-02-01T00:00:00.000Z" || len(daily) != 31 || daily[30].(map[string]any)["calls"] != 10.0 ||
			daily[30].(map[string]any)["date"] != "2026-01-31" {
			t.Error(a.raw)
		}
		g := counted("the usage by GraphQL", 200,
			b.request("POST", "/api/graphql", `{"query":"{ usage { used remaining daily { date calls } } }"}`, key...))
		if !strings.Contains(g.raw, `"used":11`) {
			t.Error(g.raw)
		}
	})
}

func TestQuotaExceeded(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		shop := b.createTenantOn("Small", tenant.Free)
		b.addUsage(shop.Tenant.ID, 9_999)
		request := func() answer {
			return b.request("GET", "/api/brands", "", "X-Client-Key", shop.ClientKey, "Origin", "https://shop.example")
		}
		if a := request(); a.status != 200 || a.header.Get("X-RateLimit-Remaining") != "0" {
			t.Errorf("the last call: %d %s", a.status, a.limits())
		}
		a := request()
		if a.status != 429 || a.reason() != "quota_exceeded" || a.code() != "RATE_LIMITED" || a.header.Get("Retry-After") != untilThen ||
			a.header.Get("X-RateLimit-Reset") != endOfJanuary ||
			a.header.Get("X-RateLimit-Limit") != "10000" || a.header.Get("X-RateLimit-Remaining") != "0" ||
			a.header.Get("Access-Control-Allow-Origin") == "" || strings.Contains(a.raw, `"retryable"`) {
			t.Errorf("%d %s\n%s", a.status, a.limits(), a.raw)
		}
		if a := b.request("POST", "/api/graphql", `{"query":"{ Brands { totalDocs } }"}`, "X-API-Key", shop.SecretKey); a.status != 429 || !a.hasNoData() ||
			a.reason() != "quota_exceeded" {
			t.Errorf("by GraphQL: %d %s", a.status, a.raw)
		}
		b.advance(15 * time.Hour)
		if a := request(); a.status != 200 || a.header.Get("X-RateLimit-Remaining") != "9999" ||
			a.header.Get("X-RateLimit-Reset") != "1772323200" {
			t.Errorf("in February: %d %s", a.status, a.limits())
		}
	})
}

// A shop whose calls are used up finishes its payments, gives money back, logs in, and reads on.
func TestEssentialCallsAreNeverRefusedForQuota(t *testing.T) {
	b := newSQLiteHarness(t)
	shop := b.createTenantOn("Small", tenant.Free)
	admin := b.adminOf(shop)
	b.addUsage(shop.Tenant.ID, 10_000)
	b.advance(3 * time.Second)
	secret, visitor := []string{"X-API-Key", shop.SecretKey}, []string{"X-Client-Key", shop.ClientKey}
	for path, who := range map[string][]string{
		"/users/login": visitor, "/users/login/": visitor, "/customers/login": visitor, "/customers/refresh-token": visitor,
		"/auth/token": secret, "/providers/x/webhook": visitor, "/users/reauthenticate/begin": visitor, "/users/reauthenticate": visitor,
		"/users/change-password": visitor,
	} {
		if a := b.request("POST", "/api"+path, "{}", who...); a.status == 429 {
			t.Errorf("%s: %d %s", path, a.status, a.raw)
		}
	}
	graphql := func(document string, who ...string) answer {
		return b.request("POST", "/api/graphql", `{"query":"`+document+`"}`, who...)
	}
	for name, a := range map[string]answer{
		"an admin's list": admin("GET", "/products", ""), "an admin's document": admin("POST", "/graphql", `{"query":"{ Products { totalDocs } }"}`),
		"an admin's query in a body": admin("POST", "/products", `{"limit":1}`, "X-HTTP-Method-Override", "GET"),
		"the usage":                  b.request("GET", "/api/usage", "", secret...), "its document": graphql("{ usage { used } }", secret...),
		"a login by GraphQL": graphql("mutation { loginUser(email: 1) { token } }", visitor...),
	} {
		if a.status == 429 || strings.Contains(a.raw, "quota_exceeded") {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	for name, a := range map[string]answer{
		"a visitor's list": b.request("GET", "/api/brands", "", visitor...), "a server's list": b.request("GET", "/api/brands", "", secret...),
		"an admin's write": admin("POST", "/brands", `{"name":"x"}`), "a cart": b.request("POST", "/api/commerce/carts", "{}", visitor...),
		"an admin's mutation":   admin("POST", "/graphql", `{"query":"mutation { deleteBrand(id: \"x\") { id } }"}`),
		"usage, and a list too": graphql("{ usage { used } Brands { totalDocs } }", secret...),
	} {
		if a.status != 429 || a.reason() != "quota_exceeded" || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
}

func TestVisitorsAreRefusedBeyondTheirShare(t *testing.T) {
	b := newSQLiteHarness(t)
	shop := b.createTenantOn("Small", tenant.Free)
	visit := func(from string) answer {
		return b.request("GET", "/api/brands?limit=0", "", "X-Client-Key", shop.ClientKey, "X-Forwarded-For", from)
	}
	for range 1000 {
		if a := visit("198.51.100.1"); a.status != 200 {
			t.Fatal(a.status, a.raw)
		}
	}
	if a := visit("198.51.100.1"); a.status != 429 || a.reason() != "visitor_quota_exceeded" || a.header.Get("Retry-After") != untilThen ||
		a.header.Get("X-RateLimit-Limit") != "1000" || strings.Contains(a.raw, `"retryable"`) {
		t.Errorf("%d %s %s", a.status, a.limits(), a.raw)
	}
	if a := visit("198.51.100.2"); a.status != 200 || a.header.Get("X-RateLimit-Remaining") != "8999" {
		t.Errorf("another visitor: %d %s", a.status, a.limits())
	}
	if a := b.request("POST", "/api/customers/login", "{}", "X-Client-Key", shop.ClientKey, "X-Forwarded-For", "198.51.100.1"); a.status == 429 {
		t.Errorf("a login: %d %s", a.status, a.raw)
	}
}

// For a plan without a limit, only the reset is reported; a refusal by another limit reports that limit.
func TestUnlimitedPlansReportNoLimit(t *testing.T) {
	b := newSQLiteHarness(t)
	a := b.secret(200, "GET", "/api/products", "")
	if want := " |  | " + endOfJanuary + " |  | "; a.limits() != want {
		t.Errorf("%q", a.limits())
	}
	if a = b.secret(200, "GET", "/api/usage", ""); a.body["limit"] != nil || a.body["remaining"] != nil || a.body["used"] == nil {
		t.Error(a.raw)
	}
	for range 6 {
		a = b.request("POST", "/api/users/login", `{"email":"a@shop.example","password":"wrong"}`, "X-Client-Key", b.shop.ClientKey)
	}
	if want := "5 | 0 | " + strconv.FormatInt(time.UnixMilli(b.clock.Load()).Unix()+900, 10) + " |  | "; a.status != 429 ||
		a.limits() != want {
		t.Errorf("%d %q, want %q", a.status, a.limits(), want)
	}
}

func TestBurstLimit(t *testing.T) {
	b := newSQLiteHarness(t)
	b.meter.Burst = 3
	for range 3 {
		b.secret(200, "GET", "/api/products", "")
	}
	now := time.UnixMilli(b.clock.Load()).Unix()
	a := b.secret(429, "GET", "/api/products", "")
	want := "3 | 0 | " + strconv.FormatInt(now+60, 10) + ` | "burst";q=3;w=60 | "burst";r=0;t=60`
	if a.reason() != "rate_limited" || a.header.Get("Retry-After") != "60" || a.limits() != want ||
		!strings.Contains(a.raw, `"retryable":true`) {
		t.Errorf("%s\n%s", a.limits(), a.raw)
	}
	a = b.request("GET", "/api/products", "", "X-Client-Key", b.shop.ClientKey)
	if want := " |  | " + endOfJanuary + ` | "burst";q=3;w=60 | "burst";r=2;t=60`; a.status != 200 || a.limits() != want {
		t.Errorf("a visitor: %d %s", a.status, a.limits())
	}
	b.advance(time.Minute)
	if a = b.secret(200, "GET", "/api/usage", ""); a.body["used"] != 4.0 {
		t.Errorf("refused calls must not count: %s", a.raw)
	}
}

// Visitors are distinguished by the address that the proxy saw, whatever headers they send.
func TestBurstLimitOfVisitors(t *testing.T) {
	b := newSQLiteHarness(t)
	b.meter.Burst = 2
	for _, c := range []struct {
		client, from, cart string
		status             int
	}{
		{b.shop.ClientKey, "198.51.100.1", "", 200},
		{b.shop.ClientKey, "198.51.100.1", "", 200},
		{b.shop.ClientKey, "198.51.100.1", "", 429},
		{b.shop.ClientKey, "203.0.113.7, 198.51.100.1", "", 429},
		{b.shop.ClientKey, "198.51.100.2", "", 200},
		{b.other.ClientKey, "198.51.100.1", "", 200},
		{b.shop.ClientKey, "2001:db8::1", "", 200},
		{b.shop.ClientKey, "2001:db8::2", "", 200},
		{b.shop.ClientKey, "2001:db8::3", "", 429}, // addresses of one network count together
		{b.shop.ClientKey, "198.51.100.3", "ct_one", 200},
		{b.shop.ClientKey, "198.51.100.4", "ct_one", 200},
		{b.shop.ClientKey, "198.51.100.5", "ct_one", 429},
		{b.shop.ClientKey, "198.51.100.5", "ct_two", 200},
	} {
		a := b.request("GET", "/api/brands", "", "X-Client-Key", c.client, "X-Forwarded-For", c.from, "X-Cart-Token", c.cart)
		if a.status != c.status || (a.status == 429) != (a.reason() == "rate_limited") {
			t.Errorf("%s %s: %d, want %d: %s", c.from, c.cart, a.status, c.status, a.raw)
		}
	}
}

// Calls from origins that a shop does not allow do not count as its usage.
func TestDisallowedOriginsAreNotMetered(t *testing.T) {
	b := newSQLiteHarness(t)
	shop := b.createTenantOn("Small", tenant.Free)
	if a := b.adminOf(shop)("PATCH", "/tenants/"+string(shop.Tenant.ID), `{"settings":{"allowedOrigins":["https://shop.example"]}}`); a.status != 200 {
		t.Fatal(a.raw)
	}
	b.advance(2 * time.Second)
	if a := b.request("GET", "/api/brands", "", "X-Client-Key", shop.ClientKey, "Origin", "https://elsewhere.example"); a.status != 403 ||
		strings.Trim(a.limits(), " |") != "" {
		t.Errorf("another origin: %d %s", a.status, a.limits())
	}
	if a := b.request("GET", "/api/brands", "", "X-Client-Key", shop.ClientKey, "Origin", "https://shop.example"); a.status != 200 ||
		a.header.Get("X-RateLimit-Remaining") != "9998" {
		t.Errorf("the allowed origin: %d %s", a.status, a.limits())
	}
}

// The limit of a new plan applies within two seconds, and earlier usage still counts.
func TestPlanChangeAppliesAtOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		shop, root := b.createTenantOn("Small", tenant.Free), b.platformAdmin()
		b.addUsage(shop.Tenant.ID, 10_000)
		for _, c := range []struct {
			plan        string
			status      int
			limit, left string
		}{
			{"free", 429, "10000", "0"}, {"basic", 200, "100000", "89999"}, {"enterprise", 200, "", ""}, {"pro", 200, "1000000", "989997"},
			{"free", 429, "10000", "0"},
		} {
			if a := root("PATCH", "/tenants/"+string(shop.Tenant.ID), `{"plan":"`+c.plan+`"}`, "X-Tenant-Id", string(shop.Tenant.ID)); a.status != 200 {
				t.Fatal(a.raw)
			}
			b.advance(2 * time.Second) // the time that keys and tenants are cached
			a := b.request("GET", "/api/brands", "", "X-API-Key", shop.SecretKey)
			if a.status != c.status || a.header.Get("X-RateLimit-Limit") != c.limit || a.header.Get("X-RateLimit-Remaining") != c.left {
				t.Errorf("on %s: %d %s, want %d %s %s", c.plan, a.status, a.limits(), c.status, c.limit, c.left)
			}
		}
		for plan, want := range map[string]int{`"platinum"`: 400, "null": 400} {
			if a := root("PATCH", "/tenants/"+string(shop.Tenant.ID), `{"plan":`+plan+`}`, "X-Tenant-Id", string(shop.Tenant.ID)); a.status != want {
				t.Errorf("%s: %s", plan, a.raw)
			}
		}
		mine := b.adminOf(b.shop)
		for plan, want := range map[string]int{"enterprise": 200, "pro": 403} {
			if a := mine("PATCH", "/tenants/"+string(b.shop.Tenant.ID), `{"plan":"`+plan+`"}`); a.status != want ||
				want == 403 && a.reason() != "plan_not_changeable" {
				t.Errorf("a shop sets its own plan to %s: %s", plan, a.raw)
			}
		}
	})
}

// A stream of events is one call, however long it lasts.
func TestEventStreamCountsAsOneCall(t *testing.T) {
	b := newSQLiteHarness(t)
	shop := b.createTenantOn("Small", tenant.Free)
	address := serveStreams(t, b)
	key := []string{"X-API-Key", shop.SecretKey}
	f := openStream(t, address, "", key...)
	if left := f.header.Get("X-RateLimit-Remaining"); f.status != 200 || left != "9999" {
		t.Fatalf("%d, %s left", f.status, left)
	}
	for range 3 { // each is a call, and an event in the stream
		if a := b.request("POST", "/api/brands", `{"name":"x"}`, key...); a.status != 201 {
			t.Fatal(a.raw)
		}
		if _, ok := f.next(); !ok {
			t.Fatal("the stream ended")
		}
	}
	if a := b.request("GET", "/api/usage", "", key...); a.body["used"] != 4.0 {
		t.Errorf("the stream and three brands: %s", a.raw)
	}
}

// Hashing a password is slow on purpose, so its rate is limited.
func TestRegistrationsAreLimited(t *testing.T) {
	b := newSQLiteHarness(t)
	register := func(client string) answer {
		return b.request("POST", "/api/customers/register", `{"email":"kim@shop.example","password":"correct horse battery"}`,
			"X-Client-Key", client)
	}
	if a := register(b.shop.ClientKey); a.status != 201 {
		t.Fatal(a.raw)
	}
	for range 59 {
		if a := register(b.shop.ClientKey); a.status != 400 {
			t.Fatal(a.raw)
		}
	}
	want := "60 | 0 | " + strconv.FormatInt(time.UnixMilli(b.clock.Load()).Unix()+900, 10) + " |  | "
	if a := register(b.shop.ClientKey); a.status != 429 || a.reason() != "rate_limited" || a.limits() != want {
		t.Errorf("%d %s\n%s", a.status, a.limits(), a.raw)
	}
	if a := register(b.other.ClientKey); a.status != 201 {
		t.Errorf("another shop: %d %s", a.status, a.raw)
	}
	b.advance(15 * time.Minute)
	if a := register(b.shop.ClientKey); a.status != 400 {
		t.Errorf("later: %d %s", a.status, a.raw)
	}
}
