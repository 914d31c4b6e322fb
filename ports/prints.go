package ports

import (
	"context"
	"io"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/paper"
)

// ErrPrintTooLarge says that documents have more pages than one file may have.
var ErrPrintTooLarge = fault.New(fault.TooLarge, "print_too_large", "These documents have too many pages for one file. Print fewer at once.")

// MaxLogoPixels is how many pixels a logo has at most.
const MaxLogoPixels = 4_000_000

// Prints makes files of documents that can be printed.
type Prints interface {
	// Print writes documents as one PDF file called title to to, in their order and each on pages of its own, as the format says.
	// Every text of a document is in the file, in characters or in place of those that it has no letters for, except where it is
	// too long for a label, or a logo stands for it. A logo that cannot be read, or has more than MaxLogoPixels, is left out. The
	// same documents are the same bytes. Nothing was written when it fails. Errors: ErrPrintTooLarge, those of ctx and to.
	Print(ctx context.Context, to io.Writer, title string, format paper.Format, documents []paper.Document) error
}
