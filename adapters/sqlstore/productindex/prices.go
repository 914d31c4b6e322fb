package productindex

import (
	"iter"
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// prices walks the prices that products of a set have in a market: of the shop's own keys, or of fixed ones, up or down.
type prices struct {
	*search

	market string
	of     set
	down   bool
	err    error
}

// buckets are the sets of prices that are rounded down, and up to which price each goes.
func (p *prices) buckets() (*span, error) {
	prefix := productsearch.RoundPrefix(p.market)
	return p.span(prefix, prefix+":") // the digits of prices are before a colon
}

// each are the prices with their products.
func (p *prices) each() iter.Seq2[int64, set] {
	return func(yield func(int64, set) bool) {
		buckets, err := p.buckets()
		if err != nil {
			p.err = err
			return
		}
		for n := range buckets.terms {
			i := p.turn(n, len(buckets.terms))
			low := productsearch.PriceOf(buckets.terms[i])
			if !p.of.Intersects(buckets.sets[i]) {
				continue
			}
			inside, err := p.span(productsearch.PriceTerm(p.market, low), productsearch.PriceTerm(p.market, productsearch.RoundedUpTo(low)))
			if err != nil {
				p.err = err
				return
			}
			for n := range inside.terms {
				i := p.turn(n, len(inside.terms))
				if in := roaring.And(p.of, inside.sets[i]); !in.IsEmpty() && !yield(productsearch.PriceOf(inside.terms[i]), in) {
					return
				}
			}
		}
	}
}

// turn is the place of step n in a walk through so many places.
func (p *prices) turn(n, of int) int {
	if p.down {
		return of - 1 - n
	}
	return n
}

// between are the products with a price from low to high, both included.
func (p *prices) between(low, high int64) (set, error) {
	buckets, err := p.buckets()
	if err != nil {
		return nil, err
	}
	var parts []set
	for i, t := range buckets.terms {
		from := productsearch.PriceOf(t)
		to := productsearch.RoundedUpTo(from) - 1
		switch {
		case to < low || from > high:
		case from >= low && to <= high:
			parts = append(parts, buckets.sets[i])
		default:
			inside, err := p.span(productsearch.PriceTerm(p.market, from), productsearch.PriceTerm(p.market, to+1))
			if err != nil {
				return nil, err
			}
			for j, t := range inside.terms {
				if n := productsearch.PriceOf(t); n >= low && n <= high {
					parts = append(parts, inside.sets[j])
				}
			}
		}
	}
	return roaring.FastOr(parts...), nil
}

// fixed are the products that have fixed prices in the market of the search.
func (s *search) fixed() (set, error) {
	if s.Market == "" {
		return nobody, nil
	}
	found, err := s.terms([]string{productsearch.FixedTerm(s.Market)})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// pricedBetween are the products whose price in the market is from low to high.
func (s *search) pricedBetween(low, high int64) (set, error) {
	fixed, err := s.fixed()
	if err != nil {
		return nil, err
	}
	from, to := s.Scale.Range(low, high)
	own, err := (&prices{search: s}).between(from, to)
	if err != nil || fixed.IsEmpty() {
		return own, err
	}
	theirs, err := (&prices{search: s, market: s.Market}).between(low, high)
	return roaring.Or(roaring.AndNot(own, fixed), theirs), err
}

// eachPrice calls fn with the products of a set by their price in the market, until it says that it has enough.
func (s *search) eachPrice(of set, down bool, fn func(minor int64, same set) (more bool)) error {
	fixed, err := s.fixed()
	if err != nil {
		return err
	}
	own := &prices{search: s, of: roaring.AndNot(of, fixed), down: down}
	theirs := &prices{search: s, market: s.Market, of: roaring.And(of, fixed), down: down}
	nextOwn, stopOwn := iter.Pull2(s.scaled(own.each()))
	defer stopOwn()
	nextTheirs, stopTheirs := iter.Pull2(theirs.each())
	defer stopTheirs()
	a, inA, moreA := nextOwn()
	b, inB, moreB := nextTheirs()
	for moreA || moreB {
		at := a
		if !moreA || moreB && (b < a) != down {
			at = b
		}
		same := nobody
		for moreA && a == at {
			same = roaring.Or(same, inA)
			a, inA, moreA = nextOwn()
		}
		for moreB && b == at {
			same = roaring.Or(same, inB)
			b, inB, moreB = nextTheirs()
		}
		if !fn(at, same) {
			break
		}
	}
	if own.err != nil {
		return own.err
	}
	return theirs.err
}

// scaled are prices of the shop as those of the market; what has none there is left out.
func (s *search) scaled(all iter.Seq2[int64, set]) iter.Seq2[int64, set] {
	return func(yield func(int64, set) bool) {
		for key, in := range all {
			if minor, ok := s.Scale(key); ok && !yield(minor, in) {
				return
			}
		}
	}
}

// priceRange are the lowest and the highest price of a set; nil: it has none.
func (s *search) priceRange(of set) (*productsearch.PriceRange, error) {
	found := productsearch.PriceRange{Low: math.MaxInt64, High: -1}
	for _, down := range []bool{false, true} {
		err := s.eachPrice(of, down, func(minor int64, _ set) bool {
			found.Low, found.High = min(found.Low, minor), max(found.High, minor)
			return false
		})
		if err != nil || found.High < 0 {
			return nil, err
		}
	}
	return &found, nil
}
