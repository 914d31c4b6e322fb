package sale

import (
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Fields are shared declarations in the order of the wire format. A schema adapts a copy and appends its own
// fields.
type Fields []collection.Field

// Docs are descriptions by field name.
type Docs map[string]string

// LineFields declares Line.
var LineFields = Fields{
	{Name: "id", Kind: collection.Text, NonNull: true, ReadOnly: true, Doc: "Id of the line, the cart line's."},
	{Name: "product", Kind: collection.Relation, RelationTo: "products", Doc: "The product."},
	{Name: "variant", Kind: collection.Relation, RelationTo: "product-variants", Doc: "The variant."},
	{Name: "title", Kind: collection.Text, NonNull: true, Doc: "The product's name at the time."},
	{Name: "variantTitle", Kind: collection.Text, Doc: "The variant's title at the time."},
	{Name: "sku", Kind: collection.Text, Doc: "Stock keeping unit."},
	{Name: "image", Kind: collection.Upload, Doc: "The product's picture."},
	{Name: "quantity", Kind: collection.Integer, NonNull: true, Doc: "Units."},
	{Name: "unitPrice", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "Price of one unit."},
	{Name: "compareAtPrice", Kind: collection.Money, Currency: "currency", Doc: "Price before reduction."},
	{Name: "subtotal", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "Unit price × quantity."},
	{Name: "discount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "The line's share of all discounts."},
	{Name: "total", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "Subtotal − discount."},
	{Name: "requiresShipping", Kind: collection.Boolean, NonNull: true, Doc: "Whether it is delivered."},
	{
		Name: "taxClass", Kind: collection.Select, Options: tax.Classes, Formerly: "taxFree", FormerValues: tax.ClassesOfTaxFree,
		Doc: "How it was taxed: by the rates of this class; exempt goods are free of taxes.",
	},
	{
		Name: "taxes", Kind: collection.Group, OmitMissing: true, Fields: lineTaxFields,
		Doc: "Its taxes; left out where none are computed.",
	},
	{Name: "kind", Kind: collection.Select, NonNull: true, Options: catalog.Kinds, Doc: "What the variant is."},
	{Name: "admissions", Kind: collection.Array, Fields: AdmissionFields, Doc: "One per unit of an event line."},
	{Name: "attributes", Kind: collection.JSON, Personal: true, ValueKind: collection.Text, Doc: "The shopper's choices, text to text."},
	{
		Name: "terms", Kind: collection.Group, VisibleTo: collection.Staff, Fields: SoldTermFields, ToldWhenCreated: true,
		Doc: "What an operator agreed with the buyer for the line in a draft order; null where the catalog and codes alone decide.",
	},
}

// TermFields declares pricing.Terms as operators enter them.
var TermFields = []collection.Field{
	{
		Name: "unitPrice", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0),
		Doc: "Price of one unit, in place of the catalog's; null: the catalog's.",
	},
	{
		Name: "discountAmount", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0),
		Doc: "Off the whole line, at most what it costs; not together with a percentage.",
	},
	{
		Name: "discountPercent", Kind: collection.Number, Min: collection.Bound(0), Max: collection.Bound(100),
		Doc: "Off the line, 0 to 100 percent; not together with an amount.",
	},
	{Name: "reason", Kind: collection.Text, Personal: true, MaxLength: 300, Doc: "Why, for the shop's people. It is required."},
}

// SoldTermFields declares pricing.Terms of what is sold by them.
var SoldTermFields = append(slices.Clone(TermFields),
	collection.Field{
		Name: "catalogPrice", Kind: collection.Money, Currency: "currency",
		Doc: "What the catalog asked for one unit; null where it had no price.",
	},
	collection.Field{Name: "discount", Kind: collection.Money, Currency: "currency", Doc: "What they took off the line."},
)

// AdmissionFields declares Admission. Rule carts-11.
var AdmissionFields = []collection.Field{
	{Name: "name", Kind: collection.Text, Personal: true, Doc: "Name of the person."},
	{Name: "email", Kind: collection.Text, Personal: true, Doc: "Email address of the person."},
	{Name: "phone", Kind: collection.Text, Personal: true, Doc: "Telephone number of the person."},
	address.PhoneE164Field,
	{Name: "attributes", Kind: collection.JSON, Personal: true, ValueKind: collection.Text, Doc: "Attributes of the admission: text by name."},
}

// ContactFields declares Contact. Rule checkouts-14.
var ContactFields = []collection.Field{
	{Name: "name", Kind: collection.Text, Personal: true, MaxLength: 200, Doc: "The buyer's name."},
	{Name: "email", Kind: collection.Email, Personal: true, Doc: "The buyer's email."},
	{Name: "phone", Kind: collection.Text, Personal: true, MaxLength: 50, Doc: "The buyer's phone number."},
	address.PhoneE164Field,
}

// TotalFields declares Totals.
var TotalFields = Fields{
	{Name: "subtotal", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "Lines before discounts."},
	{Name: "discount", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "All discounts on lines."},
	{
		Name: "shipping", Kind: collection.Money, Currency: "currency", OmitMissing: true,
		Doc: "Null until an address is known; absent when nothing ships.",
	},
	{Name: "total", Kind: collection.Money, NonNull: true, Currency: "currency", Doc: "The amount to pay."},
	{
		Name: "taxFree", Kind: collection.Money, Currency: "currency",
		Doc: "The part of the total that is free of value added tax: its tax-free lines after discounts; null in records of older versions.",
	},
	TaxField,
}

// CodeFields declares what clients see of a discount code in a sale.
var CodeFields = Fields{
	{Name: "code", Kind: collection.Text, NonNull: true, Doc: "The code."},
	{Name: "applied", Kind: collection.Boolean, NonNull: true, Doc: "Whether it takes effect."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "What it takes off."},
	{Name: "reason", Kind: collection.Select, Options: discount.Reasons, Doc: "Why it does not take effect."},
}

// Described returns f with the descriptions of docs in place of its own. It panics for a name that f does not
// declare.
func (f Fields) Described(docs Docs) Fields {
	for name, doc := range docs {
		f = f.changed(name, func(d *collection.Field) { d.Doc = doc })
	}
	return f
}

// NonNull returns f with the field called name never null. It panics for a name that f does not declare.
func (f Fields) NonNull(name string) Fields {
	return f.changed(name, func(d *collection.Field) { d.NonNull = true })
}

// Without returns f without the field called name. It panics for a name that f does not declare.
func (f Fields) Without(name string) Fields {
	i := f.index(name)
	return slices.Concat(f[:i], f[i+1:])
}

// And returns f followed by own.
func (f Fields) And(own ...collection.Field) Fields { return slices.Concat(f, own) }

func (f Fields) changed(name string, change func(*collection.Field)) Fields {
	f = slices.Clone(f)
	change(&f[f.index(name)])
	return f
}

func (f Fields) index(name string) int {
	i := slices.IndexFunc(f, func(d collection.Field) bool { return d.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("sale: no shared field is called %q", name))
	}
	return i
}
