package productindex

import (
	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// count counts the facets of what was matched, each as if the filter did not have it itself.
func (s *search) count(matched set) (f productsearch.Facets, err error) {
	c, err := s.columns()
	if err != nil {
		return f, err
	}
	all := c.count(s.without(matched, ""))
	own := map[string][]uint32{}
	for _, one := range s.filters {
		if one.part != price && one.part != stock { // these have no values
			own[one.part] = c.count(s.without(matched, one.part))
		}
	}
	counts := map[productsearch.GroupKind][]productsearch.Count{
		productsearch.Brand: {}, productsearch.Category: {}, productsearch.Tag: {},
	}
	for i, v := range c.values {
		n := all[i]
		if narrowed := own[v.part]; narrowed != nil {
			n = narrowed[i]
		}
		if n > 0 {
			counts[v.kind] = append(counts[v.kind], productsearch.Count{ID: v.term[1:], Count: int64(n)})
		}
	}
	names, err := s.namesOf(counts)
	if err != nil {
		return f, err
	}
	f.Brands, f.Categories = s.largest(productsearch.Brand, counts, names), s.largest(productsearch.Category, counts, names)
	f.Tags, f.Options = s.largest(productsearch.Tag, counts, names), s.largest(productsearch.OptionValue, counts, names)
	f.InStock = int64(s.without(matched, stock).AndCardinality(s.inStock)) //nolint:gosec // at most 2^32
	f.Price, err = s.priceRange(s.without(matched, price))
	return f, err
}

// columns are those of the tenant.
func (s *search) columns() (*columns, error) {
	from := facetSets{list: s.list}
	for i, kind := range facetKinds {
		var err error
		if from.spans[i], err = s.span(string(kind), string(kind[0]+1)); err != nil {
			return nil, err
		}
	}
	return s.columnsOf(from), nil
}

// columnsOf are the columns of some sets: those that are cached, or others that are made of them.
func (v *view) columnsOf(from facetSets) *columns {
	v.shelf.columns.Lock()
	defer v.shelf.columns.Unlock()
	key := v.key(columnsEntry, "")
	known, _ := v.get(key)
	c, _ := known.(*columns)
	if c != nil && c.from == from {
		return c
	}
	c = newColumns(c, from)
	v.put(key, c, c.size())
	return c
}

// namesOf are groups that the counted values are among. The groups of the search were read before its bits: if a change came between,
// a value can be newer than they are, and they are read again. Names are stored no later than the bits that need them.
func (s *search) namesOf(counts map[productsearch.GroupKind][]productsearch.Count) (*groupList, error) {
	for kind, of := range counts {
		for _, c := range of {
			if _, known := s.list.find(kind, c.ID); known {
				continue
			}
			v, err := s.open(s.ctx, s.tenant)
			if err != nil {
				return nil, err
			}
			return v.groups()
		}
	}
	return s.list, nil
}

// largest are the largest of counts of a kind, with their names.
func (s *search) largest(
	kind productsearch.GroupKind, all map[productsearch.GroupKind][]productsearch.Count, names *groupList,
) []productsearch.Count {
	counts := productsearch.Largest(all[kind])
	for i, c := range counts {
		if g, ok := names.find(kind, c.ID); ok {
			counts[i].Name, counts[i].Parent = g.Name(s.Locale), g.Parent
		}
	}
	return counts
}
