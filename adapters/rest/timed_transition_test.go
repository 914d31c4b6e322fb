package rest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// storeRecord stores a new record of the acting shop, unchanged.
func (b *harness) storeRecord(s *collection.Schema, r collection.Record) {
	b.t.Helper()
	change := collection.NewChange(s, nil, r, newID(), time.UnixMilli(b.clock.Load()))
	err := b.store.Atomically(b.t.Context(), ports.ForTenant(b.shop.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, change)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// Rule collections-21: a timed transition has the same effect over every API, before it is written.
func TestTimedTransitionIsReadEverywhere(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		over := time.UnixMilli(b.clock.Load()).UTC().Add(time.Hour)
		shop := b.shop.Tenant.ID
		none := money.Of(0, "KRW")
		carts := map[string]time.Time{"c-old": over, "c-young": over.Add(time.Hour)}
		for id, expires := range carts {
			b.storeRecord(cart.Schema, cart.Cart{
				ID: id, Tenant: shop, Environment: tenant.Live, Status: cart.Active, Revision: 1, Currency: "KRW", ExpiresAt: expires,
				Totals: sale.Totals{Subtotal: none, Discount: none, Total: none},
			}.Record())
		}
		open := checkout.Checkout{
			ID: "k-old", Tenant: shop, Environment: tenant.Live, Status: checkout.Open, Cart: "c-old", Currency: "KRW", ExpiresAt: over,
			Contact: sale.Contact{Email: "a@b.example"}, Totals: sale.Totals{Subtotal: none, Discount: none, Total: none},
		}
		b.storeRecord(checkout.Schema, open.Record())
		open.ID, open.Cart = "k-held", "c-young"
		b.storeRecord(checkout.Schema, open.TakeSlot("s1").Record())
		ids := func(path string) string {
			a := b.secret(200, "GET", "/api/"+path, "")
			var all []string
			for _, d := range a.docs() {
				all = append(all, d.(map[string]any)["id"].(string))
			}
			return strings.Join(all, " ")
		}
		total := func(path string) any { return b.secret(200, "GET", "/api/"+path, "").body["totalDocs"] }
		for name, when := range map[string]struct {
			at                       time.Duration
			active, abandoned        string
			openChecks, expired      string
			byStatus, cartOf, status string
		}{
			"1 before": {0, "c-old c-young", "", "k-old", "", "c-old c-young", "active", "open"},
			"2 after":  {time.Hour, "c-young", "c-old", "", "k-old", "c-old c-young", "abandoned", "expired"},
		} {
			b.clock.Store(over.Add(when.at - time.Hour).UnixMilli())
			for path, want := range map[string]string{
				"carts?sort=id&where[status][equals]=active":                         when.active,
				"carts?sort=id&where[status][equals]=abandoned":                      when.abandoned,
				"carts?sort=id&where[status][not_equals]=active":                     when.abandoned,
				"carts?sort=id&where[status][in]=active,abandoned":                   "c-old c-young",
				"carts?sort=id&where[status][like]=aband":                            when.abandoned,
				"carts?sort=status,id":                                               when.byStatus,
				"checkouts?where[status][equals]=open":                               when.openChecks,
				"checkouts?where[status][equals]=expired":                            when.expired,
				"checkouts?where[cart.status][equals]=abandoned":                     when.expired,
				"checkouts?where[status][equals]=payment_pending":                    "k-held",
				"checkouts?sort=cart.status,id&where[cart.status][equals]=completed": "",
			} {
				if got := ids(path); got != want {
					t.Errorf("%s: %s finds %q, want %q", name, path, got, want)
				}
			}
			if got := total("carts/count?where[status][equals]=abandoned"); got != float64(len(strings.Fields(when.abandoned))) {
				t.Errorf("%s: counts %v", name, got)
			}
			if a := b.secret(200, "GET", "/api/carts/c-old", ""); a.body["status"] != when.cartOf {
				t.Errorf("%s: %s", name, a.raw)
			}
			if a := b.secret(200, "GET", "/api/checkouts/k-old?depth=1", ""); a.body["status"] != when.status ||
				a.body["cart"].(map[string]any)["status"] != when.cartOf {
				t.Errorf("%s: %s", name, a.raw)
			}
			if a := b.secret(200, "GET", "/api/checkouts/k-held", ""); a.body["status"] != "payment_pending" {
				t.Errorf("%s: a pending payment takes precedence over expiry: %s", name, a.raw)
			}
			if a := b.secret(200, "GET", "/api/server/commerce/carts/c-old", ""); a.cart()["status"] != when.cartOf {
				t.Errorf("%s: %s", name, a.raw)
			}
		}
	})
}
