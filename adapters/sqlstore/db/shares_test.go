package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// crowd has turns of tenants begun in the background.
type crowd struct {
	*testing.T

	shares  db.Shares
	mu      sync.Mutex             // of what follows
	ends    map[tenant.ID][]func() // of turns that began and have not ended
	started []tenant.ID            // in the order in which their turns began
}

// ask has n turns wait, and reports how many of the tenant are running then.
func (c *crowd) ask(n int, id tenant.ID, costly bool) int {
	c.Helper()
	in := db.LaneRead
	if costly {
		in = db.LaneCostly
	}
	for range n {
		go func() {
			end, err := c.shares.Begin(c.Context(), id, in)
			c.mu.Lock()
			defer c.mu.Unlock()
			if err == nil {
				c.ends[id], c.started = append(c.ends[id], end), append(c.started, id)
			}
		}()
		synctest.Wait()
	}
	return len(c.ends[id])
}

// end ends a turn of a tenant.
func (c *crowd) end(id tenant.ID) {
	c.Helper()
	end := c.ends[id][0]
	c.ends[id] = c.ends[id][1:]
	end()
	synctest.Wait()
}

func inCrowd(t *testing.T, connections int, test func(*crowd)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(&crowd{T: t, shares: db.NewShares(connections), ends: map[tenant.ID][]func(){}})
	})
}

func TestNoTenantTakesTheLastConnection(t *testing.T) {
	t.Parallel()
	for connections, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 3, 6: 4, 12: 8, 24: 16} {
		inCrowd(t, connections, func(c *crowd) {
			if got := c.ask(50, "greedy", false); got != want {
				t.Errorf("of %d connections one tenant has %d, want %d", connections, got, want)
			}
			if connections > 1 && c.ask(1, "other", false) != 1 {
				t.Errorf("of %d connections none is left for another tenant", connections)
			}
		})
	}
	inCrowd(t, 12, func(c *crowd) {
		for range 5 { // whoever came first gives back what the others lack
			for i := range 9 {
				id := tenant.ID(fmt.Sprint("greedy-", i))
				c.ask(5, id, false)
				for range c.ends[id] {
					c.end(id)
				}
			}
		}
		if c.ask(1, "other", false) != 1 {
			t.Error("many tenants together took all connections")
		}
	})
}

func TestWhoHasTheFewestConnectionsIsServedFirst(t *testing.T) {
	t.Parallel()
	inCrowd(t, 4, func(c *crowd) {
		c.ask(4, "a", false) // the fourth waits
		c.ask(2, "b", false) // the second waits
		c.ask(1, "c", false) // waits: a has three, b one
		c.started = nil
		for want := range slices.Values([][]tenant.ID{{"c"}, {"c"}, {"c", "a"}}) { // the last connection is for who has none
			if c.end("a"); !slices.Equal(c.started, want) {
				t.Errorf("%v came, want %v", c.started, want)
			}
		}
	})
}

// Reads that take long are run one at a time, those that turn out short more and more at once.
func TestLongReadsNarrowTheirLane(t *testing.T) {
	t.Parallel()
	inCrowd(t, 12, func(c *crowd) {
		if n := c.ask(50, "a", true); n != 4 {
			t.Errorf("%d costly reads at a time", n)
		}
		if n := c.ask(1, "b", true); n != 1 {
			t.Error("one tenant's costly reads are not another one's")
		}
		if n := c.ask(9, "a", false); n != 4+4 {
			t.Errorf("%d reads at a time beside costly ones", n)
		}
		time.Sleep(db.LongRun)
		for range 30 {
			c.end("a")
		}
		if running := len(c.ends["a"]); running > 3+1 {
			t.Errorf("after long ones %d run at a time", running)
		}
	})
	inCrowd(t, 12, func(c *crowd) {
		c.ask(4, "a", true)
		time.Sleep(db.LongRun)
		for range 4 {
			c.end("a")
		}
		if n := c.ask(8, "a", true); n != 1 {
			t.Errorf("after long ones %d run at a time", n)
		}
		c.ask(40, "a", true)
		for range 20 { // short ones
			c.end("a")
		}
		if n := len(c.ends["a"]); n != 4 {
			t.Errorf("after short ones %d run at a time", n)
		}
	})
}

func TestTransactionsNarrowNoLane(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := db.NewShares(6)
		for range 10 {
			end, err := s.Begin(t.Context(), "a", db.LaneWrite)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			end()
		}
		if s.Tenants() != 0 {
			t.Error("a tenant with nothing under way is remembered")
		}
	})
}

// A call that gives up leaves no trace, also when its turn comes in the same moment.
func TestWhoGivesUpTakesNoConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := db.NewShares(1)
		for range 100 {
			end, err := s.Begin(t.Context(), "a", db.LaneRead)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			done := make(chan error, 1)
			go func() {
				end, err := s.Begin(ctx, "b", db.LaneRead)
				if err == nil {
					end()
				}
				done <- err
			}()
			time.Sleep(time.Millisecond) // both at once
			end()
			if err := <-done; err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			cancel()
			if s.Tenants() != 0 {
				t.Fatalf("%d tenants are remembered", s.Tenants())
			}
		}
	})
}
