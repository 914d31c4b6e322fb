package imports

import (
	"context"
	"errors"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of a page of rows.
const (
	DefaultRows = 100
	MaxRows     = 500
)

// RowsQuery selects rows of an import.
type RowsQuery struct {
	Status intake.Status // "": any
	After  int64         // rows with a higher number
	Limit  int           // 1..MaxRows
}

// resultsAfter are the results of an import with rows after one, in order: those with rows of a status; "": all.
func resultsAfter(of collection.Record, after int64, status intake.Status) collection.Query {
	s := intake.Results
	where := collection.And{s.Where("import", collection.Equals, of.ID()), s.Where("lastRow", collection.GreaterThan, after)}
	if status != "" {
		where = append(where, s.Where(string(status), collection.GreaterThan, int64(0)))
	}
	return collection.Query{
		Schema: s, Environment: of.Text("environment"), Where: where,
		Sort: s.SortBy("lastRow"),
	}
}

// resultPage is how many chunks of results are read together.
const resultPage = 10

// eachRow calls fn with the results of an import after a row, of a status, in order, until it returns false.
func (s *Service) eachRow(
	ctx context.Context, r ports.Reader, of collection.Record, after int64, status intake.Status, fn func(collection.Record) bool,
) error {
	for {
		q := resultsAfter(of, after, status)
		q.Limit, q.Page, q.SkipCount = resultPage, 1, true
		found, err := r.Find(ctx, q)
		if err != nil {
			return err
		}
		for _, chunk := range found.Docs {
			for _, row := range chunk.Rows("rows") {
				if row.Int("row") <= after || status != "" && row.Text("status") != string(status) {
					continue
				}
				if !fn(row) {
					return nil
				}
			}
		}
		if len(found.Docs) < resultPage {
			return nil
		}
		after = found.Docs[len(found.Docs)-1].Int("lastRow")
	}
}

// Rows answers {rows, next}: what became of the rows of an import, in order, and the row after which to go on, null after the
// last one. While the import runs there may be more later. Errors: ports.ErrNotFound, fault.ErrForbidden,
// fault.ErrUnauthenticated.
func (s *Service) Rows(ctx context.Context, c idempotency.Call, id string, q RowsQuery) (idempotency.Response, error) {
	of, err := s.find(ctx, c.Principal, id)
	if err != nil {
		return idempotency.Response{}, err
	}
	rows, next := []collection.Record{}, any(nil)
	err = s.eachRow(ctx, s.Store.Read(ports.ForPrincipal(c.Principal)), of, q.After, q.Status, func(row collection.Record) bool {
		if len(rows) == q.Limit {
			next = rows[len(rows)-1].Int("row")
			return false
		}
		rows = append(rows, toldIn(c.Language, row))
		return true
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	body := c.Body(reply.Member{Name: "rows", Fields: intake.ResultFields, Value: reply.Records(rows)}, reply.Member{Name: "next", Value: next})
	return idempotency.Response{Result: ports.ReceiptOK, Body: body, RequestID: c.RequestID}, nil
}

// Report writes the rejected rows of an import as CSV: the number of each, why it was rejected, and its cells as they were, so
// that the file can be mended and sent again. Errors: as Rows, fault.ErrUnavailable, those of to.
func (s *Service) Report(ctx context.Context, c idempotency.Call, id string, to io.Writer) error {
	of, err := s.find(ctx, c.Principal, id)
	if err != nil {
		return err
	}
	q := intake.RequestFrom(of)
	from, sheet, err := s.open(ctx, q.Kind, q.Blob)
	if err != nil {
		return err
	}
	file, err := s.Sheets.Create(to, ports.CSV)
	if err == nil {
		err = errors.Join(s.report(ctx, c, of, from, file), file.Close())
	}
	return errors.Join(err, sheet.Close())
}

func (s *Service) report(ctx context.Context, c idempotency.Call, of collection.Record, from *source, to ports.SpreadsheetWriter) error {
	kept := keptCells(from.header.Cells)
	if err := to.WriteRow(append([]string{intake.ReportRow, intake.ReportErrors}, kept.pick(from.header.Cells)...)); err != nil {
		return err
	}
	var failed error
	err := s.eachRow(ctx, s.Store.Read(ports.ForPrincipal(c.Principal)), of, 0, intake.Rejected, func(result collection.Record) bool {
		for {
			row, err := from.row(ctx)
			if err != nil || row == nil {
				failed = err
				return false
			}
			if int64(row.Number) < result.Int("row") {
				continue
			}
			failed = to.WriteRow(append([]string{strconv.Itoa(row.Number), told(toldIn(c.Language, result))}, kept.pick(row.Cells)...))
			return failed == nil
		}
	})
	return errors.Join(err, failed)
}

// toldIn is the result of a row with its errors in a language: they are stored in English.
func toldIn(l words.Language, row collection.Record) collection.Record {
	all := row.Rows("errors")
	if len(all) == 0 {
		return row
	}
	errs := make([]collection.Record, len(all))
	for i, e := range all {
		errs[i] = maps.Clone(e)
		errs[i]["message"] = l.Because(e.Text("code"), e.Text("message"), nil)
	}
	row = maps.Clone(row)
	row["errors"] = errs
	return row
}

// told are the errors of a row as one text.
func told(result collection.Record) string {
	var all []string
	for _, e := range result.Rows("errors") {
		text := e.Text("message")
		if column := e.Text("column"); column != "" {
			text = column + ": " + text
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// cells are the indexes of columns.
type cells []int

// keptCells are the columns of a file but those that an earlier report added.
func keptCells(header []string) (kept cells) {
	for i, heading := range header {
		if !intake.IsReportColumn(heading) {
			kept = append(kept, i)
		}
	}
	return kept
}

func (k cells) pick(row []string) []string {
	out := make([]string, len(k))
	for n, i := range k {
		if i < len(row) {
			out[n] = row[i]
		}
	}
	return out
}
