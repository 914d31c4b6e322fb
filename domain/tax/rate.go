package tax

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Rate is what one authority asks for goods that go to one place; the package comment says which rates apply.
type Rate struct {
	ID, Name     string
	Country      string // ISO 3166-1 alpha-2
	Province     string // ISO 3166-2 without the country: "CA"; "": all
	From, To     string // postal codes, both included, by their beginnings: "90" to "93" has 93999; "" for all
	Classes      []Class
	Percent      money.Decimal // 0 to 100
	Priority     int64         // the layer, from 1
	Compound     bool          // due on the taxes of the layers below, too
	Shipping     bool          // due on shipping of its classes, too
	Since, Until time.Time     // Until is when it is over; zero for open
}

// covers reports how specifically r is for p at a time, from 1 for a country; 0 if it is not for p.
func (r Rate) covers(p Place, at time.Time) int {
	switch {
	case r.Country != p.Country, at.Before(r.Since), !r.Until.IsZero() && !at.Before(r.Until):
		return 0
	}
	how := 1
	if r.Province != "" {
		if !strings.EqualFold(r.Province, p.Province) {
			return 0
		}
		how = 2
	}
	if r.From == "" && r.To == "" {
		return how
	}
	code := normalCode(p.PostalCode)
	if code == "" || !r.holdsCode(code) {
		return 0
	}
	return how + 2
}

func (r Rate) holdsCode(code string) bool {
	from, to := normalCode(r.From), normalCode(r.To)
	if to == "" {
		to = from
	}
	return code[:min(len(code), len(from))] >= from && code[:min(len(code), len(to))] <= to
}

// normalCode is a postal code without spaces and dashes, in upper case.
func normalCode(code string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

// applicable are the rates for goods of a class at a place and a time, one of each layer: first those that are not
// compound, then the compound ones, from the lowest layer up.
func (r Rules) applicable(c Class, p Place, at time.Time, shipping bool) []Rate {
	if c == Exempt {
		return nil
	}
	type candidate struct {
		Rate

		how int
	}
	best := map[int64]candidate{}
	for _, x := range r.Rates {
		if shipping && !x.Shipping || !slices.Contains(x.Classes, c) {
			continue
		}
		how := x.covers(p, at)
		if was, found := best[x.Priority]; how > 0 && (!found || preferred(x, how, was.Rate, was.how)) {
			best[x.Priority] = candidate{x, how}
		}
	}
	out := make([]Rate, 0, len(best))
	for _, b := range best {
		out = append(out, b.Rate)
	}
	slices.SortFunc(out, func(a, b Rate) int {
		if a.Compound != b.Compound {
			if b.Compound {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Priority, b.Priority)
	})
	return out
}

// preferred reports whether a applies rather than b, of one layer: the more specific one, else the newer one, and for a
// range of codes the one that begins later. Ids decide what is left, so that the order of the records never does.
func preferred(a Rate, howA int, b Rate, howB int) bool {
	return cmp.Or(cmp.Compare(howA, howB), a.Since.Compare(b.Since), cmp.Compare(normalCode(a.From), normalCode(b.From)),
		cmp.Compare(b.ID, a.ID)) > 0
}

// factors are what each of rates, which applicable returned, is of the price without taxes, and their sum.
func factors(rates []Rate) (each []*big.Rat, sum *big.Rat) {
	sum = new(big.Rat)
	below := big.NewRat(1, 1)
	for _, r := range rates {
		k := new(big.Rat).Mul(r.Percent.Rat(), big.NewRat(1, 100))
		if r.Compound {
			k.Mul(k, below)
		}
		each = append(each, k)
		sum.Add(sum, k)
		below = new(big.Rat).Add(big.NewRat(1, 1), sum)
	}
	return each, sum
}
