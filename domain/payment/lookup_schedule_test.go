package payment_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/payment"
)

const day = 24 * time.Hour

func TestNextLookupBacksOffWithAge(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		age, wait time.Duration
		urgency   int
		more      bool
	}{
		"a new one":                {0, 5 * time.Second, 0, true},
		"a minute old":             {time.Minute, 5 * time.Second, 0, true},
		"no longer quite new":      {5 * time.Minute, 25 * time.Second, 1, true},
		"an hour old":              {time.Hour, 5 * time.Minute, 2, true},
		"a day old":                {day, 2 * time.Hour, 3, true},
		"a week old":               {7 * day, 12 * time.Hour, 3, true},
		"the last look":            {30*day - 12*time.Hour, 12 * time.Hour, 3, true},
		"older than the last look": {30*day - 12*time.Hour + 1, 12 * time.Hour, 3, false},
		"of a clock that is ahead": {-time.Hour, 5 * time.Second, 0, true},
	} {
		now := opened.Add(c.age)
		at, urgency, more := payment.NextLookup(opened, now, 5*time.Second)
		if at.Sub(now) != c.wait || urgency != c.urgency || more != c.more {
			t.Errorf("%s: after %s, urgency %d, more %t; want %+v", name, at.Sub(now), urgency, more, c)
		}
	}
}

// An abandoned payment costs its provider a bounded number of look-ups.
func TestAbandonedPaymentIsLookedUpABoundedNumberOfTimes(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	lookups := 0
	for at, more := opened, true; more; lookups++ {
		at, _, more = payment.NextLookup(opened, at, 5*time.Second)
	}
	if lookups > 200 {
		t.Errorf("%d look-ups", lookups)
	}
}
