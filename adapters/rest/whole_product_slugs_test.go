package rest_test

import (
	"strings"
	"sync"
	"testing"
)

// Whoever names no slug is never told that it is taken, however many products of one name are made at once.
//
// Rule catalog-28.
func TestNewProductsOfOneNameFindTheirSlugs(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.secret(201, "POST", "/api/products/complete", `{"name":"First","slug":"straße","status":"draft","price":1}`)
		slug := func(a answer) string {
			product, _ := a.body["product"].(map[string]any)
			text, _ := product["slug"].(string)
			return text
		}
		// To the database this is the slug that is there, though no product is found by it.
		if a := b.secret(201, "POST", "/api/products/complete", `{"name":"STRASSE","status":"draft","price":1}`); slug(a) != "strasse-2" {
			t.Errorf("%s", a.raw)
		}
		const makers = 24
		made := make([]string, makers)
		var all sync.WaitGroup
		for i := range makers {
			all.Go(func() {
				form := `{"name":"Cup","status":"draft","price":1,"variants":[{"price":2}]}`
				a := b.request("POST", "/api/products/complete", form, "X-API-Key", b.shop.SecretKey)
				if made[i] = slug(a); a.status != 201 {
					t.Errorf("%d %s", a.status, a.raw)
				}
			})
		}
		all.Wait()
		seen := map[string]bool{}
		for _, s := range made {
			if seen[s] || !strings.HasPrefix(s, "cup") {
				t.Errorf("%q twice, or of something else", s)
			}
			seen[s] = true
		}
	})
}
