package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// trio makes a product of three sizes with the SKUs A, B and C, and returns it with its path.
func (b *harness) trio() (product map[string]any, path string) {
	b.t.Helper()
	a := b.secret(201, "POST", "/api/products/complete", `{"name":"Cup","status":"draft","price":100,
		"options":[{"name":"Size","values":[{"label":"1"},{"label":"2"},{"label":"3"},{"label":"4"}]}],
		"variants":[{"sku":"A","stock":1,"optionValues":[{"option":"Size","value":"1"}]},{"sku":"B","stock":2,"optionValues":[{"option":"Size","value":"2"}]},
			{"sku":"C","stock":3,"optionValues":[{"option":"Size","value":"3"}]}]}`)
	product, _ = a.body["product"].(map[string]any)
	return product, "/api/products/" + product["id"].(string) + "/complete"
}

// Rule catalog-34.
func TestVariantsOfAFormSwapTheirNumbersAndValues(t *testing.T) {
	for name, to := range map[string][3]int{"two": {1, 0, 2}, "rotation": {1, 2, 0}, "rotation back": {2, 0, 1}} {
		for _, fields := range [][]string{{"sku"}, {"optionValues"}, {"sku", "optionValues", "barcode"}} {
			t.Run(name+" "+strings.Join(fields, " "), func(t *testing.T) {
				bothDatabases(t, func(t *testing.T, b *harness) { b.swap(t, to, fields) })
			})
		}
	}
}

// swap gives each variant of a trio the fields of the one that to names, and reads them again.
func (b *harness) swap(t *testing.T, to [3]int, fields []string) {
	p, path := b.trio()
	was := encoded(t, p)
	from := b.secret(200, "GET", path, "").body["product"].(map[string]any)
	for i := range to {
		for _, f := range fields {
			part(p, "variants", i)[f] = part(from, "variants", to[i])[f]
		}
	}
	a := b.secret(200, "PUT", path, encoded(t, p))
	got := a.body["product"].(map[string]any)
	for i := range to {
		v, want := part(got, "variants", i), part(p, "variants", i)
		if v["id"] != want["id"] || v["stock"] != want["stock"] {
			t.Errorf("variant %d is another one: %v, want %v", i, v, want)
		}
		for _, f := range fields {
			if encoded(t, v[f]) != encoded(t, want[f]) {
				t.Errorf("variant %d: %s is %v, want %v", i, f, v[f], want[f])
			}
		}
		if chosen := part(v, "optionValues", 0)["value"]; v["title"] != chosen {
			t.Errorf("variant %d of %v has the title %v", i, chosen, v["title"])
		}
	}
	if a := b.request("PUT", path, was, "X-API-Key", b.shop.SecretKey); a.status != 412 {
		t.Errorf("the form from before: %d %s", a.status, a.raw)
	}
}

// Rule catalog-34.
func TestANumberIsTakenOnlyFromWhoLeavesIt(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		p, path := b.trio()
		id := func(i int) string { return part(p, "variants", i)["id"].(string) }
		for _, form := range []string{
			fmt.Sprintf(`[{"id":%q,"sku":"B"},{"id":%q},{"id":%q}]`, id(0), id(1), id(2)),
			fmt.Sprintf(`[{"id":%q,"sku":"b"},{"id":%q,"sku":"B"},{"id":%q}]`, id(0), id(1), id(2)),
			fmt.Sprintf(`[{"id":%q,"sku":"B"},{"id":%q,"sku":"b"},{"id":%q}]`, id(0), id(1), id(2)),
		} {
			if a := b.secret(400, "PUT", path, `{"variants":`+form+`}`); !strings.Contains(a.raw, `"field":"variants.`) {
				t.Errorf("%s: %s", form, a.raw)
			}
		}
		if a := b.secret(200, "GET", path, ""); encoded(t, a.body["product"]) != encoded(t, p) {
			t.Errorf("a refused form changed %s", a.raw)
		}
		// The numbers of what goes away, and of what is named anew, are free for new variants.
		a := b.secret(200, "PUT", path, fmt.Sprintf(`{"variants":[{"sku":"a","optionValues":[{"option":"Size","value":"4"}]},{"id":%q,"sku":"D"},
			{"sku":"B","optionValues":[{"option":"Size","value":"3"}]}]}`, id(1)))
		got := a.body["product"].(map[string]any)
		for i, want := range []string{"4 a 0", "2 D 2", "3 B 3"} {
			v := part(got, "variants", i)
			if text := fmt.Sprint(v["title"], " ", v["sku"], " ", v["stock"]); text != want {
				t.Errorf("variant %d is %s, want %s", i, text, want)
			}
		}
		a = b.secret(200, "PUT", path, `{"options":[{"name":"Glaze","values":[{"label":"X"}]}],"variants":[{"sku":"D","optionValues":[{"option":"Glaze","value":"X"}]}]}`)
		if v := part(a.body["product"].(map[string]any), "variants", 0); v["sku"] != "D" || v["title"] != "X" {
			t.Errorf("%s", a.raw)
		}
	})
}
