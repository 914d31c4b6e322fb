package catalog

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// ErrMarketNotFound says that there is no active market with this id or code. Contract 4.
var ErrMarketNotFound = fault.New(fault.NotFound, "market_not_found", "There is no such market.")

// ErrVariantUnavailable says that the variant is unknown, its product is not on sale, or it has no price in the market: a market
// in a foreign currency without a rate, and no fixed price.
var ErrVariantUnavailable = fault.New(fault.Unprocessable, "variant_unavailable", "This variant cannot be bought.")

// Market is the facts of a market that prices depend on.
type Market struct {
	ID, Code   string
	Currency   money.Currency
	Rate       money.Decimal // market units per tenant unit; zero: not stated
	Adjustment money.Decimal // percent
	Increment  money.Decimal // major units; zero: the currency's smallest unit
}

// MarketOf reads a market record.
func MarketOf(r collection.Record) Market {
	m := Market{ID: r.ID(), Code: r.Text("code"), Currency: money.Currency(r.Text("currency"))}
	m.Rate, _ = r.Decimal("exchangeRate")
	m.Adjustment, _ = r.Decimal("adjustmentPercent")
	m.Increment, _ = r.Decimal("roundingIncrement")
	return m
}

// PickMarket finds the active market that ref names by id or code among candidates. Errors: ErrMarketNotFound.
func PickMarket(candidates []collection.Record, ref string) (Market, error) {
	var found collection.Record
	for _, r := range candidates {
		if r.Text("status") == Active && (r.ID() == ref || found == nil && r.Text("code") == ref) {
			found = r
		}
	}
	if found == nil {
		return Market{}, ErrMarketNotFound
	}
	return MarketOf(found), nil
}

// Source says where a price comes from. Spec 2.4.
type Source string

// The sources.
const (
	Fixed    Source = "fixed"
	Computed Source = "computed"
)

// Price is an amount and, unless it is the zero value, a former, higher amount in the same currency.
type Price struct{ Amount, CompareAt money.Money }

// ResolvedPrice is what a variant costs somewhere.
type ResolvedPrice struct {
	Price

	MarketID string // "": no market, the tenant's currency
	Source   Source
}

// PriceFacts is what a price is resolved from.
type PriceFacts struct {
	Base     Price         // of the variant, amounts missing there taken from the product (BasePrice)
	Discount money.Decimal // of the product, percent off
	Market   *Market       // nil: none
	Fixed    *Price        // the variant's row in market-prices; nil: none
	Rounding money.Rounding
}

// BasePrice is the variant's own price, else the product's. ok is false when neither has one.
func BasePrice(product, variant collection.Record) (p Price, ok bool) {
	p.Amount, ok = variant.Money("price")
	if !ok {
		p.Amount, ok = product.Money("price")
	}
	p.CompareAt, _ = variant.Money("compareAtPrice")
	return p, ok
}

// ResolvePrice applies Contract 4: a fixed row counts as it stands; otherwise
//
//	base × (1 − discount/100) × exchangeRate × (1 + adjustmentPercent/100)
//
// is rounded once, to a multiple of the increment. The compare-at price is the undiscounted one if there is a discount,
// else the variant's own; it is converted alike and dropped unless above the amount. Errors: ErrVariantUnavailable, money.ErrOutOfRange.
func ResolvePrice(f PriceFacts) (ResolvedPrice, error) {
	r := ResolvedPrice{Source: Fixed}
	if f.Market != nil {
		r.MarketID = f.Market.ID
		if f.Fixed != nil {
			r.Price = f.Fixed.honest()
			return r, nil
		}
		r.Source = Computed
	}
	before := f.Base.CompareAt
	if f.Discount.Sign() > 0 {
		before = f.Base.Amount
	}
	var err error
	if r.Amount, err = convert(f.Base.Amount, keep(f.Discount), f); err != nil {
		return ResolvedPrice{}, err
	}
	if before.Currency != "" {
		if r.CompareAt, err = convert(before, big.NewRat(1, 1), f); err != nil {
			return ResolvedPrice{}, err
		}
	}
	r.Price = r.honest()
	return r, nil
}

// honest drops a former price that is not higher.
func (p Price) honest() Price {
	if p.CompareAt.Minor <= p.Amount.Minor {
		p.CompareAt = money.Money{}
	}
	return p
}

// keep is what stays of a price after a discount of so many percent.
func keep(discount money.Decimal) *big.Rat {
	return new(big.Rat).Sub(big.NewRat(1, 1), percent(discount))
}

func percent(d money.Decimal) *big.Rat { return new(big.Rat).Mul(d.Rat(), big.NewRat(1, 100)) }

// convert scales a tenant amount into the market's currency and increment, rounding once.
func convert(m money.Money, factor *big.Rat, f PriceFacts) (money.Money, error) {
	x, to, err := exact(m, factor, f)
	if err != nil {
		return money.Money{}, err
	}
	n, err := f.Rounding.Round(x.Quo(x, new(big.Rat).SetInt64(to.Minor)))
	if err != nil {
		return money.Money{}, err
	}
	return money.Of(n, to.Currency).Times(to.Minor)
}

// exact is what convert rounds, in minor units, and the step to a multiple of which it does.
func exact(m money.Money, factor *big.Rat, f PriceFacts) (x *big.Rat, to money.Money, err error) {
	x = new(big.Rat).Mul(new(big.Rat).SetInt64(m.Minor), factor)
	if f.Market == nil {
		return x, money.Of(1, m.Currency), nil
	}
	rate := f.Market.rate(m.Currency)
	if rate.IsZero() {
		return nil, money.Money{}, ErrVariantUnavailable
	}
	x.Mul(x, rate.Rat())
	x.Mul(x, new(big.Rat).Add(big.NewRat(1, 1), percent(f.Market.Adjustment)))
	x.Mul(x, big.NewRat(scale(f.Market.Currency), scale(m.Currency)))
	return x, money.Of(increment(f.Market), f.Market.Currency), nil
}

// rate is how many units of the market one unit of c makes, 0 when nobody said. A currency is worth itself.
func (m *Market) rate(c money.Currency) money.Decimal {
	if m.Rate.IsZero() && m.Currency == c {
		return money.DecimalOf(1)
	}
	return m.Rate
}

// increment is the market's rounding step in minor units, at least 1.
func increment(m *Market) int64 {
	minor := new(big.Rat).Mul(m.Increment.Rat(), new(big.Rat).SetInt64(scale(m.Currency)))
	if whole := new(big.Int).Quo(minor.Num(), minor.Denom()); whole.IsInt64() && whole.Sign() > 0 && whole.Int64() <= money.Max {
		return whole.Int64()
	}
	return 1
}

// scale is how many minor units make one major unit of c.
func scale(c money.Currency) int64 {
	n := int64(1)
	for range c.Exponent() {
		n *= 10
	}
	return n
}
