package catalog

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// The sources of prices that are resolved from nothing.
const (
	Kept   Source = "kept"   // the last one of a variant that cannot be bought any more
	Stated Source = "stated" // what a caller says something costs
)

// PriceExplanation is how a unit price came about. A fixed price of a market, a kept and a stated one have Source and Amount only;
// otherwise Amount is Exact, rounded once to a multiple of Increment.
type PriceExplanation struct {
	Source     Source
	Base       money.Money   // of the variant, else of the product, in the tenant's currency
	Discount   money.Decimal // of the product, percent off
	Rate       money.Decimal // market units per tenant unit; zero without a market
	Adjustment money.Decimal // of the market, percent
	Increment  money.Money
	Exact      *big.Rat // minor units of Amount, before rounding; nil where nothing was computed
	Amount     money.Money
}

// ExplainPrice is ResolvePrice with the steps to its amount. Errors: those of ResolvePrice.
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
	x.Exact, x.Increment, err = exact(f.Base.Amount, keep(f.Discount), f)
	return r, x, err
}
