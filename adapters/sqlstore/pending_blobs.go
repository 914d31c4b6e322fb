package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// pendingBlobRows is ports.PendingBlobs inside a transaction.
type pendingBlobRows struct{ *txn }

// Add implements ports.PendingBlobs.
func (t pendingBlobRows) Add(ctx context.Context, id tenant.ID, key string, until time.Time) error {
	b := t.store.db.Builder()
	row := pendingBlobRow{Tenant: id, Key: key, DueAt: nullTime(until)}
	_, err := t.exec(ctx, id, b.Insert(&row).On("CONFLICT (tenant, key) DO NOTHING"))
	return err
}

// Commit implements ports.PendingBlobs.
func (t pendingBlobRows) Commit(ctx context.Context, id tenant.ID, key string) error {
	q := t.store.db.Builder().Delete((*pendingBlobRow)(nil)).Where("?", t.filter()).Where("tenant = ?", string(id)).Where("key = ?", key).
		Where("NOT deleting")
	n, err := t.exec(ctx, id, q)
	if err == nil && n == 0 {
		return ports.ErrNotFound
	}
	return err
}

// ExpireSoon implements ports.PendingBlobs. A blob whose deletion has begun is left alone.
func (t pendingBlobRows) ExpireSoon(ctx context.Context, id tenant.ID, key string, until time.Time) error {
	q := t.store.db.Builder().Update((*pendingBlobRow)(nil)).Set("due_at = ?", until).
		Where("?", t.filter()).Where("tenant = ?", string(id)).Where("key = ?", key).Where("NOT deleting")
	_, err := t.exec(ctx, id, q)
	return err
}

// exec runs a statement on a row of a tenant.
func (t pendingBlobRows) exec(ctx context.Context, id tenant.ID, q bun.Query) (int64, error) {
	if !t.Covers(string(id)) {
		return 0, t.fail(table.ErrForeignTenant)
	}
	n, err := t.store.db.Builder().Exec(ctx, t, q)
	if err != nil {
		return 0, fmt.Errorf("record a pending blob: %w", err)
	}
	return n, nil
}

// BlobSweep is a ports.BlobSweep.
type BlobSweep struct{ db *db.DB }

var _ ports.BlobSweep = BlobSweep{}

// ClaimExpired implements ports.BlobSweep. What another instance is claiming is left to it.
func (s BlobSweep) ClaimExpired(ctx context.Context, now, again time.Time, limit int) (found []ports.ExpiredBlob, err error) {
	b := s.db.Builder()
	due := b.Select((*pendingBlobRow)(nil)).Column("tenant", "key").Where("due_at <= ?", now).Order("due_at").Limit(int64(limit))
	if s.db.Dialect.Postgres {
		due = due.For("UPDATE SKIP LOCKED")
	}
	q := b.Update((*pendingBlobRow)(nil)).Set("deleting = TRUE").Set("due_at = ?", again).Where("(tenant, key) IN (?)", due).
		Returning("tenant, key")
	err = s.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		found = nil
		return b.Query(ctx, on, q, func(r db.Row) error {
			var x ports.ExpiredBlob
			err := r.Scan(&x.Tenant, &x.Key)
			found = append(found, x)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("find expired blobs: %w", err)
	}
	return found, nil
}

// MarkDeleted implements ports.BlobSweep.
func (s BlobSweep) MarkDeleted(ctx context.Context, o ports.ExpiredBlob) error {
	b := s.db.Builder()
	q := b.Delete((*pendingBlobRow)(nil)).Where("tenant = ?", string(o.Tenant)).Where("key = ?", o.Key).Where("deleting")
	err := s.db.Transact(ctx, ports.ForTenant(o.Tenant), func(ctx context.Context, on db.Session) error {
		_, err := b.Exec(ctx, on, q)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget a deleted blob: %w", err)
	}
	return nil
}
