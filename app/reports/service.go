// Package reports tells what a shop sold and what its buyers paid, in figures that equal its orders and its ledger at every
// moment. Days that have ended are added up in the background, once, and again when a fact is added to them; whoever asks reads
// these sums, and the facts of the days that have none. Rules: features/reports/RULES.md.
package reports

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrPending says that too many days of a report have not been added up yet. Rule reports-5.
var ErrPending = fault.New(fault.Unavailable, "report_pending",
	"The days of this report are being added up. Try again soon, or ask for fewer days.").WithRetry(time.Minute)

// Service answers reports, and what waits today.
type Service struct {
	Reports ports.Reports
	Ledger  ports.LedgerReader // of taxes
	Store   ports.Store        // of what older versions recorded of taxes, and of what is set up
	Sheets  ports.Spreadsheets
	Now     func() time.Time
}

// Query is what a report is asked for, as it came.
type Query struct {
	From, To string // dates
	Compare  report.Comparison
	Grouping report.Grouping
	Provider string // "": all
	Limit    int    // of products
}

// Figures are the rows of a period.
type Figures struct {
	report.Period

	Grouping report.Grouping
	Totals   []report.Row // one per currency
	Groups   []report.Row // nil where nothing is told apart
}

// Summary is a report of sales.
type Summary struct {
	Figures

	TimeZone string
	Compared *Figures
}

// authorize admits those who may read all orders and transactions of a shop. Errors: tenant.ErrFeatureDisabled, those of
// access.RequireReading.
func authorize(p tenant.Principal) error {
	if err := access.RequireReading(p, order.Schema, payment.Transactions); err != nil {
		return err
	}
	if p.Tenant.ID == "" {
		return fault.ErrUnauthenticated
	}
	return nil
}

// defaultDays is how many days a report is about that is asked for without its first day.
const defaultDays = 30

// period reads the days that p asks for: without the last day up to today, without the first one defaultDays. Errors:
// fault.ErrValidation.
func (s *Service) period(p tenant.Principal, q Query) (of report.Period, err error) {
	zone, err := timezone.Load(p.Tenant.TimeZone)
	if err != nil {
		return report.Period{}, err
	}
	to := report.DayOf(s.Now(), zone)
	if text := strings.TrimSpace(q.To); text != "" {
		if to, err = report.ParseDay("to", text); err != nil {
			return report.Period{}, err
		}
	}
	from := to - (defaultDays - 1)
	if text := strings.TrimSpace(q.From); text != "" {
		if from, err = report.ParseDay("from", text); err != nil {
			return report.Period{}, err
		}
	}
	return report.NewPeriod(from, to)
}

// Summary answers what was ordered and paid. Errors: fault.ErrValidation, ErrPending, fault.ErrForbidden,
// fault.ErrUnauthenticated, tenant.ErrFeatureDisabled.
func (s *Service) Summary(ctx context.Context, p tenant.Principal, q Query) (out Summary, err error) {
	if err := authorize(p); err != nil {
		return Summary{}, err
	}
	period, err := s.period(p, q)
	if err != nil {
		return Summary{}, err
	}
	out.TimeZone = zoneName(p.Tenant)
	if out.Figures, err = s.figures(ctx, p, period, q); err != nil {
		return Summary{}, err
	}
	if before, ok := period.ComparedBy(q.Compare); ok {
		q.Grouping = report.ByNothing
		compared, err := s.figures(ctx, p, before, q)
		if err != nil {
			return Summary{}, err
		}
		out.Compared = &compared
	}
	return out, nil
}

// figures reads a period, as q tells it apart.
func (s *Service) figures(ctx context.Context, p tenant.Principal, period report.Period, q Query) (f Figures, err error) {
	f.Period, f.Grouping = period, q.Grouping
	switch q.Grouping {
	case report.ByDay, report.ByWeek, report.ByMonth, report.ByMarket, report.ByNothing: // rows that add up to the totals
		rows, err := s.read(ctx, p, period, q.Grouping)
		if q.Grouping != report.ByNothing {
			f.Groups = q.Grouping.Add(rows)
		}
		f.Totals = report.ByNothing.Add(rows)
		return f, err
	case report.ByProvider, report.ByProduct, report.ByProviderAndDay, report.ByAll, report.ByMonthAndAll: // of payments, or goods, alone
	}
	rows, err := s.read(ctx, p, period, report.ByNothing)
	if err != nil {
		return f, err
	}
	f.Totals = report.ByNothing.Add(rows)
	if rows, err = s.read(ctx, p, period, q.Grouping); err != nil {
		return f, err
	}
	if f.Groups = q.Grouping.Add(rows); q.Grouping == report.ByProduct && len(f.Groups) > q.Limit {
		f.Groups = f.Groups[:q.Limit]
	}
	return f, nil
}

// zoneName is the time zone of a shop as it is shown.
func zoneName(shop tenant.Settings) string {
	if shop.TimeZone == "" {
		return time.UTC.String()
	}
	return shop.TimeZone
}

// maxAttempts is how often a report is begun again because what was added up changed meanwhile.
const maxAttempts = 20

// read reads the rows of a period from the sums that there are, and from facts. Errors: ErrPending, fault.ErrUnavailable.
func (s *Service) read(ctx context.Context, p tenant.Principal, period report.Period, g report.Grouping) ([]report.Row, error) {
	zone, err := timezone.Load(p.Tenant.TimeZone)
	if err != nil {
		return nil, err
	}
	for range maxAttempts {
		q, err := s.plan(ctx, p, zone, period, g)
		if err != nil {
			return nil, err
		}
		rows, ok, err := s.Reports.Sum(ctx, p.Tenant.ID, p.Environment, q)
		if err != nil || ok {
			return rows, err
		}
	}
	return nil, fault.ErrUnavailable
}

// plan divides a period into what is read. Errors: ErrPending.
func (s *Service) plan(
	ctx context.Context, p tenant.Principal, zone *time.Location, period report.Period, g report.Grouping,
) (ports.ReportQuery, error) {
	state, err := s.Reports.State(ctx, p.Tenant.ID)
	if err != nil {
		return ports.ReportQuery{}, err
	}
	first, err := s.Reports.FirstFact(ctx, p.Tenant.ID, p.Environment)
	if err != nil {
		return ports.ReportQuery{}, err
	}
	made := report.Progress{Today: report.DayOf(s.Now(), zone)}
	if made.First = made.Today + 1; !first.IsZero() {
		made.First = report.DayOf(first, zone)
	}
	if made.Made = made.First; state.Zone == zoneName(p.Tenant) && state.Made != nil {
		made.Made = *state.Made
	}
	if state.Late > ports.MaxLateFacts {
		return ports.ReportQuery{}, ErrPending
	}
	if state.Late > 0 {
		late, err := s.Reports.LateFacts(ctx, p.Tenant.ID)
		if err != nil {
			return ports.ReportQuery{}, err
		}
		for _, l := range late {
			made.Late = append(made.Late, report.DayOf(l.At, zone))
		}
	}
	parts, live := made.Plan(period, g.InMonths())
	if live > report.MaxLiveDays {
		return ports.ReportQuery{}, ErrPending
	}
	return queryOf(state, parts, zone, g), nil
}

// queryOf asks for the parts of a plan.
func queryOf(state ports.ReportState, parts []report.Part, zone *time.Location, g report.Grouping) ports.ReportQuery {
	q := ports.ReportQuery{Version: state.Version, Late: state.Late, Grouping: g}
	for _, part := range parts {
		if part.Unit != report.Facts {
			q.Parts = append(q.Parts, part)
			continue
		}
		for d := part.From; d < part.Until; d++ {
			q.Live = append(q.Live, report.BoundsOf(d, zone))
		}
	}
	return q
}
