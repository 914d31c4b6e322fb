package placement_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// A taken order number is drawn again; when all draws were taken, the caller can repeat the request under the same key.
func TestTakenOrderNumberIsDrawnAgain(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	numbers := placement.Numbers{Now: now}
	drawn := map[string]bool{}
	after := func(clashes int, last error) func(string) error {
		clear(drawn)
		return func(number string) error {
			if drawn[number] = true; len(drawn) <= clashes {
				return ports.ErrDuplicate
			}
			return last
		}
	}
	if err := numbers.WithFreshNumber(t.Context(), "t", tenant.Live, after(placement.MaxNumberAttempts-1, nil)); err != nil ||
		len(drawn) != placement.MaxNumberAttempts {
		t.Errorf("%v after %d numbers", err, len(drawn))
	}
	if err := numbers.WithFreshNumber(t.Context(), "t", tenant.Live, after(1, ports.ErrOutOfStock)); !errors.Is(err, ports.ErrOutOfStock) || len(drawn) != 2 {
		t.Errorf("%v after %d numbers", err, len(drawn))
	}
	if err := numbers.WithFreshNumber(t.Context(), "t", tenant.Live, after(placement.MaxNumberAttempts, nil)); !errors.Is(err, fault.ErrUnavailable) ||
		!fault.From(err).Retryable || len(drawn) != placement.MaxNumberAttempts {
		t.Errorf("%v after %d numbers", err, len(drawn))
	}
}
