package pricing

import (
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Offer describes one variant and its price in a market, as carts, checkouts and drafts look it up.
type Offer struct {
	Product, Variant    string
	Title, VariantTitle string   // VariantTitle is "" for a product without a choice
	SKU, Image          string   // "" when there is none; Image is a media id
	Categories          []string // of the product
	Kind                string   // physical, digital, service, event
	RequiresShipping    bool
	TaxClass            tax.Class
	UnitPrice           money.Money
	CompareAt           money.Money // the zero Money when there is none
	Sellable            bool        // its product is published or unlisted, and it has a price in the market
	OnSale              bool        // its product is published or unlisted
	Stock               inventory.Level
	Policy              *shipping.Policy // the product's own; nil: the tenant's default
	// PriceFacts is what UnitPrice was resolved from; nil unless it is to be explained.
	PriceFacts *catalog.PriceFacts
	Terms      *Terms // what an operator agreed instead; nil but in what Under returns
}

// Unpriced reports whether nothing but a price in the market is missing for o to be sold.
func (o Offer) Unpriced() bool { return o.OnSale && !o.Sellable }

// Line is a line of quantity units of o.
func (o Offer) Line(id string, quantity int64) Line {
	return Line{
		ID: id, Variant: o.Variant, Product: o.Product, Categories: o.Categories, Quantity: quantity,
		UnitPrice: o.UnitPrice, CompareAt: o.CompareAt, RequiresShipping: o.RequiresShipping, ShippingPolicy: o.Policy,
		TaxClass: o.TaxClass, SKU: o.SKU, PriceFacts: o.PriceFacts, Terms: o.Terms,
	}
}
