package cartwright

import (
	"context"
	"io"
	"iter"
	"net/http"
	"strconv"
)

// ImportService brings the rows of spreadsheet files into a shop. An import is done in the background; its record, in
// Collections.Imports, says how far it is.
type ImportService struct{ core *core }

// ImportFile is a file to be imported.
type ImportFile struct {
	File     io.Reader // CSV or XLSX, at most 25 MiB, which are held in memory until it was sent
	Filename string
	Kind     ExportKind // what its rows are about
	Mode     ImportMode // "": create and update
	DryRun   bool       // say of each row what it would do, and change nothing
}

// Start sends a file, and answers its import. It is sent again under one key while the call lasts; a call that is given up is not
// among the pending operations: call again with a key of your own. Errors: ReasonImportColumns, ReasonSheetUnreadable,
// ReasonJobLimit while ten wait or run.
func (s *ImportService) Start(ctx context.Context, in ImportFile, opts ...Option) (Import, error) {
	fields := [][2]string{{"kind", string(in.Kind)}, {"dryRun", strconv.FormatBool(in.DryRun)}}
	if in.Mode != "" {
		fields = append(fields, [2]string{"mode", string(in.Mode)})
	}
	var out importAnswer
	r := request{operation: operation{name: "imports.start", method: http.MethodPost, path: "/imports"}}
	err := s.core.upload(ctx, r, in.File, in.Filename, fields, &out, opts)
	return out.Import, err
}

// Wait looks at an import, ever more rarely, until it has ended, and answers how: its Status is done, failed with a Problem, or
// canceled, and Applied, Unchanged and Rejected count its rows. progress hears of every look; it may be nil. When ctx ends, waiting
// does, while the import goes on. Errors: ReasonNotFound, those of ctx.
func (s *ImportService) Wait(ctx context.Context, importID string, progress func(Import), opts ...Option) (Import, error) {
	return await(ctx, endpoint{s.core, "imports"}, importID, func(i Import) ExportStatus { return i.Status }, progress, opts)
}

// Cancel ends an import that has not ended, before its next rows. Rows that were applied stay so. Errors: ReasonJobEnded.
func (s *ImportService) Cancel(ctx context.Context, importID string, opts ...Option) (Import, error) {
	var out importAnswer
	_, err := s.core.call(ctx, opImportCancel, byID{importID}, &out, opts)
	return out.Import, err
}

// Rows is a page of what became of the rows of an import, in the order of the file.
func (s *ImportService) Rows(ctx context.Context, in ImportRowsInput, opts ...Option) (out ImportRowsResult, err error) {
	_, err = s.core.call(ctx, opImportRows, in, &out, opts)
	return out, err
}

// AllRows are all rows that Rows has pages of, from in.After on. An error ends them.
func (s *ImportService) AllRows(ctx context.Context, in ImportRowsInput, opts ...Option) iter.Seq2[ImportRow, error] {
	return func(yield func(ImportRow, error) bool) {
		for {
			page, err := s.Rows(ctx, in, opts...)
			if err != nil {
				yield(ImportRow{}, err)
				return
			}
			for _, row := range page.Rows {
				if !yield(row, nil) {
					return
				}
			}
			if in.After = page.Next; in.After == 0 {
				return
			}
		}
	}
}

// Rejected writes the rejected rows of an import as CSV, with the number and the errors of each in front of its cells: to be mended
// and sent again as they are. It answers the size in bytes. Errors: ReasonNotFound, those of to.
func (s *ImportService) Rejected(ctx context.Context, importID string, to io.Writer, opts ...Option) (int64, error) {
	return s.core.download(ctx, opImportsReport, byID{importID}, to, opts)
}
