package migrate

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// Analyze has the database gather the statistics by which it plans statements. Both databases do so by
// themselves only some time after many rows were written; joins are planned blindly until then.
func (m Migration) Analyze(ctx context.Context) error {
	if m.DB.Dialect.Postgres {
		return m.DB.AsOwner(ctx, m.analyzePostgres(ctx))
	}
	return sqliteStatistics(ctx, m.DB, "ANALYZE")
}

func (m Migration) analyzePostgres(ctx context.Context) func(db.Owner) error {
	tables := "relation_members"
	for _, sh := range m.Shapes {
		tables += ", " + db.Quote(sh.Table)
	}
	return func(owner db.Owner) error { return owner.Exec(ctx, "ANALYZE "+tables) }
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
