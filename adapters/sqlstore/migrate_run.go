package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// inTurn runs one transaction of a migration.
type inTurn func(ctx context.Context, work func(*migrator) error) error

// migrated reports whether the database has all of the definitions already.
func (s *Store) migrated(ctx context.Context, run inTurn) (done bool, err error) {
	err = run(ctx, func(m *migrator) (err error) {
		done, err = m.current(ctx, s.order)
		return err
	})
	return done, err
}

// defineAndFill is migrated, and all steps of a migration up to the indexes of tables that hold rows.
func (s *Store) defineAndFill(ctx context.Context, run inTurn) (done bool, err error) {
	err = run(ctx, func(m *migrator) (err error) {
		if done, err = m.current(ctx, s.order); err == nil && !done {
			err = m.define(ctx, s.order)
		}
		if err == nil && s.o.Refill {
			done, err = false, m.renumber(ctx, s.order)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	return done, s.refillAll(ctx, run)
}

// migrateSQLite is migratePostgres with the one way SQLite has to build an index.
func (s *Store) migrateSQLite(ctx context.Context) error {
	run := s.inLiteMigration
	if done, err := s.defineAndFill(ctx, run); err != nil || done {
		return err
	}
	return run(ctx, func(m *migrator) error {
		later, err := m.toBuild(ctx, s.order)
		if err != nil {
			return err
		}
		var steps []string
		for _, x := range later {
			steps = append(steps, x.text(""))
		}
		if err := m.exec(ctx, steps); err != nil {
			return err
		}
		return m.remember(ctx, m.mark(s.order))
	})
}

func (s *Store) inLiteMigration(ctx context.Context, work func(*migrator) error) error {
	return s.lite.write(ctx, func(on session) error { return work(&migrator{s: on, d: s.d, told: s.o.Told}) })
}

// errPlanned ends a transaction that has only looked.
var errPlanned = errors.New("nothing is to be kept")

// Plan lists what Open would do to the database of o, as SQL, and does none of it; nothing means that it is up to date.
// A SQLite file that does not exist is made, empty.
func Plan(ctx context.Context, o Options) (steps []string, err error) {
	s, err := prepare(o)
	if err != nil {
		return nil, err
	}
	look := func(m *migrator) (err error) {
		if steps, err = m.plan(ctx, s.order); err == nil {
			err = errPlanned
		}
		return err
	}
	if o.URL != "" {
		err = s.asOwner(ctx, func(_ *pgxpool.Conn, run inTurn) error { return run(ctx, look) })
	} else {
		if s.lite, err = openLite(ctx, o.Path); err != nil {
			return nil, err
		}
		err = errors.Join(s.inLiteMigration(ctx, look), s.lite.close())
	}
	if errors.Is(err, errPlanned) {
		return steps, nil
	}
	return nil, fmt.Errorf("look at the database: %w", err)
}

// plan is the text of what is missing.
func (m *migrator) plan(ctx context.Context, shapes []*shape) (steps []string, err error) {
	var later []string
	done, err := m.current(ctx, shapes)
	if err != nil {
		return nil, err
	}
	due, err := m.due(ctx, shapes)
	for _, sh := range due {
		later = append(later, fmt.Sprintf("-- rows of %s that an older version wrote are filled from their documents, %d at a time", sh.table, refillSize))
	}
	if err != nil || done {
		return later, err
	}
	if m.d.postgres && m.had["migrations"] == nil {
		steps = roles()
	}
	for _, d := range m.definitions(shapes) {
		if !d.again {
			steps = append(steps, d.text)
		}
	}
	steps = append(steps, later...)
	indexes, err := m.toBuild(ctx, shapes)
	if err != nil {
		return nil, err
	}
	for _, x := range indexes {
		how := ""
		if m.d.postgres && m.had[x.table] != nil {
			how = "CONCURRENTLY "
		}
		steps = append(steps, strings.Replace(x.text(how), " IF NOT EXISTS", "", 1))
	}
	return steps, nil
}
