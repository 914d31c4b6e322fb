package redis

import (
	"errors"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// A failing command affects no other command of the same round trip, and does not open the breaker.
func TestFailedCommandDoesNotAffectOthers(t *testing.T) {
	t.Parallel()
	c := connected(t, testservers.Redis(t))
	calls, month := NewSharedCounter(c, "test:batch:"), quota.MonthOf(0)
	until(t, "a count", func() bool { return calls.RaiseTo(t.Context(), "good", month, nil) == nil })
	if err := c.redis.Set(t.Context(), calls.countKey("bad", month), "no hash", 0).Err(); err != nil {
		t.Fatal(err)
	}
	for round := range int64(2 * tripAfter) {
		var all sync.WaitGroup
		until(t, "the end of the previous round trip", func() bool { return hold(c.pipe) })
		for i, id := range []tenant.ID{"bad", "good", "bad"} {
			all.Go(func() {
				used, admitted, err := calls.Admit(t.Context(), id, month,
					ports.CounterState{Counter: "one", Calls: round + 1, Version: round + 1}, 100)
				if id == "bad" && !errors.Is(err, ports.ErrCountUnavailable) {
					t.Errorf("round %d, %d: %d, %v, %v", round, i, used, admitted, err)
				}
				if id == "good" && (used != round+1 || !admitted || err != nil) {
					t.Errorf("round %d: %d, %v, %v", round, used, admitted, err)
				}
			})
		}
		until(t, "one batch", func() bool { return release(c.pipe, 3) })
		all.Wait()
	}
	if c.pipe.circuitOpen() {
		t.Error("the breaker is open")
	}
}

// hold makes new commands wait, once no round trip is running.
func hold(p *pipeline) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running {
		return false
	}
	p.running = true
	return true
}

// release sends the waiting commands once there are n.
func release(p *pipeline, n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) < n {
		return false
	}
	go p.run()
	return true
}
