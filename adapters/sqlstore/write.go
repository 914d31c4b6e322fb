package sqlstore

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
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

// write sends all changes to the database in one run, or has them wait for the next one.
func (t *txn) write(ctx context.Context, within *view, changes []collection.Change) error {
	shapes := make([]*table.Shape, len(changes))
	changes = slices.Clone(changes)
	for i := range changes {
		c := &changes[i]
		c.Actor = c.Actor.Or(ports.ActorOf(ctx))
		var err error
		if shapes[i], err = t.store.shape(c.Schema); err != nil {
			return t.fail(err)
		}
		if !within.Covers(change.TenantOf(*c)) {
			return t.fail(table.ErrForeignTenant)
		}
		if remembers(c.Schema) {
			t.remembered = append(t.remembered, *c)
		}
		t.hasEvents = t.hasEvents || !c.Schema.NoEvents
		if c.Operation == collection.Created && t.defersWrites() {
			t.prefetched.created[c.ID()] = true
		}
	}
	if t.defersWrites() {
		t.prefetched.invalidate(changes)
		t.changes = append(t.changes, changes...)
		return t.forgetPlaces(ctx, changes)
	}
	if err := t.settleBefore(ctx, changes); err != nil {
		return err
	}
	if err := change.Run(ctx, t, t.store.writer.Statements(ctx, t.inner, changes, shapes, false)); err != nil {
		return t.fail(err)
	}
	return t.forgetPlaces(ctx, changes)
}
