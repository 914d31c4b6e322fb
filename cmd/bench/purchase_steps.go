package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// stepTimes are how long the calls of purchases took, by step.
type stepTimes struct {
	mu   sync.Mutex
	took map[string][]time.Duration
}

// idInPath is the part of a path that differs between two calls of a step.
var idInPath = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

func (s *stepTimes) add(step string, took time.Duration) {
	step = idInPath.ReplaceAllString(step, ":id")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.took == nil {
		s.took = map[string][]time.Duration{}
	}
	s.took[step] = append(s.took[step], took)
}

func (s *stepTimes) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.took)
}

// slowest describes the step with the longest p99.
func (s *stepTimes) slowest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var name string
	var p50, p99 time.Duration
	for step, took := range s.took {
		slices.Sort(took)
		if late := took[len(took)*99/100]; late > p99 {
			name, p50, p99 = step, took[len(took)/2], late
		}
	}
	return fmt.Sprintf("slowest step %s: p50 %.1f, p99 %.1f ms", name, millis(p50), millis(p99))
}

// warm buys for a while on a Postgres with this URL, and then gathers the statistics by which it plans, as autovacuum does
// within a minute.
func (t *checkoutLoad) warm(ctx context.Context, database string) error {
	t.database = database
	if r := t.drive("warm-up", warmBuyers, 0, 2*time.Second, t.buy); r.errors > 0 {
		return r.first
	}
	conn, err := pgx.Connect(ctx, t.database)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "ANALYZE")
	return errors.Join(err, conn.Close(ctx))
}

const warmBuyers = 32

// activity is what Postgres counts of a database.
type activity struct{ transactions, deadlocks int64 }

// activity reads the counts once every backend has reported its own, which they do within a second.
func (t *checkoutLoad) activity(ctx context.Context) (a activity, err error) {
	if t.database == "" {
		return a, nil
	}
	time.Sleep(1200 * time.Millisecond)
	conn, err := pgx.Connect(ctx, t.database)
	if err != nil {
		return a, err
	}
	err = conn.QueryRow(ctx, "SELECT xact_commit + xact_rollback, deadlocks FROM pg_stat_database WHERE datname = current_database()").
		Scan(&a.transactions, &a.deadlocks)
	return a, errors.Join(err, conn.Close(ctx))
}
