package tax

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Item is what is taxed of one line: what it costs after discounts, from 0.
type Item struct {
	Class    Class // "": Standard
	Amount   money.Money
	Key, SKU string // the line's id, which no other line of the sale has, and its stock keeping unit; "" where only the table is asked
	Quantity int64  // units; 0 where only the table is asked
}

// Sale is what is taxed. All amounts are in Currency.
type Sale struct {
	Currency money.Currency
	Items    []Item
	Shipping *money.Money // nil for none, and while it is unknown
	Place    Place
	From     Place // where the shop is; empty: unknown
	Buyer    Buyer
	Exempt   bool // the buyer pays no taxes
	At       time.Time
}

// Buyer is who buys, as far as services ask for it. Any part may be "".
type Buyer struct {
	Customer string // id
	TaxID    string // as the shop keeps it
}

// Result are the taxes of a sale.
type Result struct {
	Included  bool    // they are part of the prices; false: they come on top
	Estimated bool    // no address is known, so that the place is the market's country; or the table stands in for a service
	Source    Source  // who computed them
	Lines     []Taxes // by index of the items
	Shipping  Taxes
	Rates     Taxes // sums of each rate over lines and shipping
	Total     money.Money
	// ExemptShipping is the part of shipping that is taxed as exempt goods are, whoever the buyer is.
	ExemptShipping money.Money
}

// Added is what comes on top of the prices.
func (r Result) Added() money.Money {
	if r.Included {
		return money.Of(0, r.Total.Currency)
	}
	return r.Total
}

// Compute computes the taxes of s: with what the source of r answers. Errors: money.ErrOutOfRange; ErrUnavailable caused by
// Unanswered where a service is to be asked first.
func (r Rules) Compute(s Sale) (Result, error) {
	out := Result{
		Included: r.Mode == Included, Estimated: s.Place.Country == "" && s.Place.PostalCode == "", Source: Table,
		Lines: make([]Taxes, len(s.Items)), Total: money.Of(0, s.Currency),
	}
	s = r.placed(s)
	out.ExemptShipping = money.Of(r.exemptShipping(s), s.Currency)
	if s.Exempt {
		return out, nil
	}
	a, err := r.find(s)
	if err != nil {
		return Result{}, err
	}
	out.Source, out.Estimated = a.Source, out.Estimated || r.Outside && a.Source == Table && !s.costsNothing()
	for i, l := range a.Lines {
		out.Lines[i] = l.Taxes
		out.Rates = out.Rates.Plus(l.Taxes)
	}
	out.Shipping, out.Rates = a.Shipping, out.Rates.Plus(a.Shipping)
	if a.Source == Service { // what it taxes of shipping is not exempt
		for _, t := range a.Shipping {
			out.ExemptShipping.Minor = max(0, min(out.ExemptShipping.Minor, s.Shipping.Minor-t.Base.Minor))
		}
	}
	if out.Total.Minor = out.Rates.Sum(); out.Total.Minor > money.Max {
		return Result{}, money.ErrOutOfRange
	}
	return out, nil
}

// placed is s where it is taxed: as long as its country is unknown, in the market's.
func (r Rules) placed(s Sale) Sale {
	s.Place.Country = strings.ToUpper(cmp.Or(s.Place.Country, r.Country))
	return s
}

// Answer is what the table says of s: the rates of r that apply. Errors: money.ErrOutOfRange.
func (r Rules) Answer(s Sale) (Answer, error) {
	s = r.placed(s)
	parts, round := r.parts(s), r.roundParts
	if r.PerTotal {
		round = r.roundTotals
	}
	if err := round(parts); err != nil {
		return Answer{}, err
	}
	out := Answer{Source: Table, Lines: make([]LineTaxes, len(s.Items))}
	for i, it := range s.Items {
		out.Lines[i].Key = it.Key
	}
	for _, p := range parts {
		t := p.taxes(s.Currency, r.Mode == Included)
		if p.line >= 0 {
			out.Lines[p.line].Taxes = t
		} else {
			out.Shipping = out.Shipping.Plus(t)
		}
		out.Total += t.Sum()
	}
	return out, nil
}

// part is an amount to which the same rates apply.
type part struct {
	line   int // -1: of shipping
	amount int64
	rates  []Rate
	exact  []*big.Rat // the tax of each rate
	tax    []int64    // the same, rounded
	capped bool       // the taxes are in the amount, and together no more than it
}

// parts are the lines and shipping of s.
func (r Rules) parts(s Sale) []*part {
	type use struct {
		class    Class
		shipping bool
	}
	rates := map[use][]Rate{}
	find := func(c Class, shipping bool) []Rate {
		key := use{c, shipping}
		if _, known := rates[key]; !known {
			rates[key] = r.applicable(c, s.Place, s.At, shipping)
		}
		return rates[key]
	}
	var out []*part
	for i, it := range s.Items {
		out = append(out, r.part(i, it.Amount.Minor, find(ClassOf(string(it.Class)), false)))
	}
	if s.Shipping == nil {
		return out
	}
	if r.Shipping != Proportional {
		return append(out, r.part(-1, s.Shipping.Minor, find(ClassOf(r.Shipping), true)))
	}
	for i, share := range r.shippingShares(s) {
		if share > 0 {
			out = append(out, r.part(-1, share, find(Class(Classes[i]), true)))
		}
	}
	return out
}

// exemptShipping is the part of what shipping costs that is taxed as Exempt, in minor units.
func (r Rules) exemptShipping(s Sale) int64 {
	switch {
	case s.Shipping == nil:
		return 0
	case r.Shipping == Proportional:
		return r.shippingShares(s)[slices.Index(Classes, string(Exempt))]
	case ClassOf(r.Shipping) == Exempt:
		return s.Shipping.Minor
	}
	return 0
}

// shippingShares splits what shipping costs over Classes by what the goods of each cost; free goods count as standard.
func (r Rules) shippingShares(s Sale) []int64 {
	weights := make([]int64, len(Classes))
	for _, it := range s.Items {
		weights[slices.Index(Classes, string(ClassOf(string(it.Class))))] += it.Amount.Minor
	}
	if slices.Max(weights) == 0 {
		weights[0] = 1
	}
	return money.Allocate(s.Shipping.Minor, weights)
}

func (r Rules) part(line int, amount int64, rates []Rate) *part {
	p := &part{line: line, amount: amount, rates: rates, tax: make([]int64, len(rates)), capped: r.Mode == Included}
	each, sum := factors(rates)
	price := new(big.Rat).SetInt64(amount)
	if p.capped {
		price.Quo(price, sum.Add(sum, big.NewRat(1, 1)))
	}
	for _, k := range each {
		p.exact = append(p.exact, k.Mul(k, price))
	}
	return p
}

// room is how much more tax p can hold.
func (p *part) room() int64 {
	if !p.capped {
		return money.Max
	}
	left := p.amount
	for _, t := range p.tax {
		left -= t
	}
	return left
}

// roundParts rounds each tax of each part by itself.
func (r Rules) roundParts(parts []*part) error {
	for _, p := range parts {
		for i, exact := range p.exact {
			n, err := r.Rounding.Round(exact)
			if err != nil {
				return err
			}
			p.tax[i] = min(n, p.room())
		}
	}
	return nil
}

// roundTotals rounds each rate over all parts, and gives each part what is whole of its tax, and the rest by largest
// remainder, ties to the earlier part.
func (r Rules) roundTotals(parts []*part) error {
	var done []string
	for _, p := range parts {
		for _, rate := range p.rates {
			if slices.Contains(done, rate.ID) {
				continue
			}
			done = append(done, rate.ID)
			if err := r.roundRate(parts, rate.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r Rules) roundRate(parts []*part, rate string) error {
	sum := new(big.Rat)
	var shares []*share
	for _, p := range parts {
		i := slices.IndexFunc(p.rates, func(x Rate) bool { return x.ID == rate })
		if i < 0 {
			continue
		}
		sum.Add(sum, p.exact[i])
		whole, _ := money.Down.Round(p.exact[i])
		p.tax[i] = min(whole, p.room())
		shares = append(shares, &share{p, i, new(big.Rat).Sub(p.exact[i], new(big.Rat).SetInt64(whole))})
	}
	left, err := r.Rounding.Round(sum)
	if err != nil {
		return err
	}
	for _, s := range shares {
		left -= s.tax[s.rate]
	}
	slices.SortStableFunc(shares, func(a, b *share) int { return b.rest.Cmp(a.rest) })
	for left > 0 {
		was := left
		for _, s := range shares {
			if left > 0 && s.room() > 0 {
				s.tax[s.rate]++
				left--
			}
		}
		if left == was {
			return nil // taxes that were rounded up fill the prices; no more fits in
		}
	}
	return nil
}

// share is the tax of a rate in a part, and what was cut off it.
type share struct {
	*part

	rate int
	rest *big.Rat
}

// taxes are the taxes of p with what each is due on.
func (p *part) taxes(c money.Currency, included bool) Taxes {
	base := p.amount
	if included {
		base = p.room()
	}
	var out Taxes
	below := int64(0)
	for i, r := range p.rates {
		a := Amount{Rate: r.ID, Name: r.Name, Country: r.Country, Percent: r.Percent, Base: money.Of(base, c), Amount: money.Of(p.tax[i], c)}
		if r.Compound {
			a.Base.Minor += below
		}
		below += p.tax[i]
		out = append(out, a)
	}
	return out
}
