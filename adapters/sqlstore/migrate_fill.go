package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fillSize is how many rows are filled in one transaction: the writers beside it wait for no more than these.
const fillSize = 500

// fill is a table whose new columns are still to be written from the documents.
type fill struct {
	sh      *shape
	columns []*column
}

// noteFills remembers the new columns of tables that were there before, in the transaction that adds them: whoever
// migrates next goes on where this one was stopped.
func (m *migrator) noteFills(ctx context.Context, shapes []*shape) error {
	return m.asSystem(ctx, func() error {
		for _, sh := range shapes {
			for _, c := range m.missing(sh) {
				if _, err := exec(ctx, m.s, "INSERT INTO fills (target, field) VALUES ($1, $2) ON CONFLICT DO NOTHING", sh.table, c.name); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// fills reads what noteFills remembered.
func (m *migrator) fills(ctx context.Context, shapes []*shape) (all []fill, err error) {
	names := map[string][]string{}
	err = m.asSystem(ctx, func() error {
		return query(ctx, m.s, func(r row) error {
			var table, name string
			err := r.Scan(&table, &name)
			names[table] = append(names[table], name)
			return err
		}, "SELECT target, field FROM fills")
	})
	for _, sh := range shapes {
		f := fill{sh: sh}
		for i := range sh.columns {
			if c := &sh.columns[i]; slices.Contains(names[sh.table], c.name) {
				f.columns = append(f.columns, c)
			}
		}
		if len(f.columns) > 0 {
			all = append(all, f)
		}
	}
	return all, err
}

// due are the fills that a migration would make now: those noted, and those of columns that are still missing.
func (m *migrator) due(ctx context.Context, shapes []*shape) (all []fill, err error) {
	if m.had["fills"] != nil {
		if all, err = m.fills(ctx, shapes); err != nil {
			return nil, err
		}
	}
	for _, sh := range shapes {
		if columns := m.missing(sh); len(columns) > 0 {
			all = append(all, fill{sh, columns})
		}
	}
	return all, nil
}

// fillSome writes the columns of the rows after (tenant, id), from their documents, and returns the last one. Rows that
// are being changed are waited for, since a document read before the change would leave the column behind it.
func (m *migrator) fillSome(ctx context.Context, f fill, tenant, id string, fold func(string) string) (lastTenant, lastID string, more bool, err error) {
	t, sets := quote(f.sh.table), make([]string, len(f.columns))
	for i, c := range f.columns {
		sets[i] = quote(c.name) + " = $" + strconv.Itoa(i+3)
	}
	update := "UPDATE " + t + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2"
	read := "SELECT tenant, id, doc FROM " + t + " WHERE (tenant, id) > ($1, $2) ORDER BY tenant, id LIMIT " + strconv.Itoa(fillSize)
	if m.d.postgres {
		read += " FOR UPDATE"
	}
	var batch []stmt
	err = m.asSystem(ctx, func() error {
		err := query(ctx, m.s, func(r row) error {
			var doc []byte
			if err := r.Scan(&tenant, &id, &doc); err != nil {
				return err
			}
			rec, err := f.sh.decode(doc)
			args := []any{tenant, id}
			for _, c := range f.columns {
				args = append(args, c.value(f.sh.schema, rec, fold))
			}
			batch = append(batch, stmt{sql: update, args: args})
			return err
		}, read, tenant, id)
		if err != nil || len(batch) == 0 {
			return err
		}
		return m.s.run(ctx, batch...)
	})
	return tenant, id, len(batch) == fillSize, err
}

// filled forgets what is done.
func (m *migrator) filled(ctx context.Context, f fill) error {
	return m.asSystem(ctx, func() error {
		for _, c := range f.columns {
			if _, err := exec(ctx, m.s, "DELETE FROM fills WHERE target = $1 AND field = $2", f.sh.table, c.name); err != nil {
				return err
			}
		}
		return nil
	})
}

// inTurn runs one transaction of a migration.
type inTurn func(ctx context.Context, work func(*migrator) error) error

// fillAll fills every column that is due, a few rows per transaction, so that nobody else waits for long.
func (s *Store) fillAll(ctx context.Context, run inTurn) error {
	var due []fill
	err := run(ctx, func(m *migrator) (err error) {
		due, err = m.fills(ctx, s.order)
		return err
	})
	if err != nil {
		return fmt.Errorf("read the columns to fill: %w", err)
	}
	for _, f := range due {
		tenant, id := "", ""
		for more := true; more; {
			err := run(ctx, func(m *migrator) error {
				t, i, again, err := m.fillSome(ctx, f, tenant, id, s.o.Fold)
				if err == nil {
					tenant, id, more = t, i, again
				}
				return err
			})
			if err != nil {
				return fmt.Errorf("fill new columns of %s: %w", f.sh.table, err)
			}
		}
		if err := run(ctx, func(m *migrator) error { return m.filled(ctx, f) }); err != nil {
			return err
		}
	}
	return nil
}
