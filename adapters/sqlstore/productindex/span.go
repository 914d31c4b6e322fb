package productindex

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// span is the terms from one to another one, with their sets. It is never changed.
type span struct {
	from, to string
	terms    []string
	sets     []*roaring.Bitmap
}

func (s *span) name() string { return s.from + between + s.to }

// has reports whether a term is from the first up to the last, whether products have it or not.
func (s *span) has(term string) bool { return term >= s.from && term < s.to }

// those are those of some terms that s has.
func (s *span) those(all map[string]bool) (terms []string) {
	for t := range all {
		if s.has(t) {
			terms = append(terms, t)
		}
	}
	return terms
}

// with is s with other sets for some of its terms.
func (s *span) with(sets map[string]*roaring.Bitmap) *span {
	fresh := &span{from: s.from, to: s.to}
	all := map[string]*roaring.Bitmap{}
	for i, t := range s.terms {
		all[t] = s.sets[i]
	}
	for t, set := range sets {
		if s.has(t) {
			all[t] = set
		}
	}
	for t, set := range all {
		if !set.IsEmpty() {
			fresh.terms = append(fresh.terms, t)
		}
	}
	slices.Sort(fresh.terms)
	for _, t := range fresh.terms {
		fresh.sets = append(fresh.sets, all[t])
	}
	return fresh
}

func (s *span) size() (bytes int) {
	for i, t := range s.terms {
		bytes += len(t) + sizeOf(s.sets[i])
	}
	return bytes
}

// sizeOf is about what a set takes in memory.
func sizeOf(b *roaring.Bitmap) int {
	const overhead = 100
	return int(b.GetSizeInBytes()) + overhead //nolint:gosec // no set has more than half a gigabyte
}

// nobody is the empty set.
var nobody = roaring.New()

// terms are the sets of terms, in their order.
func (v *view) terms(terms []string) ([]*roaring.Bitmap, error) {
	sets := make([]*roaring.Bitmap, len(terms))
	var missing []string
	for i, t := range terms {
		if known, ok := v.get(v.key(termEntry, t)); ok {
			sets[i] = known.(*roaring.Bitmap)
			continue
		}
		missing = append(missing, t)
	}
	if missing == nil {
		return sets, nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	read, err := v.readTerms(missing)
	if err != nil {
		return nil, err
	}
	for t, set := range read {
		v.put(v.key(termEntry, t), set, sizeOf(set))
	}
	for i, t := range terms {
		if sets[i] == nil {
			sets[i] = read[t]
		}
	}
	return sets, nil
}

// readTerms reads the sets of terms; those of no product are empty.
func (v *view) readTerms(terms []string) (map[string]*roaring.Bitmap, error) {
	sets := make(map[string]*roaring.Bitmap, len(terms))
	for _, t := range terms {
		sets[t] = nobody
	}
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var term string
		var packed []byte
		if err := r.Scan(&term, &packed); err != nil {
			return err
		}
		if sets[term] == nobody {
			sets[term] = roaring.New()
		}
		return readBits(sets[term], packed)
	}, "SELECT term, bits FROM product_bits WHERE tenant = $1 AND "+v.db.Dialect.InList("term", "$2")+" ORDER BY term, block", string(v.tenant), terms)
	return sets, err
}

// span are the terms from one up to another one, without this, that products have.
func (v *view) span(from, to string) (*span, error) {
	read := &span{from: from, to: to}
	if known, ok := v.get(v.key(spanEntry, read.name())); ok {
		return known.(*span), nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var term string
		var packed []byte
		if err := r.Scan(&term, &packed); err != nil {
			return err
		}
		if n := len(read.terms); n == 0 || read.terms[n-1] != term {
			read.terms, read.sets = append(read.terms, term), append(read.sets, roaring.New())
		}
		return readBits(read.sets[len(read.sets)-1], packed)
	}, "SELECT term, bits FROM product_bits WHERE tenant = $1 AND term >= $2 AND term < $3 ORDER BY term, block", string(v.tenant), from, to)
	if err != nil {
		return nil, err
	}
	return v.putSpan(read.with(nil)), nil
}

// putSpan keeps a span. The lock of the shelf is held.
func (v *view) putSpan(s *span) *span {
	v.put(v.key(spanEntry, s.name()), s, s.size())
	v.shelf.spans[s.name()] = true
	return s
}
