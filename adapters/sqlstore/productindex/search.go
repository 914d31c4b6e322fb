package productindex

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
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
	asked, levels, taken, err := productsearch.Match[set](sets{s.view, s.list}, s.Query, s.fold)
	if err != nil {
		return found, err
	}
	found.Corrections = taken
	base, err := s.terms([]string{productsearch.ListedTerm(), productsearch.StockTerm(s.Environment)})
	if err != nil {
		return found, err
	}
	matched := base[0]
	s.inStock = base[1]
	if asked {
		matched = roaring.And(matched, levels[productsearch.Texts])
	}
	if err := s.readFilters(); err != nil {
		return found, err
	}
	all := s.without(matched, "")
	found.Total = count(all)
	ranked := []set{all}
	if asked {
		ranked = nil
		for _, l := range levels[:productsearch.Texts] {
			ranked = append(ranked, roaring.And(l, all))
		}
		ranked = append(ranked, all)
	}
	numbers, err := s.page(all, ranked)
	if err != nil {
		return found, err
	}
	if found.IDs, err = s.ids(numbers); err != nil || !s.Facets {
		return found, err
	}
	found.Facets, err = s.count(matched)
	return found, err
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

// readFilters reads what each part of the filter leaves.
func (s *search) readFilters() error {
	f := s.Filter
	for _, one := range []struct {
		part string
		kind productsearch.GroupKind
		ids  []string
	}{{brands, productsearch.Brand, f.Brands}, {categories, productsearch.Category, s.list.below(f.Categories)}, {tags, productsearch.Tag, f.Tags}} {
		if err := s.filterGroups(one.part, one.kind, one.ids); err != nil {
			return err
		}
	}
	values := map[string][]string{}
	for _, o := range f.Options {
		values[o.Name] = append(values[o.Name], o.Key())
	}
	for name, keys := range values {
		if err := s.filterGroups(option+name, productsearch.OptionValue, keys); err != nil {
			return err
		}
	}
	if f.InStock {
		s.filters = append(s.filters, filter{stock, s.inStock})
	}
	if f.Price == nil {
		return nil
	}
	priced, err := s.pricedBetween(f.Price.Low, f.Price.High)
	s.filters = append(s.filters, filter{price, priced})
	return err
}

func (s *search) filterGroups(part string, kind productsearch.GroupKind, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	terms := make([]string, len(ids))
	for i, id := range ids {
		terms[i] = productsearch.Group{Kind: kind, ID: id}.Term()
	}
	each, err := s.terms(terms)
	s.filters = append(s.filters, filter{part, roaring.FastOr(each...)})
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
func (s *search) page(all set, ranked []set) ([]uint32, error) {
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
	for _, level := range ranked {
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

// ids are the products of numbers, in their order.
func (s *search) ids(numbers []uint32) ([]string, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatUint(uint64(n), 10)
	}
	each := "number = ANY($2::text[]::bigint[])"
	if !s.db.Dialect.Postgres {
		each = "number IN (SELECT CAST(value AS INTEGER) FROM json_each($2))"
	}
	products := map[uint32]string{}
	err := db.Query(s.ctx, s.reader(), func(r db.Row) error {
		var number int64
		var id string
		err := r.Scan(&number, &id)
		products[uint32(number)] = id //nolint:gosec // see Put
		return err
	}, "SELECT number, product FROM product_numbers WHERE tenant = $1 AND "+each, string(s.tenant), texts)
	var ids []string
	for _, n := range numbers {
		if id := products[n]; id != "" {
			ids = append(ids, id)
		}
	}
	return ids, err
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
	all, err := s.words()
	first, end := sort.SearchStrings(all, from), sort.SearchStrings(all, to)
	return slices.Clip(all[first:max(first, min(end, first+limit))]), err // others read the cached list behind it
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
