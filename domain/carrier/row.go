package carrier

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// The faults of a row.
var (
	// ErrNoOrder: a row names neither a fulfillment order nor an order.
	ErrNoOrder = fault.New(fault.Unprocessable, "carrier_row_nameless", "The row has neither a fulfillment order nor an order number.")
	// ErrSeveral: a row names an order that several fulfillment orders ship.
	ErrSeveral = fault.New(fault.Unprocessable, "carrier_row_ambiguous", "The order has several fulfillment orders that ship: name one.")
	// ErrFormula: a cell is a formula. Formulas are not evaluated.
	ErrFormula = fault.New(fault.Unprocessable, "carrier_row_formula",
		"A cell of the row is a formula. Copy the column, and paste it as values.")
	// ErrNoSuchOrder: the shop has no such order, or it is one of another environment.
	ErrNoSuchOrder = fault.New(fault.NotFound, "carrier_row_order_unknown", "There is no such order.")
	// ErrNoSuchFulfillmentOrder: the same of a fulfillment order.
	ErrNoSuchFulfillmentOrder = fault.New(fault.NotFound, "carrier_row_fulfillment_order_unknown", "There is no such fulfillment order.")
	// ErrOrderNumberRounded: a spreadsheet rounded the order number, so digits were lost.
	ErrOrderNumberRounded = fault.New(fault.Unprocessable, "carrier_row_order_rounded",
		"A spreadsheet rounded the order number: its last digits are lost. Format the column as text, and enter the number again.")
	// ErrOrderMismatch: the fulfillment order and the order number of a row belong to two orders.
	ErrOrderMismatch = fault.New(fault.Unprocessable, "carrier_row_order_mismatch",
		"The fulfillment order and the order number of the row belong to two orders.")
	// ErrNumberShared is no refusal, but to be looked at: a parcel of another order has the number too.
	ErrNumberShared = fault.New(fault.Conflict, "carrier_row_number_shared", "Another order has this tracking number too.")
)

// Entry is a row: the tracking number of one parcel for a fulfillment order, or for an order.
type Entry struct {
	Row              int    // counted from 1, the header of a file without empty lines before it
	FulfillmentOrder string // id; "": the row has none
	OrderNumber      string // as written in the file; "": the row has none
	Tracking         order.Tracking

	CarrierCell, NumberCell string // as written in the file, shortened
}

// maxCell is how many bytes of a cell are read, more than any valid value has.
const maxCell = 1 << 10

// trimCell trims and limits a cell. It copies the text, so that an entry does not keep a whole long row in
// memory.
func trimCell(text string) string {
	text = strings.TrimSpace(text)
	return strings.Clone(strings.ToValidUTF8(text[:min(len(text), maxCell)], ""))
}

// ParseRow reads a row of a file with this header; formulas are the indexes of the cells that are formulas.
// found is false when the row has no tracking number, in which case it is skipped. Errors: ErrFormula,
// ErrUnknownCarrier, ErrTrackingNumber, ErrNumberRounded, ErrNoOrder.
func (h Header) ParseRow(row int, cells []string, formulas ...int) (e Entry, found bool, err error) {
	cell := func(c Column) string {
		if i, ok := h[c]; ok && i < len(cells) {
			return trimCell(cells[i])
		}
		return ""
	}
	computed := func(c Column) bool { i, ok := h[c]; return ok && slices.Contains(formulas, i) }
	e = Entry{Row: row, FulfillmentOrder: strings.ToLower(cell(FulfillmentOrder)), OrderNumber: cell(OrderNumber)}
	e.CarrierCell, e.NumberCell = Excerpt(cell(CarrierName)), Excerpt(cell(TrackingNumber))
	if cell(TrackingNumber) == "" && !computed(TrackingNumber) {
		return e, false, nil
	}
	for _, c := range Columns {
		if computed(c) && columnAliases[c] != nil {
			return e, true, ErrFormula.WithMessage("The cell in the column %s is a formula. Copy the column, and paste it as values.", c)
		}
	}
	if e.FulfillmentOrder == "" && e.OrderNumber == "" {
		return e, true, ErrNoOrder
	}
	if e.Tracking.Carrier, err = ByName(cell(CarrierName)); err != nil {
		return e, true, err
	}
	if e.Tracking.Number, err = NormalizeNumber(e.Tracking.Carrier, cell(TrackingNumber)); err != nil {
		return e, true, err
	}
	return e, true, CheckNumber(e.Tracking.Carrier, e.Tracking.Number)
}

// OrderNumbers lists the order numbers that the row may mean, most likely first: as written, since order
// numbers have any form; without the leading apostrophe that marks text in spreadsheets; and expanded, if a
// spreadsheet wrote it with a fraction or an exponent. Empty if the row names no order.
func (e Entry) OrderNumbers() []string {
	if e.OrderNumber == "" {
		return nil
	}
	all := []string{e.OrderNumber}
	if bare := trimApostrophe(e.OrderNumber); bare != e.OrderNumber && bare != "" {
		all = append(all, bare)
	}
	if whole, ok, _ := expandNumber(strings.ToUpper(trimApostrophe(e.OrderNumber))); ok {
		all = append(all, whole)
	}
	return all
}

// OrderNumberRounded reports whether the order number looks rounded by a spreadsheet, so that its last digits
// are lost. It explains why no order has the number, and does not matter if the row names a fulfillment
// order.
func (e Entry) OrderNumberRounded() bool {
	_, _, err := expandNumber(strings.ToUpper(trimApostrophe(e.OrderNumber)))
	return err != nil
}

// NotFoundError is the error for a row whose order does not exist. Errors: ErrOrderNumberRounded,
// ErrNoSuchOrder.
func (e Entry) NotFoundError() error {
	if e.OrderNumberRounded() {
		return ErrOrderNumberRounded.WithMessage(
			"A spreadsheet rounded the order number %q: its last digits are lost. Format the column as text, and enter the number again.",
			Excerpt(e.OrderNumber))
	}
	return ErrNoSuchOrder.WithMessage("There is no order %s.", Excerpt(e.OrderNumber))
}
