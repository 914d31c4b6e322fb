package rest_test

import (
	"fmt"
	"testing"
)

func TestShippingIsCalculated(t *testing.T) {
	t.Parallel()
	s := newQuoteHarness(t)
	standard := s.secret(200, "GET", "/api/shipping-policies?where[isDefault][equals]=true", "").docs()[0].(map[string]any)["id"].(string)
	s.secret(200, "PATCH", "/api/shipping-policies/"+standard, `{"freeShippingThreshold":50000}`)
	kind := s.make("shipping-policies", `{"title":"Kind","baseFee":4000,"freeShippingThreshold":10000,"zones":[{"name":"jeju","ranges":[{"from":"63000","to":"63644"}],"extraFee":2000,"waivedWhenFree":true}]}`)
	abroad := s.make("shipping-policies", `{"title":"Abroad","baseFee":9.50,"currency":"USD","zones":[]}`)
	quoted := func(total, base, extra, zone, free, currency string) string {
		return fmt.Sprintf(`{"shippingAmount":%s,"baseFee":%s,"surcharge":%s,"zone":%s,"freeShipping":%s,"currency":%q}`, total, base,
			extra, zone, free, currency)
	}
	for name, c := range map[string]struct{ body, want string }{
		"the mainland": {`{"postalCode":"06236","orderAmount":1000}`, quoted("3000", "3000", "0", "null", "false", "KRW")},
		"Jeju":         {`{"postalCode":"63001","orderAmount":1000}`, quoted("6000", "3000", "3000", `"jeju"`, "false", "KRW")},
		"an island": {
			`{"postalCode":"40200","orderAmount":1000}`, quoted("8000", "3000", "5000", `"islands"`, "false", "KRW"),
		},
		"one won below the threshold": {`{"postalCode":"06236","orderAmount":49999}`, quoted("3000", "3000", "0", "null", "false", "KRW")},
		"the threshold":               {`{"postalCode":"06236","orderAmount":50000}`, quoted("0", "0", "0", "null", "true", "KRW")},
		"Jeju above the threshold":    {`{"postalCode":"63644","orderAmount":50000}`, quoted("3000", "0", "3000", `"jeju"`, "true", "KRW")},
		"a surcharge that is waived": {
			`{"postalCode":"63001","orderAmount":10000,"policyId":"` + kind + `"}`, quoted("0", "0", "0", "null", "true", "KRW"),
		},
		"the same below the threshold": {
			`{"postalCode":"63001","orderAmount":9999,"policyId":"` + kind + `"}`, quoted("6000", "4000", "2000", `"jeju"`, "false", "KRW"),
		},
		"another currency by its policy": {
			`{"postalCode":"06236","orderAmount":10.5,"currency":"USD","policyId":"` + abroad + `"}`,
			quoted("9.5", "9.5", "0", "null", "false", "USD"),
		},
		"a product with a policy of its own": {
			`{"postalCode":"63001","orderAmount":25000,"items":` + items(s.shirt, 1, s.bulky, 1) + `}`,
			quoted("12000", "9000", "3000", `"jeju"`, "false", "KRW"),
		},
		"its own policy alone": {
			`{"postalCode":"63001","orderAmount":10000,"policyId":"` + kind + `","items":` + items(s.bulky, 1) + `}`,
			quoted("10000", "9000", "1000", `"far"`, "false", "KRW"),
		},
		"what does not ship does not count": {
			`{"postalCode":"06236","orderAmount":53000,"items":` + items(s.shirt, 3, s.song, 2) + `}`,
			quoted("3000", "3000", "0", "null", "false", "KRW"),
		},
		"what ships reaches the threshold": {
			`{"postalCode":"06236","orderAmount":64000,"items":` + items(s.shirt, 4, s.song, 1) + `}`,
			quoted("0", "0", "0", "null", "true", "KRW"),
		},
		"goods that do not ship cost nothing": {
			`{"postalCode":"63001","orderAmount":4000,"items":` + items(s.song, 1) + `}`, quoted("0", "0", "0", "null", "true", "KRW"),
		},
		"an amount below what does not ship": {
			`{"postalCode":"06236","orderAmount":1,"items":` + items(s.shirt, 1, s.song, 1) + `}`,
			quoted("3000", "3000", "0", "null", "false", "KRW"),
		},
		"an empty list of items is none": {
			`{"postalCode":"06236","orderAmount":1000,"items":[]}`, quoted("3000", "3000", "0", "null", "false", "KRW"),
		},
		"the shop's currency, stated": {
			`{"postalCode":"06236","orderAmount":1000,"currency":"KRW"}`, quoted("3000", "3000", "0", "null", "false", "KRW"),
		},
	} {
		for prefix, request := range map[string]func(string, string) answer{"public": s.public, "server": s.server} {
			if a := request("shipping/calculate", c.body); a.status != 200 || a.raw != c.want {
				t.Errorf("%s, %s: %d %s, want %s", name, prefix, a.status, a.raw, c.want)
			}
		}
	}
	for name, c := range map[string]struct {
		body   string
		status int
		reason string
	}{
		"a code of six digits":        {`{"postalCode":"135798","orderAmount":1}`, 400, "postal_code_invalid"},
		"a code that is a number":     {`{"postalCode":63001,"orderAmount":1}`, 400, "validation_failed"},
		"no code":                     {`{"orderAmount":1}`, 400, "validation_failed"},
		"no amount":                   {`{"postalCode":"06236"}`, 400, "validation_failed"},
		"a negative amount":           {`{"postalCode":"06236","orderAmount":-1}`, 400, "validation_failed"},
		"a currency that is none":     {`{"postalCode":"06236","orderAmount":1,"currency":"X"}`, 400, "validation_failed"},
		"a currency without a policy": {`{"postalCode":"06236","orderAmount":1,"currency":"USD"}`, 422, "shipping_unavailable"},
		"a policy that does not exist": {
			`{"postalCode":"06236","orderAmount":1,"policyId":"` + missingID + `"}`, 422, "shipping_unavailable",
		},
		"an unknown variant":   {`{"postalCode":"06236","orderAmount":1,"items":` + items(missingID, 1) + `}`, 422, "variant_unavailable"},
		"too great a quantity": {`{"postalCode":"06236","orderAmount":1,"items":` + items(s.shirt, 10_000) + `}`, 400, "validation_failed"},
	} {
		if a := s.public("shipping/calculate", c.body); a.status != c.status || a.reason() != c.reason {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	s.secret(200, "PATCH", "/api/shipping-policies/"+standard, `{"isDefault":false}`)
	if a := s.public("shipping/calculate", `{"postalCode":"06236","orderAmount":1}`); a.status != 422 ||
		a.reason() != "shipping_unavailable" {
		t.Errorf("without a default policy: %d %s", a.status, a.raw)
	}
}
