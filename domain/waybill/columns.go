package waybill

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// Column is a column of a carrier file, by the name that export gives it.
type Column string

// The columns, in their order. Contract 9.
const (
	OrderNumber      Column = "orderNumber"
	FulfillmentOrder Column = "fulfillmentOrder"
	RecipientName    Column = "recipientName"
	Phone            Column = "phone"
	PostalCode       Column = "postalCode"
	Address1         Column = "address1"
	Address2         Column = "address2"
	Items            Column = "items"
	Quantity         Column = "quantity"
	DeliveryMessage  Column = "deliveryMessage"
	CarrierName      Column = "carrier"
	TrackingNumber   Column = "trackingNumber"
)

// Columns lists them all, in the order of an exported file.
var Columns = []Column{
	OrderNumber, FulfillmentOrder, RecipientName, Phone, PostalCode, Address1, Address2, Items, Quantity, DeliveryMessage, CarrierName, TrackingNumber,
}

// The faults of a carrier file as a whole.
var (
	// ErrColumn says that the file lacks a column, or has it twice.
	ErrColumn = fault.New(fault.Invalid, "carrier_file_column", "The file lacks a column.")
	// ErrRows says that the file has too many rows.
	ErrRows = fault.New(fault.TooLarge, "carrier_file_too_long", "The file has more than 100,000 rows. Send it in parts.")
)

// MaxRows is how many rows an imported file has at most, its header among them.
const MaxRows = 100_000

// read is the columns that import reads, with the names that other programs give them. Everything else is passed over.
var read = map[Column][]string{
	OrderNumber:      {"order_no", "order_id", "order", "주문번호", "고객주문번호"},
	FulfillmentOrder: {"fulfillment_order_id", "출고번호", "출고지시번호", "배송지시번호"},
	CarrierName:      {"carrier_code", "carrier_name", "courier", "delivery_company", "택배사", "택배사명", "택배사코드", "택배회사", "배송업체", "배송사", "운송사"},
	TrackingNumber:   {"tracking_no", "tracking", "waybill", "waybill_no", "waybill_number", "invoice_no", "invoice_number", "운송장번호", "운송장", "송장번호", "송장", "등기번호"},
}

// headed is every name of a column by what plain makes of it.
var headed = func() map[string]Column {
	all := map[string]Column{}
	for c, names := range read {
		all[plain(string(c))] = c
		for _, name := range names {
			all[plain(name)] = c
		}
	}
	return all
}()

// Header says where the columns are that import reads; those that are missing have no entry.
type Header map[Column]int

// ReadHeader finds the columns by their names, in any order. A file says which carrier has which number, and for which
// fulfilment order or, where it does not name that, for which order. Errors: ErrColumn, naming the column.
func ReadHeader(cells []string) (Header, error) {
	h := Header{}
	for i, cell := range cells {
		c, ok := headed[plain(cell)]
		if !ok {
			continue
		}
		if before, twice := h[c]; twice {
			return nil, ErrColumn.Saying("The column %s is there twice: %q and %q.", c, brief(cells[before]), brief(cell))
		}
		h[c] = i
	}
	missing := func(c Column) bool { _, ok := h[c]; return !ok }
	for _, c := range []Column{TrackingNumber, CarrierName} {
		if missing(c) {
			return nil, lacking(c, string(c))
		}
	}
	if missing(FulfillmentOrder) && missing(OrderNumber) {
		return nil, lacking(FulfillmentOrder, "fulfillmentOrder, or orderNumber in its place")
	}
	return h, nil
}

func lacking(c Column, named string) error {
	return ErrColumn.Saying("The file lacks the column %s.", named).In(fault.Field{
		Field: string(c), Message: "The first row needs this column. It may also be called: " + strings.Join(read[c], ", ") + ".",
	})
}

// Entry is what a row says: this parcel of this carrier has what is to be sent.
type Entry struct {
	Row              int    // as people count: the header of a file without empty lines before it is row 1
	FulfillmentOrder string // id; "" where it is not told
	OrderNumber      string // "" where it is not told
	Tracking         order.Tracking
}

// Read is what a row of a file with this header says; named is false when it has no tracking number, which is no news.
// Errors: ErrCarrier, ErrNumber, ErrRounded, ErrNameless.
func (h Header) Read(row int, cells []string) (e Entry, named bool, err error) {
	cell := func(c Column) string {
		if i, ok := h[c]; ok && i < len(cells) {
			return strings.TrimSpace(cells[i])
		}
		return ""
	}
	e = Entry{Row: row, FulfillmentOrder: strings.ToLower(cell(FulfillmentOrder)), OrderNumber: strings.TrimPrefix(cell(OrderNumber), "'")}
	if cell(TrackingNumber) == "" {
		return e, false, nil
	}
	if e.OrderNumber, err = orderNumber(e.OrderNumber, e.FulfillmentOrder != ""); err != nil {
		return e, true, err
	}
	if e.FulfillmentOrder == "" && e.OrderNumber == "" {
		return e, true, ErrNameless
	}
	if e.Tracking.Carrier, err = Named(cell(CarrierName)); err != nil {
		return e, true, err
	}
	if e.Tracking.Number, err = Number(cell(TrackingNumber)); err != nil {
		return e, true, err
	}
	return e, true, Check(e.Tracking.Carrier, e.Tracking.Number)
}

// ErrNameless says that a row does not tell what was sent.
var ErrNameless = fault.New(fault.Unprocessable, "carrier_row_nameless", "The row names neither a fulfillment order nor an order.")

// orderNumber is the number in a cell. One that a spreadsheet rounded is worth nothing, and needed only where the row names
// no fulfilment order. Errors: ErrRounded.
func orderNumber(text string, spare bool) (string, error) {
	whole, ok, err := numeral(strings.ToUpper(text))
	switch {
	case err != nil && spare:
		return "", nil
	case err != nil:
		return "", ErrRounded.Saying("A spreadsheet rounded the order number %q: its last digits are lost. Format the column as text, and enter the number again.", brief(text))
	case ok:
		return whole, nil
	}
	return text, nil
}
