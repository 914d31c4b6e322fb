package migrate

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// Analyze has the database gather the statistics by which it plans statements, after many rows were written. Both
// databases do so by themselves only some time later; joins are planned blindly until then. Postgres also notes which
// pages all transactions see, so that counts need no rows.
func (m Migration) Analyze(ctx context.Context) error {
	if m.DB.Dialect.Postgres {
		return m.DB.AsOwner(ctx, m.gatherPostgres(ctx, "VACUUM (ANALYZE) "))
	}
	return sqliteStatistics(ctx, m.DB, "ANALYZE")
}

func (m Migration) gatherPostgres(ctx context.Context, verb string) func(db.Owner) error {
	tables := table.RelationMembersTable.Name + ", " + table.ListedTextsTable.Name
	for _, sh := range m.Shapes {
		tables += ", " + db.Quote(sh.Table)
	}
	return func(owner db.Owner) error { return owner.Exec(ctx, verb+tables) }
}

// grown are the tables that a tenth of the rows were written to since Postgres gathered statistics, or a thousand.
// Queues, whose rows are deleted as they come, are left out: they change all the time, and their plans are fixed.
const grown = `SELECT c.relname::text FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
	WHERE c.relnamespace = current_schema()::regnamespace
	AND greatest(s.n_mod_since_analyze, s.n_ins_since_vacuum) > 1000 + greatest(c.reltuples, 0) / 10
	AND s.n_tup_del <= s.n_tup_ins / 2 ORDER BY c.relname`

// AnalyzeGrown is Analyze for the tables of Postgres that have grown since, of which none may have. What another
// instance or Postgres itself is at is left to it.
func AnalyzeGrown(ctx context.Context, d *db.DB) error {
	var tables []string
	err := db.Query(ctx, d.Reader(db.SystemScope), func(r db.Row) error {
		var name string
		err := r.Scan(&name)
		tables = append(tables, db.Quote(name))
		return err
	}, grown)
	if err != nil || len(tables) == 0 {
		return err
	}
	return d.AsOwner(ctx, func(owner db.Owner) error {
		return owner.Exec(ctx, "VACUUM (ANALYZE, SKIP_LOCKED, PARALLEL 0) "+strings.Join(tables, ", "))
	})
}

// RefreshStatistics is Analyze for the tables of a SQLite file that have grown or shrunk tenfold since. Postgres
// does that in the background.
func RefreshStatistics(ctx context.Context, d *db.DB) error {
	if d.Dialect.Postgres {
		return nil
	}
	return sqliteStatistics(ctx, d, "PRAGMA optimize(0x10002)")
}

// sqliteStatistics runs a statement that gathers statistics.
func sqliteStatistics(ctx context.Context, d *db.DB, text string) error {
	return d.InTransaction(ctx, db.SystemScope, func(on db.Session) error {
		for _, one := range db.SQLiteStatistics(text) {
			if err := db.Query(ctx, on, func(db.Row) error { return nil }, one); err != nil {
				return err
			}
		}
		return nil
	})
}

// hasEvents reports whether anything was ever written: the tables of a new database need no statistics.
func (m *migrator) hasEvents(ctx context.Context) (found bool, err error) {
	err = m.asSystem(ctx, func() error {
		_, err := db.QueryRow(ctx, m.session, []any{&found}, "SELECT EXISTS (SELECT 1 FROM events)")
		return err
	})
	return found, err
}
