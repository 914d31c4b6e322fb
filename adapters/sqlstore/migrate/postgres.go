package migrate

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// migrationLock is the advisory lock under which one instance at a time migrates. It is held by a connection,
// not by a transaction, and no transaction waits for it: an index that is built beside running writers waits
// for every older snapshot, so it would wait for those who wait for it.
const migrationLock = 7_227_001

// lockRetry is how long to wait before asking for the lock again.
const lockRetry = 50 * time.Millisecond

// runPostgres works as the user of the URL, who owns the tables, on a connection of its own. Tables, columns
// and the indexes of new tables come in one short transaction. New columns of tables that hold rows are
// filled and then indexed beside the traffic, and only then is the migration recorded: a start after a crash
// continues with what is missing.
func (m Migration) runPostgres(ctx context.Context) error {
	return m.DB.AsOwner(ctx, func(owner db.Owner) error {
		run := m.inPostgres(owner)
		done, err := m.isMigrated(ctx, run)
		if err != nil {
			return err
		}
		if done && !m.BackfillAll {
			return m.backfill(ctx, run)
		}
		if err := lockMigrations(ctx, owner); err != nil {
			return err
		}
		if done, err := m.defineAndBackfill(ctx, run); err != nil || done {
			return err
		}
		var later []index
		err = run(ctx, func(in *migrator) (err error) {
			later, err = in.missingIndexes(ctx, m.Shapes)
			return err
		})
		if err != nil {
			return fmt.Errorf("read the existing indexes: %w", err)
		}
		for _, x := range later {
			if err := x.buildConcurrently(ctx, owner); err != nil {
				return fmt.Errorf("build index %s: %w", x.name, err)
			}
		}
		if err := m.updatePolicies(ctx, run, owner); err != nil {
			return err
		}
		if used, err := m.record(ctx, run); err != nil || !used {
			return err
		}
		return m.gatherPostgres(ctx, "ANALYZE ")(owner)
	})
}

// inPostgres runs transactions in which the two roles exist.
func (m Migration) inPostgres(owner db.Owner) migrationTx {
	return func(ctx context.Context, work func(*migrator) error) error {
		for attempt := 0; ; attempt++ { // roles are shared by the databases of a server: two migrations may meet there
			err := owner.InTransaction(ctx, func(on db.Session) error {
				for _, text := range roles() {
					if _, err := db.Exec(ctx, on, text); err != nil {
						return err
					}
				}
				return work(m.migrator(on))
			})
			if err == nil || attempt == 20 || !db.ConcurrentRoles(err) {
				return err
			}
		}
	}
}

// RunExclusive runs work while no other instance on this database migrates it, or runs such work. On SQLite,
// which has one server, it runs at once.
func RunExclusive(ctx context.Context, d *db.DB, work func(context.Context) error) error {
	if !d.Dialect.Postgres {
		return work(ctx)
	}
	return d.AsOwner(ctx, func(owner db.Owner) error {
		if err := lockMigrations(ctx, owner); err != nil {
			return err
		}
		return work(ctx)
	})
}

// lockMigrations holds migrationLock until the connection ends.
func lockMigrations(ctx context.Context, owner db.Owner) error {
	for {
		if locked, err := owner.TryLock(ctx, migrationLock); err != nil || locked {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockRetry):
		}
	}
}

// buildConcurrently builds x while others write its table. What an interrupted build left behind is of no use
// and goes first.
func (x index) buildConcurrently(ctx context.Context, owner db.Owner) error {
	if x.broken {
		if err := owner.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS "+db.Quote(x.name)); err != nil {
			return err
		}
	}
	return owner.Exec(ctx, x.definition(true))
}

// missingIndexes are the indexes that are missing or broken; those of new tables have come with the table.
func (m *migrator) missingIndexes(ctx context.Context, shapes []*table.Shape) (out []index, err error) {
	if _, err := m.upToDate(ctx, shapes); err != nil {
		return nil, err
	}
	there, err := m.existingIndexes(ctx)
	if err != nil {
		return nil, err
	}
	for _, x := range m.indexes(shapes) {
		if whole, known := there[x.name]; !whole {
			x.broken = known
			out = append(out, x)
		}
	}
	return out, nil
}
