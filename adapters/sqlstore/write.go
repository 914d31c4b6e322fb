package sqlstore

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Write implements ports.Records.
func (t *txn) Write(ctx context.Context, changes ...collection.Change) error {
	return t.write(ctx, &t.view, changes)
}

// crossTenantRecords is ports.Records over all tenants, in a transaction whose scope allows it.
type crossTenantRecords struct {
	view

	txn *txn
}

// Write implements ports.Records.
func (a *crossTenantRecords) Write(ctx context.Context, changes ...collection.Change) error {
	return a.txn.write(ctx, &a.view, changes)
}

// write sends all changes to the database in one run.
func (t *txn) write(ctx context.Context, within *view, changes []collection.Change) error {
	shapes := make([]*table.Shape, len(changes))
	for i, c := range changes {
		var err error
		if shapes[i], err = t.store.shape(c.Schema); err != nil {
			return t.fail(err)
		}
		if !within.Covers(change.TenantOf(c)) {
			return t.fail(table.ErrForeignTenant)
		}
		if remembers(c.Schema) {
			t.remembered = append(t.remembered, c)
		}
	}
	list := t.store.writer.Statements(ctx, t.inner, changes, shapes, t.defersWrites())
	t.hasEvents = t.hasEvents || slices.ContainsFunc(changes, func(c collection.Change) bool { return !c.Schema.NoEvents })
	if t.defersWrites() {
		t.prefetched.invalidate(changes)
		for _, s := range list {
			w := queuedStmt{Stmt: s.Stmt, translate: s.Shape.TranslateError}
			if s.OnDone != nil {
				w.errIfNoRows = s.OnDone(0)
			}
			t.enqueue(w)
		}
		return nil
	}
	if err := change.Run(ctx, t, list); err != nil {
		return t.fail(err)
	}
	return nil
}
