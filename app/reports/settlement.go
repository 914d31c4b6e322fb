package reports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Settlement is what providers captured and gave back: Totals by provider, Groups by day and provider.
type Settlement struct {
	Figures

	TimeZone string
}

// The reasons why the figures of a provider itself are missing.
const (
	notTold    = "provider_does_not_tell" // of no movement
	toldInPart = "told_in_part"           // of some not yet, or in another currency
	noProvider = "no_provider"            // the shop was paid past any provider
)

// NotReportedReasons lists the answers of NotReported.
var NotReportedReasons = []string{notTold, toldInPart, noProvider}

// NotReported is why a row has no figures of its provider; "": it has.
func NotReported(r report.Row) string {
	switch {
	case r.IsTold():
		return ""
	case r.Provider == payment.CustomProvider:
		return noProvider
	case r.Told > 0:
		return toldInPart
	}
	return notTold
}

// Settlement answers what providers owe. Errors: as Summary.
func (s *Service) Settlement(ctx context.Context, p tenant.Principal, q Query) (out Settlement, err error) {
	if err := authorize(p); err != nil {
		return Settlement{}, err
	}
	if out.Period, err = s.period(p, q); err != nil {
		return Settlement{}, err
	}
	out.TimeZone = zoneName(p.Tenant)
	rows, err := s.read(ctx, p, out.Period, report.ByProviderAndDay)
	if err != nil {
		return Settlement{}, err
	}
	for _, r := range report.ByProviderAndDay.Add(rows) {
		if q.Provider == "" || r.Provider == q.Provider {
			out.Groups = append(out.Groups, r)
		}
	}
	out.Totals = report.ByProvider.Add(out.Groups)
	return out, nil
}
