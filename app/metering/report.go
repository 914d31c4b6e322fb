package metering

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Report is how much of its plan a tenant used this month.
type Report struct {
	Plan  tenant.Plan
	Limit int64 // quota.Unlimited: none
	Used  int64
	Reset time.Time
	Daily []Calls // from the first of the month to today
}

// Calls is how many calls a tenant made on a day.
type Calls struct {
	Day   quota.Day
	Count int64
}

// Usage tells who belongs to a tenant what it used: users of any role and secret keys that read. The call it is asked by
// is counted when it is answered. What other processes counted may be a second old.
// Errors: fault.ErrForbidden, fault.ErrUnauthenticated.
func (m *Meter) Usage(ctx context.Context, by tenant.Principal) (Report, error) {
	switch {
	case by.Kind == tenant.User && by.Tenant.ID != "", by.Kind == tenant.SecretKey && by.CanRead:
		return m.Of(ctx, by.Tenant)
	case by.Kind == tenant.SecretKey, by.Kind == tenant.ClientKey, by.Kind == tenant.Customer:
		return Report{}, fault.ErrForbidden
	}
	return Report{}, fault.ErrUnauthenticated
}

// Of tells what a tenant used.
func (m *Meter) Of(ctx context.Context, of tenant.Facts) (Report, error) {
	today := quota.DayOf(m.Now())
	month := quota.MonthOf(today)
	own := m.tally(of.ID).own(month)
	others, err := m.Counts.Daily(ctx, m.Counter, of.ID, month)
	if err != nil {
		return Report{}, err
	}
	r := Report{Plan: of.Plan, Limit: quota.Calls(of.Plan), Reset: month.Reset()}
	for day := month.First; day <= today; day++ {
		n := own[day] + others[day]
		r.Daily, r.Used = append(r.Daily, Calls{day, n}), r.Used+n
	}
	return r, nil
}
