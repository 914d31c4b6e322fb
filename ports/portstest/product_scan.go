package portstest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// Names are a set of products.
type Names map[string]bool

// ScannedProducts answers productsearch.Match by a look at every product.
type ScannedProducts struct {
	Entries []productsearch.Entry
	Listed  []productsearch.Group
}

// Having implements productsearch.Sets.
func (s ScannedProducts) Having(terms ...string) (all []Names, err error) {
	for _, t := range terms {
		in := Names{}
		for _, e := range s.Entries {
			if slices.Contains(e.Terms, t) {
				in[e.Product] = true
			}
		}
		all = append(all, in)
	}
	return all, nil
}

// Words implements productsearch.Sets.
func (s ScannedProducts) Words(from, to string, _ int) (words []string, err error) {
	for _, e := range s.Entries {
		for _, w := range e.Words {
			if w >= from && w < to {
				words = append(words, w)
			}
		}
	}
	return words, nil
}

// Groups implements productsearch.Sets.
func (s ScannedProducts) Groups(fits func([]string) bool) (all []productsearch.Group) {
	for _, g := range s.Listed {
		if fits(g.WordsOf(strings.ToLower)) {
			all = append(all, g)
		}
	}
	return all
}

// And implements productsearch.Sets.
func (ScannedProducts) And(a, b Names) Names {
	both := maps.Clone(a)
	maps.DeleteFunc(both, func(k string, _ bool) bool { return !b[k] })
	return both
}

// Or implements productsearch.Sets.
func (ScannedProducts) Or(all ...Names) Names {
	some := Names{}
	for _, one := range all {
		maps.Copy(some, one)
	}
	return some
}

// Empty implements productsearch.Sets.
func (ScannedProducts) Empty(s Names) bool { return len(s) == 0 }

// productScan is one request, answered by a look at every product.
type productScan struct {
	*productShelf
	productsearch.Request

	matched Names
}

// scan is what a look at every product finds.
func (p *productShelf) scan(t *testing.T, r productsearch.Request) (found productsearch.Found) {
	t.Helper()
	s := ScannedProducts{Listed: slices.Collect(maps.Values(p.groups))}
	for _, id := range p.order {
		s.Entries = append(s.Entries, productsearch.EntryOf(p.products[id], strings.ToLower))
	}
	asked, levels, taken, err := productsearch.Match[Names](s, r.Query, strings.ToLower)
	if err != nil {
		t.Fatal(err)
	}
	found.Corrections = taken
	of := productScan{p, r, Names{}}
	rank := map[string]int{}
	for _, id := range p.order {
		if !asked || levels[productsearch.Texts][id] {
			of.matched[id] = true
			rank[id] = slices.IndexFunc(levels[:], func(l Names) bool { return l[id] })
		}
	}
	ids := of.left("")
	found.Total = int64(len(ids))
	slices.Reverse(ids)
	found.IDs = of.page(of.sorted(ids, rank))
	found.Facets = of.facets()
	return found
}

// sorted are ids, the newest first, in the order of the request.
func (s productScan) sorted(ids []string, rank map[string]int) []string {
	switch s.Sort {
	case productsearch.Newest:
	case productsearch.Relevance:
		slices.SortStableFunc(ids, func(a, b string) int {
			if rank[a] != rank[b] {
				return rank[a] - rank[b]
			}
			return s.soldOut(a) - s.soldOut(b)
		})
	case productsearch.PriceUp, productsearch.PriceDown:
		ids = slices.DeleteFunc(ids, func(id string) bool { _, priced := s.price(id); return !priced })
		slices.SortStableFunc(ids, func(a, b string) int {
			x, _ := s.price(a)
			y, _ := s.price(b)
			if s.Sort == productsearch.PriceDown {
				return int(y - x)
			}
			return int(x - y)
		})
	}
	return ids
}

func (s productScan) soldOut(id string) int {
	if slices.Contains(s.products[id].InStock, s.Environment) {
		return 0
	}
	return 1
}

// page is the page of ids; nil: it is empty.
func (s productScan) page(ids []string) []string {
	ids = ids[min(s.Offset, len(ids)):]
	if ids = ids[:min(s.Limit, len(ids))]; len(ids) == 0 {
		return nil
	}
	return ids
}

// price is the price in the market.
func (s productScan) price(id string) (minor int64, ok bool) {
	p := s.products[id]
	if fixed, is := p.Fixed[s.Market]; is && s.Market != "" {
		return fixed, true
	}
	if p.Price < 0 {
		return 0, false
	}
	return s.Scale(p.Price)
}

// left are the products that all parts of the filter leave but one, oldest first.
func (s productScan) left(but string) (ids []string) {
	for _, id := range s.order {
		if s.matched[id] && s.passes(id, but) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (s productScan) passes(id, but string) bool {
	p, f := s.products[id], s.Filter
	anyOf := func(part string, asked, has []string) bool {
		return part == but || len(asked) == 0 || slices.ContainsFunc(asked, func(one string) bool { return slices.Contains(has, one) })
	}
	if !anyOf("brands", f.Brands, []string{p.Brand}) || !anyOf("categories", f.Categories, s.above(p.Categories)) || !anyOf("tags", f.Tags, p.Tags) {
		return false
	}
	keys := map[string][]string{}
	for _, o := range f.Options {
		keys[o.Name] = append(keys[o.Name], o.Key())
	}
	var has []string
	for _, o := range p.Options {
		has = append(has, o.Key())
	}
	for name, asked := range keys {
		if !anyOf("option "+name, asked, has) {
			return false
		}
	}
	if f.InStock && but != "stock" && s.soldOut(id) == 1 {
		return false
	}
	if f.Price == nil || but == "price" {
		return true
	}
	minor, priced := s.price(id)
	return priced && minor >= f.Price.Low && minor <= f.Price.High
}

// above are categories with those above them.
func (s productScan) above(ids []string) (all []string) {
	for _, id := range ids {
		for ; id != "" && !slices.Contains(all, id); id = s.groups[(productsearch.Group{Kind: productsearch.Category, ID: id}).Term()].Parent {
			all = append(all, id)
		}
	}
	return all
}

func (s productScan) facets() (f productsearch.Facets) {
	f.Brands = s.counted(productsearch.Brand, s.left("brands"), func(p productsearch.Product) []string { return []string{p.Brand} })
	f.Categories = s.counted(productsearch.Category, s.left("categories"), func(p productsearch.Product) []string { return s.above(p.Categories) })
	f.Tags = s.counted(productsearch.Tag, s.left("tags"), func(p productsearch.Product) []string { return p.Tags })
	var options []productsearch.Count
	for _, name := range []string{"Color", "Size"} {
		options = append(options, s.counted(productsearch.OptionValue, s.left("option "+name), func(p productsearch.Product) (keys []string) {
			for _, o := range p.Options {
				if o.Name == name {
					keys = append(keys, o.Key())
				}
			}
			return keys
		})...)
	}
	f.Options = productsearch.Largest(options)
	for _, id := range s.left("stock") {
		f.InStock += int64(1 - s.soldOut(id))
	}
	for _, id := range s.left("price") {
		minor, priced := s.price(id)
		switch {
		case !priced:
		case f.Price == nil:
			f.Price = &productsearch.PriceRange{Low: minor, High: minor}
		default:
			f.Price.Low, f.Price.High = min(f.Price.Low, minor), max(f.Price.High, minor)
		}
	}
	return f
}

// counted counts the values of products.
func (s productScan) counted(kind productsearch.GroupKind, ids []string, values func(productsearch.Product) []string) []productsearch.Count {
	counts := map[string]int64{}
	for _, id := range ids {
		of := slices.Clone(values(s.products[id]))
		slices.Sort(of)
		for _, v := range slices.Compact(of) {
			if v != "" {
				counts[v]++
			}
		}
	}
	all := []productsearch.Count{}
	for v, n := range counts {
		c := productsearch.Count{ID: v, Count: n}
		if g, there := s.groups[(productsearch.Group{Kind: kind, ID: v}).Term()]; there {
			c.Name, c.Parent = g.Name(s.Locale), g.Parent
		}
		all = append(all, c)
	}
	return productsearch.Largest(all)
}
