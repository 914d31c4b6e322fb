package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/gather"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/list"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// view reads the records of its scope, inside a transaction or outside of one.
type view struct {
	table.TenantScope

	store   *engine
	session db.Session
	reading bool // outside a transaction
}

// scoped is a scope as statements apply it.
func (e *engine) scoped(scope ports.Scope) table.TenantScope {
	return table.TenantScope{Dialect: e.dialect, Scope: scope, Unfiltered: e.skipTenantFilter}
}

// view reads records outside of transactions.
func (e *engine) view(scope ports.Scope) *view {
	return &view{TenantScope: e.scoped(scope), store: e, session: e.db.Reader(scope), reading: true}
}

// Get implements ports.Reader.
func (v *view) Get(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	return v.get(ctx, c, id, "")
}

func (v *view) get(ctx context.Context, c *collection.Schema, id, suffix string) (found collection.Record, err error) {
	sh, err := v.store.shape(c)
	if err != nil {
		return nil, err
	}
	if suffix == "" && v.canBatch() {
		records, err := v.store.gather.Records(ctx, v.wanted(sh, id), nil)
		if err == nil && records[id] == nil {
			err = ports.ErrNotFound
		}
		return records[id], err
	}
	text, a := v.selectOne(sh, id, suffix)
	err = db.Query(ctx, v.session, func(r db.Row) error { found, err = sh.ScanRecord(r); return err }, text, a...)
	if err == nil && found == nil {
		return nil, ports.ErrNotFound
	}
	return found, err
}

// selectOne is the statement that reads a record.
func (v *view) selectOne(sh *table.Shape, id, suffix string) (text string, a db.Args) {
	text = "SELECT " + sh.SelectColumns(v.StockEnvironment(""), v.store.dialect) + " FROM " + db.Quote(sh.Table) + " r WHERE " +
		v.TenantFilter(&a, "r") + " AND r.id = " + a.Bind(id) + suffix
	return text, a
}

// GetMany implements ports.Reader.
func (v *view) GetMany(
	ctx context.Context, c *collection.Schema, ids []string, room *collection.Room,
) (map[string]collection.Record, error) {
	found := make(map[string]collection.Record, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	sh, err := v.store.shape(c)
	if err != nil {
		return nil, err
	}
	if v.canBatch() {
		return v.store.gather.Records(ctx, v.wanted(sh, ids...), room)
	}
	var a db.Args
	memory := ports.MemoryOf(ctx)
	text := "SELECT " + sh.SelectColumns(v.StockEnvironment(""), v.store.dialect) + " FROM " + db.Quote(sh.Table) + " r WHERE " +
		v.TenantFilter(&a, "r") + " AND " + v.store.dialect.InList("r.id", a.Bind(ids))
	err = db.Query(ctx, v.session, func(r db.Row) error {
		st, err := sh.ScanRow(r)
		if err == nil {
			err = room.Take(len(st.Doc))
		}
		if err == nil {
			err = memory.Take(int64(len(st.Doc)))
		}
		if err != nil {
			return err
		}
		rec, err := sh.DecodeRow(st)
		if err == nil {
			found[rec.ID()] = rec
		}
		return err
	}, text, a...)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// Deleted implements ports.Reader.
func (v *view) Deleted(ctx context.Context, ids []string) (map[string]int64, error) {
	gone := map[string]int64{}
	if len(ids) == 0 {
		return gone, nil
	}
	if v.canBatch() {
		if found, err := v.store.gather.Deleted(ctx, v.wanted(nil, ids...)); err != nil || found != nil {
			return found, err
		}
		return gone, nil
	}
	var a db.Args
	last := "r.last"
	if v.store.dialect.Postgres {
		last = "(SELECT max(e.record_sequence) FROM events e WHERE e.tenant = r.tenant AND e.record = r.id)"
	}
	text := "SELECT r.id, " + last + " FROM tombstones r WHERE " + v.TenantFilter(&a, "r") + " AND " +
		v.store.dialect.InList("r.id", a.Bind(ids))
	return gone, db.Query(ctx, v.session, func(r db.Row) error {
		var id string
		var last *int64
		err := r.Scan(&id, &last)
		if gone[id] = 0; last != nil {
			gone[id] = *last
		}
		return err
	}, text, a...)
}

// Lock implements ports.Records. SQLite has one writer: the transaction itself is the lock.
func (v *view) Lock(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if v.store.dialect.Postgres {
		return v.get(ctx, c, id, " FOR UPDATE OF r")
	}
	return v.get(ctx, c, id, "")
}

// LockShared implements ports.Records.
func (v *view) LockShared(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if v.store.dialect.Postgres {
		return v.get(ctx, c, id, " FOR SHARE OF r")
	}
	return v.get(ctx, c, id, "")
}

// LockBy implements ports.Records.
func (v *view) LockBy(ctx context.Context, c *collection.Schema, field, value string) (found []collection.Record, err error) {
	s, err := v.lockBy(ports.RefBy{Schema: c, Field: field, Value: value}, func(r collection.Record) { found = append(found, r) })
	if err != nil {
		return nil, err
	}
	return found, v.session.Run(ctx, s)
}

// lockBy is the statement of LockBy, which calls add with every record.
func (v *view) lockBy(by ports.RefBy, add func(collection.Record)) (db.Stmt, error) {
	sh, err := v.store.shape(by.Schema)
	if err != nil {
		return db.Stmt{}, err
	}
	c := &table.Compiler{TenantScope: v.TenantScope, Fold: v.store.options.Fold, Env: v.StockEnvironment("")}
	where := c.Where(sh, collection.Query{Schema: by.Schema, Where: by.Schema.Where(by.Field, collection.Equals, by.Value)})
	text := "SELECT " + sh.SelectColumns(v.StockEnvironment(""), v.store.dialect) + " FROM " + db.Quote(sh.Table) + " r WHERE " + where +
		" ORDER BY r.id"
	if v.store.dialect.Postgres {
		text += " FOR UPDATE OF r"
	}
	return db.Stmt{SQL: text, Args: c.Args, OnRow: func(from db.Row) error {
		rec, err := sh.ScanRecord(from)
		if err == nil {
			add(rec)
		}
		return err
	}}, nil
}

// canBatch reports whether reads by id of a view are batched: those of one tenant, outside a transaction.
func (v *view) canBatch() bool {
	return v.reading && v.store.dialect.Postgres && !v.Scope.System && len(v.Scope.Tenants) == 1 && db.ValidTenantID(v.Scope.Tenants[0])
}

// wanted is a batched read of a view.
func (v *view) wanted(sh *table.Shape, ids ...string) gather.Wanted {
	return gather.Wanted{Tenant: v.Scope.Tenants[0], Shape: sh, Env: v.StockEnvironment(""), IDs: ids, Unfiltered: v.Unfiltered}
}

// Find implements ports.Reader.
func (v *view) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	return v.store.lists.Find(ctx, v.at(), q)
}

// at is where lists of a view are read.
func (v *view) at() list.At {
	return list.At{TenantScope: v.TenantScope, Session: v.session, InTransaction: !v.reading}
}

// filter is the tenant predicate on rows r.
func (v *view) filter() db.Expr {
	return func(a *db.Args) string { return v.TenantFilter(a, "r") }
}
