package program

import (
	"context"
	"sync/atomic"
	"time"
)

// databaseClock tells the time of the database. Every expiry is judged by it, whatever the clocks of the instances
// show: one that is an hour ahead would otherwise end the reservations, carts and logins of everybody. It is read
// every now and then, and continued in between by the monotonic clock, which nobody can set. Decision 40.
type databaseClock struct {
	instance func() time.Time // of this machine: only differences count
	last     atomic.Pointer[clockReading]
}

// clockReading is what the database's clock showed when the machine's showed instance.
type clockReading struct{ database, instance time.Time }

// newDatabaseClock is a clock that shows the time of instance until it is read.
func newDatabaseClock(instance func() time.Time) *databaseClock {
	return &databaseClock{instance: instance}
}

// Now is the time of the database.
func (c *databaseClock) Now() time.Time {
	r, now := c.last.Load(), c.instance()
	if r == nil {
		return now
	}
	return r.database.Add(now.Sub(r.instance))
}

const (
	// questionsPerReading is how often a reading asks: the answer that came fastest is the most exact.
	questionsPerReading = 3
	// maxReadingTime is how long an answer may take: it is up to that old.
	maxReadingTime = time.Second
)

// read asks for the time of the database. An answer is from some moment between question and answer: the middle
// is taken. One that took too long is dropped, unless there is no other.
func (c *databaseClock) read(ctx context.Context, ask func(context.Context) (time.Time, error)) error {
	var best clockReading
	fastest := time.Duration(-1)
	for range questionsPerReading {
		asked := c.instance()
		shown, err := ask(ctx)
		if err != nil {
			return err
		}
		if took := c.instance().Sub(asked); fastest < 0 || took < fastest {
			fastest, best = took, clockReading{shown, asked.Add(took / 2)}
		}
	}
	if fastest <= maxReadingTime || c.last.Load() == nil {
		c.last.Store(&best)
	}
	return nil
}
