package imports

import (
	"errors"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/ports"
)

// unit are the rows of one record.
type unit struct {
	rows []intake.Row
	// problems are what is wrong with the rows as they stand in the file; the unit is not applied then.
	problems []intake.Problem
}

func (u unit) key() string { return u.rows[0].Key() }

// last is the number of the last row.
func (u unit) last() int { return u.rows[len(u.rows)-1].Number }

// numbers are the numbers of the rows.
func (u unit) numbers() []int {
	out := make([]int, len(u.rows))
	for i, r := range u.rows {
		out[i] = r.Number
	}
	return out
}

// outcome is what became of a unit.
type outcome struct {
	id       string // of the record; "" if there is none
	changed  bool
	turn     int              // place in the order in which the units of its chunk were applied
	problems []intake.Problem // not empty: it was rejected
}

// rejected is the outcome of a unit with one problem.
func rejected(u unit, column, code, message string) outcome {
	return outcome{problems: []intake.Problem{{Row: u.rows[0].Number, Column: column, Code: code, Message: message}}}
}

// refused is the outcome of a unit whose record was refused.
func refused(kind intake.Kind, err error, rows []int) outcome {
	return outcome{problems: kind.ProblemsOf(fault.From(err), rows)}
}

// refusedParts is the refusal of a record after some of it was written, for which the transaction has to be undone: the paths in
// it are of parts that have these rows.
type refusedParts struct {
	error

	rows []int
}

// Unwrap is the refusal.
func (r refusedParts) Unwrap() error { return r.error }

// problemsOf are those of a unit whose transaction was undone because of err.
func (u unit) problemsOf(kind intake.Kind, err error) []intake.Problem {
	rows := u.numbers()
	if parts, ok := errors.AsType[refusedParts](err); ok {
		rows = parts.rows
	}
	return kind.ProblemsOf(fault.From(err), rows)
}

// isRowError reports whether err is about the rows it was met at, and not about the whole import or the server. What may succeed
// when it is tried again is none, and neither is what the server asked the database for too much.
func isRowError(err error) bool {
	if isServersQuery(err) {
		return false
	}
	f := fault.From(err)
	switch f.Kind {
	case fault.Invalid, fault.NotFound, fault.Conflict, fault.Outdated, fault.TooLarge, fault.Unprocessable:
		return !f.Retryable
	default:
		return false
	}
}

// isServersQuery reports whether err refuses a query that the server made to look something up. To others it says that they asked
// for too much; no row has a query.
func isServersQuery(err error) bool {
	return errors.Is(err, ports.ErrQueryTooSlow) || errors.Is(err, collection.ErrQuery) || errors.Is(err, collection.ErrAnswerTooLarge)
}

// blamed is err as the runner of jobs takes it: a query of the server's own is tried again, as its other failures are, and not told
// to people as if it were theirs.
func blamed(err error) error {
	if isServersQuery(err) {
		return fault.ErrInternal.WithCause(err)
	}
	return err
}
