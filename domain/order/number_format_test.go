package order_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	. "github.com/cartwright-dev/cartwright/domain/order"
)

func TestNumberFormats(t *testing.T) {
	t.Parallel()
	for format, want := range map[NumberFormat]struct {
		number, series string
		sequential     bool
	}{
		"{YYYYMMDD}-{SEQ}":        {"20260131-0042", "20260131-{SEQ}", true},
		"{SEQ}":                   {"0042", "{SEQ}", true},
		"S#{YY}/{MM}.{DD}_{SEQ}x": {"S#26/01.31_0042x", "S#26/01.31_{SEQ}x", true},
		"{YYYY}{SEQ}{YYMMDD}":     {"20260042260131", "2026{SEQ}260131", true},
		"{RANDOM}-W":              {"123456-W", "{RANDOM}-W", false},
		DefaultNumberFormat:       {"260131123456", "260131{RANDOM}", false},
	} {
		if err := format.Check("format"); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		got := format.Drawn(now, 123_456, 0)
		if format.Sequential() {
			got = format.Counted(now, 42)
		}
		if got != want.number || format.Series(now) != want.series || format.Sequential() != want.sequential {
			t.Errorf("%s: %s of %s, sequential %t", format, got, format.Series(now), format.Sequential())
		}
	}
	if got := NumberFormat("{SEQ}").Counted(now, 1_234_567); got != "1234567" {
		t.Errorf("more than four digits: %s", got)
	}
}

func TestRefusedNumberFormats(t *testing.T) {
	t.Parallel()
	for _, format := range []NumberFormat{
		"", "A", "{YYYYMMDD}", "{SEQ}{SEQ}", "{SEQ}{RANDOM}", "{seq}", "{SEQ}{HH}", "{SEQ} 1", "{SEQ", "SEQ}", "{}{SEQ}", "{{SEQ}}",
		"주문{SEQ}", "=1+{SEQ}", "{SEQ}\n", "{SEQ:4}", NumberFormat(strings.Repeat("a", 36) + "{SEQ}"),
	} {
		if err := format.Check("format"); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("%q: %v", format, err)
		}
	}
}

// However a valid format is filled in, its numbers are ones that a shop could have chosen.
func TestNumbersOfTheLongestFormatsAreShortEnough(t *testing.T) {
	t.Parallel()
	long := NumberFormat(strings.Repeat("a", MaxNumberFormat-len("{SEQ}")) + "{SEQ}")
	random := NumberFormat(strings.Repeat("a", MaxNumberFormat-len("{RANDOM}")) + "{RANDOM}")
	for _, number := range []string{long.Counted(now, 1<<62), random.Drawn(now, 1<<63, 50)} {
		if err := CheckNumber(number); err != nil {
			t.Errorf("%s: %v", number, err)
		}
	}
}

// The steps of a count grow, so that it passes any number of orders that were imported with its numbers.
func TestStepsOfACountGrow(t *testing.T) {
	t.Parallel()
	for attempt, want := range []int64{1, 1, 8, 64, 512} {
		if got := SequenceStep(attempt); got != want {
			t.Errorf("%d: %d", attempt, got)
		}
	}
	if day := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC); NumberFormat("{YYYYMMDD}-{SEQ}").Series(day) != "20260201-{SEQ}" {
		t.Error("another day is another series")
	}
}
