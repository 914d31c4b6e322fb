package rest_test

import (
	"strings"
	"testing"
)

// A create computes its answer before the commit; it must equal a later read.
func TestCreateAnswerEqualsRead(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		brand := b.make("brands", `{"name":"Maker"}`)
		for _, c := range [][2]string{
			{"products", `{"name":"Mug","price":9000,"status":"published","stock":7,"brand":"` + brand + `"}`},
			{"products", `{"name":"Mug","price":9000,"status":"published"}`},
			{"products", `{"name":"Shirt","price":9000,"status":"draft","variants":[{"title":"S","sku":"S1","stock":3},{"title":"M","sku":"M1","stock":4},{"title":"L","trackInventory":false}]}`},
			{"brands", `{"name":"Maker"}`},
			{"discounts", `{"code":"half","type":"percentage","value":50}`},
			{"shipping-policies", `{"title":"Post","isDefault":true,"baseFee":3000}`},
			{"customers", `{"email":"new@example.com","name":"New"}`},
		} {
			for _, key := range []string{"SecretKey", "TestSecretKey"} {
				secret := map[string]string{"SecretKey": b.shop.SecretKey, "TestSecretKey": b.shop.TestSecretKey}[key]
				body := strings.NewReplacer("S1", "S"+key, "M1", "M"+key, "half", "half"+key, "new@", key+"@").Replace(c[1])
				made := b.request("POST", "/api/"+c[0], body, "X-API-Key", secret)
				if made.status != 201 {
					t.Errorf("%s: %d %s", body, made.status, made.raw)
					continue
				}
				read := b.request("GET", "/api/"+c[0]+"/"+made.doc()["id"].(string), "", "X-API-Key", secret)
				if !strings.HasSuffix(made.raw, `"doc":`+read.raw+"}") {
					t.Errorf("%s with the %s:\nanswered %s\n   reads %s", body, key, made.raw, read.raw)
				}
			}
		}
		taken := b.request("POST", "/api/products",
			`{"name":"Cap","price":1,"status":"draft","variants":[{"title":"One","sku":"other"},{"title":"Two","sku":"ssecretkey"}]}`,
			"X-API-Key", b.shop.SecretKey)
		if taken.status != 400 || taken.reason() != "value_not_unique" {
			t.Errorf("a taken SKU: %d %s", taken.status, taken.raw)
		}
		if found := b.secret(200, "GET", "/api/products?where[name][equals]=Cap", ""); len(found.docs()) != 0 {
			t.Errorf("a product without its variants: %s", found.raw)
		}
	})
}
