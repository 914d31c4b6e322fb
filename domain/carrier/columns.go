package carrier

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Column is a column of a carrier file, by the name it has in exports.
type Column string

// The columns, in their order. Rule fulfillment-14.
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
	DeliveryNote     Column = "deliveryNote"
	CarrierName      Column = "carrier"
	TrackingNumber   Column = "trackingNumber"
	Company          Column = "company"
	Country          Column = "country"
	Province         Column = "province"
	City             Column = "city"
	District         Column = "district"
	WrittenAddress   Column = "address" // as it is written in its country
)

// Columns lists all columns, in the order of an exported file.
var Columns = []Column{
	OrderNumber, FulfillmentOrder, RecipientName, Phone, PostalCode, Address1, Address2, Items, Quantity, DeliveryNote, CarrierName,
	TrackingNumber, Company, Country, Province, City, District, WrittenAddress,
}

// The faults of a carrier file as a whole.
var (
	// ErrColumn: the file lacks a column, or has it twice.
	ErrColumn = fault.NewInvalid("file", "carrier_file_column", "The file lacks a column.")
	// ErrTooManyRows: the file has more than MaxRows rows.
	ErrTooManyRows = fault.New(fault.TooLarge, "carrier_file_too_long", "The file has more than 100,000 rows. Send it in parts.")
)

// MaxRows is the maximum number of rows of an imported file, including its header.
const MaxRows = 100_000

// columnAliases are the columns that import reads, with the names that other programs give them, most likely
// first. Other columns are ignored.
var columnAliases = map[Column][]string{
	OrderNumber:      {"order_no", "order_id", "order", "주문번호", "고객주문번호"},
	FulfillmentOrder: {"fulfillment_order_id", "출고번호", "출고지시번호", "배송지시번호"},
	CarrierName:      {"carrier_code", "carrier_name", "courier", "delivery_company", "택배사", "택배사명", "택배사코드", "택배회사", "배송업체", "배송사", "운송사"},
	TrackingNumber: {
		"tracking_no", "tracking", "waybill", "waybill_no", "waybill_number", "invoice_no", "invoice_number", "운송장번호", "운송장", "송장번호", "송장",
		"등기번호",
	},
}

// columnMatch is the column that a name stands for. Of two names of one column the lower rank is preferred; 0
// is the name in our own exports.
type columnMatch struct {
	column Column
	rank   int
}

// columnsByName is the column of every normalized name.
var columnsByName = func() map[string]columnMatch {
	all := map[string]columnMatch{}
	for c, names := range columnAliases {
		all[normalize(string(c))] = columnMatch{c, 0}
		for i, name := range names {
			all[normalize(name)] = columnMatch{c, i + 1}
		}
	}
	return all
}()

// Header is the index of each column that import reads; missing columns have no entry.
type Header map[Column]int

// ReadHeader finds the columns by their names, in any order. A file needs the carrier, the tracking number,
// and the fulfillment order or else the order number. If two different names stand for one column, such as
// 주문번호 and 고객주문번호, or 택배사 and 택배사코드, the more likely one is used. A repeated name is refused, and so are two
// columns of tracking numbers, since parcels could get the wrong number. Errors: ErrColumn, naming the
// column.
func ReadHeader(cells []string) (Header, error) {
	h := Header{}
	for i, cell := range cells {
		x, ok := columnsByName[normalize(cell)]
		if !ok {
			continue
		}
		if before, twice := h[x.column]; twice {
			other := columnsByName[normalize(cells[before])].rank
			if other == x.rank || x.column == TrackingNumber {
				return nil, ErrColumn.WithMessage("The column %s is there twice: %q and %q.",
					x.column, Excerpt(cells[before]), Excerpt(cell))
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
			return nil, missingColumn(c, string(c))
		}
	}
	if missing(FulfillmentOrder) && missing(OrderNumber) {
		return nil, missingColumn(FulfillmentOrder, "fulfillmentOrder, or orderNumber in its place")
	}
	return h, nil
}

func missingColumn(c Column, named string) error {
	return ErrColumn.WithMessage("The file lacks the column %s.", named).WithFields(fault.Field{
		Field: string(c), Message: "The first row needs this column. It may also be called: " + strings.Join(columnAliases[c], ", ") + ".",
	})
}
