package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// refillSize is how many rows are refilled in one transaction: the writers beside it wait for no more than these.
const refillSize = 500

// refill goes through the rows of a table that an older shape wrote, in the order of their keys, and writes their columns
// and members from their documents. Rows say themselves that they are to be refilled: whoever comes next goes on where one was stopped.
type refill struct {
	sh         *shape
	d          *dialect
	lock       string // Postgres: how rows are locked
	tenant, id string // of the last row
	refused    int    // rows that would take a unique value from another one; they stay as they are
	first      string // id of the first of them
}

// all refills until nothing is left, a few rows per transaction, so that nobody else waits for long; run is given one
// after the other.
func (f *refill) all(ctx context.Context, fold func(string) string, run func(context.Context, func(session) error) error) (rows int, err error) {
	for more := true; more; {
		var next refill
		n := 0
		err := run(ctx, func(on session) (err error) {
			next = *f
			n, err = next.some(ctx, on, fold)
			return err
		})
		if err != nil {
			return rows, fmt.Errorf("refill columns of %s: %w", f.sh.table, errors.Join(ctx.Err(), err)) // a statement cut short tells nothing of who gave up
		}
		rows, more, *f = rows+n-(next.refused-f.refused), n == refillSize, next
	}
	return rows, nil
}

// some reads the next rows and writes them; how many were read is returned. Rows stay locked in between, since a document
// read before a change would leave the columns behind it.
func (f *refill) some(ctx context.Context, on session, fold func(string) string) (rows int, err error) {
	read := "SELECT tenant, id, doc FROM " + quote(f.sh.table) + " WHERE " + olderRows(f.sh.number) + " AND (tenant, id) > ($1, $2) ORDER BY tenant, id LIMIT " + strconv.Itoa(refillSize) + f.lock
	rewrite := f.sh.rewrite()
	var batch, members []stmt
	err = query(ctx, on, func(r row) error {
		var doc []byte
		if err := r.Scan(&f.tenant, &f.id, &doc); err != nil {
			return err
		}
		rec, err := f.sh.decode(doc)
		args := []any{f.tenant, f.id, f.sh.number}
		for i := range f.sh.columns {
			args = append(args, f.sh.columns[i].value(f.sh.schema, rec, fold))
		}
		batch = append(batch, stmt{sql: rewrite, args: args})
		members = append(members, f.sh.members(f.d, f.tenant, f.id)...)
		return err
	}, read, f.tenant, f.id)
	if err != nil || len(batch) == 0 {
		return 0, err
	}
	before := f.refused
	if err := f.write(ctx, on, batch); err != nil {
		return 0, err
	}
	if len(members) > 0 {
		if err := on.run(ctx, members...); err != nil {
			return 0, err
		}
	}
	written := len(batch) - (f.refused - before)
	if written == 0 {
		return len(batch), nil
	}
	_, err = exec(ctx, on, "UPDATE shapes SET refilled = refilled + $1 WHERE target = $2 AND number = $3", int64(written), f.sh.table, f.sh.number)
	return len(batch), err
}

// write runs the statements of a batch together or, when one of them is refused a unique value, each by itself.
func (f *refill) write(ctx context.Context, on session, batch []stmt) error {
	refusal, err := behindSavepoint(ctx, on, batch)
	if err != nil || refusal == nil {
		return err
	}
	for i := range batch {
		if _, taken := violation(refusal); !taken {
			return refusal
		}
		one, err := behindSavepoint(ctx, on, batch[i:i+1])
		if err != nil {
			return err
		}
		if one == nil {
			continue
		}
		if refusal = one; f.refused == 0 {
			f.first, _ = batch[i].args[1].(string)
		}
		f.refused++
	}
	return nil
}

// rewrite is rewrite(tenant, id, number, columns…).
func (sh *shape) rewrite() string {
	sets := []string{shapeColumn + " = $3"}
	for i := range sh.columns {
		sets = append(sets, quote(sh.columns[i].name)+" = $"+strconv.Itoa(i+4))
	}
	return "UPDATE " + quote(sh.table) + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2"
}

// refillAll is for a start: it waits for rows that are being changed.
func (s *Store) refillAll(ctx context.Context, run inTurn) error {
	for _, sh := range s.order {
		if !sh.older {
			continue
		}
		f := &refill{sh: sh, d: s.d, lock: s.d.forUpdate()}
		_, err := f.all(ctx, s.o.Fold, func(ctx context.Context, work func(session) error) error {
			return run(ctx, func(m *migrator) error { return m.asSystem(ctx, func() error { return work(m.s) }) })
		})
		if err != nil {
			return err
		}
		s.tellRefused(f)
	}
	return nil
}

// refillBeside refills what instances of older shapes have written since, and forgets counts of lists that were taken
// before any instance did so: such a change of columns leaves no event. Rows that are being changed wait for the next call.
func (s *Store) refillBeside(ctx context.Context) (rows int, err error) {
	due, err := s.outdated(ctx)
	if err != nil {
		return 0, fmt.Errorf("look for rows of older shapes: %w", err)
	}
	for _, sh := range due {
		f := &refill{sh: sh, d: s.d, lock: s.d.forUpdate()}
		if s.d.postgres {
			f.lock += " SKIP LOCKED"
		}
		n, err := f.all(ctx, s.o.Fold, func(ctx context.Context, work func(session) error) error {
			return s.transact(ctx, systemScope, func(_ context.Context, t *txn) error { return work(t.inner) })
		})
		rows += n
		if err != nil {
			return rows, err
		}
		s.tellRefused(f)
	}
	var total int64
	_, err = queryRow(ctx, &reads{s, systemScope}, []any{&total}, "SELECT CAST(coalesce(sum(refilled), 0) AS bigint) FROM shapes")
	if err == nil && s.refilled.Swap(total) != total {
		s.lists.forget()
	}
	return rows, err
}

// outdated are the tables that have rows of older shapes now; another instance may have brought such a shape since our start.
func (s *Store) outdated(ctx context.Context) (due []*shape, err error) {
	lowest := map[string]int64{}
	err = query(ctx, &reads{s, systemScope}, func(r row) error {
		var table string
		var n int64
		err := r.Scan(&table, &n)
		lowest[table] = n
		return err
	}, "SELECT target, min(number) FROM shapes GROUP BY target")
	var parts []string
	for i, sh := range s.order {
		if n, known := lowest[sh.table]; known && n < sh.number {
			parts = append(parts, "SELECT "+strconv.Itoa(i)+" WHERE EXISTS (SELECT 1 FROM "+quote(sh.table)+" WHERE "+olderRows(sh.number)+")")
		}
	}
	if err != nil || parts == nil {
		return nil, err
	}
	return due, query(ctx, &reads{s, systemScope}, func(r row) error {
		var i int
		err := r.Scan(&i)
		due = append(due, s.order[i])
		return err
	}, strings.Join(parts, " UNION ALL "))
}

func (s *Store) tellRefused(f *refill) {
	if f.refused > 0 {
		s.o.Logger.Warn("an older version wrote records with a unique value that others have: newer fields do not find them until they are changed",
			"collection", f.sh.schema.Slug, "records", f.refused, "first", f.first)
	}
}

// due are the tables that have rows to refill.
func (m *migrator) due(ctx context.Context, shapes []*shape) (all []*shape, err error) {
	for _, sh := range shapes {
		found := false
		switch had := m.had[sh.table]; {
		case !sh.older:
		case !had[shapeColumn]:
			found = true
		default:
			err = m.asSystem(ctx, func() error {
				_, err := queryRow(ctx, m.s, []any{&found}, "SELECT EXISTS (SELECT 1 FROM "+quote(sh.table)+" WHERE "+olderRows(sh.number)+")")
				return err
			})
		}
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, sh)
		}
	}
	return all, nil
}
