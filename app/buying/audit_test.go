package buying_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/auditing"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// audit checks the shop's money, the provider's word included, and returns its won and what differs.
func (b *bed) audit() (won auditing.Sum, differences []string) {
	b.t.Helper()
	a := auditing.Audit{Store: b.store, Books: b.store.Books(), Ask: b.Statement, Found: func(d auditing.Difference) {
		differences = append(differences, d.What+" "+d.ID+": "+d.Detail)
	}}
	sums, err := a.Tenant(b.t.Context(), b.shop.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, s := range sums {
		if s.Environment == tenant.Test && s.Currency == "KRW" {
			won = s
		} else {
			b.t.Errorf("money of another sort: %+v", s)
		}
	}
	return won, differences
}

// wantSums insists that nothing differs.
func (b *bed) wantSums(when string, orders, loose int64) {
	b.t.Helper()
	s, differences := b.audit()
	if len(differences) > 0 || !s.Adds(true) || s.Orders != orders || s.Loose != loose {
		b.t.Errorf("%s: %+v, want %d and %d; %v", when, s, orders, loose, differences)
	}
}

func TestMoneyAddsUpWhateverHappens(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.wantSums("an empty shop", 0, 0)
		one, two := b.ordered("mug"), b.ordered("2 mug") // 15000 and 27000
		b.must(b.Complete(t.Context(), b.server(key(), "checkouts.complete", ""), b.checkout("gift").text("checkout.id")))
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		b.must(b.vouch(captured("ps-1", "pay-1", "evt-1"))) // 15000
		b.must(b.CheckOut(t.Context(), b.server(key(), "orders.checkout", ""), b.newCheckout(b.cart(nil, "mug"))))
		b.wantSums("after the sales", 57000, 0)
		if _, err := b.refund(b.Buying, one, "a part", 4000); err != nil {
			t.Fatal(err)
		}
		b.faults(`{"asyncRefundNext":1}`)
		if _, err := b.refund(b.Buying, one, "later", 1000); err != nil {
			t.Fatal(err)
		}
		b.wantSums("while a refund is on its way", 53000, 0)
		b.bankDecides(one, "fail")
		if err := b.webhooked(one); err != nil {
			t.Fatal(err)
		}
		b.wantSums("after the bank took them back", 57000, 0)
		b.must(b.cancelOrder(b.Buying, key(), two))
		b.wantSums("after a cancel", 30000, 0)
		_, _, placed := b.superseded()
		_, _, back := b.superseded()
		b.wantSums("after late money", 30000, 30000)
		b.must(b.resolve(back, payment.Refunded))
		b.wantSums("after it went back", 30000, 15000)
		b.must(b.resolve(placed, payment.Placed))
		b.wantSums("after it became its order", 45000, 0)
	})
}

func TestTheAuditNamesWhatDiffers(t *testing.T) {
	for name, c := range map[string]struct {
		what  string
		spoil func(b *bed, o order.Order)
	}{
		"an order that forgot a refund": {"order", func(b *bed, o order.Order) {
			if _, err := b.refund(b.Buying, o.ID, "k", 1000); err != nil {
				b.t.Fatal(err)
			}
			b.rewrite(order.Schema, o.ID, "refundedAmount", krw(0))
		}},
		"an order that is refunded above what was paid": {"order", func(b *bed, o order.Order) {
			b.rewrite(order.Schema, o.ID, "refundedAmount", krw(15001))
		}},
		"a payment without its charge": {"order", func(b *bed, o order.Order) {
			t := payment.Transaction{ID: shops.NewID(), Order: o.ID, Amount: krw(7), Session: payment.Session{Tenant: b.shop.ID, Environment: tenant.Test, Provider: "custom"}}
			b.atomically(func(ctx context.Context, tx ports.Tx) error {
				return tx.Records.Write(ctx, collection.NewChange(payment.Transactions, nil, t.Record(), shops.NewID(), b.now()))
			})
		}},
		"a charge without its payment": {"order", func(b *bed, o order.Order) { b.charged(o.ID) }},
		"a charge of no order":         {"payment", func(b *bed, _ order.Order) { b.charged("") }},
		"a charge of an order that is not there": {"movement", func(b *bed, _ order.Order) {
			b.charged("order-of-nobody")
		}},
		"a refund that only the provider knows": {"payment", func(b *bed, o order.Order) { b.refundBehindOurBack(o.ID, 500) }},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				o := order.FromRecord(b.get(order.Schema, b.ordered("mug")))
				b.ordered("lamp")
				c.spoil(b, o)
				sum, differences := b.audit()
				if len(differences) != 1 || !strings.HasPrefix(differences[0], c.what+" ") || c.what == "order" && !strings.Contains(differences[0], o.ID) {
					t.Errorf("%v", slices.Concat([]string{c.what}, differences))
				}
				if c.what != "order" && sum.Adds(true) {
					t.Errorf("%+v", sum)
				}
			})
		})
	}
}

// rewrite changes a field behind everybody's back.
func (b *bed) rewrite(s *collection.Schema, id, field string, value any) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, s, id)
		if err != nil {
			return err
		}
		next := r.Clone()
		next[field] = value
		return tx.Records.Write(ctx, collection.NewChange(s, r, next, shops.NewID(), b.now()))
	})
}

// charged books money that nobody paid.
func (b *bed) charged(orderID string) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Ledger.Append(ctx, ports.Movement{
			ID: shops.NewID(), Tenant: b.shop.ID, Environment: tenant.Test, Type: "charge", Amount: krw(9), Provider: "sandbox", Account: b.account, Reference: shops.NewID(), Order: orderID, At: b.now(),
		})
	})
}
