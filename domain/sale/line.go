package sale

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/phone"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Line is one variant that is sold, with one set of attributes. All its amounts are in one currency.
type Line struct {
	ID                        string
	Product, Variant          string // ids
	Title                     string // of the product
	VariantTitle              string // "" for a product without options
	SKU, Image                string // "" when there is none; Image is a media id
	Quantity                  int64  // at least 1
	UnitPrice                 money.Money
	CompareAt                 money.Money // price before a reduction; the zero Money when there is none
	Subtotal, Discount, Total money.Money // Subtotal = UnitPrice × Quantity; Total = Subtotal − Discount
	RequiresShipping          bool
	TaxClass                  tax.Class
	Tax                       money.Money       // of all rates; the zero Money where none were computed
	TaxIncluded               bool              // Tax is part of Total; else it comes on top
	Taxes                     tax.Taxes         // of each rate
	Kind                      string            // one of catalog.Kinds
	Admissions                []Admission       // events: one per unit; else none
	Attributes                map[string]string // the shopper's choices; never changed in place
	Terms                     *pricing.Terms    // what an operator agreed with the buyer; nil: none. Never changed in place
}

// Admission is one person who attends an event.
type Admission struct {
	Name, Email, Phone string            // Email and Phone may be ""
	PhoneE164          string            // of Phone; see CompleteAdmissions
	Attributes         map[string]string // never changed in place
}

// CompleteAdmissions are admissions as they are stored: with their numbers as E.164 beside what was typed. home is the shop's country;
// "" if it is unknown. It does not change them.
func CompleteAdmissions(all []Admission, home string) []Admission {
	out := slices.Clone(all)
	for i := range out {
		out[i].PhoneE164 = phone.E164(out[i].Phone, home)
	}
	return out
}

// SetOffer copies the description of the variant from o, without its price: see SetPrice.
func (l *Line) SetOffer(o pricing.Offer) {
	l.Product, l.Title, l.VariantTitle, l.SKU, l.Image = o.Product, o.Title, o.VariantTitle, o.SKU, o.Image
	l.Kind, l.RequiresShipping, l.TaxClass = o.Kind, o.RequiresShipping, o.TaxClass
}

// TaxFree reports whether l was sold free of value added tax.
func (l *Line) TaxFree() bool { return l.TaxClass == tax.Exempt }

// SetPrice copies the unit price, the price before reduction and the terms from o.
func (l *Line) SetPrice(o pricing.Offer) {
	l.UnitPrice, l.CompareAt, l.Terms = o.UnitPrice, o.CompareAt, o.Terms
}

// SetTotals copies the subtotal, discount and total from t, and what the line's terms took off.
func (l *Line) SetTotals(t pricing.LineTotals) {
	l.Subtotal, l.Discount, l.Total = t.Subtotal, t.Discount, t.Total
	if l.Terms != nil {
		terms := *l.Terms
		terms.Discount = t.Agreed
		l.Terms = &terms
	}
	l.Tax, l.TaxIncluded, l.Taxes = t.Tax, t.TaxIncluded, t.Taxes
}
