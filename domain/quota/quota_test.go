package quota_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestPlansIncludeCalls(t *testing.T) {
	t.Parallel()
	for plan, want := range map[tenant.Plan]int64{
		tenant.Free: 10_000, tenant.Basic: 100_000, tenant.Pro: 1_000_000, tenant.Enterprise: quota.Unlimited, "": 10_000,
		"unheard of": 10_000,
	} {
		if got := quota.MonthlyLimit(plan); got != want {
			t.Errorf("%q includes %d calls, want %d", plan, got, want)
		}
	}
}

func TestLastCallWithinLimitIsAdmitted(t *testing.T) {
	t.Parallel()
	now := at("2026-02-27T23:59:58.5Z")
	for name, c := range map[string]struct {
		limit, used int64
		wait        time.Duration
	}{
		"the first call":  {10, 0, 0},
		"the last call":   {10, 9, 0},
		"one more":        {10, 10, 24*time.Hour + 1500*time.Millisecond},
		"far beyond":      {10, 99, 24*time.Hour + 1500*time.Millisecond},
		"without a limit": {quota.Unlimited, 1 << 40, 0},
	} {
		err := quota.Admit(c.limit, c.used, now)
		if c.wait == 0 {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || !errors.Is(err, quota.ErrExceeded) || f.RetryAfter != c.wait || f.Retryable {
			t.Errorf("%s: %+v", name, err)
		}
	}
	if quota.ErrExceeded.RetryAfter != 0 {
		t.Error("the template changed")
	}
	if quota.Remaining(10, 3) != 7 || quota.Remaining(10, 12) != 0 {
		t.Error("what is left is never below nothing")
	}
}

func TestMonthsBeginAtMidnightOfUTC(t *testing.T) {
	t.Parallel()
	seoul := time.FixedZone("KST", 9*60*60)
	for moment, want := range map[time.Time]struct{ day, first, next string }{
		at("2026-01-31T23:59:59.999Z"):               {"2026-01-31", "2026-01-01", "2026-02-01"},
		at("2026-02-01T00:00:00Z"):                   {"2026-02-01", "2026-02-01", "2026-03-01"},
		at("2026-02-01T08:59:59Z").In(seoul):         {"2026-02-01", "2026-02-01", "2026-03-01"},
		time.Date(2026, 3, 1, 8, 59, 59, 0, seoul):   {"2026-02-28", "2026-02-01", "2026-03-01"},
		at("2028-02-29T12:00:00Z"):                   {"2028-02-29", "2028-02-01", "2028-03-01"},
		at("2026-12-31T23:59:59Z"):                   {"2026-12-31", "2026-12-01", "2027-01-01"},
		time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC): {"2027-01-01", "2027-01-01", "2027-02-01"},
	} {
		day := quota.DayOf(moment)
		month := quota.MonthOf(day)
		if day.String() != want.day || month.First.String() != want.first || month.Next.String() != want.next {
			t.Errorf("%s: day %s, month from %s to %s", moment, day, month.First, month.Next)
		}
		if !month.Contains(day) || month.Contains(month.Next) || !month.Contains(month.First) || month.Contains(month.First-1) {
			t.Errorf("%s: a month has its own days only", moment)
		}
		if month.Reset() != at(want.next+"T00:00:00Z") || month.Seconds() != int64(month.Reset().Sub(month.First.Start())/time.Second) {
			t.Errorf("%s: it resets at %s after %d s", moment, month.Reset(), month.Seconds())
		}
		if back, err := quota.ParseDay(day.String()); err != nil || back != day {
			t.Errorf("%s read back: %s, %v", day, back, err)
		}
	}
	if _, err := quota.ParseDay("yesterday"); err == nil {
		t.Error("that is no day")
	}
}
