package sqlstore

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
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

// write sends all changes to the database in one run.
func (t *txn) write(ctx context.Context, within *view, changes []collection.Change) error {
	list, err := t.statements(ctx, within, changes)
	if err != nil {
		return t.fail(err)
	}
	t.hasEvents = t.hasEvents || slices.ContainsFunc(changes, func(c collection.Change) bool { return !c.Schema.NoEvents })
	if t.defersWrites() {
		t.prefetched.invalidate(changes)
		for _, s := range list {
			w := queuedStmt{Stmt: s.Stmt, translate: s.shape.TranslateError}
			if s.OnDone != nil {
				w.errIfNoRows = s.OnDone(0)
			}
			t.enqueue(w)
		}
		return nil
	}
	done := 0
	stmts := make([]db.Stmt, len(list))
	for i, s := range list {
		stmts[i] = s.Stmt
		stmts[i].OnDone = func(n int64) error {
			done = i + 1
			if s.OnDone != nil {
				return s.OnDone(n)
			}
			return nil
		}
	}
	if err := t.Run(ctx, stmts...); err != nil {
		if done < len(list) {
			err = list[done].shape.TranslateError(err)
		}
		return t.fail(err)
	}
	return nil
}

func tenantOf(c collection.Change) string {
	if c.After != nil {
		return c.After.Text("tenant")
	}
	return c.Before.Text("tenant")
}

// rowWriter makes the statements that write rows and their events.
type rowWriter struct {
	dialect *db.Dialect
	fold    func(string) string
}

// rowStatements write the row of a change and, for a delete, its tombstone.
func (w rowWriter) rowStatements(sh *table.Shape, c collection.Change) []db.Stmt {
	matched := func(n int64) error {
		if n == 0 {
			return ports.ErrStale
		}
		return nil
	}
	tenant := tenantOf(c)
	switch c.Operation {
	case collection.Created:
		return append([]db.Stmt{{SQL: sh.InsertSQL, Args: sh.RowValues(c.After, w.fold)}}, w.clearTombstone(c)...)
	case collection.Deleted:
		return []db.Stmt{
			{SQL: sh.DeleteSQL, Args: []any{tenant, c.ID(), c.Before.Sequence()}, OnDone: matched},
			w.insertTombstone(c),
		}
	default: // an update
	}
	return []db.Stmt{{SQL: sh.UpdateSQL, Args: append(sh.RowValues(c.After, w.fold), c.Before.Sequence()), OnDone: matched}}
}

// insertTombstone notes that c deletes its record.
func (w rowWriter) insertTombstone(c collection.Change) db.Stmt {
	if w.dialect.Postgres {
		return db.Stmt{SQL: "INSERT INTO tombstones (tenant, id) VALUES ($1, $2) ON CONFLICT DO NOTHING", Args: []any{tenantOf(c), c.ID()}}
	}
	return db.Stmt{SQL: "INSERT INTO tombstones (tenant, id, last) VALUES ($1, $2, $3) ON CONFLICT DO UPDATE SET last = excluded.last", Args: []any{tenantOf(c), c.ID(), c.Sequence()}}
}

// clearTombstone takes the tombstone away when create c follows the deletion of an earlier record. It is the tombstone that keeps
// hot records on SQLite from having a number twice; of others the key of their events does.
func (w rowWriter) clearTombstone(c collection.Change) []db.Stmt {
	const drop = "DELETE FROM tombstones WHERE tenant = $1 AND id = $2"
	key := []any{tenantOf(c), c.ID()}
	switch first, alone := c.Sequence() == 1, c.Schema.FrequentlyUpdated && !w.dialect.Postgres; {
	case first && alone:
		return []db.Stmt{{SQL: drop, Args: key, OnDone: func(n int64) error {
			if n > 0 {
				return ports.ErrStale
			}
			return nil
		}}}
	case first:
		return nil
	case alone:
		return []db.Stmt{{SQL: drop + " AND last = $3", Args: append(key, c.Sequence()-1), OnDone: errIfUnchanged(ports.ErrStale)}}
	}
	return []db.Stmt{{SQL: drop, Args: key}}
}
