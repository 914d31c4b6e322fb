package access

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestLoginsUnderOneKeyAreCheckedOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var line keyedMutex
		leave, err := line.lock(t.Context(), "k")
		if err != nil {
			t.Fatal(err)
		}
		if other, err := line.lock(t.Context(), "another"); err != nil {
			t.Error("another key waits", err)
		} else {
			other()
		}
		impatient, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		inside := 0
		for i := range maxLoginQueue {
			ctx := t.Context()
			if i == 0 {
				ctx = impatient
			}
			wg.Go(func() {
				leave, err := line.lock(ctx, "k")
				if i == 0 && !errors.Is(err, context.Canceled) || i > 0 && err != nil {
					t.Errorf("%d: %v", i, err)
				}
				if err != nil {
					return
				}
				if inside++; inside != 1 {
					t.Error("two have the turn at once")
				}
				inside--
				leave()
			})
		}
		synctest.Wait() // all are queued
		if _, err := line.lock(t.Context(), "k"); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("one more than the line holds: %v", err)
		}
		cancel()
		synctest.Wait()
		leave()
		wg.Wait()
		if len(line.entries) != 0 {
			t.Errorf("%d lines are left of none", len(line.entries))
		}
	})
}
