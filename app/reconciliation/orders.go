package reconciliation

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// orderMoney is the recorded money of one order, in minor units.
type orderMoney struct {
	order         order.Order
	paid          int64 // by its transactions
	refunded      int64
	reversed      int64
	held          int64                    // authorized and not captured
	taxFreeExcess int64                    // refunded beyond the tax-free parts of its payments
	ledgerBalance map[money.Currency]int64 // by the ledger
}

// paidExternally reports whether the order was paid outside of this system.
func (a orderMoney) paidExternally() bool {
	return a.paid == 0 && a.refunded == 0 && a.order.Source != order.FromCheckout
}

// netPaid is paid − refunded − reversed according to the order.
func (a orderMoney) netPaid() int64 {
	if a.paidExternally() {
		return 0
	}
	return a.order.Paid.Minor - a.order.Refunded.Minor - a.order.Reversed.Minor
}

// discrepancy describes what does not add up, "" if everything does.
func (a orderMoney) discrepancy() string {
	o, here := a.order, a.ledgerBalance[a.order.Currency]
	var elsewhere int64
	for c, minor := range a.ledgerBalance {
		if c != o.Currency {
			elsewhere += max(minor, -minor)
		}
	}
	amount := func(minor int64) string { return money.Of(minor, o.Currency).Major() + " " + string(o.Currency) }
	switch {
	case a.paidExternally() && here == 0 && elsewhere == 0:
		return ""
	case elsewhere != 0:
		return "the ledger has entries in another currency"
	case o.Refunded.Minor > o.Paid.Minor:
		return fmt.Sprintf("refunded %s of %s paid", amount(o.Refunded.Minor), amount(o.Paid.Minor))
	case a.paid != o.Paid.Minor:
		return fmt.Sprintf("paid %s, transactions add up to %s", amount(o.Paid.Minor), amount(a.paid))
	case a.refunded != o.Refunded.Minor:
		return fmt.Sprintf("refunded %s, transactions add up to %s", amount(o.Refunded.Minor), amount(a.refunded))
	case a.reversed != o.Reversed.Minor:
		return fmt.Sprintf("reversed %s, transactions add up to %s", amount(o.Reversed.Minor), amount(a.reversed))
	case a.held != o.HeldAmount().Minor:
		return fmt.Sprintf("authorized %s, transactions add up to %s", amount(o.HeldAmount().Minor), amount(a.held))
	case a.taxFreeExcess != 0:
		return fmt.Sprintf("refunds took %s more than the tax-free part of their payment", amount(a.taxFreeExcess))
	case here != a.netPaid():
		return fmt.Sprintf("balance %s, the ledger says %s", amount(a.netPaid()), amount(here))
	}
	return ""
}

// orderMoneyOf is the money of an order by its record, its transactions and its ledger balance.
func orderMoneyOf(r collection.Record, transactions []collection.Record, balance map[money.Currency]int64) orderMoney {
	a := orderMoney{order: order.FromRecord(r), ledgerBalance: balance}
	for _, t := range transactions {
		m := settled(t)
		a.paid, a.refunded, a.reversed, a.held = a.paid+m.paid, a.refunded+m.refunded, a.reversed+m.reversed, a.held+m.held
	}
	for _, p := range payment.RefundablePayments(transactions) {
		a.taxFreeExcess += p.TaxFreeExcess().Minor
	}
	return a
}

// settledAmounts are the amounts that transactions settled, in minor units of one currency.
type settledAmounts struct {
	paid, refunded, reversed int64
	held                     int64 // no money yet
}

// net is what is left of the money.
func (m settledAmounts) net() int64 { return m.paid - m.refunded - m.reversed }

// settled is what a transaction received, refunded, lost to the provider, or lets the provider hold.
func settled(t collection.Record) (m settledAmounts) {
	amount, _ := t.Money("amount")
	switch {
	case t.Text("type") == "payment" && t.Text("status") == "paid":
		m.paid = amount.Minor
	case t.Text("status") == "authorized":
		m.held = amount.Minor
	case t.Text("type") == "refund" && t.Text("status") == "refunded":
		m.refunded = amount.Minor
	case payment.IsOpenReversal(t):
		m.reversed = amount.Minor
	}
	return m
}

// checkOrders compares every order with its transactions and the ledger.
func (r *tenantRun) checkOrders(ctx context.Context) error {
	return r.eachPage(ctx, order.Schema, nil, func(list []collection.Record) error {
		transactions, err := r.transactionsBy(ctx, "order", recordIDs(list))
		if err != nil {
			return err
		}
		balances, err := r.Ledger.Balances(ctx, r.tenant, recordIDs(list))
		if err != nil {
			return err
		}
		for _, o := range list {
			a := orderMoneyOf(o, transactions[o.ID()], balances[o.ID()])
			if a.discrepancy() != "" { // perhaps one of the three changed between the reads
				if a, err = r.recheckOrder(ctx, o.ID()); err != nil {
					return err
				}
			}
			r.addOrder(a)
		}
		return nil
	})
}

func (r *tenantRun) addOrder(a orderMoney) {
	if wrong := a.discrepancy(); wrong != "" {
		r.reportf("order", a.order.ID, "%s: %s", a.order.Number, wrong)
	}
	r.totalsFor(a.order.Environment, a.order.Currency).Orders += a.netPaid()
	for c, minor := range a.ledgerBalance {
		r.totalsFor(a.order.Environment, c).Ledger += minor
	}
}

// recheckOrder reads one order with its money consistently, under its lock.
func (r *tenantRun) recheckOrder(ctx context.Context, id string) (a orderMoney, err error) {
	err = r.Store.Atomically(ctx, ports.ForTenant(r.tenant), func(ctx context.Context, tx ports.Tx) error {
		o, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		s := payment.Transactions
		var all []collection.Record
		for n := 1; ; n++ {
			found, err := tx.Records.Find(ctx, collection.Query{
				Schema: s, Where: s.Where("order", collection.Equals, id), Sort: s.SortBy("id"), Limit: pageSize, Page: n, SkipCount: true,
			})
			if err != nil {
				return err
			}
			if all = append(all, found.Docs...); len(found.Docs) < pageSize {
				break
			}
		}
		balance, err := tx.Ledger.Balance(ctx, id)
		a = orderMoneyOf(o, all, balance)
		return err
	})
	return a, err
}

// transactionsBy are the transactions whose field is one of values, grouped by that field.
func (r *tenantRun) transactionsBy(ctx context.Context, field string, values []string) (map[string][]collection.Record, error) {
	all := map[string][]collection.Record{}
	s := payment.Transactions
	err := r.eachPage(ctx, s, collection.FieldIn(s, field, values), func(list []collection.Record) error {
		for _, t := range list {
			all[t.Text(field)] = append(all[t.Text(field)], t)
		}
		return nil
	})
	return all, err
}
