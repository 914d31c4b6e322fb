// Package quota decides how many calls may be made: by a tenant in a calendar month, according to its plan,
// and by one caller in any minute. Rules: features/limits/RULES.md.
//
// Decisions: months and days are in UTC. An unknown plan counts as the smallest. A call that the quota
// refuses is not counted, so refusals never add to usage.
package quota

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrExceeded says that the calls of the month are used up. The same call may be made when the next month
// begins; it does not count as retryable, since clients should not wait for that in a loop.
var ErrExceeded = fault.New(fault.Limited, "quota_exceeded", "This shop has used all API calls of its plan this month.")

// ErrVisitorShare says that an address has used its share of a shop's calls: the others are for other visitors.
var ErrVisitorShare = fault.New(fault.Limited, "visitor_quota_exceeded", "Your address has used its share of this shop's API calls today.")

// visitorShare is the part of a month's calls that visitors from one address may use in a day: 1/visitorShare.
const visitorShare = 10

// VisitorShare is how many calls visitors of one address may make in a day of a month with limit calls.
func VisitorShare(limit int64) int64 { return limit / visitorShare }

// AdmitVisitor decides whether visitors of an address may make one more call after used calls of the day. Errors:
// ErrVisitorShare, with the time until the next day.
func AdmitVisitor(limit, used int64, now time.Time) error {
	share := VisitorShare(limit)
	if limit == Unlimited || used < share {
		return nil
	}
	refusal := *ErrVisitorShare.WithData("limit", share) // not WithRetry, as ErrExceeded
	refusal.RetryAfter = (DayOf(now) + 1).Start().Sub(now)
	return &refusal
}

// Unlimited is the limit of plans that have none.
const Unlimited int64 = 0

// The calls per month of each plan. Rule limits-1.
const (
	free  int64 = 10_000
	basic int64 = 100_000
	pro   int64 = 1_000_000
)

// MonthlyLimit is how many calls a plan includes per month, or Unlimited.
func MonthlyLimit(p tenant.Plan) int64 {
	switch p {
	case tenant.Enterprise:
		return Unlimited
	case tenant.Pro:
		return pro
	case tenant.Basic:
		return basic
	case tenant.Free:
	}
	return free
}

// Admit decides whether one more call may be made after used calls. Errors: ErrExceeded, with the time until
// the next month.
func Admit(limit, used int64, now time.Time) error {
	if limit == Unlimited || used < limit {
		return nil
	}
	refusal := *ErrExceeded // not WithRetry: it must not be retryable
	refusal.RetryAfter = MonthOf(DayOf(now)).Reset().Sub(now)
	return &refusal
}

// Remaining is how many calls of a limit are left.
func Remaining(limit, used int64) int64 { return max(0, limit-used) }

// Day is a day of UTC, counted from 1970-01-01.
type Day int64

const daySeconds = 24 * 60 * 60

// DayOf is the day of a moment since 1970.
func DayOf(t time.Time) Day { return Day(t.Unix() / daySeconds) }

// Start is the first instant of d.
func (d Day) Start() time.Time { return time.Unix(int64(d)*daySeconds, 0).UTC() }

// String is d as a date, "2026-01-31". Dates sort like their days.
func (d Day) String() string { return d.Start().Format(time.DateOnly) }

// ParseDay reads what String wrote.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	return DayOf(t), err
}

// Month is a calendar month of UTC: from the day First up to, and without, Next.
type Month struct{ First, Next Day }

// MonthOf is the month of d.
func MonthOf(d Day) Month {
	year, month, _ := d.Start().Date()
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return Month{DayOf(first), DayOf(first.AddDate(0, 1, 0))}
}

// Contains reports whether d is in m.
func (m Month) Contains(d Day) bool { return m.First <= d && d < m.Next }

// Reset is the first instant of the month after m, when counting starts again at 0.
func (m Month) Reset() time.Time { return m.Next.Start() }

// Seconds is how long m is.
func (m Month) Seconds() int64 { return int64(m.Next-m.First) * daySeconds }
