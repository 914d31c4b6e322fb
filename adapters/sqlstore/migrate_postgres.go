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
// indexes of new tables come in one short transaction. New columns of tables that hold rows are filled and then indexed
// beside the traffic, and only then is the migration remembered: a start after a crash goes on with what is missing.
func (s *Store) migratePostgres(ctx context.Context) error {
	return s.asOwner(ctx, func(conn *pgxpool.Conn, run inTurn) error {
		done, err := s.migrated(ctx, run)
		if err != nil {
			return err
		}
		if done && !s.o.Refill {
			return s.refillAll(ctx, run)
		}
		if err := lockMigrations(ctx, conn); err != nil {
			return err
		}
		if done, err := s.defineAndFill(ctx, run); err != nil || done {
			return err
		}
		var later []index
		err = run(ctx, func(m *migrator) (err error) {
			later, err = m.toBuild(ctx, s.order)
			return err
		})
		if err != nil {
			return fmt.Errorf("read the indexes there are: %w", err)
		}
		for _, x := range later {
			if err := x.buildBeside(ctx, conn); err != nil {
				return fmt.Errorf("build index %s: %w", x.name, err)
			}
		}
		return run(ctx, func(m *migrator) error { return m.remember(ctx, m.mark(s.order)) })
	})
}

// asOwner runs work on a connection of the user of the URL.
func (s *Store) asOwner(ctx context.Context, work func(*pgxpool.Conn, inTurn) error) error {
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
	return work(conn, func(ctx context.Context, work func(*migrator) error) error { return s.inMigration(ctx, conn, work) })
}

// inMigration runs work in a transaction in which the two roles exist.
func (s *Store) inMigration(ctx context.Context, conn *pgxpool.Conn, work func(*migrator) error) error {
	for attempt := 0; ; attempt++ { // roles are shared by the databases of a server: two migrations may meet there
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			for _, text := range roles() {
				if _, err := tx.Exec(ctx, text); err != nil {
					return err
				}
			}
			return work(&migrator{s: pgScript{tx}, d: postgres, told: s.o.Told})
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

// toBuild are the indexes that are missing or broken; those of new tables have come with the table.
func (m *migrator) toBuild(ctx context.Context, shapes []*shape) (out []index, err error) {
	if _, err := m.current(ctx, shapes); err != nil {
		return nil, err
	}
	there, err := m.indexed(ctx)
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
