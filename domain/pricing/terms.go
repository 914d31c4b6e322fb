package pricing

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Terms are what an operator agreed with the buyer for one line, in place of what the catalog asks. All amounts are in the
// currency of the order. Rules drafts-8, drafts-16, Decision 63.
type Terms struct {
	UnitPrice       *money.Money  // of one unit; nil: the catalog's
	DiscountAmount  *money.Money  // off the whole line, at most what it costs; nil: none
	DiscountPercent money.Decimal // off the line, 0 to 100; zero together with DiscountAmount
	Reason          string        // why, for the shop's people

	// What became of them in a sale; absent in what an operator entered.
	CatalogPrice *money.Money // of one unit; nil: the catalog had none
	Discount     money.Money  // what they took off the line; the zero Money before
}

// Under is o as it is sold by t; nil terms change nothing. What has a price of its own needs none in the catalog. A catalog price
// above it is what it was reduced from.
func (o Offer) Under(t *Terms) Offer {
	if t == nil {
		return o
	}
	agreed, asked := *t, o.UnitPrice
	agreed.CatalogPrice = nil
	if o.Sellable {
		agreed.CatalogPrice = &asked
	}
	o.Terms = &agreed
	if t.UnitPrice == nil {
		return o
	}
	o.UnitPrice, o.CompareAt, o.PriceFacts = *t.UnitPrice, money.Money{}, nil
	if o.Sellable && asked.Minor > o.UnitPrice.Minor {
		o.CompareAt = asked
	}
	o.Sellable = o.OnSale
	return o
}

// off is what t takes off a line that costs subtotal, never more than that. The percentage is rounded once. Errors:
// money.ErrOutOfRange.
func (t *Terms) off(subtotal money.Money, r money.Rounding) (money.Money, error) {
	switch {
	case t == nil:
	case t.DiscountAmount != nil:
		return t.DiscountAmount.Min(subtotal), nil
	case !t.DiscountPercent.IsZero():
		m, err := subtotal.Scale(new(big.Rat).Mul(big.NewRat(1, 100), t.DiscountPercent.Rat()), r)
		return m.Min(subtotal), err
	}
	return money.Of(0, subtotal.Currency), nil
}
