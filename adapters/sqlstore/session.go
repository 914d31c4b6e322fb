package sqlstore

import (
	"context"
	"fmt"
	"time"
)

// row is one result row. Times are scanned into a *moment.
type row interface{ Scan(dest ...any) error }

// stmt is one statement of a run. SQL is written for both dialects: $1, $2… bind Args. Besides plain values an argument
// may be a time.Time, or a []string for dialect.in.
type stmt struct {
	sql  string
	args []any
	each func(row) error            // called for each result row; nil for statements without rows
	done func(affected int64) error // called after the statement; affected counts rows changed, or returned
	anew bool                       // Postgres: to be planned for these arguments, whatever it was planned for before
	many bool                       // Postgres: it is meant to affect as many rows as the array $1 has elements
}

// session runs statements, inside one transaction or outside of any. A run is one round trip on Postgres; its
// statements see what the earlier ones did, and the first error ends it.
type session interface {
	run(ctx context.Context, stmts ...stmt) error
}

// exec runs one statement and returns how many rows it changed.
func exec(ctx context.Context, s session, sql string, args ...any) (affected int64, err error) {
	err = s.run(ctx, stmt{sql: sql, args: args, done: func(n int64) error { affected = n; return nil }})
	return affected, err
}

// query runs one statement and calls each for its rows.
func query(ctx context.Context, s session, each func(row) error, sql string, args ...any) error {
	return s.run(ctx, stmt{sql: sql, args: args, each: each})
}

// listened are stmts that note when a row or an outcome of theirs reached the caller.
func listened(stmts []stmt, heard *bool) []stmt {
	out := make([]stmt, len(stmts))
	for i, s := range stmts {
		out[i] = s
		if s.each != nil {
			out[i].each = func(r row) error { *heard = true; return s.each(r) }
		}
		if s.done != nil {
			out[i].done = func(n int64) error { *heard = true; return s.done(n) }
		}
	}
	return out
}

// queryRow scans the only row of a statement; found is false when there is none.
func queryRow(ctx context.Context, s session, dest []any, sql string, args ...any) (found bool, err error) {
	err = query(ctx, s, func(r row) error { found = true; return r.Scan(dest...) }, sql, args...)
	return found, err
}

// moment scans a TIMESTAMP column of either dialect; null leaves the zero time.
type moment struct{ time.Time }

// Scan implements sql.Scanner.
func (m *moment) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		m.Time = time.Time{}
	case time.Time:
		m.Time = v.UTC()
	case int64:
		m.Time = time.UnixMilli(v).UTC()
	default:
		return fmt.Errorf("a time column holds %T", v)
	}
	return nil
}

// orNull is t as an argument, null for the zero time.
func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}
