package fulfillments

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/ports"
)

// CarrierFiles exports what is to be shipped to files for carriers, and imports tracking numbers from them.
// Rules fulfillment-9, fulfillment-10.
//
// Decisions that the rules leave open:
//
//   - A file contains the open units of shipping fulfillment orders whose order is paid or preparing, oldest
//     order first, in the caller's environment; units in a pending fulfillment are not included, since they
//     are being handled. Callers who can read orders may export.
//   - Columns are identified by their names, in any order, in English or Korean; unknown ones are ignored.
//     Required are trackingNumber, carrier, and fulfillmentOrder or else orderNumber, which carriers'
//     programs preserve. A row with both must be consistent.
//   - A row with a tracking number ships everything open of its fulfillment order under that number. If the
//     number is known already the row changes nothing, except that a pending fulfillment with that number is
//     shipped.
//   - Another number for something shipped already is refused: it may be a correction or a second parcel,
//     which only a person can decide. Canceled fulfillments are ignored, so that a file can ship again what
//     was canceled.
//   - A number that another order also has is applied, with a warning: parcels may be packed together, or the
//     number mistyped.
//   - Rows are independent. Many share a transaction, and the refusal of one does not block the others. An
//     interrupted import reports how far it came, and is completed by importing the file again.
//   - A dry run decides rows without locks, as an import does before it takes them, on top of what the rows before them would do. It
//     keeps those in memory, since nothing of them is stored.
//   - A file that is too long or damaged is refused before its first row is applied. A process imports at
//     most MaxImports files at once and asks further callers to retry. A report lists the first MaxNotes rows
//     of each kind.
//   - An order number is looked up as written, and only then as what a spreadsheet may have turned it into.
type CarrierFiles struct {
	Store       ports.Store
	Sheets      ports.Spreadsheets
	Idempotency *idempotency.Runner
	Now         func() time.Time
	NewID       func() string
	Log         *slog.Logger // nil: slog.Default()

	openImports atomic.Int32 // files
}

func (c *CarrierFiles) log() *slog.Logger {
	if c.Log != nil {
		return c.Log
	}
	return slog.Default()
}
