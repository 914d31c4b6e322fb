package migrate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// backfillBatch is how many rows are refilled in one transaction: the writers beside it wait for no more than
// these.
const backfillBatch = 500

// Backfill goes through the rows of a table that an older shape wrote, in the order of their keys, and writes
// their columns and members from their documents. Rows carry their version, so a backfill that was
// interrupted is continued by the next one.
type Backfill struct {
	Shape      *table.Shape
	Dialect    *db.Dialect
	SkipLocked bool // leave out rows that others have locked, instead of waiting for them
	Fold       func(string) string
	Log        *slog.Logger
	tenant, id string // of the last row
	refused    int    // rows that cannot be read, or would take a unique value from another one; they stay as they are
	first      string // id of the first of them
}

// Transact runs work in a transaction.
type Transact func(ctx context.Context, work func(db.Session) error) error

// Run backfills until nothing is left, a few rows per transaction, so that no writer waits for long; transact
// runs one after the other. Rows whose unique value another row has, and documents that cannot be read, stay as they
// are, and a warning names them.
func (f *Backfill) Run(ctx context.Context, transact Transact) (rows int, err error) {
	for more := true; more && err == nil; {
		var n int
		n, more, err = f.RunBatch(ctx, transact)
		rows += n
	}
	return rows, err
}

// RunBatch backfills the next rows, in one transaction; more reports whether others are left.
func (f *Backfill) RunBatch(ctx context.Context, transact Transact) (rows int, more bool, err error) {
	var next Backfill
	n := 0
	err = transact(ctx, func(on db.Session) (err error) {
		next = *f
		n, err = next.some(ctx, on)
		return err
	})
	if err != nil {
		// a canceled statement does not say who canceled it
		return 0, true, fmt.Errorf("backfill columns of %s: %w", f.Shape.Table, errors.Join(ctx.Err(), err))
	}
	rows, more = n-(next.refused-f.refused), n == backfillBatch
	*f = next
	if !more && f.refused > 0 {
		f.Log.Warn("records of an older version cannot be read or duplicate a unique value; their newer columns stay empty until the records are changed",
			"collection", f.Shape.Schema.Slug, "records", f.refused, "first", f.first)
	}
	return rows, more, nil
}

// some reads the next rows and writes them; how many were read is returned. Rows stay locked in between,
// since a document read before a change would leave the columns behind it.
func (f *Backfill) some(ctx context.Context, on db.Session) (rows int, err error) {
	lock := f.Dialect.ForUpdate()
	if f.SkipLocked {
		lock = f.Dialect.SkipLocked()
	}
	read := "SELECT tenant, id, doc FROM " + db.Quote(f.Shape.Table) + " WHERE " + table.OlderRows(f.Shape.Version) +
		" AND (tenant, id) > ($1, $2) ORDER BY tenant, id LIMIT " + strconv.Itoa(backfillBatch) + lock
	rewrite := backfillSQL(f.Shape)
	var batch, members []db.Stmt
	before := f.refused
	err = db.Query(ctx, on, func(r db.Row) error {
		var doc []byte
		if err := r.Scan(&f.tenant, &f.id, &doc); err != nil {
			return err
		}
		rows++
		rec, err := f.Shape.Decode(doc)
		if err != nil {
			f.refuse(f.id)
			return nil //nolint:nilerr // it is named at the end
		}
		args := []any{f.tenant, f.id, f.Shape.Version}
		for i := range f.Shape.Columns {
			args = append(args, f.Shape.Columns[i].Value(f.Shape.Schema, rec, f.Fold))
		}
		batch = append(batch, db.Stmt{SQL: rewrite, Args: args})
		members = append(append(members, memberInserts(f.Shape, f.Dialect, f.tenant, f.id)...), listedTextInserts(f.Shape, f.Dialect, f.tenant, f.id)...)
		return nil
	}, read, f.tenant, f.id)
	if err != nil || len(batch) == 0 {
		return rows, err
	}
	if err := f.write(ctx, on, batch); err != nil {
		return 0, err
	}
	if len(members) > 0 {
		if err := on.Run(ctx, members...); err != nil {
			return 0, err
		}
	}
	written := rows - (f.refused - before)
	if written == 0 {
		return rows, nil
	}
	_, err = db.Exec(ctx, on, "UPDATE shape_versions SET backfilled = backfilled + $1 WHERE table_name = $2 AND version = $3",
		int64(written), f.Shape.Table, f.Shape.Version)
	return rows, err
}

// refuse notes a row that stays as it is.
func (f *Backfill) refuse(id string) {
	if f.refused == 0 {
		f.first = id
	}
	f.refused++
}

// write runs the statements of a batch together or, when one of them is refused a unique value, each by itself.
func (f *Backfill) write(ctx context.Context, on db.Session, batch []db.Stmt) error {
	refusal, err := db.RunInSavepoint(ctx, on, batch)
	if err != nil || refusal == nil {
		return err
	}
	for i := range batch {
		if _, taken := db.Violation(refusal); !taken {
			return refusal
		}
		one, err := db.RunInSavepoint(ctx, on, batch[i:i+1])
		if err != nil {
			return err
		}
		if one == nil {
			continue
		}
		refusal = one
		id, _ := batch[i].Args[1].(string)
		f.refuse(id)
	}
	return nil
}

// backfillSQL is rewrite(tenant, id, number, columns…).
func backfillSQL(sh *table.Shape) string {
	sets := []string{table.VersionColumn + " = $3"}
	for i := range sh.Columns {
		sets = append(sets, db.Quote(sh.Columns[i].Name)+" = $"+strconv.Itoa(i+4))
	}
	return "UPDATE " + db.Quote(sh.Table) + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2"
}

// ShapesWithOlderRows are the tables that have rows of older shapes now; another instance may have brought
// such a shape since our start. Backfilled is how many rows any instance has backfilled so far.
func ShapesWithOlderRows(ctx context.Context, on db.Session, shapes []*table.Shape) (due []*table.Shape, backfilled int64, err error) {
	lowest := map[string]int64{}
	err = db.Query(ctx, on, func(r db.Row) error {
		var table string
		var n, rows int64
		err := r.Scan(&table, &n, &rows)
		lowest[table] = n
		backfilled += rows
		return err
	}, "SELECT table_name, min(version), CAST(sum(backfilled) AS bigint) FROM shape_versions GROUP BY table_name")
	var parts []string
	for i, sh := range shapes {
		if n, known := lowest[sh.Table]; known && n < sh.Version {
			parts = append(parts,
				"SELECT "+strconv.Itoa(i)+" WHERE EXISTS (SELECT 1 FROM "+db.Quote(sh.Table)+" WHERE "+table.OlderRows(sh.Version)+")")
		}
	}
	if err != nil || parts == nil {
		return nil, backfilled, err
	}
	err = db.Query(ctx, on, func(r db.Row) error {
		var i int
		err := r.Scan(&i)
		due = append(due, shapes[i])
		return err
	}, strings.Join(parts, " UNION ALL "))
	return due, backfilled, err
}

// shapesToBackfill are the tables that have rows to refill.
func (m *migrator) shapesToBackfill(ctx context.Context, shapes []*table.Shape) (all []*table.Shape, err error) {
	for _, sh := range shapes {
		found := false
		switch had := m.existing[sh.Table]; {
		case !sh.HasOlder:
		case !had[table.VersionColumn]:
			found = true
		default:
			err = m.asSystem(ctx, func() error {
				_, err := db.QueryRow(ctx, m.session, []any{&found},
					"SELECT EXISTS (SELECT 1 FROM "+db.Quote(sh.Table)+" WHERE "+table.OlderRows(sh.Version)+")")
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
