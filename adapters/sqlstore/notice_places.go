package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// NoticePlaces is a ports.NoticePlaces, in a table of its own.
type NoticePlaces struct {
	db    *db.DB
	table string
}

// The tables of places.
const (
	noticePlaces = "notice_places" // up to which event the teams were told
	mailPlaces   = "mail_places"   // up to which event was mailed
)

var _ ports.NoticePlaces = NoticePlaces{}

// behindSQL lists the shops with events after their place in a table.
func behindSQL(table string) string {
	return "SELECT c.tenant, c.last, coalesce(p.sequence, 0) FROM event_counters c LEFT JOIN " + table + " p ON p.tenant = c.tenant" +
		" WHERE coalesce(p.sequence, 0) < c.last ORDER BY c.tenant LIMIT $1"
}

// Behind implements ports.NoticePlaces.
func (n NoticePlaces) Behind(ctx context.Context, limit int) (all []ports.NoticeLag, err error) {
	err = db.Query(ctx, n.db.Reader(db.SystemScope), func(r db.Row) error {
		var l ports.NoticeLag
		err := r.Scan(&l.Tenant, &l.Newest, &l.Place)
		all = append(all, l)
		return err
	}, behindSQL(n.table), int64(limit))
	if err != nil {
		return nil, fmt.Errorf("ask where events are to be told of: %w", err)
	}
	return all, nil
}

// noticeMoverRows is ports.NoticeMover in a transaction.
type noticeMoverRows struct {
	*txn

	table string
}

// Move implements ports.NoticeMover.
func (t noticeMoverRows) Move(ctx context.Context, id tenant.ID, from, to int64) error {
	if !t.Covers(string(id)) {
		return t.fail(table.ErrForeignTenant)
	}
	sql, args := "UPDATE "+t.table+" SET sequence = $3 WHERE tenant = $1 AND sequence = $2", []any{string(id), from, to}
	if from == 0 {
		sql, args = "INSERT INTO "+t.table+" (tenant, sequence) VALUES ($1, $2) ON CONFLICT DO NOTHING", []any{string(id), to}
	}
	moved, err := db.Exec(ctx, t, sql, args...)
	if err != nil {
		return fmt.Errorf("move a place in %s: %w", t.table, err)
	}
	if moved == 0 {
		return ports.ErrStale
	}
	return nil
}
