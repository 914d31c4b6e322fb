package placing_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// A number that is taken is drawn anew; when all of them were, whoever asked may ask again under the same key.
func TestANumberIsDrawnUntilItIsFree(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
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
	if err := placing.Drawing(now, after(placing.Tries-1, nil)); err != nil || len(drawn) != placing.Tries {
		t.Errorf("%v after %d numbers", err, len(drawn))
	}
	if err := placing.Drawing(now, after(1, ports.ErrShort)); !errors.Is(err, ports.ErrShort) || len(drawn) != 2 {
		t.Errorf("%v after %d numbers", err, len(drawn))
	}
	if err := placing.Drawing(now, after(placing.Tries, nil)); !errors.Is(err, fault.ErrUnavailable) || !fault.From(err).Retryable || len(drawn) != placing.Tries {
		t.Errorf("%v after %d numbers", err, len(drawn))
	}
}
