package paymentbed

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reconciliation"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CancelOrder cancels an order.
func (b *Bed) CancelOrder(i *Instance, key, orderID string) (idempotency.Response, error) {
	return i.Refunds.Canceler.CancelOrder(b.T.Context(), b.Server(key, "orders.cancel", orderID), orderID, refunds.CancelRequest{Reason: "Ordered twice"})
}

// Reconciliation reconciles the tenant's money, with its providers too, and returns the totals in KRW and the
// discrepancies.
func (b *Bed) Reconciliation() (won reconciliation.Totals, differences []string) {
	b.T.Helper()
	opener := connections.Opener{Vault: b.Vault, Providers: b.Providers}
	lookUp := func(ctx context.Context, s payment.Session) (ports.ProviderPayment, error) {
		return opener.LookupPayment(ctx, b.Store.Read(ports.ForTenant(s.Tenant)), s)
	}
	a := reconciliation.Reconciler{
		Store: b.Store, Ledger: b.Store.LedgerReader(), LookupPayment: lookUp, OnDiscrepancy: func(d reconciliation.Discrepancy) {
			differences = append(differences, d.Kind+" "+d.ID+": "+d.Detail)
		},
	}
	sums, err := a.CheckTenant(b.T.Context(), b.Shop.ID)
	if err != nil {
		b.T.Fatal(err)
	}
	for _, s := range sums {
		if s.Environment == tenant.Test && s.Currency == "KRW" {
			won = s
		} else {
			b.T.Errorf("money in another currency: %+v", s)
		}
	}
	return won, differences
}

// WantSums asserts the totals, and that there are no discrepancies.
func (b *Bed) WantSums(when string, orders, unapplied int64) {
	b.T.Helper()
	s, differences := b.Reconciliation()
	if len(differences) > 0 || !s.Balanced(true) || s.Orders != orders || s.Unapplied != unapplied {
		b.T.Errorf("%s: %+v, want %d and %d; %v", when, s, orders, unapplied, differences)
	}
}

// PaidOrder is the id of a paid order.
func (b *Bed) PaidOrder(names ...string) (orderID string) {
	b.T.Helper()
	session := b.Pay(b.Checkout(names...).Text("checkout.id"))
	return b.Must(b.Confirm(session, b.Approve(session, "approve"))).Text("order.id")
}

// Refund refunds amount of an order; 0 is all that is left.
func (b *Bed) Refund(i *Instance, orderID, key string, amount int64) (payment.Refund, error) {
	in := refunds.Request{Order: orderID, Reason: "It came broken", Key: key}
	if amount > 0 {
		m := KRW(amount)
		in.Amount = &m
	}
	return i.Refunds.Refund(b.T.Context(), b.Shop.ID, in)
}

// PaymentID is the payment id of an order.
func (b *Bed) PaymentID(orderID string) string {
	for _, s := range b.All(payment.Sessions) {
		if s.Text("order") == orderID {
			return s.Text("paymentId")
		}
	}
	b.T.Fatalf("no session of order %s", orderID)
	return ""
}

// RefundsOf is the refund transactions of an order.
func (b *Bed) RefundsOf(orderID string) (all []collection.Record) {
	for _, r := range b.All(payment.Transactions) {
		if r.Text("type") == "refund" && r.Text("order") == orderID {
			all = append(all, r)
		}
	}
	return all
}

// WantMoney asserts what was refunded of an order, in the order, the ledger and at the bank.
func (b *Bed) WantMoney(orderID string, refunded int64, status string) {
	b.T.Helper()
	o := b.Get(order.Schema, orderID)
	back, _ := o.Money("refundedAmount")
	paid, at := b.BankTotals(orderID)
	if back != KRW(refunded) || o.Text("paymentStatus") != status || at != refunded || b.Balance(orderID) != paid-refunded {
		b.T.Errorf("refunded %v, %s; the bank refunded %d, the ledger has %d of %d; want %d, %s", back, o.Text("paymentStatus"), at,
			b.Balance(orderID), paid, refunded, status)
	}
}

// OrderOf is an order.
func (b *Bed) OrderOf(id string) order.Order { return order.FromRecord(b.Get(order.Schema, id)) }
