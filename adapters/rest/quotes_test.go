package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestDiscountCodesAreValidated(t *testing.T) {
	t.Parallel()
	s := newQuoteHarness(t)
	for name, c := range map[string]struct{ body, want string }{
		"a percentage needs no context": {
			`{"code":" ten","orderAmount":25005}`,
			`{"valid":true,"code":"TEN","type":"percentage","discountAmount":2501,"freeShipping":false,"currency":"KRW"}`,
		},
		"a fixed amount needs a context": {
			`{"code":"FIVE","orderAmount":20000}`,
			`{"valid":false,"code":"FIVE","type":"fixed_amount","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_context_required"}`,
		},
		"a currency is a context": {
			`{"code":"FIVE","orderAmount":20000,"currency":"krw"}`,
			`{"valid":true,"code":"FIVE","type":"fixed_amount","discountAmount":5000,"freeShipping":false,"currency":"KRW"}`,
		},
		"a market is a context": {
			`{"code":"FIVE","orderAmount":3000,"market":"kr"}`,
			`{"valid":true,"code":"FIVE","type":"fixed_amount","discountAmount":3000,"freeShipping":false,"currency":"KRW"}`,
		},
		"another currency is not": {
			`{"code":"FIVE","orderAmount":19.99,"currency":"USD"}`,
			`{"valid":false,"code":"FIVE","type":"fixed_amount","discountAmount":0,"freeShipping":false,"currency":"USD","reason":"discount_context_required"}`,
		},
		"a market of another currency is not": {
			`{"code":"FIVE","orderAmount":2000,"market":"jp"}`,
			`{"valid":false,"code":"FIVE","type":"fixed_amount","discountAmount":0,"freeShipping":false,"currency":"JPY","reason":"discount_context_required"}`,
		},
		"a contradiction is not": {
			`{"code":"FIVE","orderAmount":2000,"currency":"KRW","market":"jp"}`,
			`{"valid":false,"code":"FIVE","type":"fixed_amount","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_context_required"}`,
		},
		"a percentage in any currency": {
			`{"code":"TEN","orderAmount":19.99,"currency":"USD"}`,
			`{"valid":true,"code":"TEN","type":"percentage","discountAmount":2,"freeShipping":false,"currency":"USD"}`,
		},
		"a cap needs a context": {
			`{"code":"CAPPED","orderAmount":20000}`,
			`{"valid":false,"code":"CAPPED","type":"percentage","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_context_required"}`,
		},
		"a cap holds": {
			`{"code":"CAPPED","orderAmount":20000,"currency":"KRW"}`,
			`{"valid":true,"code":"CAPPED","type":"percentage","discountAmount":6000,"freeShipping":false,"currency":"KRW"}`,
		},
		"a minimum needs a context": {
			`{"code":"LEAST","orderAmount":20000}`,
			`{"valid":false,"code":"LEAST","type":"percentage","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_context_required"}`,
		},
		"a minimum is reached exactly": {
			`{"code":"LEAST","orderAmount":20000,"market":"` + s.kr + `"}`,
			`{"valid":true,"code":"LEAST","type":"percentage","discountAmount":2000,"freeShipping":false,"currency":"KRW"}`,
		},
		"below the minimum": {
			`{"code":"LEAST","orderAmount":19999,"currency":"KRW"}`,
			`{"valid":false,"code":"LEAST","type":"percentage","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_min_order"}`,
		},
		"the highest reached tier": {
			`{"code":"TIERS","orderAmount":30000,"currency":"KRW"}`,
			`{"valid":true,"code":"TIERS","type":"tiered","discountAmount":6000,"freeShipping":false,"currency":"KRW"}`,
		},
		"free shipping": {
			`{"code":"SHIP","orderAmount":1}`,
			`{"valid":true,"code":"SHIP","type":"free_shipping","discountAmount":0,"freeShipping":true,"currency":"KRW"}`,
		},
		"free shipping of nothing that ships": {
			`{"code":"SHIP","orderAmount":4000,"items":` + items(s.song, 1) + `}`,
			`{"valid":false,"code":"SHIP","type":"free_shipping","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_not_applicable"}`,
		},
		"an unknown code": {
			`{"code":"WISH","orderAmount":1}`,
			`{"valid":false,"code":"WISH","type":null,"discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_not_found"}`,
		},
		"a code that is switched off": {
			`{"code":"OFF","orderAmount":1}`,
			`{"valid":false,"code":"OFF","type":"percentage","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_inactive"}`,
		},
		"a code from the past": {
			`{"code":"GONE","orderAmount":1}`,
			`{"valid":false,"code":"GONE","type":"percentage","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_expired"}`,
		},
		"a market's code elsewhere": {
			`{"code":"JAPAN","orderAmount":1}`,
			`{"valid":false,"code":"JAPAN","type":"percentage","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_not_applicable"}`,
		},
		"a market's code there": {
			`{"code":"JAPAN","orderAmount":1000,"market":"jp","items":` + items(s.shirt, 1) + `}`,
			`{"valid":true,"code":"JAPAN","type":"percentage","discountAmount":100,"freeShipping":false,"currency":"JPY"}`,
		},
		"a limited code without items": {
			`{"code":"SHIRTS","orderAmount":19000}`,
			`{"valid":false,"code":"SHIRTS","type":"percentage","discountAmount":0,"freeShipping":false,"currency":"KRW","reason":"discount_not_applicable"}`,
		},
		"a limited code with its items": {
			`{"code":"SHIRTS","orderAmount":19000,"items":` + items(s.shirt, 1, s.song, 1) + `}`,
			`{"valid":true,"code":"SHIRTS","type":"percentage","discountAmount":5000,"freeShipping":false,"currency":"KRW"}`,
		},
		"what no item accounts for": {
			`{"code":"SHIRTS","orderAmount":99000,"items":` + items(s.shirt, 1) + `}`,
			`{"valid":true,"code":"SHIRTS","type":"percentage","discountAmount":5000,"freeShipping":false,"currency":"KRW"}`,
		},
		"what was taken off before": {
			`{"code":"SHIRTS","orderAmount":9500,"items":` + items(s.shirt, 1, s.song, 1) + `}`,
			`{"valid":true,"code":"SHIRTS","type":"percentage","discountAmount":2500,"freeShipping":false,"currency":"KRW"}`,
		},
		"a code for everything with items": {
			`{"code":"TEN","orderAmount":9500,"items":` + items(s.shirt, 1, s.song, 1) + `}`,
			`{"valid":true,"code":"TEN","type":"percentage","discountAmount":950,"freeShipping":false,"currency":"KRW"}`,
		},
	} {
		for prefix, request := range map[string]func(string, string) answer{"public": s.publicLater, "server": s.server} {
			if a := request("discounts/validate", c.body); a.status != 200 || a.raw != c.want {
				t.Errorf("%s, %s: %d %s, want %s", name, prefix, a.status, a.raw, c.want)
			}
		}
	}
}

// publicLater is public after the attempt window, so that attempts are not limited.
func TestInvalidDiscountValidationRequests(t *testing.T) {
	t.Parallel()
	s := newQuoteHarness(t)
	draft, hidden := s.makeProduct(`{"name":"Draft","status":"draft","price":1000}`, "")
	for name, c := range map[string]struct {
		body   string
		status int
		reason string
	}{
		"no code":                        {`{"orderAmount":1}`, 400, "validation_failed"},
		"a code of spaces":               {`{"code":"  ","orderAmount":1}`, 400, "validation_failed"},
		"no amount":                      {`{"code":"TEN"}`, 400, "validation_failed"},
		"an amount in words":             {`{"code":"TEN","orderAmount":"1"}`, 400, "validation_failed"},
		"a negative amount":              {`{"code":"TEN","orderAmount":-1}`, 400, "validation_failed"},
		"an amount the currency has not": {`{"code":"TEN","orderAmount":0.5}`, 400, "validation_failed"},
		"a currency that is none":        {`{"code":"TEN","orderAmount":1,"currency":"WON"}`, 400, "validation_failed"},
		"a quantity of none":             {`{"code":"TEN","orderAmount":1,"items":` + items(s.shirt, 0) + `}`, 400, "validation_failed"},
		"too great a quantity": {
			`{"code":"TEN","orderAmount":1,"items":` + items(s.shirt, 10_000) + `}`, 400, "validation_failed",
		},
		"too many items": {
			`{"code":"TEN","orderAmount":1,"items":[` + strings.Repeat(`{"variantId":"x","quantity":1},`, 200) +
				`{"variantId":"x","quantity":1}]}`,
			400, "validation_failed",
		},
		"a member that does not exist": {`{"code":"TEN","orderAmount":1,"explained":true}`, 400, "validation_failed"},
		"a market that does not exist": {`{"code":"TEN","orderAmount":1,"market":"xx"}`, 404, "market_not_found"},
		"an unknown variant":           {`{"code":"TEN","orderAmount":1,"items":` + items(missingID, 1) + `}`, 422, "variant_unavailable"},
		"a hidden variant":             {`{"code":"TEN","orderAmount":1,"items":` + items(hidden, 1) + `}`, 422, "variant_unavailable"},
		"items without a price there": {
			`{"code":"TEN","orderAmount":1,"currency":"USD","items":` + items(s.shirt, 1) + `}`, 422, "variant_unavailable",
		},
	} {
		if a := s.publicLater("discounts/validate", c.body); a.status != c.status || a.reason() != c.reason {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	for body, status := range map[string]int{`"explain":true`: 400, `"customerId":"x"`: 400} {
		if a := s.publicLater("discounts/validate", `{"code":"TEN","orderAmount":1,`+body+`}`); a.status != status ||
			!strings.Contains(a.raw, "This field does not exist.") {
			t.Errorf("%s for a shopper: %d %s", body, a.status, a.raw)
		}
	}
	if a := s.server("discounts/validate", `{"code":"TEN","orderAmount":1,"customerId":"x"}`); a.status != 400 ||
		!strings.Contains(a.raw, "There is no such customer.") {
		t.Errorf("an unknown customer: %d %s", a.status, a.raw)
	}
	if a := s.server("discounts/validate", `{"code":"TEN","orderAmount":1,"explain":"yes"}`); a.status != 400 {
		t.Errorf("explain as text: %d %s", a.status, a.raw)
	}
	// The refusal of an unusable code does not reveal whether a variant is hidden or unknown.
	unknown := s.server("discounts/validate", `{"code":"OFF","orderAmount":1,"items":`+items(missingID, 1)+`}`)
	secret := s.server("discounts/validate", `{"code":"OFF","orderAmount":1,"items":`+items(hidden, 1)+`}`)
	if unknown.status != 200 || unknown.raw != secret.raw || draft == "" {
		t.Errorf("unknown %s, hidden %s", unknown.raw, secret.raw)
	}
}

func TestDiscountValidationsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := newQuoteHarness(t)
	try := func() answer { return s.public("discounts/validate", `{"code":"WISH","orderAmount":1}`) }
	for i := range 30 {
		if a := try(); a.status != 200 {
			t.Fatalf("%d: %d %s", i, a.status, a.raw)
		}
		s.advance(time.Second)
		s.public("discounts/validate", `{"code":"WISH"}`) // malformed, so it does not count
	}
	a := try()
	extensions := a.body["errors"].([]any)[0].(map[string]any)["extensions"].(map[string]any)
	if a.status != 429 || a.reason() != "rate_limited" || a.header.Get("Retry-After") != "30" || extensions["retryable"] != true ||
		extensions["retryAfter"] != 30.0 {
		t.Errorf("the thirty-first: %d %v %s", a.status, a.header, a.raw)
	}
	if g := s.graphql(200, document(`{ discountValidate(code: "TEN", orderAmount: 1) { valid } }`), "X-Client-Key",
		s.shop.ClientKey); g.reason() != "rate_limited" {
		t.Errorf("over GraphQL: %s", g.raw)
	}
	if a := s.server("discounts/validate", `{"code":"TEN","orderAmount":1}`); a.status != 200 {
		t.Errorf("the server is not limited: %d %s", a.status, a.raw)
	}
	if a := s.request("POST", "/api/commerce/discounts/validate", `{"code":"TEN","orderAmount":1}`, "X-Client-Key", s.other.ClientKey); a.status != 200 {
		t.Errorf("in another shop: %d %s", a.status, a.raw)
	}
	if a := s.public("shipping/calculate", `{"postalCode":"06236","orderAmount":1}`); a.status != 200 {
		t.Errorf("delivery: %d %s", a.status, a.raw)
	}
	s.advance(30 * time.Second)
	if a := try(); a.status != 200 {
		t.Errorf("after the first left the window: %d %s", a.status, a.raw)
	}
}

func TestQuotesFollowFeatureAndKey(t *testing.T) {
	t.Parallel()
	s := newQuoteHarness(t)
	calls := map[string]string{
		"discounts/validate": `{"code":"TEN","orderAmount":1}`, "shipping/calculate": `{"postalCode":"06236","orderAmount":1}`,
	}
	admin := s.actors()[string(tenant.Admin)]
	reading, writing := s.limited("read", admin), s.limited("write", admin)
	for path, body := range calls {
		if a := s.request("POST", "/api/server/commerce/"+path, body, "X-API-Key", reading); a.status != 200 {
			t.Errorf("%s with a key that reads: %d %s", path, a.status, a.raw)
		}
		if a := s.request("POST", "/api/server/commerce/"+path, body, "X-API-Key", writing); a.status != 403 {
			t.Errorf("%s with a key that writes: %d %s", path, a.status, a.raw)
		}
	}
	s.secret(200, "PATCH", "/api/tenants/"+string(s.shop.Tenant.ID), `{"settings":{"features":{"ecommerce":false}}}`)
	s.advance(time.Minute) // keys are cached
	for path, body := range calls {
		for prefix, a := range map[string]answer{"public": s.public(path, body), "server": s.server(path, body)} {
			if a.status != 403 || a.reason() != "feature_disabled" {
				t.Errorf("%s, %s: %d %s", path, prefix, a.status, a.raw)
			}
		}
	}
}

// limited is a secret key with one scope.
func (s quoteHarness) limited(scope string, headers []string) string {
	s.t.Helper()
	a := s.request("POST", "/api/api-keys",
		fmt.Sprintf(`{"name":%q,"kind":"secret","environment":"live","scopes":[%q]}`, scope, scope), headers...)
	if a.status != 201 {
		s.t.Fatal(a.raw)
	}
	return a.body["key"].(string)
}

func TestCustomerDiscountUsesAreCounted(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(t *testing.T) sqlstore.Options{
		"postgres": func(t *testing.T) sqlstore.Options { return sqlstore.Options{URL: migrated.Postgres(t)} },
		"sqlite":   func(t *testing.T) sqlstore.Options { return sqlstore.Options{Path: migratedFile.Copy(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newHarness(t, open(t))
			once := b.make("discounts", `{"code":"ONCE","type":"percentage","value":10,"perCustomerLimit":1,"usageLimit":2}`)
			headers := b.actors()["customer"]
			me := b.request("GET", "/api/customers/me", "", headers...)
			customer := me.body["customer"].(map[string]any)["id"].(string)
			try := func(headers []string, path, customer string) any {
				body := `{"code":"ONCE","orderAmount":1000` + customer + `}`
				a := b.request("POST", path, body, headers...)
				if a.body["valid"] == true {
					return true
				}
				return a.body["reason"]
			}
			const public, server = "/api/commerce/discounts/validate", "/api/server/commerce/discounts/validate"
			other, secret := []string{"X-Client-Key", b.shop.ClientKey}, []string{"X-API-Key", b.shop.SecretKey}
			if try(headers, public, "") != true || try(secret, server, `,"customerId":"`+customer+`"`) != true {
				t.Error("the code is not used yet")
			}
			use := func(holder, of string) {
				err := b.store.Atomically(t.Context(), ports.ForTenant(b.shop.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
					return tx.DiscountUses.Redeem(ctx, b.shop.Tenant.ID, "live", holder, []ports.DiscountUse{{
						Code: "ONCE", Discount: once, Customer: of, Limit: 2, PerCustomerLimit: 1,
					}})
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			use("one", customer)
			if got := try(headers, public, ""); got != "discount_customer_limit" {
				t.Errorf("to the customer who used it: %v", got)
			}
			if got := try(secret, server, `,"customerId":"`+customer+`"`); got != "discount_customer_limit" {
				t.Errorf("to the server for that customer: %v", got)
			}
			if try(other, public, "") != true || try(secret, server, "") != true {
				t.Error("another shopper may still use it")
			}
			use("two", "lee@shop.example")
			if got := try(other, public, ""); got != "discount_usage_limit" {
				t.Errorf("used up: %v", got)
			}
		})
	}
}
