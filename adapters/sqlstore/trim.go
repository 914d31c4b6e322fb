package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// trimAtOnce is how many rows of a log are trimmed in one transaction.
const trimAtOnce = 200

var _ ports.EventTrimmer = EventLog{}

// Trim implements ports.EventTrimmer. A log is trimmed in its order, so what is gone is told by one number. The last event
// of each record that is trimmed leaves the log, but its row stays as long as the record does, until the next one of the
// record is trimmed: that one is told by it (EventText). So each event is looked at once, and what stays is a row for each
// record that has not changed for long. Hot events on SQLite keep what was before by themselves, and go at once.
func (l EventLog) Trim(ctx context.Context, id tenant.ID, before time.Time) (more bool, err error) {
	err = l.store.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		more = false
		var from int64
		if _, err := exec(ctx, t, "INSERT INTO event_floors (tenant, trimmed) VALUES ($1, 0) ON CONFLICT (tenant) DO NOTHING", string(id)); err != nil {
			return err
		}
		if _, err := queryRow(ctx, t, []any{&from}, "SELECT trimmed FROM event_floors WHERE tenant = $1"+l.store.d.forUpdate(), string(id)); err != nil {
			return err
		}
		until, rows, err := l.store.overdue(ctx, t, id, from, before)
		if err != nil || until == from {
			return err
		}
		more = rows == trimAtOnce
		for _, text := range l.store.trimTexts() {
			if _, err := exec(ctx, t, text, string(id), from, until); err != nil {
				return err
			}
		}
		_, err = exec(ctx, t, "UPDATE event_floors SET trimmed = $2 WHERE tenant = $1", string(id), until)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("trim events: %w", err)
	}
	return more, nil
}

// overdue is the number up to which everything behind from happened before a time, and how many rows of the log that is.
func (s *Store) overdue(ctx context.Context, t *txn, id tenant.ID, from int64, before time.Time) (until int64, rows int, err error) {
	text := "SELECT l.sequence, l.occurred_at FROM events l WHERE l.tenant = $1 AND l.sequence > $2 ORDER BY l.sequence LIMIT $3"
	if s.d.postgres {
		text = "SELECT l.sequence, (SELECT max(e.occurred_at) FROM unnest(l.records, l.record_sequences) AS x(record, record_sequence) JOIN events e ON e.tenant = l.tenant AND e.record = x.record AND e.record_sequence = x.record_sequence)" +
			" FROM event_log l WHERE l.tenant = $1 AND l.sequence > $2 ORDER BY l.sequence LIMIT $3"
	}
	until = from
	young := false
	err = query(ctx, t, func(r row) error {
		var n int64
		var at moment
		err := r.Scan(&n, &at)
		if young = young || !at.Before(before); !young {
			until = n
			rows++
		}
		return err
	}, text, string(id), from, int64(trimAtOnce))
	return until, rows, err
}

// trimTexts delete what is not needed any more once the numbers of tenant $1 from $2 (not itself) to $3 are trimmed. Every
// event is found by its key, however the table is filled.
func (s *Store) trimTexts() []string {
	const numbers = "tenant = $1 AND sequence > $2 AND sequence <= $3"
	if s.d.postgres {
		return []string{
			"DELETE FROM events WHERE ctid = ANY (ARRAY(SELECT k.ctid FROM event_log l, unnest(l.records, l.record_sequences) AS w(record, record_sequence), LATERAL (SELECT x.ctid FROM events x" +
				" WHERE x.tenant = l.tenant AND x.record = w.record AND x.record_sequence <= w.record_sequence AND (x.record_sequence < w.record_sequence OR x.operation = 'delete') OFFSET 0) k" +
				" WHERE l.tenant = $1 AND l.sequence > $2 AND l.sequence <= $3))",
			"DELETE FROM event_log WHERE " + numbers,
		}
	}
	cold, hot := "", ""
	for _, sh := range s.order {
		if sh.schema.Hot {
			cold += " AND x.collection <> '" + sh.schema.Slug + "'"
			hot += " OR collection = '" + sh.schema.Slug + "'"
		}
	}
	return []string{
		"DELETE FROM events WHERE tenant = $1 AND sequence IN (SELECT x.sequence FROM events e CROSS JOIN events x WHERE e.tenant = $1 AND e.sequence > $2 AND e.sequence <= $3" +
			" AND x.tenant = $1 AND x.record = e.record AND x.record_sequence < e.record_sequence" + cold + ")",
		"DELETE FROM events WHERE " + numbers + " AND (operation = 'delete'" + hot + ")",
	}
}
