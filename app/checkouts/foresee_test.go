package checkouts_test

import (
	"context"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// What a process knows of goods from an earlier checkout is not what a later one costs, if anything of it has changed
// since, whoever changed it.
func TestCheckoutCostsWhatTheCatalogSaysNow(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		product := b.Get(catalog.Variants, b.Variants["mug"]).Text("product")
		policy := b.All(shipping.Schema)[0].ID()
		costs := func(why, subtotal, fee string) {
			t.Helper()
			for range 2 { // as it is found, and as it is remembered
				got := b.Checkout("mug")
				if got.Text("checkout.totals.subtotal") != subtotal || got.Text("checkout.totals.shipping") != fee {
					t.Errorf("%s: %v", why, got.At("checkout.totals"))
				}
			}
		}
		costs("at first", "12000", "3000")
		b.Change(catalog.Variants, b.Variants["mug"], `{"price":13000}`)
		costs("a dearer variant", "13000", "3000")
		b.Change(catalog.Products, product, `{"discount":10}`)
		costs("a discount on the product", "11700", "3000")
		b.Change(shipping.Schema, policy, `{"baseFee":4000}`)
		costs("a dearer way", "11700", "4000")
		b.Change(shipping.Schema, policy, `{"isDefault":false}`)
		b.Create(shipping.Schema, `{"title":"Cheap","baseFee":500,"isDefault":true}`)
		costs("another default policy", "11700", "500")
		b.Change(catalog.Products, product, `{"status":"draft"}`)
		answer, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(b.Cart(nil, "mug")))
		paymentbed.Refused(t, "a product that is no longer sold", answer, err, catalog.ErrVariantUnavailable)
	})
}

// Stock is read for every checkout; it changes too often to be part of what is remembered.
func TestCheckoutOfGoodsThatSoldOutIsRefused(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Checkout("mug")
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Set(ctx, b.Shop.ID, tenant.Test, b.Get(catalog.Variants, b.Variants["mug"]).Text("product"), b.Variants["mug"],
				ports.StockLevel{Tracked: true}, ports.StockCause{})
		})
		answer, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(b.Cart(nil, "mug")))
		paymentbed.Refused(t, "a checkout of nothing", answer, err, ports.ErrOutOfStock)
	})
}

// A cart that changes between the look at it and the transaction is checked out as it is then.
func TestCheckoutIsOfTheCartThatTheTransactionLocks(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id, other := b.Cart(nil, "mug"), b.Cart(nil, "lamp")
		b.Restart(func(s *paymentbed.Settings) {
			s.Database = &paymentbed.Interrupted{Store: s.Database, Happens: func() {
				b.Atomically(func(ctx context.Context, tx ports.Tx) error {
					was, err := tx.Records.Lock(ctx, cart.Schema, id)
					if err != nil {
						return err
					}
					with, err := tx.Records.Get(ctx, cart.Schema, other)
					if err != nil {
						return err
					}
					next := was.Clone()
					next["lines"] = with["lines"]
					return tx.Records.Write(ctx, collection.NewChange(cart.Schema, was, next.WithSequence(was.Sequence()+1), shops.NewID(), b.Now()))
				})
			}}
		})
		got := b.CheckoutOf(id)
		if got.Text("checkout.lines.0.variant") != b.Variants["lamp"] {
			t.Errorf("%v", got.At("checkout.lines"))
		}
	})
}

// On Postgres checkouts of what is known share their transactions.
func TestCheckoutsShareTransactionsWhileTheCatalogStays(t *testing.T) {
	t.Parallel()
	store := shops.Open(t, sqlstore.Options{URL: testservers.Postgres(t)})
	b := newBed(t, store)
	b.Checkout("mug")
	id := b.Cart(nil, "mug")
	began := store.SharedStats()
	b.CheckoutOf(id)
	if now := store.SharedStats(); now.Units != began.Units+1 || now.Alone != began.Alone {
		t.Errorf("%+v, before %+v", now, began)
	}
}
