package metering

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Report is how much of its plan a tenant has used this month.
type Report struct {
	Plan  tenant.Plan
	Limit int64 // quota.Unlimited: none
	Used  int64
	Reset time.Time
	Daily []DailyCalls // from the first of the month to today
}

// DailyCalls is how many calls a tenant made on a day.
type DailyCalls struct {
	Day   quota.Day
	Count int64
}

// Usage returns the usage of a tenant to its members: users of any role and secret keys with the read scope.
// The requesting call itself is counted after it was answered. What other processes counted may be a second
// old. Errors: fault.ErrForbidden, fault.ErrUnauthenticated.
func (m *Meter) Usage(ctx context.Context, by tenant.Principal) (Report, error) {
	if err := access.RequireMember(by); err != nil {
		return Report{}, err
	}
	return m.UsageOf(ctx, by.Tenant)
}

// UsageOf returns the usage of a tenant.
func (m *Meter) UsageOf(ctx context.Context, of tenant.Settings) (Report, error) {
	today := quota.DayOf(m.Now())
	month := quota.MonthOf(today)
	own := m.tenantUsage(of.ID).ownDaily(month)
	others, err := m.UsageStore.SumOthersByDay(ctx, m.CounterID, of.ID, month)
	if err != nil {
		return Report{}, err
	}
	r := Report{Plan: of.Plan, Limit: quota.MonthlyLimit(of.Plan), Reset: month.Reset()}
	for day := month.First; day <= today; day++ {
		n := own[day] + others[day]
		r.Daily, r.Used = append(r.Daily, DailyCalls{day, n}), r.Used+n
	}
	return r, nil
}
