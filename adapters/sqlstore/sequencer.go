package sqlstore

import (
	"context"
	"strings"
	"time"
)

// sequencerLock is held by the one instance that numbers events in this moment.
const sequencerLock = 7_227_002

// numberEvents gives every committed, unnumbered event the next number of its tenant. Inside a round a record's events
// keep their order; a later change of a record can only have become visible together with or after the earlier one. Events
// of one collection get numbers in a row, so that one row of the log holds many of them: a row each was most of the cost.
const numberEvents = `
WITH gone AS (
	DELETE FROM unnumbered RETURNING tenant, collection, records, record_sequences
), ranked AS (
	SELECT g.tenant, g.collection, e.record, e.record_sequence,
		row_number() OVER (PARTITION BY g.tenant, g.collection ORDER BY e.record_sequence, e.record) AS place
	FROM gone g, unnest(g.records, g.record_sequences) AS e(record, record_sequence)
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

// logged is the condition on the events of a tenant in a collection that is not hot. SQLite uses the index that leaves
// hot ones out only where it is told that they are meant to be.
func (s *Store) logged(alias, tenant, slug string) string {
	return " WHERE " + alias + ".tenant = " + tenant + " AND " + alias + ".collection = '" + slug + "'" + s.notHot()
}

// notHot is the condition of the indexes on SQLite that leave hot collections out.
func (s *Store) notHot() string {
	if s.d.postgres {
		return ""
	}
	return strings.Replace(lukewarm(s.order), " WHERE ", " AND ", 1)
}

// numbersFrom is a table of the numbered events l that match where, from number on and at most limit of them, in order:
// tenant, sequence, record, record_sequence.
func (d *dialect) numbersFrom(where, number, limit string) string {
	if !d.postgres {
		return "(SELECT l.tenant, l.sequence, l.record, l.record_sequence FROM events l" + where + " AND l.sequence >= " + number + " ORDER BY l.sequence LIMIT " + limit + ")"
	}
	return "(SELECT l.tenant, l.sequence - cardinality(l.records) + x.place AS sequence, x.record, x.record_sequence FROM (SELECT * FROM event_log l" + where +
		" AND l.sequence >= " + number + " ORDER BY l.sequence LIMIT " + limit + ") l, unnest(l.records, l.record_sequences) WITH ORDINALITY AS x(record, record_sequence, place)" +
		" WHERE l.sequence - cardinality(l.records) + x.place >= " + number + " ORDER BY 2 LIMIT " + limit + ")"
}

// lastNumber is a table of the last of them.
func (d *dialect) lastNumber(where string) string {
	log, record, sequence := "events", "l.record", "l.record_sequence"
	if d.postgres {
		log, record, sequence = "event_log", "l.records[cardinality(l.records)]", "l.record_sequences[cardinality(l.records)]"
	}
	return "(SELECT l.sequence, " + record + " AS record, " + sequence + " AS record_sequence FROM " + log + " l" + where + " ORDER BY l.sequence DESC LIMIT 1)"
}

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
		_, err := queryRow(ctx, t, []any{&numbered}, numberEvents)
		return err
	})
	return numbered, err
}
