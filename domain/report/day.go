package report

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Day is a date, as the number of days since 1970-01-01.
type Day int

const secondsPerDay = 24 * 60 * 60

// DayOf is the date of t in a time zone.
func DayOf(t time.Time, zone *time.Location) Day {
	year, month, day := t.In(zone).Date()
	return date(year, month, day)
}

func date(year int, month time.Month, day int) Day {
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

// The first and the last date that can be asked for.
var (
	firstDay = date(1970, time.January, 1)
	lastDay  = date(9998, time.December, 31) //nolint:mnd // dates of five digits do not sort like their texts
)

// ParseDay reads a date such as 2026-01-31, from 1970-01-01 to 9998-12-31. field names it in errors. Errors:
// fault.ErrValidation.
func ParseDay(field, text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err == nil {
		if d := date(t.Date()); d >= firstDay && d <= lastDay {
			return d, nil
		}
	}
	return 0, fault.Invalidf(field, "This field takes a date such as 2026-01-31.")
}

func (d Day) utc() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

// String is d as 2026-01-31. Dates sort like their texts.
func (d Day) String() string { return d.utc().Format(time.DateOnly) }

// Month is the first day of d's month.
func (d Day) Month() Day {
	year, month, _ := d.utc().Date()
	return date(year, month, 1)
}

// NextMonth is the first day of the month after d's.
func (d Day) NextMonth() Day {
	year, month, _ := d.utc().Date()
	return date(year, month+1, 1)
}

// Week is the Monday of d's week.
func (d Day) Week() Day {
	const daysPerWeek = 7
	return d - Day((int(d.utc().Weekday())+daysPerWeek-int(time.Monday))%daysPerWeek)
}

// yearBefore is the same date a year earlier, and the 28th for a 29th of February.
func (d Day) yearBefore() Day {
	year, month, day := d.utc().Date()
	return min(date(year-1, month, day), date(year-1, month+1, 1)-1)
}

// Start is the first moment that has the date d in a time zone. Where a change of clocks skips midnight, that is the moment of
// the change, and so it is for a date that the zone never had.
func (d Day) Start(zone *time.Location) time.Time {
	midnight := d.utc()
	const half = secondsPerDay / 2 * time.Second
	before, after := midnight.Add(-half-half), midnight.Add(half+half)
	_, changed := before.In(zone).ZoneBounds()
	candidates := []time.Time{midnight.Add(-offset(before, zone)), midnight.Add(-offset(after, zone)), changed}
	first := changed.UTC()
	found := false
	for _, t := range candidates {
		if !t.IsZero() && DayOf(t, zone) == d && (!found || t.Before(first)) {
			first, found = t.UTC(), true
		}
	}
	return first
}

// offset is how far the clocks of a zone are ahead of UTC at t.
func offset(t time.Time, zone *time.Location) time.Duration {
	_, seconds := t.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}
