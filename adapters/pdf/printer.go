// Package pdf prints documents as PDF files, in fonts of its own, with github.com/signintech/gopdf. Decision 56.
//
// The fonts are parsed once, when the first document is printed; a file has only the letters that are used in it. A Printer makes
// a few files at a time, and others wait: a file is in memory until it is written.
package pdf

import (
	"bytes"
	"context"
	"io"

	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// maxPages is how many pages a file has at most.
	maxPages = 2000
	// maxFiles is how many files a Printer makes at once.
	maxFiles = 4
)

// Printer implements ports.Prints. Make it with New.
type Printer struct{ slots chan struct{} }

// New is a Printer.
func New() *Printer { return &Printer{make(chan struct{}, maxFiles)} }

// Print implements ports.Prints.
func (p *Printer) Print(ctx context.Context, to io.Writer, title string, format paper.Format, documents []paper.Document) error {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	fonts, err := loadFonts()
	if err != nil {
		return err
	}
	s := newSheet(fonts, title)
	if err := s.print(ctx, format, documents); err != nil {
		return err
	}
	var file bytes.Buffer
	if _, err := s.pdf.WriteTo(&file); err != nil {
		return err
	}
	_, err = file.WriteTo(to)
	return err
}

// print prints all documents. Errors: as Printer.Print.
func (s *sheet) print(ctx context.Context, format paper.Format, documents []paper.Document) error {
	for i, d := range documents {
		switch format {
		case paper.A4:
			s.printPages(d)
		case paper.Label:
			s.printLabel(d)
		case paper.LabelSheet:
			s.printField(d, i)
		}
		switch {
		case s.err != nil:
			return s.err
		case ctx.Err() != nil:
			return ctx.Err()
		case s.pages > maxPages:
			return ports.ErrPrintTooLarge
		}
	}
	return nil
}
