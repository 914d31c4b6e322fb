package db

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"
)

// Row is one result row. Times are scanned into a *NullTime.
type Row interface{ Scan(dest ...any) error }

// Stmt is one statement of a run. SQL is written for both dialects: $1, $2… bind Args. Besides plain values
// an argument may be a time.Time, or a []string for dialect.InList.
type Stmt struct {
	SQL        string
	Args       []any
	OnRow      func(Row) error            // called for each result row; nil for statements without rows
	OnDone     func(affected int64) error // called after the statement; affected counts rows changed, or returned
	CustomPlan bool                       // Postgres: to be planned for these arguments, whatever it was planned for before
	// GenericPlan: Postgres: written so that one plan is right for all arguments, and planned once.
	GenericPlan bool
	Costly      bool // it may have to read all records of the tenant
	AffectsAll  bool // Postgres: it is meant to affect as many rows as the array $1 has elements
}

// Session runs statements, inside one transaction or outside of any. A run is one round trip on Postgres; its
// statements see what the earlier ones did, and the first error ends it.
type Session interface {
	Run(ctx context.Context, stmts ...Stmt) error
}

// Exec runs one statement and returns how many rows it changed.
func Exec(ctx context.Context, s Session, sql string, args ...any) (affected int64, err error) {
	err = s.Run(ctx, Stmt{SQL: sql, Args: args, OnDone: func(n int64) error { affected = n; return nil }})
	return affected, err
}

// Query runs one statement and calls each for its rows.
func Query(ctx context.Context, s Session, each func(Row) error, sql string, args ...any) error {
	return s.Run(ctx, Stmt{SQL: sql, Args: args, OnRow: each})
}

// trackResults are stmts that record when a row or an outcome of theirs reached the caller.
func trackResults(stmts []Stmt, hasResult *bool) []Stmt {
	out := make([]Stmt, len(stmts))
	for i, s := range stmts {
		out[i] = s
		if s.OnRow != nil {
			out[i].OnRow = func(r Row) error { *hasResult = true; return s.OnRow(r) }
		}
		if s.OnDone != nil {
			out[i].OnDone = func(n int64) error { *hasResult = true; return s.OnDone(n) }
		}
	}
	return out
}

// QueryRow scans the only row of a statement; found is false when there is none.
func QueryRow(ctx context.Context, s Session, dest []any, sql string, args ...any) (found bool, err error) {
	err = Query(ctx, s, func(r Row) error { found = true; return r.Scan(dest...) }, sql, args...)
	return found, err
}

// NullTime scans a TIMESTAMP column of either dialect; null leaves the zero time.
type NullTime struct{ time.Time }

// Scan implements sql.Scanner.
func (m *NullTime) Scan(v any) error {
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

// Value implements driver.Valuer.
func (m NullTime) Value() (driver.Value, error) { return TimeOrNull(m.Time), nil }

// TimeOrNull is t as an argument, null for the zero time.
func TimeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

// RequireRows is s as a statement that fails by dividing by zero when it affects no row, or not as many as it
// is meant to.
func RequireRows(s Stmt) string {
	affected := "count(*)"
	if s.AffectsAll {
		affected = "(count(*) = cardinality($1))::int"
	}
	return "WITH done AS (" + s.SQL + " RETURNING 1) SELECT 1 / " + affected + " FROM done"
}

// ErrIfNone gives err for a statement that affected no row.
func ErrIfNone(err error) func(affected int64) error {
	return func(n int64) error {
		if n == 0 {
			return err
		}
		return nil
	}
}

// RunInSavepoint runs statements, or none of them. A refusal concerns them alone; err ends the transaction. A full disk
// is no refusal: SQLite may have undone the whole transaction, and would run what follows outside of any.
func RunInSavepoint(ctx context.Context, on Session, stmts []Stmt) (refusal, err error) {
	if err := on.Run(ctx, Stmt{SQL: "SAVEPOINT step"}); err != nil {
		return nil, err
	}
	refusal = on.Run(ctx, stmts...)
	if StorageFailed(refusal) {
		return nil, refusal
	}
	if refusal != nil {
		if err := on.Run(ctx, Stmt{SQL: "ROLLBACK TO step"}); err != nil {
			return nil, err
		}
	}
	return refusal, on.Run(ctx, Stmt{SQL: "RELEASE step"})
}
