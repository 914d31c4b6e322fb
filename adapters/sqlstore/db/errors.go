package db

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	modernc "modernc.org/sqlite"
)

// SQLite's primary and extended result codes that mean something to us.
const (
	sqliteBusy, sqliteLocked       = 5, 6
	sqliteIOError, sqliteFull      = 10, 13
	sqliteUnique, sqlitePrimaryKey = 2067, 1555
	sqliteError, sqliteTooBig      = 1, 18
)

// Violation names the unique constraint that err says was broken: on Postgres the constraint
// ("products_pkey"), on SQLite its columns ("products.tenant, products.id").
func Violation(err error) (constraint string, ok bool) {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.ConstraintName, p.Code == "23505"
	}
	var l *modernc.Error
	if !errors.As(err, &l) || l.Code() != sqliteUnique && l.Code() != sqlitePrimaryKey {
		return "", false
	}
	_, list, _ := strings.Cut(l.Error(), "UNIQUE constraint failed: ")
	list, _, _ = strings.Cut(list, " (")
	return list, true
}

// OnConstraint reports whether the constraint is the index of a table, or on those columns of it.
func OnConstraint(constraint, index, table string, columns []string) bool {
	on := make([]string, len(columns))
	for i, c := range columns {
		on[i] = table + "." + c
	}
	return constraint == index || constraint == strings.Join(on, ", ")
}

// Retryable reports whether the transaction lost against another one and may simply run again.
func Retryable(err error) bool {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.Code == "40001" || p.Code == "40P01"
	}
	var l *modernc.Error
	return errors.As(err, &l) && (l.Code()&0xff == sqliteBusy || l.Code()&0xff == sqliteLocked)
}

// StorageFailed reports that the database could not write: its disk is full or fails. Whatever the transaction did is
// undone, on SQLite also what came before in it.
func StorageFailed(err error) bool {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.Code == "53100" || p.Code == "58030"
	}
	var l *modernc.Error
	return errors.As(err, &l) && (l.Code()&0xff == sqliteFull || l.Code()&0xff == sqliteIOError)
}

// Unreachable reports whether the database could not be spoken to at all; a refusal proves that it could.
func Unreachable(err error) bool {
	if err == nil {
		return false
	}
	if p, ok := errors.AsType[*pgconn.PgError](err); ok { // shutting down, starting up, no connection left, connection trouble
		return strings.HasPrefix(p.Code, "57P") || strings.HasPrefix(p.Code, "08") || p.Code == "53300"
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return !errors.Is(err, context.Canceled)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var n net.Error
	return errors.As(err, &n) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) ||
		strings.Contains(err.Error(), "conn closed")
}

// Transient reports whether err is about the database at that moment, and not about what was asked of it: a lost race, a full disk,
// a statement that took too long, nobody who answered.
func Transient(err error) bool {
	return Retryable(err) || StorageFailed(err) || timedOut(err) || Unreachable(err) || errors.Is(err, errStaleConnection)
}

// timedOut reports whether a statement was given up, or its time was over before it began.
func timedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || StatementCanceled(err)
}

// StatementCanceled reports whether the database gave a statement up.
func StatementCanceled(err error) bool {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.Code == "57014"
	}
	var l *modernc.Error
	return errors.As(err, &l) && l.Code() == 9
}

// TooComplex reports a statement that the database cannot hold: too deep, too long, or with too many tables.
func TooComplex(err error) bool {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(p.Code, "54") && !IndexEntryTooLarge(err)
	}
	var l *modernc.Error
	if !errors.As(err, &l) {
		return false
	}
	return l.Code() == sqliteTooBig || l.Code() == sqliteError && slices.ContainsFunc(sqliteLimits, func(text string) bool {
		return strings.Contains(l.Error(), text)
	})
}

// sqliteLimits are parts of the messages with which SQLite says that a statement exceeds a limit: they have no
// result code of their own.
var sqliteLimits = []string{"too many", "too large", "tables in a join", "stack overflow", "string or blob too big"}

// ConcurrentRoles reports that two migrations met while changing the same role.
func ConcurrentRoles(err error) bool {
	var p *pgconn.PgError
	return errors.As(err, &p) && (p.Code == "XX000" && strings.Contains(p.Message, "concurrently updated") ||
		p.Code == "23505" && strings.HasPrefix(p.ConstraintName, "pg_auth"))
}

// isConnectError reports that no connection could be made, as opposed to one that had died in the pool.
func isConnectError(err error) bool {
	var connect *pgconn.ConnectError
	return errors.As(err, &connect)
}

// containsNUL reports a text with U+0000, which Postgres takes nowhere.
func containsNUL(err error) bool {
	var p *pgconn.PgError
	return errors.As(err, &p) && p.Code == "22021"
}

// IndexEntryTooLarge reports a value that is larger than an entry of an index may be.
func IndexEntryTooLarge(err error) bool {
	var p *pgconn.PgError
	return errors.As(err, &p) && p.Code == "54000"
}

// IsDivisionByZero reports what RequireRows makes of a statement that affects no row.
func IsDivisionByZero(err error) bool {
	p, ok := errors.AsType[*pgconn.PgError](err)
	return ok && p.Code == "22012"
}

// Rejected reports whether err is what Postgres said of a statement: nothing of its transaction was done.
func Rejected(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && !Unreachable(err)
}
