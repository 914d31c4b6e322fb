package productindex

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// columnShop is the facets of a shop of random products, over several blocks of numbers.
type columnShop struct {
	*rand.Rand

	sets map[string]*roaring.Bitmap // by term
	list *groupList
}

// change gives some products other values, or so many that columns are made anew.
func (s *columnShop) change(products int) {
	copied := map[string]bool{}
	for range products {
		kind := facetKinds[s.IntN(len(facetKinds))]
		term := productsearch.Group{Kind: kind, ID: fmt.Sprintf("%d", s.IntN(9))}.Term()
		if !copied[term] {
			copied[term] = true
			if s.sets[term] = s.sets[term].Clone(); s.IntN(20) == 0 {
				s.sets[term].Clear()
			}
		}
		if n := uint32(s.IntN(1 + s.IntN(200_000))); !s.sets[term].CheckedRemove(n) {
			s.sets[term].Add(n)
		}
	}
}

// facetSets are the sets as spans that share what has not changed.
func (s *columnShop) facetSets(was facetSets) (next facetSets) {
	next.list = s.list
	for i, kind := range facetKinds {
		before := was.spans[i]
		if before == nil {
			before = &span{from: string(kind), to: string(kind[0] + 1)}
		}
		next.spans[i] = before.with(s.sets)
	}
	return next
}

// above has the products of the categories below one.
func (s *columnShop) above(term string) *roaring.Bitmap {
	all := s.sets[term].Clone()
	for below, set := range s.sets {
		for id := below[1:]; below[:1] == string(productsearch.Category) && id != ""; id = s.list.parentOf(id) {
			if string(productsearch.Category)+id == term {
				all.Or(set)
			}
		}
	}
	return all
}

func TestColumnsCountWhatIntersectionsDo(t *testing.T) {
	s := &columnShop{rand.New(rand.NewPCG(1, 2)), map[string]*roaring.Bitmap{}, &groupList{at: map[string]int{}}}
	for i := range 9 {
		for _, kind := range facetKinds {
			s.sets[productsearch.Group{Kind: kind, ID: fmt.Sprintf("%d", i)}.Term()] = roaring.New()
		}
		g := productsearch.Group{Kind: productsearch.Category, ID: fmt.Sprintf("%d", i)}
		if i > 0 {
			g.Parent = fmt.Sprintf("%d", i/2)
		}
		if g.Parent == "0" {
			g.Parent = ""
		}
		s.list.at[g.Term()] = i
		s.list.all = append(s.list.all, g)
	}
	var c *columns
	for round := range 40 {
		s.change([]int{3, 50, 500, 80_000}[round%4])
		var from facetSets
		if c != nil {
			from = c.from
		}
		c = newColumns(c, s.facetSets(from))
		some := roaring.New()
		for range 1 << s.IntN(17) {
			some.Add(uint32(s.IntN(220_000)))
		}
		for _, of := range []*roaring.Bitmap{some, c.products, roaring.AndNot(c.products, some), nobody} {
			counts := c.count(of)
			for i, v := range c.values {
				if want := s.above(v.term).AndCardinality(of); uint64(counts[i]) != want {
					t.Fatalf("round %d: %q has %d of %d products, counted were %d", round, v.term, want, of.GetCardinality(), counts[i])
				}
			}
		}
	}
}
