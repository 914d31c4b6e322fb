package productindex

import (
	"context"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

type set = *roaring.Bitmap

// Search implements ports.ProductSearch.
func (x *Index) Search(ctx context.Context, r productsearch.Request) (found productsearch.Found, err error) {
	v, err := x.cache.open(ctx, r.Tenant)
	if err == nil {
		found, err = (&search{view: v, Request: r, fold: x.fold}).run()
	}
	if err != nil {
		return found, fmt.Errorf("search for products: %w", err)
	}
	return found, nil
}

// search is one search.
type search struct {
	*view
	productsearch.Request

	fold    func(string) string
	list    *groupList
	inStock set
	filters []filter
}

// filter is the products that one part of the filter leaves.
type filter struct {
	part string
	set  set
}

// The parts of a filter. Each option is one.
const (
	brands     = "brands"
	categories = "categories"
	tags       = "tags"
	price      = "price"
	stock      = "stock"
	option     = "option "
)

func (s *search) run() (found productsearch.Found, err error) {
	if s.list, err = s.groups(); err != nil {
		return found, err
	}
	return s.find()
}

// find searches once the groups are read.
func (s *search) find() (found productsearch.Found, err error) {
	matched, levels, err := s.match(&found)
	if err != nil {
		return found, err
	}
	all := s.without(matched, "")
	found.Total = count(all)
	numbers, err := s.page(all, levels)
	if err != nil {
		return found, err
	}
	if found.IDs, err = s.ids(numbers); err != nil || !s.Facets {
		return found, err
	}
	found.Facets, err = s.count(matched)
	return found, err
}

// match finds the listed products that the query asks for, and what the filter leaves. Levels are the better ones of those products, the
// best first, each with those before it; nil if the query asks for all. All terms that are known to be needed are read at once.
func (s *search) match(found *productsearch.Found) (matched set, levels []set, err error) {
	groups := s.groupFilters()
	needed := []string{productsearch.ListedTerm(), productsearch.StockTerm(s.Environment)}
	for _, one := range groups {
		needed = append(needed, one.terms...)
	}
	base, err := s.terms(append(needed, productsearch.TermsOf(s.Query)...))
	if err != nil {
		return nil, nil, err
	}
	matched, s.inStock = base[0], base[1]
	asked, byLevel, taken, err := productsearch.Match[set](sets{s.view, s.list}, s.Query, s.fold)
	if err != nil {
		return nil, nil, err
	}
	found.Corrections = taken
	if asked {
		levels = byLevel[:productsearch.Texts]
		matched = roaring.And(matched, byLevel[productsearch.Texts])
	}
	return matched, levels, s.readFilters(groups)
}

func count(s set) int64 { return int64(s.GetCardinality()) } //nolint:gosec // at most 2^32

// without is what all parts of the filter but one leave of matched.
func (s *search) without(matched set, part string) set {
	for _, f := range s.filters {
		if f.part != part {
			matched = roaring.And(matched, f.set)
		}
	}
	return matched
}

// groupFilter is the groups that one part of the filter asks for.
type groupFilter struct {
	part  string
	terms []string
}

// groupFilters are the parts of the filter that ask for groups.
func (s *search) groupFilters() (all []groupFilter) {
	f := s.Filter
	add := func(part string, kind productsearch.GroupKind, ids []string) {
		one := groupFilter{part: part}
		for _, id := range ids {
			one.terms = append(one.terms, productsearch.Group{Kind: kind, ID: id}.Term())
		}
		if len(ids) > 0 {
			all = append(all, one)
		}
	}
	add(brands, productsearch.Brand, f.Brands)
	add(categories, productsearch.Category, s.list.below(f.Categories))
	add(tags, productsearch.Tag, f.Tags)
	values := map[string][]string{}
	for _, o := range f.Options {
		values[o.Name] = append(values[o.Name], o.Key())
	}
	for name, keys := range values {
		add(option+name, productsearch.OptionValue, keys)
	}
	return all
}

// readFilters reads what each part of the filter leaves.
func (s *search) readFilters(groups []groupFilter) error {
	for _, one := range groups {
		each, err := s.terms(one.terms)
		if err != nil {
			return err
		}
		s.filters = append(s.filters, filter{one.part, roaring.FastOr(each...)})
	}
	if s.Filter.InStock {
		s.filters = append(s.filters, filter{stock, s.inStock})
	}
	if s.Filter.Price == nil {
		return nil
	}
	priced, err := s.pricedBetween(s.Filter.Price.Low, s.Filter.Price.High)
	s.filters = append(s.filters, filter{price, priced})
	return err
}

// below are categories with those below them.
func (l *groupList) below(ids []string) []string {
	in := map[string]bool{}
	for _, id := range ids {
		in[id] = true
	}
	for grew := len(ids) > 0; grew; {
		grew = false
		for _, g := range l.all {
			if g.Kind == productsearch.Category && !in[g.ID] && in[g.Parent] {
				in[g.ID], grew = true, true
			}
		}
	}
	all := make([]string, 0, len(in))
	for id := range in {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// page are the numbers of the products of the page.
func (s *search) page(all set, levels []set) ([]uint32, error) {
	p := pager{skip: s.Offset, left: s.Limit}
	switch s.Sort {
	case productsearch.PriceUp, productsearch.PriceDown:
		err := s.eachPrice(all, s.Sort == productsearch.PriceDown, func(_ int64, same set) bool { return p.take(same) })
		return p.numbers, err
	case productsearch.Newest:
		p.take(all)
		return p.numbers, nil
	case productsearch.Relevance:
	}
	seen := nobody
	for i := range len(levels) + 1 {
		level := all
		if i < len(levels) {
			level = roaring.And(levels[i], all)
		}
		fresh := roaring.AndNot(level, seen)
		if !p.take(roaring.And(fresh, s.inStock)) || !p.take(roaring.AndNot(fresh, s.inStock)) {
			break
		}
		seen = level
	}
	return p.numbers, nil
}

// pager takes the products of a page from sets that come one after the other, from each the newest first.
type pager struct {
	skip, left int
	numbers    []uint32
}

// take takes what the page has room for; more reports whether there is more room.
func (p *pager) take(from set) (more bool) {
	n := int(count(from))
	if p.skip >= n {
		p.skip -= n
		return p.left > 0
	}
	for i := n - 1 - p.skip; i >= 0 && p.left > 0; i-- {
		number, err := from.Select(uint32(i)) //nolint:gosec // below the number of elements
		if err != nil {
			break
		}
		p.numbers = append(p.numbers, number)
		p.left--
	}
	p.skip = 0
	return p.left > 0
}

// sets answers Match.
type sets struct {
	*view

	list *groupList
}

var _ productsearch.Sets[set] = sets{}

// Having implements productsearch.Sets.
func (s sets) Having(terms ...string) ([]set, error) { return s.terms(terms) }

// Words implements productsearch.Sets.
func (s sets) Words(from, to string, limit int) ([]string, error) {
	words, err := s.words(from, to, limit)
	return slices.Clip(words), err // others read the cached list behind it
}

// Groups implements productsearch.Sets.
func (s sets) Groups(fits func(words []string) bool) (all []productsearch.Group) {
	for i, g := range s.list.all {
		if fits(s.list.words[i]) {
			all = append(all, g)
		}
	}
	return all
}

// And implements productsearch.Sets.
func (sets) And(a, b set) set { return roaring.And(a, b) }

// Or implements productsearch.Sets.
func (sets) Or(all ...set) set {
	if len(all) == 1 {
		return all[0]
	}
	return roaring.FastOr(all...)
}

// Empty implements productsearch.Sets.
func (sets) Empty(s set) bool { return s == nil || s.IsEmpty() }
