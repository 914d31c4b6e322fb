package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// NoticePlaces is a ports.NoticePlaces.
type NoticePlaces struct{ db *db.DB }

var _ ports.NoticePlaces = NoticePlaces{}

const noticesBehind = `SELECT c.tenant, c.last, coalesce(p.sequence, 0) FROM event_counters c LEFT JOIN notice_places p ON p.tenant = c.tenant
	WHERE coalesce(p.sequence, 0) < c.last ORDER BY c.tenant LIMIT $1`

// Behind implements ports.NoticePlaces.
func (n NoticePlaces) Behind(ctx context.Context, limit int) (all []ports.NoticeLag, err error) {
	err = db.Query(ctx, n.db.Reader(db.SystemScope), func(r db.Row) error {
		var l ports.NoticeLag
		err := r.Scan(&l.Tenant, &l.Newest, &l.Place)
		all = append(all, l)
		return err
	}, noticesBehind, int64(limit))
	if err != nil {
		return nil, fmt.Errorf("ask which teams are to be told: %w", err)
	}
	return all, nil
}

// noticeMoverRows is ports.NoticeMover in a transaction.
type noticeMoverRows struct{ *txn }

// Move implements ports.NoticeMover.
func (t noticeMoverRows) Move(ctx context.Context, id tenant.ID, from, to int64) error {
	if !t.Covers(string(id)) {
		return t.fail(table.ErrForeignTenant)
	}
	sql, args := "UPDATE notice_places SET sequence = $3 WHERE tenant = $1 AND sequence = $2", []any{string(id), from, to}
	if from == 0 {
		sql, args = "INSERT INTO notice_places (tenant, sequence) VALUES ($1, $2) ON CONFLICT DO NOTHING", []any{string(id), to}
	}
	moved, err := db.Exec(ctx, t, sql, args...)
	if err != nil {
		return fmt.Errorf("move the place of notices: %w", err)
	}
	if moved == 0 {
		return ports.ErrStale
	}
	return nil
}
