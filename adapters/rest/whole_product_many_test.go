package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// bigForm is the form of a product with a thousand variants.
func bigForm() string {
	labels := func(name string, n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"label":"%s%d"}`, name, i)
		}
		return strings.Join(all, ",")
	}
	variants := make([]string, 1000)
	for i := range variants {
		variants[i] = fmt.Sprintf(`{"sku":"B-%03d","price":%d,"optionValues":[{"option":"Size","value":"s%d"},{"option":"Color","value":"c%d"}]}`,
			i, 1000+i, i/10, i%10)
	}
	return `{"name":"Big","status":"draft","price":1000,"options":[{"name":"Size","values":[` + labels("s", 100) +
		`]},{"name":"Color","values":[` + labels("c", 10) + `]}],"variants":[` + strings.Join(variants, ",") + `]}`
}

// A product of a thousand variants is made, and changed in each of them, in one request. Rules catalog-28, catalog-34.
func TestAProductHasAThousandVariants(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		product := b.secret(201, "POST", "/api/products/complete", bigForm()).body["product"].(map[string]any)
		path := "/api/products/" + product["id"].(string) + "/complete"
		number := func(i int) string { return fmt.Sprintf("B-%03d", (i+1)%1000) }
		for i := range 1000 {
			v := part(product, "variants", i)
			v["price"], v["sku"] = 5000+i, number(i) // each takes the number of the next
		}
		b.secret(200, "PUT", path, encoded(t, product))
		now := b.secret(200, "GET", path, "").body["product"].(map[string]any)
		if n := len(now["variants"].([]any)); n != 1000 {
			t.Fatal(n)
		}
		for i := range 1000 {
			v := part(now, "variants", i)
			if v["id"] != part(product, "variants", i)["id"] || v["sku"] != number(i) || v["price"] != float64(5000+i) {
				t.Fatalf("variant %d: %v", i, v)
			}
		}
	})
}
