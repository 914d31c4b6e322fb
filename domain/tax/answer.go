package tax

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Source is who computed taxes.
type Source string

// The sources.
const (
	Table    Source = "table"    // the rates of the shop
	Service  Source = "service"  // the tax service of the market
	Fallback Source = "fallback" // the rates of the shop, since the service gave no answer
)

// Sources are all sources, as options of a field.
var Sources = []string{string(Table), string(Service), string(Fallback)}

// Answer is what a source says of the taxes of a sale.
type Answer struct {
	Source   Source
	Lines    []LineTaxes
	Shipping Taxes
	Total    int64 // of lines and shipping, in minor units
}

// LineTaxes are the taxes of the line with a key.
type LineTaxes struct {
	Key   string
	Taxes Taxes
}

// ErrUnavailable says that nobody computes the taxes of a sale now, which therefore is not made.
var ErrUnavailable = fault.New(fault.Unavailable, "tax_unavailable",
	"The taxes cannot be computed right now, so nothing was sold or charged. Try again.").WithRetry(5 * time.Second)

// Unanswered is the cause of an ErrUnavailable where a service was not asked yet: nobody asks in the middle of a transaction.
type Unanswered struct {
	Rules Rules
	Sale  Sale
}

// Error implements error.
func (*Unanswered) Error() string { return "the tax service has not been asked" }

// Known are questions with their answers.
type Known []Asked

// Asked is an answer to a question, which Check accepted.
type Asked struct {
	Question Unanswered
	Answer   Answer
}

// find is what the source of r says of s. Errors: those of Answer, ErrUnavailable caused by Unanswered.
func (r Rules) find(s Sale) (Answer, error) {
	if !r.Outside || s.costsNothing() {
		return r.Answer(s)
	}
	for _, k := range r.Known {
		if q := k.Question; q.Rules.Mode == r.Mode && q.Rules.Shipping == r.Shipping && q.Sale.same(s) {
			return k.Answer, nil
		}
	}
	if r.Estimate {
		return r.Answer(s)
	}
	return Answer{}, ErrUnavailable.WithCause(&Unanswered{r, s})
}

// same reports whether the taxes of s are those of o, whenever they are asked for.
func (s Sale) same(o Sale) bool {
	if (s.Shipping == nil) != (o.Shipping == nil) || s.Shipping != nil && *s.Shipping != *o.Shipping {
		return false
	}
	return s.Currency == o.Currency && s.Place == o.Place && s.From == o.From && s.Buyer == o.Buyer && s.Exempt == o.Exempt &&
		slices.Equal(s.Items, o.Items)
}

// costsNothing reports whether there is nothing to ask a service about.
func (s Sale) costsNothing() bool {
	return (s.Shipping == nil || s.Shipping.IsZero()) && !slices.ContainsFunc(s.Items, func(it Item) bool { return !it.Amount.IsZero() })
}

// Covers reports whether the table has any rate for a place at a time.
func (r Rules) Covers(p Place, at time.Time) bool {
	p = r.placed(Sale{Place: p}).Place
	return slices.ContainsFunc(r.Rates, func(x Rate) bool { return x.covers(p, at) > 0 })
}

// ErrImplausible is the cause of a refusal of an answer that cannot be right.
var ErrImplausible = errors.New("the answer cannot be right")

// Bounds of an answer.
const (
	maxRatesPerLine = 30
	maxNameLength   = 100 // bytes of a name, an id, a jurisdiction
)

// Check returns a with the lines in the order of s, if it can be right: it has exactly the lines of s, every tax is its percentage of
// its base to one minor unit, no base is more than what is taxed, what prices include is no more than these, and Total is the sum. Errors:
// ErrImplausible, wrapped with what is wrong.
func (r Rules) Check(s Sale, a Answer) (Answer, error) {
	if len(a.Lines) != len(s.Items) {
		return a, implausible("it has %d lines, and %d were asked for", len(a.Lines), len(s.Items))
	}
	out := Answer{Source: a.Source, Shipping: a.Shipping, Total: a.Total, Lines: make([]LineTaxes, len(s.Items))}
	sum := int64(0)
	for i, it := range s.Items {
		at := slices.IndexFunc(a.Lines, func(l LineTaxes) bool { return l.Key == it.Key })
		if at < 0 {
			return a, implausible("it has no line %q", it.Key)
		}
		taxes := a.Lines[at].Taxes
		if it.Class == Exempt && taxes.Sum() != 0 {
			return a, implausible("it taxes line %q, which is exempt", it.Key)
		}
		if err := r.checkTaxes(s, it.Amount.Minor, taxes); err != nil {
			return a, fmt.Errorf("line %q: %w", it.Key, err)
		}
		out.Lines[i] = LineTaxes{it.Key, taxes}
		sum += taxes.Sum()
	}
	shipping := int64(0)
	if s.Shipping != nil {
		shipping = s.Shipping.Minor
	}
	if err := r.checkTaxes(s, shipping, a.Shipping); err != nil {
		return a, fmt.Errorf("shipping: %w", err)
	}
	if sum += a.Shipping.Sum(); sum != a.Total {
		return a, implausible("its total is %d, and its taxes come to %d", a.Total, sum)
	}
	return out, nil
}

// checkTaxes checks the taxes of what costs price.
func (r Rules) checkTaxes(s Sale, price int64, t Taxes) error {
	if len(t) > maxRatesPerLine {
		return implausible("it has %d rates, and %d are the most", len(t), maxRatesPerLine)
	}
	for i, x := range t {
		if t.index(x) != i {
			return implausible("it has the rate %q twice", x.Name)
		}
		if err := x.check(s, len(t)); err != nil {
			return err
		}
	}
	all := t.Sum()
	for _, x := range t {
		most := price
		if r.Mode != Included { // what is due on other taxes, too
			most += all - x.Amount.Minor
		}
		if x.Base.Minor > most {
			return implausible("the base %d of %q is more than the %d that are taxed", x.Base.Minor, x.Name, most)
		}
	}
	if r.Mode == Included && all > price {
		return implausible("taxes of %d are more than the price of %d that includes them", all, price)
	}
	return nil
}

// check checks a, one of n taxes of the same price, by itself.
func (a Amount) check(s Sale, n int) error {
	switch {
	case a.Name == "" || len(a.Name) > maxNameLength || len(a.Rate) > maxNameLength || len(a.Jurisdiction) > maxNameLength:
		return implausible("a rate needs a name, and each of its texts has %d bytes at most", maxNameLength)
	case a.Country != "" && !isCountry(a.Country):
		return implausible("%q is no code of a country", a.Country)
	case a.Base.Currency != s.Currency || a.Amount.Currency != s.Currency:
		return implausible("the rate %q has another currency", a.Name)
	case a.Percent.Sign() < 0 || a.Percent.Cmp(money.DecimalOf(100)) > 0:
		return implausible("%s is no percentage from 0 to 100", a.Percent)
	case min(a.Base.Minor, a.Amount.Minor) < 0 || max(a.Base.Minor, a.Amount.Minor) > money.Max:
		return implausible("the rate %q has an amount below 0, or one that is too large", a.Name)
	case !a.plausible(n):
		return implausible("the tax %d of %q is not %s %% of %d", a.Amount.Minor, a.Name, a.Percent, a.Base.Minor)
	}
	return nil
}

// plausible reports whether the amount is the percentage of the base, to one minor unit, and what the rounding of n taxes of the same
// price adds to the base; nothing is due on nothing.
func (a Amount) plausible(n int) bool {
	if a.Base.IsZero() {
		return a.Amount.IsZero()
	}
	exact := new(big.Rat).Mul(new(big.Rat).SetInt64(a.Base.Minor), a.Percent.Rat())
	off := exact.Sub(exact.Quo(exact, big.NewRat(100, 1)), new(big.Rat).SetInt64(a.Amount.Minor))
	base := new(big.Rat).Mul(a.Percent.Rat(), big.NewRat(int64(n), 100))
	return off.Abs(off).Cmp(base.Add(base, big.NewRat(1, 1))) <= 0
}

func implausible(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrImplausible, fmt.Sprintf(format, args...))
}
