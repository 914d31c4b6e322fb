package eventlog

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// trimBatch is how many rows of a log are trimmed in one transaction.
const trimBatch = 200

var _ ports.EventTrimmer = Log{}

// Trim implements ports.EventTrimmer. A log is trimmed in its order, so one number says what is gone. The
// last event of each record that is trimmed leaves the log, but its row stays as long as the record does,
// until the next one of the record is trimmed: that one needs it (EventText). So each event is read once, and
// what stays is a row for each record that has not changed for long. Hot events on SQLite keep what was
// before by themselves, and go at once.
func (l Log) Trim(ctx context.Context, id tenant.ID, before time.Time) (more bool, err error) {
	err = l.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		more = false
		var from int64
		if _, err := db.Exec(ctx, on, "INSERT INTO event_trims (tenant, trimmed) VALUES ($1, 0) ON CONFLICT (tenant) DO NOTHING",
			string(id)); err != nil {
			return err
		}
		if _, err := db.QueryRow(ctx, on, []any{&from}, "SELECT trimmed FROM event_trims WHERE tenant = $1"+l.db.Dialect.ForUpdate(),
			string(id)); err != nil {
			return err
		}
		until, rows, err := l.tables.trimmableUntil(ctx, on, id, from, before)
		if err != nil || until == from {
			return err
		}
		more = rows == trimBatch
		for _, text := range l.tables.trimSQL() {
			if _, err := db.Exec(ctx, on, text, string(id), from, until); err != nil {
				return err
			}
		}
		_, err = db.Exec(ctx, on, "UPDATE event_trims SET trimmed = $2 WHERE tenant = $1", string(id), until)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("trim events: %w", err)
	}
	return more, nil
}
