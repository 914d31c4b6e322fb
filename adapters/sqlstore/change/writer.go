package change

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// TenantOf is the tenant whose record c changes.
func TenantOf(c collection.Change) string { return c.Record().Text("tenant") }

// Writer makes the statements that write rows and their events.
type Writer struct {
	Dialect *db.Dialect
	Fold    func(string) string // how searched text is compared
}

// matched refuses a write that found no row as it was expected.
var matched = db.ErrIfNone(ports.ErrStale)

// RowStatements write the row of a change and, for a delete, its tombstone.
func (w Writer) RowStatements(sh *table.Shape, c collection.Change) []db.Stmt {
	tenant := TenantOf(c)
	switch c.Operation {
	case collection.Created:
		return append([]db.Stmt{{SQL: sh.InsertSQL, Args: sh.RowValues(c.After, w.Fold)}}, w.ClearTombstone(c)...)
	case collection.Deleted:
		return []db.Stmt{
			{SQL: sh.DeleteSQL, Args: []any{tenant, c.ID(), c.Before.Sequence()}, OnDone: matched},
			w.insertTombstone(c),
		}
	default: // an update
	}
	return []db.Stmt{{SQL: sh.UpdateSQL, Args: append(sh.RowValues(c.After, w.Fold), c.Before.Sequence()), OnDone: matched}}
}

// insertTombstone notes that c deletes its record.
func (w Writer) insertTombstone(c collection.Change) db.Stmt {
	if w.Dialect.Postgres {
		return db.Stmt{SQL: "INSERT INTO tombstones (tenant, id) VALUES ($1, $2) ON CONFLICT DO NOTHING", Args: []any{TenantOf(c), c.ID()}}
	}
	return db.Stmt{
		SQL:  "INSERT INTO tombstones (tenant, id, last) VALUES ($1, $2, $3) ON CONFLICT DO UPDATE SET last = excluded.last",
		Args: []any{TenantOf(c), c.ID(), c.Sequence()},
	}
}

// ClearTombstone takes the tombstone away when create c follows the deletion of an earlier record. It is the
// tombstone that keeps hot records on SQLite from having a number twice; of others the key of their events
// does.
func (w Writer) ClearTombstone(c collection.Change) []db.Stmt {
	const drop = "DELETE FROM tombstones WHERE tenant = $1 AND id = $2"
	key := []any{TenantOf(c), c.ID()}
	switch first, alone := c.Sequence() == 1, c.Schema.FrequentlyUpdated && !w.Dialect.Postgres; {
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
		return []db.Stmt{{SQL: drop + " AND last = $3", Args: append(key, c.Sequence()-1), OnDone: db.ErrIfNone(ports.ErrStale)}}
	}
	return []db.Stmt{{SQL: drop, Args: key}}
}
