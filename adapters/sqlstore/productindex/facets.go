package productindex

import (
	"iter"
	"math"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// count counts the facets of what was matched.
func (s *search) count(matched set) (f productsearch.Facets, err error) {
	if f.Brands, err = s.countGroups(productsearch.Brand, s.without(matched, brands)); err != nil {
		return f, err
	}
	if f.Tags, err = s.countGroups(productsearch.Tag, s.without(matched, tags)); err != nil {
		return f, err
	}
	if f.Categories, err = s.countCategories(s.without(matched, categories)); err != nil {
		return f, err
	}
	if f.Options, err = s.countOptions(matched); err != nil {
		return f, err
	}
	f.InStock = int64(s.without(matched, stock).AndCardinality(s.inStock)) //nolint:gosec // at most 2^32
	f.Price, err = s.priceRange(s.without(matched, price))
	return f, err
}

// groupSpan are the terms of a kind of groups.
func (s *search) groupSpan(kind productsearch.GroupKind) (*span, error) {
	return s.span(string(kind), string(kind[0]+1))
}

func (s *search) countGroups(kind productsearch.GroupKind, of set) ([]productsearch.Count, error) {
	values, err := s.groupSpan(kind)
	if err != nil {
		return nil, err
	}
	counts := make([]productsearch.Count, len(values.terms))
	for i, t := range values.terms {
		counts[i] = productsearch.Count{ID: t[1:], Count: int64(of.AndCardinality(values.sets[i]))} //nolint:gosec // at most 2^32
	}
	return s.largest(kind, counts), nil
}

// countCategories counts each category with those below it.
func (s *search) countCategories(of set) ([]productsearch.Count, error) {
	values, err := s.groupSpan(productsearch.Category)
	if err != nil {
		return nil, err
	}
	own := map[string]set{}
	for i, t := range values.terms {
		if in := roaring.And(of, values.sets[i]); !in.IsEmpty() {
			own[t[1:]] = in
		}
	}
	total := map[string]set{}
	for id, in := range own {
		seen := map[string]bool{}
		for ; id != "" && !seen[id]; id = s.list.parentOf(id) {
			seen[id] = true
			if total[id] == nil {
				total[id] = roaring.New()
			}
			total[id].Or(in)
		}
	}
	counts := make([]productsearch.Count, 0, len(total))
	for id, in := range total {
		counts = append(counts, productsearch.Count{ID: id, Count: count(in)})
	}
	return s.largest(productsearch.Category, counts), nil
}

// parentOf is the category above one; "": none.
func (l *groupList) parentOf(id string) string {
	if i, ok := l.at[productsearch.Group{Kind: productsearch.Category, ID: id}.Term()]; ok {
		return l.all[i].Parent
	}
	return ""
}

// largest are the largest of counts, with their names.
func (s *search) largest(kind productsearch.GroupKind, counts []productsearch.Count) []productsearch.Count {
	counts = productsearch.Largest(counts)
	for i, c := range counts {
		if at, ok := s.list.at[productsearch.Group{Kind: kind, ID: c.ID}.Term()]; ok {
			counts[i].Name, counts[i].Parent = s.list.all[at].Name(s.Locale), s.list.all[at].Parent
		}
	}
	return counts
}

// countOptions counts the values of options, each as if no value of the same option were asked for.
func (s *search) countOptions(matched set) (counts []productsearch.Count, err error) {
	values, err := s.groupSpan(productsearch.OptionValue)
	if err != nil {
		return nil, err
	}
	all := s.without(matched, "")
	own := map[string]set{}
	for _, f := range s.filters {
		if name, is := strings.CutPrefix(f.part, option); is {
			own[name] = s.without(matched, f.part)
		}
	}
	for i, t := range values.terms {
		of := all
		if narrowed := own[productsearch.OptionOf(t[1:]).Name]; narrowed != nil {
			of = narrowed
		}
		if n := of.AndCardinality(values.sets[i]); n > 0 {
			counts = append(counts, productsearch.Count{ID: t[1:], Count: int64(n)}) //nolint:gosec // at most 2^32
		}
	}
	return s.largest(productsearch.OptionValue, counts), nil
}

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
