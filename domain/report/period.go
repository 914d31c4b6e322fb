package report

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// MaxDays is how many days a report is about at most: three years.
const MaxDays = 3*365 + 1

// The errors of a period.
var (
	errOrder   = fault.Invalidf("to", "The last day is not before the first.")
	errTooLong = fault.Invalidf("to", "A report is about at most %d days.", MaxDays)
)

// Period is the days from From to To, both included.
type Period struct{ From, To Day }

// NewPeriod checks a period. Errors: fault.ErrValidation.
func NewPeriod(from, to Day) (Period, error) {
	switch {
	case to < from:
		return Period{}, errOrder
	case to-from >= MaxDays:
		return Period{}, errTooLong
	}
	return Period{from, to}, nil
}

// Days is how many days p has.
func (p Period) Days() int { return int(p.To-p.From) + 1 }

// Comparison is the period that a report is compared with.
type Comparison string

// The comparisons.
const (
	NotCompared  Comparison = ""
	Previous     Comparison = "previous"     // as many days, right before
	PreviousYear Comparison = "previousYear" // the same dates a year earlier
)

// Comparisons lists the comparisons that can be asked for.
var Comparisons = []string{string(Previous), string(PreviousYear)}

// ComparedBy is the period that p is compared with; ok is false where it is with none.
func (p Period) ComparedBy(c Comparison) (_ Period, ok bool) {
	switch c {
	case Previous:
		return Period{p.From - Day(p.Days()), p.From - 1}, true
	case PreviousYear:
		return Period{p.From.yearBefore(), p.To.yearBefore()}, true
	case NotCompared:
	}
	return Period{}, false
}

// Bounds is a day with its moments: from Since up to, and without, Until.
type Bounds struct {
	Day          Day
	Since, Until time.Time
}

// BoundsOf are the bounds of a day in a time zone.
func BoundsOf(d Day, zone *time.Location) Bounds {
	return Bounds{d, d.Start(zone), (d + 1).Start(zone)}
}
