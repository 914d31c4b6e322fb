package waybill

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// The faults of a row.
var (
	// ErrNameless says that a row does not tell what was sent.
	ErrNameless = fault.New(fault.Unprocessable, "carrier_row_nameless", "The row names neither a fulfillment order nor an order.")
	// ErrFormula says that a cell is worked out by a spreadsheet, which we are not.
	ErrFormula = fault.New(fault.Unprocessable, "carrier_row_formula", "A cell of the row is a formula. Copy the column, and paste it as values.")
)

// Entry is what a row says: this parcel of this carrier has what is to be sent.
type Entry struct {
	Row              int    // as people count: the header of a file without empty lines before it is row 1
	FulfillmentOrder string // id; "" where it is not told
	OrderNumber      string // as it is written; "" where it is not told
	Tracking         order.Tracking
}

// maxCell is how many bytes of a cell are looked at: nothing that is read has as many.
const maxCell = 1 << 10

// kept is a cell as an entry keeps it: not as part of a row that may be long.
func kept(text string) string {
	text = strings.TrimSpace(text)
	return strings.Clone(strings.ToValidUTF8(text[:min(len(text), maxCell)], ""))
}

// Read is what a row of a file with this header says, formulas being those of its cells that are; named is false when it has
// no tracking number, which is no news. Errors: ErrFormula, ErrCarrier, ErrNumber, ErrRounded, ErrNameless.
func (h Header) Read(row int, cells []string, formulas ...int) (e Entry, named bool, err error) {
	cell := func(c Column) string {
		if i, ok := h[c]; ok && i < len(cells) {
			return kept(cells[i])
		}
		return ""
	}
	computed := func(c Column) bool { i, ok := h[c]; return ok && slices.Contains(formulas, i) }
	e = Entry{Row: row, FulfillmentOrder: strings.ToLower(cell(FulfillmentOrder)), OrderNumber: cell(OrderNumber)}
	if cell(TrackingNumber) == "" && !computed(TrackingNumber) {
		return e, false, nil
	}
	for _, c := range Columns {
		if computed(c) && read[c] != nil {
			return e, true, ErrFormula.Saying("The cell in the column %s is a formula. Copy the column, and paste it as values.", c)
		}
	}
	if e.FulfillmentOrder == "" && e.OrderNumber == "" {
		return e, true, ErrNameless
	}
	if e.Tracking.Carrier, err = Named(cell(CarrierName)); err != nil {
		return e, true, err
	}
	if e.Tracking.Number, err = Number(e.Tracking.Carrier, cell(TrackingNumber)); err != nil {
		return e, true, err
	}
	return e, true, Check(e.Tracking.Carrier, e.Tracking.Number)
}

// OrderNumbers is what the order may be called, likeliest first: as it is written, since numbers that shops bring with them
// have any form; without the apostrophe that keeps it text in a spreadsheet; and the digits of a number that a spreadsheet
// wrote in its own way. None where the row names no order.
func (e Entry) OrderNumbers() []string {
	if e.OrderNumber == "" {
		return nil
	}
	all := []string{e.OrderNumber}
	if bare := unquoted(e.OrderNumber); bare != e.OrderNumber && bare != "" {
		all = append(all, bare)
	}
	if whole, ok, _ := numeral(strings.ToUpper(unquoted(e.OrderNumber))); ok {
		all = append(all, whole)
	}
	return all
}

// Rounded reports whether the order's number, where no order has it, is one whose last digits a spreadsheet took away. It is
// worth nothing then, and needed only where the row names no fulfilment order.
func (e Entry) Rounded() bool {
	_, _, err := numeral(strings.ToUpper(unquoted(e.OrderNumber)))
	return err != nil
}

// Unknown is why a row is refused whose order is not there. Errors: ErrRounded, fault.ErrNotFound.
func (e Entry) Unknown() error {
	if e.Rounded() {
		return ErrRounded.Saying("A spreadsheet rounded the order number %q: its last digits are lost. Format the column as text, and enter the number again.", brief(e.OrderNumber))
	}
	return fault.ErrNotFound.Saying("There is no order %s.", brief(e.OrderNumber))
}
