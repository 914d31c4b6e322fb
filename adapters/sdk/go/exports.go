package cartwright

import (
	"context"
	"io"
)

// ExportService makes files of a shop's records. An export is made in the background; its record, in Collections.Exports, says how
// far it is.
type ExportService struct{ core *core }

// Start asks for an export. Errors: ReasonJobLimit while ten wait or run.
func (s *ExportService) Start(ctx context.Context, in ExportStartInput, opts ...Option) (Export, error) {
	var out exportAnswer
	_, err := s.core.call(ctx, opExportStart, in, &out, opts)
	return out.Export, err
}

// Wait looks at an export, ever more rarely, until it has ended, and answers how: its Status is done, failed with a Problem, or
// canceled. progress hears of every look; it may be nil. When ctx ends, waiting does, while the export goes on. Errors:
// ReasonNotFound, those of ctx.
func (s *ExportService) Wait(ctx context.Context, exportID string, progress func(Export), opts ...Option) (Export, error) {
	return await(ctx, endpoint{s.core, "exports"}, exportID, func(e Export) ExportStatus { return e.Status }, progress, opts)
}

// Cancel ends an export that has not ended. Errors: ReasonJobEnded.
func (s *ExportService) Cancel(ctx context.Context, exportID string, opts ...Option) (Export, error) {
	var out exportAnswer
	_, err := s.core.call(ctx, opExportCancel, byID{exportID}, &out, opts)
	return out.Export, err
}

// Download writes the file of an export that is done, and answers its size in bytes. A file that breaks off is an error. Errors:
// ReasonExportNotDone, ReasonExportWithoutFile, those of to.
func (s *ExportService) Download(ctx context.Context, exportID string, to io.Writer, opts ...Option) (int64, error) {
	return s.core.download(ctx, opExportsFile, byID{exportID}, to, opts)
}
