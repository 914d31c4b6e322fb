package productindex

import (
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// columns are the values of facets of each product, by its number. With them facets are counted in a time that grows with the
// products that were found; intersections with the set of each value take as long for ten products as for a million. They are
// never changed.
type columns struct {
	from     facetSets
	values   []value           // in no order; some may have no products any more
	places   map[string]uint32 // of values, by term
	blocks   []column
	products *roaring.Bitmap // those that stand in columns
}

// facetSets are what columns are made of.
type facetSets struct {
	spans [4]*span // in the order of facetKinds
	list  *groupList
}

var facetKinds = [4]productsearch.GroupKind{productsearch.Brand, productsearch.Category, productsearch.Tag, productsearch.OptionValue}

// value is a brand, a category, a tag or a value of an option.
type value struct {
	term  string
	kind  productsearch.GroupKind
	part  string // of a filter
	set   set    // its products; a category has those of the ones below it
	total uint32 // products
	dense bool   // so many products have it that intersections are faster: it stands in no column
}

// column is the values of the products of a block: those of number n are from starts[n] up to starts[n+1].
type column struct{ starts, values []uint32 }

// of are the values of a number, by its place in the block.
func (c column) of(low uint32) []uint32 {
	if int(low)+1 >= len(c.starts) {
		return nil
	}
	return c.values[c.starts[low]:c.starts[low+1]]
}

// denseShare is which part of the products has a dense value: one of so many.
const denseShare = 16

// maxEdits is how many bits may have changed since columns were made: of more they are made anew.
const maxEdits = 50_000

// newColumns are the columns of some sets, made of those that were there before, which may be nil.
func newColumns(was *columns, from facetSets) *columns {
	c := &columns{from: from, places: map[string]uint32{}}
	sets := from.byTerm()
	if was != nil {
		c.values, c.places = slices.Clone(was.values), maps.Clone(was.places)
	}
	for t := range sets {
		if _, there := c.places[t]; !there {
			c.places[t] = uint32(len(c.values)) //nolint:gosec // a shop has fewer
			c.values = append(c.values, newValue(t))
		}
	}
	edits := c.replace(sets)
	if was == nil || edits == nil {
		c.fill()
	} else {
		c.patch(was, edits)
	}
	return c
}

func newValue(term string) value {
	v := value{term: term, kind: productsearch.GroupKind(term[:1]), set: nobody}
	switch v.kind {
	case productsearch.Brand:
		v.part = brands
	case productsearch.Category:
		v.part = categories
	case productsearch.Tag:
		v.part = tags
	case productsearch.OptionValue:
		v.part = option + productsearch.OptionOf(term[1:]).Name
	}
	return v
}

// byTerm are the products of each value.
func (f facetSets) byTerm() map[string]set {
	sets := map[string]set{}
	for i, s := range f.spans {
		for j, t := range s.terms {
			sets[t] = s.sets[j]
		}
		if facetKinds[i] == productsearch.Category {
			f.addAbove(sets, s)
		}
	}
	return sets
}

// addAbove adds the products of categories to those of the categories above them.
func (f facetSets) addAbove(sets map[string]set, own *span) {
	below := map[string][]set{}
	for i, t := range own.terms {
		id := t[1:]
		seen := map[string]bool{id: true}
		for id = f.list.parentOf(id); id != "" && !seen[id]; id = f.list.parentOf(id) {
			seen[id] = true
			above := productsearch.Group{Kind: productsearch.Category, ID: id}.Term()
			below[above] = append(below[above], own.sets[i])
		}
	}
	for term, all := range below {
		if has := sets[term]; has != nil {
			all = append(all, has)
		}
		sets[term] = roaring.FastOr(all...)
	}
}

// edit is a value that a product has from now on, or has no more.
type edit struct {
	value uint32
	has   bool
}

// replace gives the values their sets, and tells what that changes by numbers of products; nil: too much to be patched.
func (c *columns) replace(sets map[string]set) map[uint32][]edit {
	edits, n := map[uint32][]edit{}, 0
	for i := range c.values {
		v := &c.values[i]
		next := sets[v.term]
		if next == nil {
			next = nobody
		}
		if next == v.set {
			continue
		}
		if edits != nil && !v.dense {
			changed := roaring.Xor(v.set, next)
			if n += int(changed.GetCardinality()); n > maxEdits { //nolint:gosec // at most 2^32
				edits = nil
			} else {
				changed.Iterate(func(number uint32) bool {
					edits[number] = append(edits[number], edit{uint32(i), next.Contains(number)}) //nolint:gosec // see newColumns
					return true
				})
			}
		}
		v.set, v.total = next, uint32(next.GetCardinality()) //nolint:gosec // at most 2^32
	}
	return edits
}

// lowOf is the place of a number in its block.
func lowOf(number uint32) uint32 { return number & (1<<blockBits - 1) }

// fill makes all blocks.
func (c *columns) fill() {
	all := make([]set, len(c.values))
	for i, v := range c.values {
		all[i] = v.set
	}
	products := roaring.FastOr(all...)
	for i := range c.values {
		v := &c.values[i]
		if v.dense = denseShare*v.set.GetCardinality() > products.GetCardinality(); v.dense {
			all[i] = nobody
		}
	}
	if c.products = roaring.FastOr(all...); !c.products.IsEmpty() {
		c.fillBlocks(all)
	}
}

// fillBlocks makes the blocks of some sets, by places of values.
func (c *columns) fillBlocks(sets []set) {
	highest := c.products.Maximum()
	c.blocks = make([]column, blockOf(highest)+1)
	for i := range c.blocks {
		c.blocks[i].starts = make([]uint32, 1<<blockBits+1)
	}
	last := &c.blocks[len(c.blocks)-1]
	last.starts = last.starts[:lowOf(highest)+2]
	for _, s := range sets {
		eachNumber(s, func(n uint32) { c.blocks[n>>blockBits].starts[lowOf(n)+1]++ })
	}
	free := make([][]uint32, len(c.blocks))
	for i, b := range c.blocks {
		for n := 1; n < len(b.starts); n++ {
			b.starts[n] += b.starts[n-1]
		}
		free[i] = slices.Clone(b.starts)
		c.blocks[i].values = make([]uint32, b.starts[len(b.starts)-1])
	}
	for place, s := range sets {
		eachNumber(s, func(n uint32) {
			next := &free[n>>blockBits][lowOf(n)]
			c.blocks[n>>blockBits].values[*next] = uint32(place) //nolint:gosec // see newColumns
			*next++
		})
	}
}

// eachNumber calls fn with the numbers of a set.
func eachNumber(s set, fn func(number uint32)) {
	var some [1024]uint32
	all := s.ManyIterator()
	for n := all.NextMany(some[:]); n > 0; n = all.NextMany(some[:]) {
		for _, number := range some[:n] {
			fn(number)
		}
	}
}

// patch takes over the blocks of other columns, with edits.
func (c *columns) patch(was *columns, edits map[uint32][]edit) {
	c.products, c.blocks = was.products.Clone(), slices.Clone(was.blocks)
	numbers := slices.Sorted(maps.Keys(edits))
	for len(numbers) > 0 {
		block := numbers[0] >> blockBits
		n := 0
		for n < len(numbers) && numbers[n]>>blockBits == block {
			n++
		}
		for int(block) >= len(c.blocks) {
			c.blocks = append(c.blocks, column{starts: []uint32{0}})
		}
		c.blocks[block] = c.blocks[block].with(numbers[:n], edits)
		for _, number := range numbers[:n] {
			if c.products.Add(number); len(c.blocks[block].of(lowOf(number))) == 0 {
				c.products.Remove(number)
			}
		}
		numbers = numbers[n:]
	}
}

// with is c with other values for some numbers.
func (c column) with(numbers []uint32, edits map[uint32][]edit) column {
	size := max(len(c.starts)-1, int(lowOf(numbers[len(numbers)-1]))+1)
	next := column{make([]uint32, 1, size+1), make([]uint32, 0, len(c.values)+len(numbers))}
	take := func(to int) { // takes over what is not edited, up to a place
		from := len(next.starts) - 1
		if there := min(to, len(c.starts)-1); from < there {
			shift := uint32(len(next.values)) - c.starts[from] //nolint:gosec // wraps around, and back
			next.values = append(next.values, c.values[c.starts[from]:c.starts[there]]...)
			for _, end := range c.starts[from+1 : there+1] {
				next.starts = append(next.starts, end+shift)
			}
		}
		for len(next.starts)-1 < to {
			next.starts = append(next.starts, uint32(len(next.values))) //nolint:gosec // see fill
		}
	}
	for _, number := range numbers {
		take(int(lowOf(number)))
		next.values = append(next.values, edited(c.of(lowOf(number)), edits[number])...)
		next.starts = append(next.starts, uint32(len(next.values))) //nolint:gosec // see fill
	}
	take(size)
	return next
}

// edited are values with edits.
func edited(values []uint32, edits []edit) []uint32 {
	values = slices.DeleteFunc(slices.Clone(values), func(v uint32) bool {
		return slices.ContainsFunc(edits, func(e edit) bool { return e.value == v })
	})
	for _, e := range edits {
		if e.has {
			values = append(values, e.value)
		}
	}
	return values
}

// count counts the products of a set that have each value. Of a large set it counts the others, and takes these from all.
func (c *columns) count(of set) []uint32 {
	counts := make([]uint32, len(c.values))
	one, counted := uint32(1), of
	if 2*of.GetCardinality() > c.products.GetCardinality() {
		one, counted = ^uint32(0), roaring.AndNot(c.products, of) // less one
		for i, v := range c.values {
			counts[i] = v.total
		}
	}
	c.add(counts, counted, one)
	for i, v := range c.values {
		if v.dense {
			counts[i] = uint32(of.AndCardinality(v.set)) //nolint:gosec // at most 2^32
		}
	}
	return counts
}

// add adds something to the counts of the values of each product of a set.
func (c *columns) add(counts []uint32, of set, one uint32) {
	var some [1024]uint32
	all := of.ManyIterator()
	for n := all.NextMany(some[:]); n > 0; n = all.NextMany(some[:]) {
		for _, number := range some[:n] {
			if int(number>>blockBits) >= len(c.blocks) {
				return
			}
			for _, v := range c.blocks[number>>blockBits].of(lowOf(number)) {
				counts[v] += one
			}
		}
	}
}

// size is what c takes in memory without its sets, in bytes.
func (c *columns) size() int {
	const number, ofValue = 4, 150
	bytes := ofValue * len(c.values)
	for _, b := range c.blocks {
		bytes += number * (len(b.starts) + cap(b.values))
	}
	return bytes + sizeOf(c.products)
}
