package reports

import (
	"context"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxTaxFacts is how many movements of taxes one tax report adds up at most, and taxPage how many it reads at a time: it reads them all.
const (
	maxTaxFacts = 50_000
	taxPage     = 1000
)

var errTooManyTaxFacts = fault.Invalidf("from", "A tax report adds up at most 50,000 payments and refunds: ask for fewer days.")

// Taxes is a report of what was taken of each tax rate with payments, and given back with refunds.
type Taxes struct {
	report.Period

	TimeZone string
	Grouping report.Grouping
	Rows     []report.TaxRow
}

// Taxes answers the taxes of a period by country and rate, and by q.Grouping, a day, week, month or nothing. Money
// counts on the day it moved. Errors: as Summary, and fault.ErrValidation for a period with more than 50,000
// payments and refunds. Rule taxes-11.
func (s *Service) Taxes(ctx context.Context, p tenant.Principal, q Query) (out Taxes, err error) {
	if err := authorize(p); err != nil {
		return Taxes{}, err
	}
	if out.Period, err = s.period(p, q); err != nil {
		return Taxes{}, err
	}
	zone, err := timezone.Load(p.Tenant.TimeZone)
	if err != nil {
		return Taxes{}, err
	}
	out.TimeZone, out.Grouping = zoneName(p.Tenant), q.Grouping
	sums := report.Taxes{Grouping: q.Grouping}
	if err := s.addTaxes(ctx, p, out.Period, zone, &sums); err != nil {
		return Taxes{}, err
	}
	out.Rows = sums.Rows()
	return out, nil
}

// addTaxes adds the taxes that moved in a period.
func (s *Service) addTaxes(ctx context.Context, p tenant.Principal, of report.Period, zone *time.Location, to *report.Taxes) error {
	within := ports.TaxQuery{
		Tenant: p.Tenant.ID, Environment: p.Environment, Since: of.From.Start(zone), Until: (of.To + 1).Start(zone), Limit: taxPage,
	}
	facts, err := s.addOldTaxes(ctx, within, zone, to)
	for q := within; err == nil; {
		var found []tax.Entry
		if found, err = s.Ledger.Taxes(ctx, q); err != nil {
			return err
		}
		if facts += len(found); facts > maxTaxFacts {
			return errTooManyTaxFacts
		}
		for _, e := range found {
			to.Add(report.DayOf(e.At, zone), e)
			q.Since, q.After = e.At, e.ID
		}
		if len(found) < q.Limit {
			return nil
		}
	}
	return err
}

// addOldTaxes adds the taxes of payments and refunds that an older version recorded in a period, on the days it did. It returns how many
// there are.
func (s *Service) addOldTaxes(ctx context.Context, q ports.TaxQuery, zone *time.Location, to *report.Taxes) (facts int, err error) {
	reader := s.Store.Read(ports.Scope{Tenants: []tenant.ID{q.Tenant}, Environment: q.Environment})
	t := payment.Transactions
	within := collection.And{
		t.Where("createdAt", collection.GreaterThanEqual, q.Since), t.Where("createdAt", collection.LessThan, q.Until),
		t.Where("status", collection.In, "paid", "refunded"), payment.OldTransactions(t),
	}
	for page := 1; ; page++ {
		found, err := reader.Find(ctx, collection.Query{
			Schema: t, Environment: string(q.Environment), Where: within, Sort: t.SortBy("createdAt"), Limit: collection.MaxLimit, Page: page,
			SkipCount: true,
		})
		if err != nil {
			return facts, err
		}
		if facts += len(found.Docs); facts > maxTaxFacts {
			return facts, errTooManyTaxFacts
		}
		if err := addMovements(ctx, reader, found.Docs, zone, to); err != nil || len(found.Docs) < collection.MaxLimit {
			return facts, err
		}
	}
}

// addMovements adds the taxes of old payments and refunds. Those of payments whose records do not say them are worked out of their
// orders, as these were then.
func addMovements(ctx context.Context, r ports.Reader, rows []collection.Record, zone *time.Location, to *report.Taxes) error {
	var ids []string
	for _, m := range rows {
		if id := m.Text("order"); id != "" && m.Text("type") == "payment" && len(m.Rows("taxes")) == 0 {
			ids = append(ids, id)
		}
	}
	orders, err := r.GetMany(ctx, order.Schema, ids, nil)
	if err != nil {
		return err
	}
	for _, m := range rows {
		if o := orders[m.Text("order")]; o != nil && m.Text("type") == "payment" && len(m.Rows("taxes")) == 0 {
			amount, _ := m.Money("amount")
			m = payment.WithTaxes(m, order.FromRecord(o).TaxesAt(amount, payment.PaidAt(m)))
		}
		side, taxes := payment.CountedTaxes(m)
		to.Add(report.DayOf(m.Time("createdAt"), zone), tax.Entry{Side: side, Taxes: taxes})
	}
	return nil
}

// WriteTaxes writes the rows of a tax report to a CSV file. Errors: those of Taxes and of to.
func (s *Service) WriteTaxes(ctx context.Context, p tenant.Principal, q Query, to io.Writer) error {
	out, err := s.Taxes(ctx, p, q)
	if err != nil {
		return err
	}
	header := []string{"country", "name", "percent", "currency", "base", "tax", "refundedBase", "refundedTax", "netTax", "lostBase", "lostTax", "rate"}
	if q.Grouping != report.ByNothing {
		header = append([]string{string(q.Grouping)}, header...)
	}
	file, err := s.Sheets.Create(to, ports.CSV)
	if err != nil {
		return err
	}
	err = file.WriteRow(header)
	for _, r := range out.Rows {
		if err == nil {
			err = file.WriteRow(taxCells(r, q.Grouping))
		}
	}
	if ended := file.Close(); err == nil {
		err = ended
	}
	return err
}

func taxCells(r report.TaxRow, g report.Grouping) []string {
	major := func(minor int64) string { return money.Of(minor, r.Currency).Major() }
	cells := []string{
		r.Country, r.Name, r.Percent.String(), string(r.Currency), major(r.Base), major(r.Tax), major(r.RefundedBase), major(r.RefundedTax),
		major(r.Tax - r.RefundedTax), major(r.LostBase), major(r.LostTax), r.Rate,
	}
	if g != report.ByNothing {
		cells = append([]string{r.Starts.String()}, cells...)
	}
	return cells
}
