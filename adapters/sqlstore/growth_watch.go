package sqlstore

import (
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/app/background"
)

const (
	// lookEvery is how often at most a growthWatch looks.
	lookEvery = 2 * time.Second
	// restAfter is how long it rests after it has looked and gathered, times the time that took: under a load that goes on
	// and on it takes a tenth of a processor at most.
	restAfter = 10
)

// gatherTime bounds the gathering.
const gatherTime = 10 * time.Minute

// growthWatch has Postgres gather statistics of tables that have grown much, as soon as lists are slow: after a bulk
// load, by whomever, its own daemon comes to that up to a minute later, or longer. Without lists it does nothing.
type growthWatch struct {
	db   *db.DB
	task *background.Task // may be nil
	now  func() time.Time

	mu      sync.Mutex
	looking bool
	next    time.Time // it does not look before
}

// look looks for such tables in the background, unless it did so a moment ago.
func (g *growthWatch) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if g.looking || now.Before(g.next) {
		return
	}
	g.looking = true
	g.task.Start(func() {
		defer g.done(now)
		ctx, cancel := context.WithTimeout(context.Background(), gatherTime)
		defer cancel()
		_ = g.task.Do(ctx, background.Item{ID: "grown tables"}, func(ctx context.Context) error {
			return migrate.AnalyzeGrown(ctx, g.db)
		}) // a failure is counted, and logged, by the task
	})
}

func (g *growthWatch) done(began time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	g.looking, g.next = false, now.Add(max(lookEvery, restAfter*now.Sub(began)))
}
