package report

import (
	"cmp"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// TaxKey is what tells rows of a tax report apart. A rate whose name or percentage changed has a row for each.
type TaxKey struct {
	Starts              Day // the first day of a day, week or month; nothing in other groupings
	Country, Rate, Name string
	Percent             money.Decimal
	Currency            money.Currency
}

// TaxRow is what was taken of a rate with payments, and given back with refunds. Amounts are minor units.
type TaxRow struct {
	TaxKey

	Base, Tax                 int64
	RefundedBase, RefundedTax int64
	LostBase, LostTax         int64 // in money that providers took back without a refund, which is in Base and Tax
}

// Taxes adds up taxes by when they were paid and given back.
type Taxes struct {
	Grouping Grouping // ByDay, ByWeek, ByMonth or ByNothing
	rows     map[TaxKey]TaxRow
}

// Add adds what an entry moved on a day.
func (t *Taxes) Add(on Day, e tax.Entry) {
	if t.rows == nil {
		t.rows = map[TaxKey]TaxRow{}
	}
	for _, a := range e.Taxes {
		k := TaxKey{t.Grouping.keep(Key{Starts: on}).Starts, a.Country, a.Rate, a.Name, a.Percent, a.Amount.Currency}
		r := t.rows[k]
		r.TaxKey = k
		switch e.Side {
		case tax.Paid:
			r.Base, r.Tax = r.Base+a.Base.Minor, r.Tax+a.Amount.Minor
		case tax.Refunded:
			r.RefundedBase, r.RefundedTax = r.RefundedBase+a.Base.Minor, r.RefundedTax+a.Amount.Minor
		case tax.Lost:
			r.LostBase, r.LostTax = r.LostBase+a.Base.Minor, r.LostTax+a.Amount.Minor
		}
		t.rows[k] = r
	}
}

// Rows are the sums, by day, country, name and percentage.
func (t *Taxes) Rows() []TaxRow {
	out := make([]TaxRow, 0, len(t.rows))
	for _, r := range t.rows {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b TaxRow) int {
		return cmp.Or(cmp.Compare(a.Starts, b.Starts), cmp.Compare(a.Country, b.Country), cmp.Compare(a.Name, b.Name),
			a.Percent.Cmp(b.Percent), cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Rate, b.Rate))
	})
	return out
}
