package intake

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/transfer"
)

// Kind is what a file holds.
type Kind string

// The kinds.
const (
	Products  Kind = "products"  // a row per variant; the rows of one handle are one product
	Customers Kind = "customers" // a row per customer
	Orders    Kind = "orders"    // a row per line; the rows of one order number are one order
	Stock     Kind = "stock"     // a row per variant
	Discounts Kind = "discounts" // a row per code
)

// Kinds are all kinds, as options of a field.
var Kinds = []string{string(Products), string(Customers), string(Orders), string(Stock), string(Discounts)}

// Column is a column of a file.
type Column struct {
	Name            string // in the words of the API
	English, Korean string // headings of exported files
	Required        bool   // a file is not imported without it
	Shown           bool   // only exported: an import takes no notice of it

	of     part
	format cellFormat
}

// part is what of a record a column is of.
type part int

const (
	whole   part = iota // the record: a cell is the same in all of its rows, or empty in all but the first
	portion             // the variant or line that has the row
)

// cellFormat is how a cell is written.
type cellFormat int

const (
	text   cellFormat = iota // kept as it is, spaces too
	word                     // without the spaces around it: a code, a choice, a moment
	number                   // plain decimal notation, possibly with thousands separators
	flag                     // true or false
	words                    // a list
)

// kindFacts is what sets a kind apart.
type kindFacts struct {
	key, field string // the column that its records are known by, and the field that the column is of
	about      string // slug of the collection
	read       []Column
}

// reads are the columns that an import reads. Those that exports have too get their headings from there.
var reads = map[Kind]kindFacts{
	Stock: {"sku", "sku", "product-variants", []Column{
		{Name: "sku", Required: true, format: word}, {Name: "variant", format: word}, {Name: "onHand", Required: true, format: number},
	}},
	Customers: {"email", "email", "customers", []Column{
		{Name: "email", Required: true, format: word}, {Name: "name"}, {Name: "phone"}, {Name: "groups", format: words},
		{Name: "marketingConsent", format: flag}, {Name: "note"}, {Name: "addressLabel"}, {Name: "recipientName"}, {Name: "recipientPhone"},
		{Name: "company"}, {Name: "country", format: word}, {Name: "postalCode"}, {Name: "province"}, {Name: "city"}, {Name: "district"},
		{Name: "address1"}, {Name: "address2"}, {Name: "deliveryNote"},
	}},
	Discounts: {"code", "code", "discounts", []Column{
		{Name: "code", Required: true, format: word}, {Name: "title"}, {Name: "type", format: word}, {Name: "value", format: number},
		{Name: "currency", format: word}, {Name: "tiers", format: words}, {Name: "minOrderAmount", format: number},
		{Name: "maxDiscountAmount", format: number}, {Name: "startsAt", format: word}, {Name: "endsAt", format: word},
		{Name: "usageLimit", format: number}, {Name: "perCustomerLimit", format: number}, {Name: "combinable", format: flag},
		{Name: "isActive", format: flag}, {Name: "products", format: words}, {Name: "categories", format: words},
		{Name: "markets", format: words},
	}},
	Products: {"handle", "slug", "products", []Column{
		{Name: "handle", Required: true, format: word}, {Name: "title"}, {Name: "status", format: word}, {Name: "publishAt", format: word},
		{Name: "description"}, {Name: "brand", format: word}, {Name: "category", format: word}, {Name: "categories", format: words},
		{Name: "tags", format: words}, {Name: "taxClass", format: word}, {Name: "productPrice", format: number},
		{Name: "discount", format: number}, {Name: "productCostPrice", format: number}, {Name: "images", format: words},
		{Name: "productLowStockThreshold", English: "Product low stock at", Korean: "상품 재고 부족 기준", format: number},
		{Name: "variantTitle", of: portion}, {Name: "optionValues", of: portion, format: words}, {Name: "sku", of: portion, format: word},
		{Name: "barcode", of: portion, format: word}, {Name: "price", of: portion, format: number},
		{Name: "compareAtPrice", of: portion, format: number}, {Name: "costPrice", of: portion, format: number},
		{Name: "kind", of: portion, format: word}, {Name: "requiresShipping", of: portion, format: flag},
		{Name: "trackInventory", of: portion, format: flag}, {Name: "stock", of: portion, format: number},
		{Name: "lowStockThreshold", of: portion, format: number}, {Name: "weight", of: portion, format: number},
		{Name: "variantImages", of: portion, format: words},
		{Name: "seoTitle"}, {Name: "seoDescription"}, {Name: "noIndex", format: flag},
	}},
	Orders: {"orderNumber", "orderNumber", "orders", []Column{
		{Name: "orderNumber", Required: true, format: word}, {Name: "status", Required: true, format: word},
		{Name: "paymentStatus", format: word}, {Name: "placedAt", format: word},
		{Name: "deliveredAt", format: word}, {Name: "email", format: word},
		{Name: "buyerName"}, {Name: "buyerPhone"}, {Name: "customer", format: word},
		{Name: "currency", format: word}, {Name: "recipientName"}, {Name: "company"}, {Name: "recipientPhone"}, {Name: "postalCode"},
		{Name: "province"}, {Name: "city"}, {Name: "district"}, {Name: "address1"},
		{Name: "address2"}, {Name: "deliveryNote"}, {Name: "country", format: word}, {Name: "subtotal", format: number},
		{Name: "discountAmount", format: number}, {Name: "shippingAmount", format: number},
		{Name: "taxAmount", format: number}, {Name: "taxesIncluded", format: flag}, {Name: "exemptShipping", format: number},
		{Name: "totalAmount", Required: true, format: number}, {Name: "refundedAmount", format: number},
		{Name: "discountCodes", format: words}, {Name: "notes"},
		{Name: "title", Required: true, of: portion}, {Name: "variantTitle", of: portion}, {Name: "sku", of: portion, format: word},
		{Name: "variant", English: "Variant id", Korean: "옵션 ID", of: portion, format: word},
		{Name: "quantity", Required: true, of: portion, format: number}, {Name: "unitPrice", Required: true, of: portion, format: number},
		{Name: "lineDiscount", of: portion, format: number}, {Name: "lineTotal", of: portion, format: number},
		{Name: "kind", English: "Kind", Korean: "종류", of: portion, format: word},
		{Name: "requiresShipping", English: "Ships", Korean: "배송 필요", of: portion, format: flag},
		{Name: "taxClass", of: portion, format: word}, {Name: "lineTax", of: portion, format: number},
		{Name: "returnedQuantity", of: portion, format: number},
	}},
}

// columns are all columns of each kind: those that imports read, and then those that only exports have.
var columns = func() map[Kind][]Column {
	all := map[Kind][]Column{}
	for kind, facts := range reads {
		sheet, _ := transfer.SheetOf(transfer.Kind(kind))
		list := slices.Clone(facts.read)
		for _, exported := range sheet.Columns {
			i := slices.IndexFunc(list, func(c Column) bool { return c.Name == exported.Name })
			if i < 0 {
				i, list = len(list), append(list, Column{Name: exported.Name, Shown: true})
			}
			list[i].English, list[i].Korean = exported.Header(transfer.English), exported.Header(transfer.Korean)
		}
		all[kind] = list
	}
	return all
}()

// Columns are the columns of a kind. Products have those of transfer.MarketColumns besides.
func (k Kind) Columns() []Column { return columns[k] }

// Key is the name of the column that tells the records of a kind apart.
func (k Kind) Key() string { return reads[k].key }

// KeyField is the field that the column Key is of.
func (k Kind) KeyField() string { return reads[k].field }

// Grouped reports whether several rows can be one record of the kind.
func (k Kind) Grouped() bool { return k == Products || k == Orders }

// of are the columns of a part that imports read.
func (k Kind) of(p part) (list []Column) {
	for _, c := range reads[k].read {
		if c.of == p {
			list = append(list, c)
		}
	}
	return list
}
