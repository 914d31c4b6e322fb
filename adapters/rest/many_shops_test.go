package rest_test

import (
	"fmt"
	"testing"
)

// An address that many shops know logs in to each of them by the password that counts there, whether the shop is named or
// not: shops that make accounts for an address keep nobody else out. Rule access-34.
func TestLoginFindsTheShopOfThePassword(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const shops = 7
		for i := range shops {
			shop := b.createTenant(fmt.Sprintf("Shop %d", i))
			body := fmt.Sprintf(`{"email":"eve@shop.example","role":"tenant-editor","password":"horse number %d"}`, i)
			switch a := b.adminOf(shop)("POST", "/users", body); a.status {
			case 201: // bound to the first shop
			case 202:
				if a := b.post("/invitations/"+b.emailToken("eve@shop.example")+"/accept", fmt.Sprintf(`{"password":"horse number %d"}`, i)); a.status != 200 {
					t.Fatal(a.status, a.raw)
				}
			default:
				t.Fatal(a.status, a.raw)
			}
		}
		for i := range shops {
			if a := b.loginEve(fmt.Sprintf("horse number %d", i), ""); a.status != 200 {
				t.Errorf("shop %d: %d %s", i, a.status, a.raw)
			}
		}
	})
}
