package migrate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// Migration brings a database to the tables of a program.
type Migration struct {
	DB           *db.DB
	Shapes       []*table.Shape
	SystemTables []table.SystemTable // tables that no collection describes
	NotifyOf     map[string]bool     // slugs of the collections whose changes are sent (see NotifyChannel); true: new records, too
	BackfillAll  bool                // write the columns of all rows again
	Fold         func(string) string
	Log          *slog.Logger
}

// Run migrates.
func (m Migration) Run(ctx context.Context) (err error) {
	if m.DB.Dialect.Postgres {
		err = m.runPostgres(ctx)
	} else {
		err = m.runSQLite(ctx)
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// Plan lists what run would do, as SQL, and does none of it; nothing means that the database is up to date.
func (m Migration) Plan(ctx context.Context) (steps []string, err error) {
	look := func(in *migrator) (err error) {
		if steps, err = in.plan(ctx, m.Shapes); err == nil {
			err = errDryRun
		}
		return err
	}
	if m.DB.Dialect.Postgres {
		err = m.DB.AsOwner(ctx, func(owner db.Owner) error { return m.inPostgres(owner)(ctx, look) })
	} else {
		err = m.inSQLite(ctx, look)
	}
	if errors.Is(err, errDryRun) {
		return steps, nil
	}
	return nil, fmt.Errorf("look at the database: %w", err)
}

// errDryRun ends a transaction that has only looked.
var errDryRun = errors.New("nothing is to be kept")

// migrationTx runs one transaction of a migration.
type migrationTx func(ctx context.Context, work func(*migrator) error) error

// migrator is m within a transaction.
func (m Migration) migrator(on db.Session) *migrator {
	return &migrator{
		definer: definer{dialect: m.DB.Dialect, notifyOf: m.NotifyOf, systemTables: AllSystemTables(m.SystemTables)},
		session: on,
	}
}

// isMigrated reports whether the database has all of the definitions already.
func (m Migration) isMigrated(ctx context.Context, run migrationTx) (done bool, err error) {
	err = run(ctx, func(in *migrator) (err error) {
		done, err = in.upToDate(ctx, m.Shapes)
		return err
	})
	return done, err
}

// defineAndBackfill is isMigrated, and all steps of a migration up to the indexes of tables that hold rows.
func (m Migration) defineAndBackfill(ctx context.Context, run migrationTx) (done bool, err error) {
	err = run(ctx, func(in *migrator) (err error) {
		if done, err = in.upToDate(ctx, m.Shapes); err == nil && !done {
			err = in.define(ctx, m.Shapes)
		}
		if err == nil && m.BackfillAll {
			done, err = false, in.bumpVersions(ctx, m.Shapes)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	return done, m.backfill(ctx, run)
}

// backfill waits for rows that are being changed.
func (m Migration) backfill(ctx context.Context, run migrationTx) error {
	for _, sh := range m.Shapes {
		if !sh.HasOlder {
			continue
		}
		f := Backfill{Shape: sh, Dialect: m.DB.Dialect, Fold: m.Fold, Log: m.Log}
		_, err := f.Run(ctx, func(ctx context.Context, work func(db.Session) error) error {
			return run(ctx, func(in *migrator) error { return in.asSystem(ctx, func() error { return work(in.session) }) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// runSQLite is runPostgres with the one way SQLite has to build an index.
func (m Migration) runSQLite(ctx context.Context) error {
	if done, err := m.defineAndBackfill(ctx, m.inSQLite); err != nil || done {
		return err
	}
	err := m.inSQLite(ctx, func(in *migrator) error {
		later, err := in.missingIndexes(ctx, m.Shapes)
		if err != nil {
			return err
		}
		var steps []string
		for _, x := range later {
			steps = append(steps, x.definition(false))
		}
		return in.exec(ctx, steps)
	})
	if err != nil {
		return err
	}
	if used, err := m.record(ctx, m.inSQLite); err != nil || !used {
		return err
	}
	return m.Analyze(ctx)
}

// record records the migration as done, and reports whether the database has been in use before.
func (m Migration) record(ctx context.Context, run migrationTx) (used bool, err error) {
	err = run(ctx, func(in *migrator) error {
		if used, err = in.hasEvents(ctx); err != nil {
			return err
		}
		return in.recordApplied(ctx, in.definitionsHash(m.Shapes))
	})
	return used, err
}

func (m Migration) inSQLite(ctx context.Context, work func(*migrator) error) error {
	return m.DB.InTransaction(ctx, db.SystemScope, func(on db.Session) error { return work(m.migrator(on)) })
}
