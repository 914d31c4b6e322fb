package imports

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/ports"
)

// source reads the records of a file.
type source struct {
	sheet  ports.SpreadsheetReader
	header intake.Header
	ahead  *intake.Row      // read, but not part of a unit yet
	seen   map[[32]byte]int // the first row of each key so far
	ended  bool
}

// newSource reads the header of a file. Errors: ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge, intake.ErrColumns.
func newSource(kind intake.Kind, sheet ports.SpreadsheetReader) (*source, error) {
	cells, err := ports.ReadHeading(sheet)
	if err != nil {
		return nil, err
	}
	header, err := intake.ReadHeader(kind, cells)
	if err != nil {
		return nil, err
	}
	return &source{sheet: sheet, header: header, seen: map[[32]byte]int{}}, nil
}

// countRows reads a file to its end. It answers how many rows it has after its header. Errors: intake.ErrTooManyRows, those of
// the sheet.
func (s *source) countRows(ctx context.Context) (n int64, err error) {
	for {
		row, err := s.row(ctx)
		if err != nil || row == nil {
			return n, err
		}
		if n++; n > intake.MaxRows {
			return n, intake.ErrTooManyRows
		}
	}
}

// row is the next row; nil after the last one.
func (s *source) row(ctx context.Context) (*intake.Row, error) {
	if r := s.ahead; r != nil {
		s.ahead = nil
		return r, nil
	}
	if err := ctx.Err(); err != nil || s.ended {
		return nil, err
	}
	row, err := s.sheet.Next()
	if errors.Is(err, io.EOF) {
		s.ended = true
		return nil, nil //nolint:nilnil // said above
	}
	if err != nil {
		return nil, err
	}
	r := s.header.ReadRow(row.Number, row.Cells, row.Formulas, row.Problem)
	return &r, nil
}

// next are the next units after a row, at most so many, and no more than about rows together; none at the end.
func (s *source) next(ctx context.Context, after, units, rows int) (list []unit, err error) {
	for n := 0; len(list) < units && n < rows; {
		u, err := s.unit(ctx)
		if err != nil || u == nil {
			return list, err
		}
		if u.last() <= after {
			continue // done before an interruption
		}
		list, n = append(list, *u), n+len(u.rows)
	}
	return list, nil
}

// unit are the rows of the next record; nil at the end.
func (s *source) unit(ctx context.Context) (*unit, error) {
	first, err := s.row(ctx)
	if err != nil || first == nil {
		return nil, err
	}
	u := &unit{rows: []intake.Row{*first}}
	if first.Key() == "" {
		u.problems = first.Problems
		return u, nil
	}
	for s.header.Kind.Grouped() {
		more, err := s.row(ctx)
		if err != nil {
			return nil, err
		}
		if more == nil || more.Key() != first.Key() {
			s.ahead = more
			break
		}
		if len(u.rows) >= intake.MaxRecordRows {
			more.Cells = nil // they are rejected: only their number counts
		}
		u.rows = append(u.rows, *more)
	}
	s.checkUnit(u)
	return u, nil
}

// checkUnit finds what is wrong with a unit among the others of its file.
func (s *source) checkUnit(u *unit) {
	first, key := u.rows[0], sha256.Sum256([]byte(u.key()))
	before, repeated := s.seen[key]
	switch {
	case repeated:
		u.problems = []intake.Problem{{
			Row: first.Number, Column: s.header.Kind.Key(), Code: intake.CodeRepeated,
			Message: "Row " + strconv.Itoa(before) + " is about the same record. Keep one of them, or put them together.",
		}}
		return
	case len(u.rows) > intake.MaxRecordRows:
		u.problems = []intake.Problem{{
			Row: first.Number, Column: s.header.Kind.Key(), Code: intake.CodeTooMany,
			Message: "A record has at most " + strconv.Itoa(intake.MaxRecordRows) + " rows, and this one has " + strconv.Itoa(len(u.rows)) + ".",
		}}
	}
	s.seen[key] = first.Number
}

// results are the results of the rows of a unit.
func (u unit) results(o outcome) []intake.Result {
	status := intake.Unchanged
	if o.changed {
		status = intake.Applied
	}
	if len(o.problems) > 0 {
		status = intake.Rejected
	}
	out := make([]intake.Result, len(u.rows))
	for i, r := range u.rows {
		out[i] = intake.Result{Row: r.Number, Status: status, Record: o.id}
		for _, p := range o.problems {
			if p.Row == r.Number {
				out[i].Problems = append(out[i].Problems, p)
			}
		}
		if status == intake.Rejected && len(out[i].Problems) == 0 {
			out[i].Problems = []intake.Problem{{Row: r.Number, Code: intake.CodeOtherRow, Message: "Another row of the same record was rejected."}}
		}
	}
	return out
}
