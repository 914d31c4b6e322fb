package refunds_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestLedgerBalancesAfterEveryScenario(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.WantSums("an empty shop", 0, 0)
		one, two := b.PaidOrder("mug"), b.PaidOrder("2 mug") // 15000 and 27000
		b.Must(b.Checkouts.CompleteFree(t.Context(), b.Server(paymentbed.Key(), "checkouts.complete", ""),
			b.Checkout("gift").Text("checkout.id")))
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))) // 15000
		b.Must(b.Checkouts.Legacy(t.Context(), b.Server(paymentbed.Key(), "orders.checkout", ""), b.CheckoutInput(b.Cart(nil, "mug"))))
		b.WantSums("after the sales", 57000, 0)
		if _, err := b.Refund(b.Instance, one, "a part", 4000); err != nil {
			t.Fatal(err)
		}
		b.BankFaults(`{"asyncRefundNext":1}`)
		if _, err := b.Refund(b.Instance, one, "later", 1000); err != nil {
			t.Fatal(err)
		}
		b.WantSums("while a refund is on its way", 53000, 0)
		b.FinishRefundsAtBank(one, "fail")
		if err := b.SettleByWebhook(one); err != nil {
			t.Fatal(err)
		}
		b.WantSums("after the bank took them back", 57000, 0)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), two))
		b.WantSums("after a cancel", 30000, 0)
		_, _, placed := b.Superseded()
		_, _, back := b.Superseded()
		b.WantSums("after late money", 30000, 30000)
		b.Must(b.Resolve(back, payment.ResolutionRefunded))
		b.WantSums("after it went back", 30000, 15000)
		b.Must(b.Resolve(placed, payment.ResolutionPlaced))
		b.WantSums("after it became its order", 45000, 0)
	})
}

func TestReconciliationReportsDiscrepancies(t *testing.T) {
	for name, c := range map[string]struct {
		what  string
		spoil func(b *bed, o order.Order)
	}{
		"an order that forgot a refund": {"order", func(b *bed, o order.Order) {
			if _, err := b.Refund(b.Instance, o.ID, "k", 1000); err != nil {
				b.T.Fatal(err)
			}
			b.Rewrite(order.Schema, o.ID, "refundedAmount", paymentbed.KRW(0))
		}},
		"an order that is refunded above what was paid": {"order", func(b *bed, o order.Order) {
			b.Rewrite(order.Schema, o.ID, "refundedAmount", paymentbed.KRW(15001))
		}},
		"refunds of more than the tax-free part": {"order", func(b *bed, o order.Order) {
			if _, err := b.Refund(b.Instance, o.ID, "k", 1000); err != nil {
				b.T.Fatal(err)
			}
			b.Rewrite(payment.Transactions, b.RefundsOf(o.ID)[0].ID(), "taxFreeAmount", paymentbed.KRW(1))
		}},
		"a payment without its charge": {"order", func(b *bed, o order.Order) {
			t := payment.Transaction{
				ID: shops.NewID(), Order: o.ID, Amount: paymentbed.KRW(7),
				Session: payment.Session{Tenant: b.Shop.ID, Environment: tenant.Test, Provider: "custom"},
			}
			b.Atomically(func(ctx context.Context, tx ports.Tx) error {
				return tx.Records.Write(ctx, collection.NewChange(payment.Transactions, nil, t.Record(), shops.NewID(), b.Now()))
			})
		}},
		"a charge without its payment": {"order", func(b *bed, o order.Order) { b.charged(o.ID) }},
		"a charge of no order":         {"payment", func(b *bed, _ order.Order) { b.charged("") }},
		"a charge of an order that is not there": {"movement", func(b *bed, _ order.Order) {
			b.charged("order-of-nobody")
		}},
		"a refund that only the provider knows": {"payment", func(b *bed, o order.Order) { b.refundAtBank(o.ID, 500) }},
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				o := order.FromRecord(b.Get(order.Schema, b.PaidOrder("mug")))
				b.PaidOrder("lamp")
				c.spoil(b, o)
				sum, differences := b.Reconciliation()
				if len(differences) != 1 || !strings.HasPrefix(differences[0], c.what+" ") ||
					c.what == "order" && !strings.Contains(differences[0], o.ID) {
					t.Errorf("%v", slices.Concat([]string{c.what}, differences))
				}
				if c.what != "order" && sum.Balanced(true) {
					t.Errorf("%+v", sum)
				}
			})
		})
	}
}

// charged appends a charge to the ledger that nobody paid.
func (b *bed) charged(orderID string) {
	b.T.Helper()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Ledger.Append(ctx, ports.LedgerEntry{
			ID: shops.NewID(), Tenant: b.Shop.ID, Environment: tenant.Test, Type: "charge", Amount: paymentbed.KRW(9), Provider: "sandbox",
			AccountKey: b.Account, Reference: shops.NewID(), Order: orderID, At: b.Now(),
		})
	})
}
