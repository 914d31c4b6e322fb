package sqlstore

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	modernc "modernc.org/sqlite"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// SQLite's primary and extended result codes that mean something to us.
const (
	liteBusy, liteLocked       = 5, 6
	liteUnique, litePrimaryKey = 2067, 1555
)

// violation names the unique constraint that err says was broken: on Postgres the constraint ("products_pkey"), on
// SQLite its columns ("products.tenant, products.id").
func violation(err error) (constraint string, ok bool) {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.ConstraintName, p.Code == "23505"
	}
	var l *modernc.Error
	if !errors.As(err, &l) || l.Code() != liteUnique && l.Code() != litePrimaryKey {
		return "", false
	}
	_, list, _ := strings.Cut(l.Error(), "UNIQUE constraint failed: ")
	list, _, _ = strings.Cut(list, " (")
	return list, true
}

// broke reports whether the constraint is the index, or stands on the columns, of a table.
func broke(constraint, index, table string, columns []string) bool {
	on := make([]string, len(columns))
	for i, c := range columns {
		on[i] = table + "." + c
	}
	return constraint == index || constraint == strings.Join(on, ", ")
}

// refused turns what the database says about a write of sh into the fault that a use case knows.
func (sh *shape) refused(err error) error {
	var p *pgconn.PgError
	if errors.As(err, &p) && p.Code == "54000" { // an index entry has an upper size
		return fault.ErrValidation.Saying("A value is too long to be searched.").Because(err)
	}
	constraint, ok := violation(err)
	if !ok {
		return err
	}
	i := slices.IndexFunc(sh.uniques, func(u unique) bool { return broke(constraint, u.index, sh.table, u.columns) })
	switch {
	case i >= 0:
		dup := ports.ErrDuplicate.Because(err)
		for _, f := range sh.uniques[i].fields {
			dup = dup.In(fault.Field{Field: f, Message: "Value must be unique"})
		}
		return dup
	case broke(constraint, sh.table+"_pkey", sh.table, []string{"tenant", "id"}),
		broke(constraint, "events_pkey", "events", []string{"tenant", "record", "record_sequence"}):
		return ports.ErrStale.Because(err)
	}
	return err
}

// repeatable reports whether the transaction lost against another one and may simply run again.
func repeatable(err error) bool {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.Code == "40001" || p.Code == "40P01"
	}
	var l *modernc.Error
	return errors.As(err, &l) && (l.Code()&0xff == liteBusy || l.Code()&0xff == liteLocked)
}

// unreachable reports whether the database could not be spoken to at all; a refusal proves that it could.
func unreachable(err error) bool {
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
	return errors.As(err, &n) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) || strings.Contains(err.Error(), "conn closed")
}

// timedOut reports whether a statement was given up, or its time was over before it began.
func timedOut(err error) bool { return errors.Is(err, context.DeadlineExceeded) || gaveUp(err) }

// gaveUp reports whether the database gave a statement up.
func gaveUp(err error) bool {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.Code == "57014"
	}
	var l *modernc.Error
	return errors.As(err, &l) && l.Code() == 9
}

// concurrentRoles reports that two migrations met while changing the same role.
func concurrentRoles(err error) bool {
	var p *pgconn.PgError
	return errors.As(err, &p) && (p.Code == "XX000" && strings.Contains(p.Message, "concurrently updated") || p.Code == "23505" && strings.HasPrefix(p.ConstraintName, "pg_auth"))
}

// refusedConnection reports that no connection could be made, as opposed to one that had died in the pool.
func refusedConnection(err error) bool {
	var connect *pgconn.ConnectError
	return errors.As(err, &connect)
}

// unstorable reports a text with U+0000, which Postgres takes nowhere.
func unstorable(err error) bool {
	var p *pgconn.PgError
	return errors.As(err, &p) && p.Code == "22021"
}
