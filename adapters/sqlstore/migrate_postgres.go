package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// migrationLock is the advisory lock under which one instance at a time migrates. It is held by a connection, not by a
// transaction, and nobody waits for it inside a transaction: an index that is built beside running writers waits for
// every older snapshot, so it would wait for those who wait for it.
const migrationLock = 7_227_001

// lockPause is how long to wait before asking for the lock again.
const lockPause = 50 * time.Millisecond

// migratePostgres works as the user of the URL, who owns the tables, on a connection of its own. Tables, columns and the
// indexes of new tables come in one transaction. Indexes of tables that hold rows follow one by one without blocking
// writers, and only then is the migration remembered: a start after a crash goes on with those that are missing.
func (s *Store) migratePostgres(ctx context.Context) error {
	pool, err := openPool(ctx, s.o, "", 1, func(*pgconn.Config) {})
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var done bool
	err = inMigration(ctx, conn, func(m *migrator) (err error) {
		done, err = m.current(ctx, s.order)
		return err
	})
	if err != nil || done {
		return err
	}
	if err := lockMigrations(ctx, conn); err != nil {
		return err
	}
	var later []index
	err = inMigration(ctx, conn, func(m *migrator) error {
		if err := m.migrate(ctx, s.order, s.o.Fold); err != nil {
			return err
		}
		later = m.later
		return nil
	})
	if err != nil || len(later) == 0 {
		return err
	}
	for _, x := range later {
		if err := x.buildBeside(ctx, conn); err != nil {
			return fmt.Errorf("build index %s: %w", x.name, err)
		}
	}
	return inMigration(ctx, conn, func(m *migrator) error { return m.remember(ctx, m.mark(s.order)) })
}

// inMigration runs work in a transaction in which the two roles exist.
func inMigration(ctx context.Context, conn *pgxpool.Conn, work func(*migrator) error) error {
	for attempt := 0; ; attempt++ { // roles are shared by the databases of a server: two migrations may meet there
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			for _, text := range roles() {
				if _, err := tx.Exec(ctx, text); err != nil {
					return err
				}
			}
			return work(&migrator{s: pgScript{tx}, d: postgres})
		})
		if err == nil || attempt == 20 || !concurrentRoles(err) {
			return err
		}
	}
}

// lockMigrations holds migrationLock until the connection ends.
func lockMigrations(ctx context.Context, conn *pgxpool.Conn) error {
	for {
		var held bool
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", migrationLock).Scan(&held); err != nil || held {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// buildBeside builds x while others write its table. What an interrupted build left behind is of no use and goes first.
func (x index) buildBeside(ctx context.Context, conn *pgxpool.Conn) error {
	if x.broken {
		if _, err := conn.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS "+quote(x.name)); err != nil {
			return err
		}
	}
	_, err := conn.Exec(ctx, x.text("CONCURRENTLY "))
	return err
}

// indexed finds the indexes there are, by name; the value reports whether it is whole.
func (m *migrator) indexed(ctx context.Context) (map[string]bool, error) {
	there := map[string]bool{}
	return there, query(ctx, m.s, func(r row) error {
		var name string
		var whole bool
		err := r.Scan(&name, &whole)
		there[name] = whole
		return err
	}, "SELECT c.relname::text, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()")
}

// postpone leaves to buildBeside what would block the writers of tables that were there before, and returns the rest.
func (m *migrator) postpone(ctx context.Context, all []index) (now []index, err error) {
	there, err := m.indexed(ctx)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		whole, known := there[x.name]
		switch {
		case whole:
		case m.had[x.table] == nil:
			now = append(now, x)
		default:
			x.broken = known
			m.later = append(m.later, x)
		}
	}
	return now, nil
}
