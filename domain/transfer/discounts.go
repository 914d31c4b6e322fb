package transfer

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
)

// The parts of a row of Discounts: a discount, and DiscountScope.
const (
	Discount      Part = "discount"
	DiscountScope Part = "scope" // what it is about, by handles
)

// scope declares the part DiscountScope.
var scope = &collection.Schema{Slug: "discount-scopes", Fields: []collection.Field{
	{Name: "products", Kind: collection.Texts},
	{Name: "categories", Kind: collection.Texts},
	{Name: "markets", Kind: collection.Texts},
}}

// Discounts is the table of discount codes: one row each.
var Discounts = Sheet{
	Kind: "discounts", Lists: discount.Schema,
	Reads: []*collection.Schema{discount.Schema, catalog.Products, catalog.Categories, catalog.Markets},
	Columns: []Column{
		column(Discount, discount.Schema, "code", "code", "Code", "할인 코드"),
		column(Discount, discount.Schema, "title", "title", "Title", "제목"),
		column(Discount, discount.Schema, "type", "type", "Type", "유형"),
		column(Discount, discount.Schema, "value", "value", "Value", "값"),
		column(Discount, discount.Schema, "currency", "currency", "Currency", "통화"),
		tiers,
		column(Discount, discount.Schema, "minOrderAmount", "minOrderAmount", "Smallest order", "최소 주문 금액"),
		column(Discount, discount.Schema, "maxDiscountAmount", "maxDiscountAmount", "Largest discount", "최대 할인 금액"),
		column(Discount, discount.Schema, "startsAt", "startsAt", "Starts at", "시작일시"),
		column(Discount, discount.Schema, "endsAt", "endsAt", "Ends at", "종료일시"),
		column(Discount, discount.Schema, "usageLimit", "usageLimit", "Usage limit", "사용 한도"),
		column(Discount, discount.Schema, "perCustomerLimit", "perCustomerLimit", "Limit per customer", "고객당 한도"),
		column(Discount, discount.Schema, "usageCount", "usageCount", "Used", "사용 횟수"),
		column(Discount, discount.Schema, "combinable", "combinable", "Combinable", "중복 사용"),
		column(Discount, discount.Schema, "isActive", "isActive", "Active", "사용 여부"),
		column(DiscountScope, scope, "products", "products", "Products", "적용 상품"),
		column(DiscountScope, scope, "categories", "categories", "Categories", "적용 카테고리"),
		column(DiscountScope, scope, "markets", "markets", "Markets", "적용 마켓"),
	},
}

// tiers has an item for each step of a tiered discount: the amount from which it counts, how value is meant, and value, with
// blanks between: "50000 percentage 10".
var tiers = Column{
	Name: "tiers", Headers: headers("Tiers", "단계"), Part: Discount, Kind: collection.Texts,
	Of: func(row Row) any {
		var items []string
		for _, tier := range row[Discount].Rows("tiers") {
			items = append(items, strings.Join([]string{Text(tier["minAmount"]), tier.Text("discountType"), Text(tier["value"])}, " "))
		}
		return items
	},
}

// DiscountLinks are the fields of a discount that DiscountScope shows, by the names of their columns.
var DiscountLinks = map[string]string{"products": "applicableProducts", "categories": "applicableCategories", "markets": "markets"}

// DiscountRow is the row of a discount. handle is the slug or code of a record by its id.
func DiscountRow(d collection.Record, handle func(id string) string) Row {
	about := collection.Record{}
	for name, field := range DiscountLinks {
		about[name] = handles(d.Texts(field), handle)
	}
	return Row{Discount: d, DiscountScope: about}
}

// handles are the handles of records by their ids; the id itself where there is none.
func handles(ids []string, handle func(id string) string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		if out[i] = handle(id); out[i] == "" {
			out[i] = id
		}
	}
	return out
}
