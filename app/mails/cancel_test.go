package mails_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// A mail about canceled lines tells of the last cancel that is done, and of what its own refund gives back.
//
// Rule mail-28.
func TestMailOfCanceledLinesTellsOfTheirRefund(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		won := func(n int64) money.Money { return money.Of(n, "KRW") }
		for refunded, want := range map[int64]string{0: "", 731: "731"} {
			b := newBed(t, store)
			id := b.order(tenant.Live, "ada@example.com")
			b.plan()
			before := shops.NewView(t, store, b.id).Get(order.Schema, id)
			after := before.Clone()
			for i, key := range []string{"done", "begun"} {
				c := order.LineCancel{Key: key, Done: i == 0, At: b.now(), Shipping: won(0), Lines: []order.CanceledUnits{
					{Item: order.Item{OrderLine: "l1", Quantity: 1}, Amount: won(int64(5123 + i))},
				}}
				after["lineCancels"] = append(after.Rows("lineCancels"), c.Record())
			}
			paid := payment.Transaction{ID: shops.NewID(), Order: id, Amount: won(12000), Session: payment.Session{
				Tenant: b.id, Environment: tenant.Live, Provider: payment.CustomProvider,
			}}
			changes := []collection.Change{
				collection.NewChange(order.Schema, before, after, shops.NewID(), b.now()),
				collection.NewChange(payment.Transactions, nil, paid.Record(), shops.NewID(), b.now()),
			}
			if refunded > 0 {
				r := payment.Refund{
					ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, State: payment.RefundPending, RefundOf: paid.ID, Key: "done",
					Order: id, Amount: won(refunded), Provider: payment.CustomProvider,
				}
				changes = append(changes, collection.NewChange(payment.Transactions, nil, r.Record(), shops.NewID(), b.now()))
			}
			b.write(changes...)
			b.last = paid.ID
			b.plan()
			b.send()
			b.want("after the cancel", "ada@example.com order_canceled sent", "ada@example.com order_placed sent")
			told := false
			for _, m := range b.mailbox.NewestFirst() {
				if d := m.Text; strings.Contains(d, "5,123") {
					told = true
					if tells := strings.Contains(d, "give back"); tells != (want != "") || !strings.Contains(d, want) {
						t.Errorf("%d were refunded: %s", refunded, d)
					}
				}
				if strings.Contains(m.Text, "5,124") {
					t.Errorf("it tells of the one that is in progress: %s", m.Text)
				}
			}
			if !told {
				t.Errorf("no mail of %s tells of the cancel", mail.OrderCanceled)
			}
		}
	})
}
