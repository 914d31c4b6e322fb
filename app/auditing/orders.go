package auditing

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// account is what is written down about the money of one order, in minor units.
type account struct {
	order    order.Order
	paid     int64 // by its transactions
	refunded int64
	balance  map[money.Currency]int64 // by the journal
}

// elsewhere reports whether the order's money never came our way.
func (a account) elsewhere() bool {
	return a.paid == 0 && a.refunded == 0 && a.order.Source != order.FromCheckout
}

// owed is paid − refunded as the order says.
func (a account) owed() int64 {
	if a.elsewhere() {
		return 0
	}
	return a.order.Paid.Minor - a.order.Refunded.Minor
}

// wrong is what does not add up, "" when everything does.
func (a account) wrong() string {
	o, here := a.order, a.balance[a.order.Currency]
	var elsewhere int64
	for c, minor := range a.balance {
		if c != o.Currency {
			elsewhere += max(minor, -minor)
		}
	}
	amount := func(minor int64) string { return money.Of(minor, o.Currency).Major() + " " + string(o.Currency) }
	switch {
	case a.elsewhere() && here == 0 && elsewhere == 0:
		return ""
	case elsewhere != 0:
		return "the journal has movements of another currency"
	case o.Refunded.Minor > o.Paid.Minor:
		return fmt.Sprintf("refunded %s of %s paid", amount(o.Refunded.Minor), amount(o.Paid.Minor))
	case a.paid != o.Paid.Minor:
		return fmt.Sprintf("paid %s, its transactions say %s", amount(o.Paid.Minor), amount(a.paid))
	case a.refunded != o.Refunded.Minor:
		return fmt.Sprintf("refunded %s, its transactions say %s", amount(o.Refunded.Minor), amount(a.refunded))
	case here != o.Paid.Minor-o.Refunded.Minor:
		return fmt.Sprintf("holds %s, the journal says %s", amount(o.Paid.Minor-o.Refunded.Minor), amount(here))
	}
	return ""
}

// accountOf reads an order with its transactions and its balance.
func accountOf(r collection.Record, transactions []collection.Record, balance map[money.Currency]int64) account {
	a := account{order: order.FromRecord(r), balance: balance}
	for _, t := range transactions {
		paid, refunded := moved(t)
		a.paid, a.refunded = a.paid+paid.Minor, a.refunded+refunded.Minor
	}
	return a
}

// moved is what a transaction says came in, and went back.
func moved(t collection.Record) (paid, refunded money.Money) {
	amount, _ := t.Money("amount")
	switch {
	case t.Text("type") == "payment" && t.Text("status") == "paid":
		return amount, money.Of(0, amount.Currency)
	case t.Text("type") == "refund" && t.Text("status") == "refunded":
		return money.Of(0, amount.Currency), amount
	}
	return money.Of(0, amount.Currency), money.Of(0, amount.Currency)
}

// orders compares every order with its transactions and the journal.
func (r *run) orders(ctx context.Context) error {
	return r.each(ctx, order.Schema, nil, func(list []collection.Record) error {
		transactions, err := r.transactions(ctx, "order", ids(list))
		if err != nil {
			return err
		}
		balances, err := r.Books.Balances(ctx, r.tenant, ids(list))
		if err != nil {
			return err
		}
		for _, o := range list {
			a := accountOf(o, transactions[o.ID()], balances[o.ID()])
			if a.wrong() != "" { // perhaps a change came between the three
				if a, err = r.again(ctx, o.ID()); err != nil {
					return err
				}
			}
			r.add(a)
		}
		return nil
	})
}

func (r *run) add(a account) {
	if wrong := a.wrong(); wrong != "" {
		r.differsf("order", a.order.ID, "%s: %s", a.order.Number, wrong)
	}
	r.at(a.order.Environment, a.order.Currency).Orders += a.owed()
	for c, minor := range a.balance {
		r.at(a.order.Environment, c).Journal += minor
	}
}

// again reads one order with its money at one moment.
func (r *run) again(ctx context.Context, id string) (a account, err error) {
	err = r.Store.Atomically(ctx, ports.Of(r.tenant), func(ctx context.Context, tx ports.Tx) error {
		o, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		s := payment.Transactions
		var all []collection.Record
		for n := 1; ; n++ {
			found, err := tx.Records.Find(ctx, collection.Query{Schema: s, Where: s.Where("order", collection.Equals, id), Sort: byID(s), Limit: page, Page: n, Uncounted: true})
			if err != nil {
				return err
			}
			if all = append(all, found.Docs...); len(found.Docs) < page {
				break
			}
		}
		balance, err := tx.Ledger.Balance(ctx, id)
		a = accountOf(o, all, balance)
		return err
	})
	return a, err
}

// transactions are those whose field is one of values, by that field.
func (r *run) transactions(ctx context.Context, field string, values []string) (map[string][]collection.Record, error) {
	all := map[string][]collection.Record{}
	s := payment.Transactions
	err := r.each(ctx, s, oneOf(s, field, values), func(list []collection.Record) error {
		for _, t := range list {
			all[t.Text(field)] = append(all[t.Text(field)], t)
		}
		return nil
	})
	return all, err
}
