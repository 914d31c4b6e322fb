package sqlstore

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// SkipTenantFilter takes the tenant predicate away, so that row-level security stands alone.
func (s *Store) SkipTenantFilter() { s.engine.skipTenantFilter = true }

// Entry is one line of the event log.
type Entry struct {
	Sequence, RecordSequence int64
	Record, Body             string
}

// Log reads the numbered events of the scope's tenants after a number, in order.
func (s *Store) Log(ctx context.Context, scope ports.Scope, after int64) (log []Entry, err error) {
	v := s.engine.view(scope)
	var a db.Args
	text := "SELECT r.sequence, r.record_sequence, r.record, " + table.EventText + " FROM " +
		s.engine.events.NumberedFrom(" WHERE "+v.TenantFilter(&a, "l"), a.Bind(after+1), "100000") +
		" r JOIN events e ON e.tenant = r.tenant AND e.record = r.record AND e.record_sequence = r.record_sequence ORDER BY r.sequence"
	err = db.Query(ctx, v.session, func(r db.Row) error {
		var e Entry
		var body []byte
		err := r.Scan(&e.Sequence, &e.RecordSequence, &e.Record, &body)
		e.Body = string(table.PublishedBody(body))
		log = append(log, e)
		return err
	}, text, a...)
	return log, err
}

// Columns compares the query columns of a stored row with those that its document gives.
func (s *Store) Columns(ctx context.Context, c *collection.Schema, id string) (same bool, err error) {
	sh, err := s.engine.shape(c)
	if err != nil {
		return false, err
	}
	r, err := s.Read(db.SystemScope).Get(ctx, c, id)
	if err != nil {
		return false, err
	}
	a := db.Args{id}
	where := "id = $1"
	for i := range sh.Columns {
		col := &sh.Columns[i]
		if v := col.Value(sh.Schema, r, s.engine.options.Fold); v == nil {
			where += " AND " + db.Quote(col.Name) + " IS NULL"
		} else {
			where += " AND " + db.Quote(col.Name) + " = " + a.Bind(v)
		}
	}
	return db.QueryRow(ctx, s.engine.db.Reader(db.SystemScope), []any{&id}, "SELECT id FROM "+db.Quote(sh.Table)+" WHERE "+where, a...)
}

// Open reports whether the circuit refuses calls.
func (s *Store) Open() bool {
	return slices.Contains(s.Circuits(), ports.Circuit{Name: "database", State: ports.CircuitOpen})
}

// Stall runs a statement that never ends by itself.
func (s *Store) Stall(ctx context.Context, scope ports.Scope) error {
	text := "SELECT pg_sleep(3600)"
	if !s.engine.dialect.Postgres {
		text = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
	}
	return db.Query(ctx, s.engine.db.Reader(scope), func(db.Row) error { return nil }, text)
}

// HasStatistics reports whether the database has statistics of the rows of a collection.
func (s *Store) HasStatistics(ctx context.Context, c *collection.Schema) (yes bool, err error) {
	text := "SELECT reltuples > 0 FROM pg_class WHERE relname = $1"
	if !s.engine.dialect.Postgres {
		text = "SELECT count(*) > 0 FROM sqlite_stat1 WHERE tbl = $1"
	}
	_, err = db.QueryRow(ctx, s.engine.db.Reader(db.SystemScope), []any{&yes}, text, s.engine.shapes[c.Slug].Table)
	return yes, err
}

// Backend identifies the connection that serves a tenant.
func (s *Store) Backend(ctx context.Context, id tenant.ID) (pid int64) {
	_, _ = db.QueryRow(ctx, s.engine.db.Reader(ports.ForTenant(id)), []any{&pid}, "SELECT pg_backend_pid()")
	return pid
}

// DataVersion is the number that a SQLite file has for the store.
func (s *Store) DataVersion(ctx context.Context) (n int64, err error) {
	err = s.engine.db.InTransaction(ctx, db.SystemScope, func(on db.Session) error {
		_, err := db.QueryRow(ctx, on, []any{&n}, "PRAGMA data_version")
		return err
	})
	return n, err
}

// The bounds of pruning.
const (
	SweepSize = sweepSize
	PruneAnew = pruneRestart
)

// PruneSQL is the statement that deletes expired receipts.
func (s *Store) PruneSQL() string { return pruneSQL(s.engine.dialect) }

// EndlessReceiptsSQL is the statement that deletes receipts that were stored without an end.
func (s *Store) EndlessReceiptsSQL() string {
	return deleteBatchSQL(s.engine.dialect, "receipts", "tenant, key", endlessReceipts)
}

// AbandonedClaimsSQL is the statement that deletes claims that nobody finished.
func (s *Store) AbandonedClaimsSQL() string {
	return deleteBatchSQL(s.engine.dialect, "receipts", "tenant, key", abandonedClaims(s.engine.dialect))
}

// NewEventPlans are SQLite's plans for what a list asks of the event log.
func (s *Store) NewEventPlans(ctx context.Context, slug string) (plans []string, err error) {
	about := s.engine.events.LoggedWhere("l", "$1", slug)
	for _, text := range []string{s.engine.events.LastNumber(about), s.engine.events.NumberedFrom(about, "$2", "10")} {
		var plan, rest string
		each := func(r db.Row) error {
			err := r.Scan(&rest, &rest, &rest, &plan)
			plans = append(plans, plan)
			return err
		}
		if err := db.Query(ctx, s.engine.db.Reader(ports.ForTenant("t1")), each, "EXPLAIN QUERY PLAN SELECT * FROM "+text, "t1", int64(7)); err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// PlanOfWhere is SQLite's plan for the records of tenant a that match a condition.
func (s *Store) PlanOfWhere(ctx context.Context, schema *collection.Schema, where collection.Cond) (plan []string, err error) {
	sh, err := s.engine.shape(schema)
	if err != nil {
		return nil, err
	}
	v := s.engine.view(ports.ForTenant("a"))
	c := &table.Compiler{TenantScope: v.TenantScope, Shapes: s.engine.shapes, Fold: s.engine.options.Fold}
	text := "EXPLAIN QUERY PLAN SELECT r.id FROM " + db.Quote(sh.Table) + " r WHERE " + c.Where(sh, collection.Query{Schema: schema, Where: where})
	each := func(r db.Row) error {
		var step, rest string
		err := r.Scan(&rest, &rest, &rest, &step)
		plan = append(plan, step)
		return err
	}
	return plan, db.Query(ctx, s.engine.db.Reader(ports.ForTenant("a")), each, text, c.Args...)
}

// ErasedTables are the tables from which the rows of deleted tenants go.
func (s *Store) ErasedTables() []string { return s.engine.tenantTables() }

// OnPostgres reports which database it is.
func (s *Store) OnPostgres() bool { return s.engine.dialect.Postgres }

// ColumnsNamedTenant are the tables of the database that have a column tenant.
func (s *Store) ColumnsNamedTenant(ctx context.Context) (tables []string, err error) {
	text := "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'tenant' ORDER BY 1"
	if s.engine.dialect.Postgres {
		text = "SELECT c.relname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = current_schema()::regnamespace " +
			"AND c.relkind IN ('r', 'p') AND a.attname = 'tenant' AND NOT a.attisdropped ORDER BY 1"
	}
	return tables, db.Query(ctx, s.engine.db.Reader(db.SystemScope), func(r db.Row) error {
		var name string
		err := r.Scan(&name)
		tables = append(tables, name)
		return err
	}, text)
}

// ExecSystem runs a statement as work across tenants.
func (s *Store) ExecSystem(ctx context.Context, sql string) error {
	return s.engine.transact(ctx, db.SystemScope, func(ctx context.Context, t *txn) error {
		_, err := db.Exec(ctx, t, sql)
		return err
	})
}

// CountRows counts the rows of a tenant in a table.
func (s *Store) CountRows(ctx context.Context, table string, id tenant.ID) (n int64, err error) {
	_, err = db.QueryRow(ctx, s.engine.db.Reader(db.SystemScope), []any{&n}, "SELECT count(*) FROM "+table+" WHERE tenant = $1", string(id))
	return n, err
}
