package discount

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

// Schema declares discounts. Shoppers cannot read it; they enter codes. Rule discounts-13.
var Schema = &collection.Schema{
	Slug: "discounts", Singular: "Discount", Plural: "Discounts",
	Doc:    "A code that reduces the price of an order.",
	Access: collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all},
	Fields: []collection.Field{
		{
			Name: "code", Kind: collection.Text, Required: true, Unique: true, Indexed: true, Uppercase: true, MaxLength: 100,
			Doc: "What the shopper types, in any case.",
		},
		{Name: "title", Kind: collection.Text, MaxLength: 255, Doc: "Name for the operator."},
		{
			Name: "type", Kind: collection.Select, Required: true, Indexed: true,
			Options: []string{string(Percentage), string(FixedAmount), string(FreeShipping), string(Tiered)}, Doc: "What it does.",
		},
		{Name: "value", Kind: collection.Number, Min: collection.Bound(0), Doc: "Percent, or the amount in major units of the currency."},
		{
			Name: "currency", Kind: collection.Text, Uppercase: true, Immutable: true, MaxLength: 3,
			Doc: "Currency of every amount here; the tenant's when missing.",
		},
		{Name: "tiers", Kind: collection.Array, Doc: "Steps of a tiered discount; the highest reached one counts.", Fields: []collection.Field{
			{
				Name: "minAmount", Kind: collection.Money, Currency: "currency", Required: true, Min: collection.Bound(0),
				Doc: "Amount from which this step counts.",
			},
			{
				Name: "discountType", Kind: collection.Select, Required: true, Options: []string{string(Percentage), string(FixedAmount)},
				Doc: "How value is meant.",
			},
			{
				Name: "value", Kind: collection.Number, Required: true, Min: collection.Bound(0),
				Doc: "Percent, or the amount in major units.",
			},
		}},
		{
			Name: "minOrderAmount", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0),
			Doc: "Smallest subtotal, before any discount.",
		},
		{Name: "maxDiscountAmount", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0), Doc: "Maximum discount."},
		{Name: "startsAt", Kind: collection.Date, Indexed: true, Doc: "First moment it is valid."},
		{Name: "endsAt", Kind: collection.Date, Indexed: true, Doc: "First moment it is no longer valid."},
		{
			Name: "usageLimit", Kind: collection.Integer, Min: collection.Bound(0),
			Doc: "How many orders may use it; 0 or missing: any number.",
		},
		{
			Name: "perCustomerLimit", Kind: collection.Integer, Min: collection.Bound(0),
			Doc: "How many orders of one customer may use it; 0 or missing: any number.",
		},
		{
			Name: "usageCount", Kind: collection.Integer, ReadOnly: true, Source: "uses.placed",
			Doc: "Placed orders that used it, in the environment of the request.",
		},
		{Name: "combinable", Kind: collection.Boolean, Default: false, Doc: "Can be combined with other combinable codes."},
		{
			Name: "applicableProducts", Kind: collection.RelationMany, RelationTo: "products", Indexed: true,
			Doc: "With applicableCategories: what it applies to; both empty: everything.",
		},
		{
			Name: "applicableCategories", Kind: collection.RelationMany, RelationTo: "categories", Indexed: true,
			Doc: "See applicableProducts.",
		},
		{
			Name: "markets", Kind: collection.RelationMany, RelationTo: "markets", Indexed: true,
			Doc: "Only in these markets; empty: everywhere.",
		},
		{Name: "isActive", Kind: collection.Boolean, Default: true, Indexed: true, Doc: "Whether the code can be used."},
	},
}

// FromRecord reads a discount record; tenant is the default currency of its amounts.
func FromRecord(r collection.Record, tenant money.Currency) *Discount {
	d := &Discount{
		ID: r.ID(), Code: r.Text("code"), Type: Type(r.Text("type")), Currency: money.Currency(r.Text("currency")),
		StartsAt: r.Time("startsAt"), EndsAt: r.Time("endsAt"),
		UsageLimit: r.Int("usageLimit"), PerCustomerLimit: r.Int("perCustomerLimit"),
		Combinable: r.Bool("combinable"), Active: r.Bool("isActive"),
		Products: r.Texts("applicableProducts"), Categories: r.Texts("applicableCategories"), Markets: r.Texts("markets"),
	}
	if d.Currency == "" {
		d.Currency = tenant
	}
	d.Value, _ = r.Decimal("value")
	d.MinOrder = amount(r, "minOrderAmount")
	d.MaxAmount = amount(r, "maxDiscountAmount")
	for _, row := range r.Rows("tiers") {
		t := Tier{Type: Type(row.Text("discountType"))}
		t.From, _ = row.Money("minAmount")
		t.Value, _ = row.Decimal("value")
		d.Tiers = append(d.Tiers, t)
	}
	return d
}

func amount(r collection.Record, name string) *money.Money {
	if m, ok := r.Money(name); ok {
		return &m
	}
	return nil
}
