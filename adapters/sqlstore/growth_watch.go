package sqlstore

import (
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/app/background"
)

// lookEvery is how often at most a growthWatch looks.
const lookEvery = 2 * time.Second

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
	last    time.Time
}

// look looks for such tables in the background, unless it did so a moment ago.
func (g *growthWatch) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if g.looking || now.Sub(g.last) < lookEvery {
		return
	}
	g.looking, g.last = true, now
	g.task.Start(func() {
		defer g.done()
		ctx, cancel := context.WithTimeout(context.Background(), gatherTime)
		defer cancel()
		_ = g.task.Do(ctx, background.Item{ID: "grown tables"}, func(ctx context.Context) error {
			return migrate.AnalyzeGrown(ctx, g.db)
		}) // a failure is counted, and logged, by the task
	})
}

func (g *growthWatch) done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.looking = false
}
