package eventlog

import (
	"context"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// sequencerLock is held by the one instance that numbers events in this moment.
const sequencerLock = 7_227_002

// numberEvents gives every committed, unnumbered event the next number of its tenant. Inside a round a
// record's events keep their order; a later change of a record can only have become visible together with or
// after the earlier one. Events of one collection get numbers in a row, so that one row of the log holds many
// of them: a row each was most of the cost.
const numberEvents = `
WITH taken AS (
	DELETE FROM unnumbered_events RETURNING tenant, collection, records, record_sequences
), ranked AS (
	SELECT g.tenant, g.collection, e.record, e.record_sequence,
		row_number() OVER (PARTITION BY g.tenant, g.collection ORDER BY e.record_sequence, e.record) AS place
	FROM taken g, unnest(g.records, g.record_sequences) AS e(record, record_sequence)
), rows AS MATERIALIZED (
	SELECT tenant, collection, (place - 1) / 32 AS part, count(*) AS many,
		array_agg(record ORDER BY place) AS records, array_agg(record_sequence ORDER BY place) AS record_sequences
	FROM ranked GROUP BY tenant, collection, part
), counted AS (
	INSERT INTO event_counters AS c (tenant, last) SELECT tenant, sum(many) FROM rows GROUP BY tenant ORDER BY tenant
	ON CONFLICT (tenant) DO UPDATE SET last = c.last + excluded.last RETURNING tenant, last
), logged AS (
	INSERT INTO event_log (tenant, sequence, collection, records, record_sequences)
	SELECT r.tenant, c.last - r.after, r.collection, r.records, r.record_sequences
	FROM (SELECT *, sum(many) OVER (PARTITION BY tenant ORDER BY collection DESC, part DESC) - many AS after FROM rows) r JOIN counted c USING (tenant)
)
SELECT coalesce(sum(many), 0)::bigint FROM rows`

// sequencerIdle is how long events of another instance that died before numbering them may wait.
const sequencerIdle = 100 * time.Millisecond

// sequencerGap is the time between the starts of two rounds, at least: a round is a transaction with a flush
// of its own, whether it numbers one event or a thousand.
const sequencerGap = 50 * time.Millisecond

// Sequencer gives committed events their numbers. On SQLite they have them when they are written, and there
// is nothing to do.
type Sequencer struct {
	db     *db.DB
	logger *slog.Logger
	wake   chan struct{} // signals that committed events have no number yet
}

// NewSequencer makes the sequencer of a database.
func NewSequencer(d *db.DB, logger *slog.Logger) *Sequencer {
	return &Sequencer{d, logger, make(chan struct{}, 1)}
}

// Wake signals that a transaction with events has committed.
func (s *Sequencer) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run numbers committed events until ctx ends. Every instance runs it; one at a time works.
func (s *Sequencer) Run(ctx context.Context) error {
	if !s.db.Dialect.Postgres {
		<-ctx.Done()
		return nil
	}
	timer := time.NewTimer(sequencerIdle)
	defer timer.Stop()
	failing := false // an outage is logged once
	for {
		rested := time.After(sequencerGap)
		switch _, err := s.Round(ctx); {
		case err == nil && failing:
			s.logger.Info("event sequencing resumed")
			failing = false
		case err != nil && ctx.Err() == nil && !failing:
			s.logger.Warn("event sequencing failed; will retry", "error", err.Error())
			failing = true
		}
		select {
		case <-ctx.Done():
			return nil
		case <-rested:
		}
		timer.Reset(sequencerIdle)
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
		case <-timer.C:
		}
	}
}

// Round runs one round and returns how many events it numbered: none while another instance is at it.
func (s *Sequencer) Round(ctx context.Context) (numbered int64, err error) {
	if !s.db.Dialect.Postgres {
		return 0, nil
	}
	err = s.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		var leader bool
		if _, err := db.QueryRow(ctx, on, []any{&leader}, "SELECT pg_try_advisory_xact_lock($1)", sequencerLock); err != nil || !leader {
			return err
		}
		// The next statement sees everything committed up to now, the previous round included.
		_, err := db.QueryRow(ctx, on, []any{&numbered}, numberEvents)
		return err
	})
	return numbered, err
}
