package db_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// A process that was not running itself, alone or with its whole machine, has not waited: the answer may be
// there, unread.
func TestSuspendedTimeDoesNotCountAsSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		apart time.Duration // between two polls
		looks int           // until time is over
	}{
		"a machine with time":     {db.PingLook, 8},
		"looks before their time": {db.PingLook / 2, 16},
		"an overloaded machine":   {3 * db.PingLook, 8},
		"a suspended machine":     {time.Hour, 8},
	} {
		now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		over := db.PingBudget(now)
		for look := 1; look <= c.looks; look++ {
			now = now.Add(c.apart)
			if got := over(now); got != (look == c.looks) {
				t.Errorf("%s: over at look %d: %t", name, look, got)
			}
		}
	}
}
