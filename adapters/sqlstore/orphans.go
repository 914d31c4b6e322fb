package sqlstore

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// orphanRows is ports.Orphans inside a transaction.
type orphanRows struct{ *txn }

// Add implements ports.Orphans.
func (t orphanRows) Add(ctx context.Context, id tenant.ID, key string, until time.Time) error {
	if !t.covers(string(id)) {
		return t.refuse(errForeign)
	}
	_, err := exec(ctx, t, "INSERT INTO orphans (tenant, key, due_at, condemned) VALUES ($1, $2, $3, FALSE) ON CONFLICT (tenant, key) DO NOTHING", string(id), key, until)
	if err != nil {
		return fmt.Errorf("account for a blob: %w", err)
	}
	return nil
}

// Adopt implements ports.Orphans.
func (t orphanRows) Adopt(ctx context.Context, id tenant.ID, key string) error {
	n, err := t.change(ctx, "DELETE FROM orphans AS o WHERE ", id, key)
	if err == nil && n == 0 {
		return ports.ErrAbsent
	}
	return err
}

// Hurry implements ports.Orphans.
func (t orphanRows) Hurry(ctx context.Context, id tenant.ID, key string, until time.Time) error {
	_, err := t.change(ctx, "UPDATE orphans AS o SET due_at = $1 WHERE ", id, key, until)
	return err
}

// change runs a statement on the row of key, as long as its removal has not begun.
func (t orphanRows) change(ctx context.Context, text string, id tenant.ID, key string, given ...any) (int64, error) {
	if !t.covers(string(id)) {
		return 0, t.refuse(errForeign)
	}
	a := args(given)
	n, err := exec(ctx, t, text+t.fence(&a, "o")+" AND o.tenant = "+a.bind(string(id))+" AND o.key = "+a.bind(key)+" AND NOT o.condemned", a...)
	if err != nil {
		return 0, fmt.Errorf("account for a blob: %w", err)
	}
	return n, nil
}

// Overdue implements ports.Orphanage.
func (s *Store) Overdue(ctx context.Context, now, again time.Time, limit int) (found []ports.Orphan, err error) {
	err = s.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		found = nil
		return query(ctx, t, func(r row) error {
			var id, key string
			err := r.Scan(&id, &key)
			found = append(found, ports.Orphan{Tenant: tenant.ID(id), Key: key})
			return err
		}, "UPDATE orphans SET condemned = TRUE, due_at = $2 WHERE (tenant, key) IN (SELECT tenant, key FROM orphans WHERE due_at <= $1 ORDER BY due_at LIMIT "+strconv.Itoa(limit)+s.d.skipLocked()+") RETURNING tenant, key", now, again)
	})
	if err != nil {
		return nil, fmt.Errorf("find orphaned blobs: %w", err)
	}
	return found, nil
}

// Removed implements ports.Orphanage.
func (s *Store) Removed(ctx context.Context, o ports.Orphan) error {
	err := s.transact(ctx, ports.Of(o.Tenant), func(ctx context.Context, t *txn) error {
		_, err := exec(ctx, t, "DELETE FROM orphans WHERE tenant = $1 AND key = $2 AND condemned", string(o.Tenant), o.Key)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget a blob: %w", err)
	}
	return nil
}
