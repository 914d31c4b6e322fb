package productindex

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// row is a place of product_bits.
type row struct {
	term  string
	block int64
}

// bits are changes of a row.
type bits struct{ set, clear []uint32 }

// note notes the bits that a product changes.
func (p *putting) note(s stored) {
	at := func(term string) *bits {
		r := row{term, blockOf(s.number)}
		if p.changes[r] == nil {
			p.changes[r] = &bits{}
		}
		return p.changes[r]
	}
	for _, t := range s.added() {
		b := at(t)
		b.set = append(b.set, s.number)
	}
	for _, t := range s.removed() {
		b := at(t)
		b.clear = append(b.clear, s.number)
	}
}

// rows are the rows that change, those of a block together: those that list products and all others.
func (p *putting) rows() (listing, others []row) {
	all := slices.SortedFunc(maps.Keys(p.changes), func(a, b row) int { return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.term, b.term)) })
	for _, r := range all {
		if r.term == productsearch.ListedTerm() {
			listing = append(listing, r)
		} else {
			others = append(others, r)
		}
	}
	return listing, others
}

// termsOf are the terms of rows, each once.
func termsOf(rows []row) []string {
	terms := make([]string, len(rows))
	for i, r := range rows {
		terms[i] = r.term
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// change changes some rows of bits. Those without bits go.
func (p *putting) change(ctx context.Context, on db.Session, rows []row) error {
	there, err := p.bitsOf(ctx, on, rows)
	if err != nil {
		return err
	}
	all := upserts{table: "product_bits", key: []string{"term text", "block bigint"}, value: "bits bytea"}
	var stmts []db.Stmt
	for _, r := range rows {
		b := there[r]
		if b == nil {
			b = roaring.New()
		}
		b.AddMany(p.changes[r].set)
		for _, n := range p.changes[r].clear {
			b.Remove(n)
		}
		if b.IsEmpty() {
			stmts = append(stmts, db.Stmt{
				SQL: "DELETE FROM product_bits WHERE tenant = $1 AND term = $2 AND block = $3", Args: []any{string(p.tenant), r.term, r.block},
			})
			continue
		}
		packed, err := b.ToBytes()
		if err != nil {
			return err
		}
		all.add(p.tenant, r.term, r.block, packed)
	}
	return on.Run(ctx, append(stmts, all.stmts(p.db.Dialect, p.tenant)...)...)
}

// bitsOfTerms looks each term up by itself: a database that does not know yet how large the table is would read all of it.
func (p *putting) bitsOfTerms() string {
	terms := "unnest($2::text[]) AS d(term)"
	if !p.db.Dialect.Postgres {
		terms = "(SELECT value AS term FROM json_each($2)) d"
	}
	return "SELECT d.term, (SELECT s.bits FROM product_bits s WHERE s.tenant = $1 AND s.term = d.term AND s.block = $3) FROM " + terms
}

// bitsOf reads rows of bits.
func (p *putting) bitsOf(ctx context.Context, on db.Session, rows []row) (map[row]*roaring.Bitmap, error) {
	byBlock := map[int64][]string{}
	for _, r := range rows {
		byBlock[r.block] = append(byBlock[r.block], r.term)
	}
	there := make(map[row]*roaring.Bitmap, len(rows))
	var stmts []db.Stmt
	for _, block := range slices.Sorted(maps.Keys(byBlock)) {
		stmts = append(stmts, db.Stmt{
			SQL:  p.bitsOfTerms(),
			Args: []any{string(p.tenant), byBlock[block], block},
			OnRow: func(r db.Row) error {
				var term string
				var packed []byte
				if err := r.Scan(&term, &packed); err != nil || packed == nil {
					return err
				}
				b := roaring.New()
				there[row{term, block}] = b
				return b.UnmarshalBinary(packed)
			},
		})
	}
	return there, on.Run(ctx, stmts...)
}
