package catalog

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// ErrMarketNotFound says that no active market has this id or code. Rule catalog-7.
var ErrMarketNotFound = fault.New(fault.NotFound, "market_not_found", "There is no such market.")

// ErrVariantUnavailable says that the variant is unknown, its product is not on sale, or it has no price in the
// market, which is in a foreign currency without a rate and has no fixed price.
var ErrVariantUnavailable = fault.New(fault.Unprocessable, "variant_unavailable", "This variant cannot be bought.")

// ErrVariantNotPriced says that the variant could be sold, but for its price: there is none in the market, or in the currency.
var ErrVariantNotPriced = fault.New(fault.Unprocessable, "variant_not_priced", "This variant has no price in the currency and market of the sale.")

// Market has the fields of a market that prices depend on.
type Market struct {
	ID, Code   string
	Locale     string   // language of carts that name none; "": the shop's default one
	Countries  []string // ISO 3166-1 alpha-2
	Currency   money.Currency
	Rate       money.Decimal // market units per unit of the tenant's currency; zero: not set
	Adjustment money.Decimal // percent
	Increment  money.Decimal // in major units; zero: the currency's smallest unit
	Taxes      *tax.Rules    // nil: none are computed; never changed in place
}

// MarketFrom reads a market record.
func MarketFrom(r collection.Record) Market {
	m := Market{
		ID: r.ID(), Code: r.Text("code"), Locale: r.Text("locale"), Countries: r.Texts("countries"),
		Currency: money.Currency(r.Text("currency")), Taxes: tax.RulesFrom(r),
	}
	m.Rate, _ = r.Decimal("exchangeRate")
	m.Adjustment, _ = r.Decimal("adjustmentPercent")
	m.Increment, _ = r.Decimal("roundingIncrement")
	return m
}

// PickMarket finds the active market with the id or code ref among candidates. Errors: ErrMarketNotFound.
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
	return MarketFrom(found), nil
}

// PriceSource is where a price comes from. Rule catalog-5.
type PriceSource string

// The sources.
const (
	PriceFixed    PriceSource = "fixed"
	PriceComputed PriceSource = "computed"
)

// Price is an amount and the higher price before a reduction, in the same currency; CompareAt is the zero
// Money when there is none.
type Price struct{ Amount, CompareAt money.Money }

// ResolvedPrice is the price of a variant in a market.
type ResolvedPrice struct {
	Price

	MarketID string // "": no market, the tenant's currency
	Source   PriceSource
}

// PriceFacts are the facts that a price is resolved from.
type PriceFacts struct {
	Base     Price         // of the variant, with missing amounts taken from the product; see BasePrice
	Discount money.Decimal // of the product, percent off
	Market   *Market       // nil: none
	Fixed    *Price        // the variant's fixed price in market-prices; nil: none
	Rounding money.Rounding
}

// BasePrice is the variant's own price, or else the product's. ok is false when neither has one.
func BasePrice(product, variant collection.Record) (p Price, ok bool) {
	p.Amount, ok = variant.Money("price")
	if !ok {
		p.Amount, ok = product.Money("price")
	}
	p.CompareAt, _ = variant.Money("compareAtPrice")
	return p, ok
}

// CostPrice is the field of products and variants with what one unit costs the shop. Rule catalog-27.
const CostPrice = "costPrice"

// CostPriceOf is the cost price of a variant: its own, or else the product's. ok is false when neither has one.
func CostPriceOf(product, variant collection.Record) (cost money.Money, ok bool) {
	if cost, ok = variant.Money(CostPrice); !ok {
		cost, ok = product.Money(CostPrice)
	}
	return cost, ok
}

// ResolvePrice resolves a price. A fixed price applies as it is. Otherwise the amount is
//
//	base × (1 − discount/100) × exchangeRate × (1 + adjustmentPercent/100)
//
// rounded once to a multiple of the increment. The compare-at price is the undiscounted price if there is a
// discount, else the variant's own. It is converted in the same way, and dropped unless it is above the
// amount. Errors: ErrVariantUnavailable, money.ErrOutOfRange. Rule catalog-5.
func ResolvePrice(f PriceFacts) (ResolvedPrice, error) {
	r := ResolvedPrice{Source: PriceFixed}
	if f.Market != nil {
		r.MarketID = f.Market.ID
		if f.Fixed != nil {
			r.Price = f.Fixed.withoutLowerCompareAt()
			return r, nil
		}
		r.Source = PriceComputed
	}
	compareAt := f.Base.CompareAt
	if f.Discount.Sign() > 0 {
		compareAt = f.Base.Amount
	}
	var err error
	if r.Amount, err = convert(f.Base.Amount, discountFactor(f.Discount), f); err != nil {
		return ResolvedPrice{}, err
	}
	if compareAt.Currency != "" {
		if r.CompareAt, err = convert(compareAt, big.NewRat(1, 1), f); err != nil {
			return ResolvedPrice{}, err
		}
	}
	r.Price = r.withoutLowerCompareAt()
	return r, nil
}

// withoutLowerCompareAt drops a compare-at price that is not above the amount.
func (p Price) withoutLowerCompareAt() Price {
	if p.CompareAt.Minor <= p.Amount.Minor {
		p.CompareAt = money.Money{}
	}
	return p
}

// discountFactor is the factor that is left after a discount in percent.
func discountFactor(discount money.Decimal) *big.Rat {
	return new(big.Rat).Sub(big.NewRat(1, 1), percent(discount))
}

func percent(d money.Decimal) *big.Rat { return new(big.Rat).Mul(d.Rat(), big.NewRat(1, 100)) }

// convert converts an amount of the tenant's currency into the market's currency and increment, rounding
// once.
func convert(m money.Money, factor *big.Rat, f PriceFacts) (money.Money, error) {
	x, to, err := unrounded(m, factor, f)
	if err != nil {
		return money.Money{}, err
	}
	n, err := f.Rounding.Round(x.Quo(x, new(big.Rat).SetInt64(to.Minor)))
	if err != nil {
		return money.Money{}, err
	}
	return money.Of(n, to.Currency).Times(to.Minor)
}

// unrounded is the exact amount in minor units, and the increment to a multiple of which convert rounds it.
func unrounded(m money.Money, factor *big.Rat, f PriceFacts) (x *big.Rat, to money.Money, err error) {
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
	x.Mul(x, big.NewRat(minorPerMajor(f.Market.Currency), minorPerMajor(m.Currency)))
	return x, money.Of(increment(f.Market), f.Market.Currency), nil
}

// ScaledPrice is the price in a market, nil being none, of an amount in the tenant's currency c that counts so many steps per minor
// unit. It never falls when the amount rises. Errors: ErrVariantUnavailable, money.ErrOutOfRange.
func ScaledPrice(steps, perUnit int64, c money.Currency, m *Market, rounding money.Rounding) (money.Money, error) {
	return convert(money.Of(steps, c), big.NewRat(1, perUnit), PriceFacts{Market: m, Rounding: rounding})
}

// rate is market units per unit of c; 1 for the market's own currency unless set, 0 if missing.
func (m *Market) rate(c money.Currency) money.Decimal {
	if m.Rate.IsZero() && m.Currency == c {
		return money.DecimalOf(1)
	}
	return m.Rate
}

// increment is the market's rounding increment in minor units, at least 1.
func increment(m *Market) int64 {
	minor := new(big.Rat).Mul(m.Increment.Rat(), new(big.Rat).SetInt64(minorPerMajor(m.Currency)))
	if whole := new(big.Int).Quo(minor.Num(), minor.Denom()); whole.IsInt64() && whole.Sign() > 0 && whole.Int64() <= money.Max {
		return whole.Int64()
	}
	return 1
}

// minorPerMajor is how many minor units make one major unit of c.
func minorPerMajor(c money.Currency) int64 {
	n := int64(1)
	for range c.Exponent() {
		n *= 10
	}
	return n
}
