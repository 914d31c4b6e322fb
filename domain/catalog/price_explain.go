package catalog

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// The sources of prices that are not resolved.
const (
	PriceKept   PriceSource = "kept"   // the last price of a variant that is no longer on sale
	PriceStated PriceSource = "stated" // given by the caller
	PriceAgreed PriceSource = "agreed" // by an operator with the buyer, for one line
)

// PriceExplanation is how a unit price was computed. A fixed, kept, stated or agreed price has only Source and
// Amount; otherwise Amount is Exact rounded once to a multiple of Increment.
type PriceExplanation struct {
	Source     PriceSource
	Base       money.Money   // of the variant or else the product, in the tenant's currency
	Discount   money.Decimal // of the product, percent off
	Rate       money.Decimal // market units per unit of the tenant's currency; zero without a market
	Adjustment money.Decimal // of the market, percent
	Increment  money.Money
	Exact      *big.Rat // minor units of Amount before rounding; nil if nothing was computed
	Amount     money.Money
}

// ExplainPrice is ResolvePrice with the steps of the computation. Errors: those of ResolvePrice.
func ExplainPrice(f PriceFacts) (ResolvedPrice, PriceExplanation, error) {
	r, err := ResolvePrice(f)
	if err != nil {
		return r, PriceExplanation{}, err
	}
	x := PriceExplanation{Source: r.Source, Amount: r.Amount}
	if f.Market != nil && f.Fixed != nil {
		return r, x, nil
	}
	x.Base, x.Discount = f.Base.Amount, f.Discount
	if f.Market != nil {
		x.Rate, x.Adjustment = f.Market.rate(f.Base.Amount.Currency), f.Market.Adjustment
	}
	x.Exact, x.Increment, err = unrounded(f.Base.Amount, discountFactor(f.Discount), f)
	return r, x, err
}
