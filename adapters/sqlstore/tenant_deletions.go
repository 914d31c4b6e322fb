package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// tenantDeletionRows is ports.TenantDeletions inside a transaction.
type tenantDeletionRows struct{ *txn }

// EventsRecorded implements ports.TenantDeletions. On SQLite every event has its number.
func (t tenantDeletionRows) EventsRecorded(ctx context.Context, id tenant.ID) (n int64, err error) {
	if !t.Scope.System {
		return 0, t.fail(errNotSystem)
	}
	text := "SELECT coalesce((SELECT c.last FROM event_counters c WHERE c.tenant = $1), 0)"
	if t.store.dialect.Postgres {
		text += " + (SELECT CAST(coalesce(sum(cardinality(u.records)), 0) AS bigint) FROM unnumbered_events u WHERE u.tenant = $1)"
	}
	if _, err = db.QueryRow(ctx, t, []any{&n}, text, string(id)); err != nil {
		return 0, fmt.Errorf("count the events of a tenant: %w", err)
	}
	return n, nil
}

const beginDeletion = "INSERT INTO tenant_deletions (id, begun_at, begun_by, archive) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING"

// Begin implements ports.TenantDeletions.
func (t tenantDeletionRows) Begin(ctx context.Context, d ports.TenantDeletion) error {
	if !t.Scope.System {
		return t.fail(errNotSystem)
	}
	n, err := db.Exec(ctx, t, beginDeletion, string(d.Tenant), d.Begun, d.By, d.Archive)
	if err == nil && n == 0 {
		return t.fail(ports.ErrDuplicate)
	}
	if err != nil {
		return fmt.Errorf("begin to delete a tenant: %w", err)
	}
	return nil
}
