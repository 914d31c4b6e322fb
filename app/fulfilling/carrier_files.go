package fulfilling

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// CarrierFiles is the files in which a shop tells carriers what to bring, and carriers tell it under which numbers. Contract 9.
//
// Decisions of our own:
//
//   - A file has the open units of shipping fulfillment orders whose order is paid or in preparation, oldest order first, in
//     the caller's environment; units that wait in a fulfillment are somebody's work already. Whoever reads orders may have it.
//   - Columns are found by their names, in any order, in English or Korean; unknown ones are passed over. Needed are
//     trackingNumber, carrier, and fulfillmentOrder or in its place orderNumber: carriers' programs keep that one. A row that
//     has both must not contradict itself.
//   - A row with a tracking number sends off what is open of its fulfillment order, all of it, under that number. One whose
//     number is there already changes nothing; if it is that of a fulfillment that still waits, that one is sent off.
//   - Another number for what was sent off already is refused: it may be a correction, or a second parcel, and only a person
//     knows. Canceled fulfillments count for nothing, so that a file can send again what was taken back.
//   - A number that another order has too is applied, with a warning: parcels are packed together, and numbers mistyped.
//   - Rows stand for themselves. Many share a transaction, and what one of them is refused for keeps no other from being
//     applied; an import that breaks off is healed by sending the file again, and says how far it came.
//   - A file that is too long or damaged anywhere is refused before its first row is applied. A process takes in MaxImports
//     files at once; who comes then is asked to come again. A report lists the first MaxNotes rows of each kind.
//   - An order's number is looked up as it is written, and only then as what a spreadsheet may have made of another one.
type CarrierFiles struct {
	Store  ports.Store
	Sheets ports.Sheets
	Once   *once.Runner
	Now    func() time.Time
	NewID  func() string
	Log    *slog.Logger // nil: slog.Default()

	open atomic.Int32 // files
}

func (c *CarrierFiles) log() *slog.Logger {
	if c.Log != nil {
		return c.Log
	}
	return slog.Default()
}

// oneOf is that a field has one of these values.
func oneOf[S ~string](s *collection.Schema, field string, values []S) collection.Cond {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return s.Where(field, collection.In, list...)
}

// by is a sort by fields, ascending.
func by(s *collection.Schema, fields ...string) []collection.Order {
	out := make([]collection.Order, len(fields))
	for i, field := range fields {
		out[i] = collection.Order{Path: s.Where(field, collection.Exists, true).Path}
	}
	return out
}
