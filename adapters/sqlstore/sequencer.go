package sqlstore

import (
	"context"
	"time"
)

// sequencerLock is held by the one instance that numbers events in this moment.
const sequencerLock = 7_227_002

// numberEvents gives every committed, unnumbered event the next number of its tenant. Inside a round a record's events
// keep their order; a later change of a record can only have become visible together with or after the earlier one.
const numberEvents = `
WITH gone AS (
	DELETE FROM unnumbered RETURNING tenant, collection, environment, records, record_sequences
), taken AS MATERIALIZED (
	SELECT g.tenant, e.record, e.record_sequence, g.collection, g.environment FROM gone g, unnest(g.records, g.record_sequences) AS e(record, record_sequence)
), counted AS (
	INSERT INTO event_counters AS c (tenant, last) SELECT tenant, count(*) FROM taken GROUP BY tenant ORDER BY tenant
	ON CONFLICT (tenant) DO UPDATE SET last = c.last + excluded.last RETURNING tenant, last
), ranked AS (
	SELECT t.*, row_number() OVER (PARTITION BY tenant ORDER BY record_sequence DESC, record DESC) - 1 AS back FROM taken t
)
INSERT INTO event_log (tenant, sequence, record, record_sequence, collection, environment)
SELECT r.tenant, c.last - r.back, r.record, r.record_sequence, r.collection, r.environment FROM ranked r JOIN counted c USING (tenant)`

// idle is how long events of another instance that died before numbering them may wait.
const idle = 100 * time.Millisecond

// gap is the time between the starts of two rounds, at least: a round is a transaction with a flush of its own, whether
// it numbers one event or a thousand.
const gap = 50 * time.Millisecond

// wake tells the sequencer that a transaction with events committed here.
func (s *Store) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// RunSequencer numbers committed events until ctx ends. Every instance runs it; one at a time works. On SQLite events
// are numbered as they are written and there is nothing to do.
func (s *Store) RunSequencer(ctx context.Context) error {
	if s.lite != nil {
		<-ctx.Done()
		return nil
	}
	timer := time.NewTimer(idle)
	defer timer.Stop()
	failing := false // of a database that is away it is enough to tell once
	for {
		rested := time.After(gap)
		switch _, err := s.Sequence(ctx); {
		case err == nil && failing:
			s.o.Logger.Info("events are numbered again")
			failing = false
		case err != nil && ctx.Err() == nil && !failing:
			s.o.Logger.Warn("events cannot be numbered; it is tried on", "error", err.Error())
			failing = true
		}
		select {
		case <-ctx.Done():
			return nil
		case <-rested:
		}
		timer.Reset(idle)
		select {
		case <-ctx.Done():
			return nil
		case <-s.woken:
		case <-timer.C:
		}
	}
}

// Sequence runs one round and returns how many events it numbered: none while another instance is at it.
func (s *Store) Sequence(ctx context.Context) (numbered int64, err error) {
	if s.lite != nil {
		return 0, nil
	}
	err = s.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		var leader bool
		if _, err := queryRow(ctx, t, []any{&leader}, "SELECT pg_try_advisory_xact_lock($1)", sequencerLock); err != nil || !leader {
			return err
		}
		// The next statement sees everything committed up to now, the previous round included.
		numbered, err = exec(ctx, t, numberEvents)
		return err
	})
	return numbered, err
}
