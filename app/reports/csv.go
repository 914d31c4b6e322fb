package reports

import (
	"context"
	"io"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// WriteSummary writes the groups of a summary, or its totals where nothing is told apart, to a CSV file. Errors: those of Summary
// and of to.
func (s *Service) WriteSummary(ctx context.Context, p tenant.Principal, q Query, to io.Writer) error {
	q.Compare = report.NotCompared
	out, err := s.Summary(ctx, p, q)
	if err != nil {
		return err
	}
	rows, header := out.Totals, []string{
		"currency", "orders", "ordersCanceled", "ordered", "units", "unitsCanceled", "average", "payments", "revenue", "refunds", "net",
	}
	if q.Grouping != report.ByNothing {
		rows, header = out.Groups, append([]string{string(q.Grouping)}, header...)
	}
	return s.writeFile(to, header, rows, func(r report.Row) []string {
		cells := sumCells(r)
		if q.Grouping != report.ByNothing {
			cells = append([]string{groupCell(q.Grouping, r)}, cells...)
		}
		return cells
	})
}

// WriteSettlement writes the days of a settlement to a CSV file. Errors: as WriteSummary.
func (s *Service) WriteSettlement(ctx context.Context, p tenant.Principal, q Query, to io.Writer) error {
	out, err := s.Settlement(ctx, p, q)
	if err != nil {
		return err
	}
	header := []string{"day", "provider", "currency", "payments", "captured", "refunded", "net", "reported", "fees"}
	return s.writeFile(to, header, out.Groups, func(r report.Row) []string {
		major, reported, fees := majorOf(r), "", ""
		if r.IsTold() {
			reported, fees = major(r.Settled), major(r.Fees)
		}
		return []string{
			r.Starts.String(), r.Provider, string(r.Currency), strconv.FormatInt(r.Payments, 10), major(r.Revenue), major(r.Refunds), major(r.Net()),
			reported, fees,
		}
	})
}

func (s *Service) writeFile(to io.Writer, header []string, rows []report.Row, cells func(report.Row) []string) error {
	file, err := s.Sheets.Create(to, ports.CSV)
	if err != nil {
		return err
	}
	err = file.WriteRow(header)
	for _, r := range rows {
		if err == nil {
			err = file.WriteRow(cells(r))
		}
	}
	if ended := file.Close(); err == nil {
		err = ended
	}
	return err
}

// groupCell is what tells a row apart.
func groupCell(g report.Grouping, r report.Row) string {
	switch g {
	case report.ByMarket:
		return r.Market
	case report.ByProvider:
		return r.Provider
	case report.ByProduct:
		return r.Product
	case report.ByDay, report.ByWeek, report.ByMonth, report.ByNothing, report.ByProviderAndDay, report.ByAll, report.ByMonthAndAll:
	}
	return r.Starts.String()
}

func majorOf(r report.Row) func(int64) string {
	return func(minor int64) string { return money.Of(minor, r.Currency).Major() }
}

func sumCells(r report.Row) []string {
	whole, major := func(n int64) string { return strconv.FormatInt(n, 10) }, majorOf(r)
	average := ""
	if minor, ok := r.Average(); ok {
		average = major(minor)
	}
	return []string{
		string(r.Currency), whole(r.Orders), whole(r.OrdersCanceled), major(r.Ordered), whole(r.Units), whole(r.UnitsCanceled), average,
		whole(r.Payments), major(r.Revenue), major(r.Refunds), major(r.Net()),
	}
}
