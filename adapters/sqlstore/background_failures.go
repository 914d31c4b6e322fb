package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// BackgroundFailures is ports.BackgroundFailures.
type BackgroundFailures struct{ db *db.DB }

var _ ports.BackgroundFailures = BackgroundFailures{}

const saveBackgroundFailure = `INSERT INTO background_failures (task, tenant, item, failures, error, first_failed_at, last_failed_at, retry_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (tenant, task, item) DO UPDATE SET failures = excluded.failures, error = excluded.error,
first_failed_at = excluded.first_failed_at, last_failed_at = excluded.last_failed_at, retry_at = excluded.retry_at`

// Save implements ports.BackgroundFailures.
func (s BackgroundFailures) Save(ctx context.Context, f ports.BackgroundFailure) error {
	return s.exec(ctx, saveBackgroundFailure, f.Task, string(f.Tenant), f.Item, int64(f.Failures), f.Error, f.FirstFailedAt, f.LastFailedAt,
		f.RetryAt)
}

// Remove implements ports.BackgroundFailures.
func (s BackgroundFailures) Remove(ctx context.Context, task string, id tenant.ID, item string) error {
	return s.exec(ctx, "DELETE FROM background_failures WHERE tenant = $1 AND task = $2 AND item = $3", string(id), task, item)
}

func (s BackgroundFailures) exec(ctx context.Context, text string, args ...any) error {
	err := s.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		_, err := db.Exec(ctx, on, text, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("record a background failure: %w", err)
	}
	return nil
}

// List implements ports.BackgroundFailures.
func (s BackgroundFailures) List(ctx context.Context, limit int) (found []ports.BackgroundFailure, total int, err error) {
	err = db.Query(ctx, s.db.Reader(db.SystemScope), func(r db.Row) error {
		var f ports.BackgroundFailure
		var first, last, retry db.NullTime
		err := r.Scan(&f.Task, &f.Tenant, &f.Item, &f.Failures, &f.Error, &first, &last, &retry, &total)
		f.FirstFailedAt, f.LastFailedAt, f.RetryAt = first.Time, last.Time, retry.Time
		found = append(found, f)
		return err
	}, "SELECT task, tenant, item, failures, error, first_failed_at, last_failed_at, retry_at, count(*) OVER () FROM background_failures"+
		" ORDER BY last_failed_at DESC, tenant, task, item LIMIT $1", int64(limit))
	if err != nil {
		return nil, 0, fmt.Errorf("list background failures: %w", err)
	}
	return found, total, nil
}
