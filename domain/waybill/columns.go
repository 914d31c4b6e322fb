package waybill

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
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

// read is the columns that import reads, with the names that other programs give them, likeliest first. Everything else is
// passed over.
var read = map[Column][]string{
	OrderNumber:      {"order_no", "order_id", "order", "주문번호", "고객주문번호"},
	FulfillmentOrder: {"fulfillment_order_id", "출고번호", "출고지시번호", "배송지시번호"},
	CarrierName:      {"carrier_code", "carrier_name", "courier", "delivery_company", "택배사", "택배사명", "택배사코드", "택배회사", "배송업체", "배송사", "운송사"},
	TrackingNumber:   {"tracking_no", "tracking", "waybill", "waybill_no", "waybill_number", "invoice_no", "invoice_number", "운송장번호", "운송장", "송장번호", "송장", "등기번호"},
}

// heading is the column that a name stands for, and how likely it is that, of all names: 0 is our own.
type heading struct {
	column Column
	rank   int
}

// headed is every name of a column by what plain makes of it.
var headed = func() map[string]heading {
	all := map[string]heading{}
	for c, names := range read {
		all[plain(string(c))] = heading{c, 0}
		for i, name := range names {
			all[plain(name)] = heading{c, i + 1}
		}
	}
	return all
}()

// Header says where the columns are that import reads; those that are missing have no entry.
type Header map[Column]int

// ReadHeader finds the columns by their names, in any order. A file says which carrier has which number, and for which
// fulfilment order or, where it does not name that, for which order. Where two names stand for one column, as 주문번호 beside
// 고객주문번호 and 택배사 beside 택배사코드, the likelier one counts; the same name twice is refused, and so are two columns of
// tracking numbers, since goods would leave under the wrong one. Errors: ErrColumn, naming the column.
func ReadHeader(cells []string) (Header, error) {
	h := Header{}
	for i, cell := range cells {
		x, ok := headed[plain(cell)]
		if !ok {
			continue
		}
		if before, twice := h[x.column]; twice {
			other := headed[plain(cells[before])].rank
			if other == x.rank || x.column == TrackingNumber {
				return nil, ErrColumn.Saying("The column %s is there twice: %q and %q.", x.column, brief(cells[before]), brief(cell))
			}
			if other < x.rank {
				continue
			}
		}
		h[x.column] = i
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
