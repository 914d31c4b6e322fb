package productindex

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// How many rows of bits one transaction changes at most: on SQLite everybody else waits for it.
const (
	postgresRows = 5000
	sqliteRows   = 500
)

// keptChanges are the revisions whose terms are remembered: an instance that last looked before them begins anew.
const keptChanges = 200

// stored is a product as it stands in the index.
type stored struct {
	id      string
	number  uint32
	terms   map[string]bool // nil: it is new
	pending bool
	next    productsearch.Entry
}

// added are the terms whose bits have to be set; those of a pending row may be set or not.
func (s stored) added() (terms []string) {
	for _, t := range s.next.Terms {
		if s.pending || !s.terms[t] {
			terms = append(terms, t)
		}
	}
	return terms
}

// removed are the terms whose bits have to go.
func (s stored) removed() []string {
	gone := maps.Clone(s.terms)
	for _, t := range s.next.Terms {
		delete(gone, t)
	}
	return slices.Collect(maps.Keys(gone))
}

// row is a place of product_bits.
type row struct {
	term  string
	block int64
}

// bits are changes of a row.
type bits struct{ set, clear []uint32 }

// putting is one Put on its way.
type putting struct {
	*Index

	tenant   tenant.ID
	claim    string
	products []stored // that change
	changes  map[row]*bits
}

// Put implements ports.ProductSearch.
func (x *Index) Put(ctx context.Context, from, to ports.SearchPlace, products []productsearch.Entry, groups []productsearch.Group) error {
	p := putting{Index: x, tenant: from.Tenant, claim: rand.Text()}
	if err := p.begin(ctx, from, products); err != nil {
		return err
	}
	rows := slices.SortedFunc(maps.Keys(p.changes), func(a, b row) int { return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.term, b.term)) })
	size := sqliteRows
	if x.db.Dialect.Postgres {
		size = postgresRows
	}
	for some := range slices.Chunk(rows, size) {
		if err := p.change(ctx, some); err != nil {
			return fmt.Errorf("store bits of products: %w", err)
		}
	}
	return p.finish(ctx, from, to, groups)
}

// begin claims the place, and stores what terms the products may have from now on.
func (p *putting) begin(ctx context.Context, from ports.SearchPlace, products []productsearch.Entry) error {
	return p.at(ctx, from, "begin to store products", func(ctx context.Context, on db.Session) error {
		if err := p.read(ctx, on, products); err != nil {
			return err
		}
		var last int64
		if _, err := db.QueryRow(ctx, on, []any{&last}, "SELECT numbers FROM product_places WHERE tenant = $1", string(p.tenant)); err != nil {
			return err
		}
		var stmts []db.Stmt
		p.changes = map[row]*bits{}
		for i := range p.products {
			s := &p.products[i]
			if s.terms == nil {
				last++
				s.number = uint32(last) //nolint:gosec // a shop has fewer products
			}
			p.note(*s)
			stmts = append(stmts, db.Stmt{
				SQL: "INSERT INTO product_numbers (tenant, product, number, terms, pending) VALUES ($1, $2, $3, $4, TRUE)" +
					" ON CONFLICT (tenant, product) DO UPDATE SET terms = excluded.terms, pending = TRUE",
				Args: []any{string(p.tenant), s.id, int64(s.number), packTerms(s.union())},
			})
		}
		stmts = append(stmts, db.Stmt{
			SQL: "UPDATE product_places SET claim = $2, numbers = $3 WHERE tenant = $1", Args: []any{string(p.tenant), p.claim, last},
		})
		return on.Run(ctx, stmts...)
	})
}

// read reads how the products stand in the index, and keeps those that change.
func (p *putting) read(ctx context.Context, on db.Session, products []productsearch.Entry) error {
	p.products = nil
	ids := make([]string, len(products))
	for i, e := range products {
		ids[i] = e.Product
	}
	there := map[string]stored{}
	err := db.Query(ctx, on, func(r db.Row) error {
		s := stored{terms: map[string]bool{}}
		var number int64
		var packed []byte
		if err := r.Scan(&s.id, &number, &packed, &s.pending); err != nil {
			return err
		}
		s.number = uint32(number) //nolint:gosec // see begin
		terms, err := unpackTerms(packed)
		for _, t := range terms {
			s.terms[t] = true
		}
		there[s.id] = s
		return err
	}, "SELECT product, number, terms, pending FROM product_numbers WHERE tenant = $1 AND "+p.db.Dialect.InList("product", "$2"), string(p.tenant), ids)
	if err != nil {
		return err
	}
	for _, e := range products {
		s := there[e.Product]
		s.id, s.next = e.Product, e
		if s.terms == nil && len(e.Terms) == 0 || s.terms != nil && !s.pending && len(s.added()) == 0 && len(s.removed()) == 0 {
			continue
		}
		p.products = append(p.products, s)
	}
	return nil
}

// union are all terms that a product may have while it changes.
func (s stored) union() []string { return append(slices.Collect(maps.Keys(s.terms)), s.added()...) }

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

// next raises the revision, if the claim is still ours, and notes which terms it changes. Errors: ports.ErrStale.
func (p *putting) next(ctx context.Context, on db.Session, terms []string) error {
	var revision int64
	ours, err := db.QueryRow(ctx, on, []any{&revision},
		"UPDATE product_places SET revision = revision + 1 WHERE tenant = $1 AND claim = $2 RETURNING revision", string(p.tenant), p.claim)
	if err != nil || !ours {
		return cmp.Or(err, error(ports.ErrStale))
	}
	return on.Run(ctx,
		db.Stmt{
			SQL:  "INSERT INTO product_changes (tenant, revision, terms) VALUES ($1, $2, $3)",
			Args: []any{string(p.tenant), revision, packTerms(terms)},
		},
		db.Stmt{
			SQL: "DELETE FROM product_changes WHERE tenant = $1 AND revision <= $2", Args: []any{string(p.tenant), revision - keptChanges},
		},
		db.Stmt{
			SQL:  "UPDATE product_places SET forgotten = $2 WHERE tenant = $1 AND forgotten < $2",
			Args: []any{string(p.tenant), revision - keptChanges},
		})
}

// change changes some rows of bits.
func (p *putting) change(ctx context.Context, rows []row) error {
	return p.db.Transact(ctx, ports.ForTenant(p.tenant), func(ctx context.Context, on db.Session) error {
		terms := make([]string, len(rows))
		for i, r := range rows {
			terms[i] = r.term
		}
		slices.Sort(terms)
		if err := p.next(ctx, on, slices.Compact(terms)); err != nil {
			return err
		}
		there, err := p.bitsOf(ctx, on, rows)
		if err != nil {
			return err
		}
		var all bitRows
		for _, r := range rows {
			b := there[r]
			if b == nil {
				b = roaring.New()
			}
			b.AddMany(p.changes[r].set)
			for _, n := range p.changes[r].clear {
				b.Remove(n)
			}
			packed, err := b.ToBytes()
			if err != nil {
				return err
			}
			all.add(p.tenant, r, packed)
		}
		return on.Run(ctx, all.stmts(p.db.Dialect, p.tenant)...)
	})
}

// bitRows are rows of bits on their way to the database: one statement for all on Postgres, one for each on SQLite.
type bitRows struct {
	columns db.ColumnArrays
	each    [][]any
}

const replaceBits = " ON CONFLICT (tenant, term, block) DO UPDATE SET bits = excluded.bits"

func (a *bitRows) add(id tenant.ID, r row, packed []byte) {
	a.columns.AddRow(r.term, r.block, packed)
	a.each = append(a.each, []any{string(id), r.term, r.block, packed})
}

func (a *bitRows) stmts(d *db.Dialect, id tenant.ID) (stmts []db.Stmt) {
	if d.Postgres {
		columns := []string{"term text", "block bigint", "bits bytea"}
		return []db.Stmt{{
			SQL: "INSERT INTO product_bits (tenant, term, block, bits) SELECT $1, term, block, bits FROM " +
				db.Unnest("d", columns, 2, "") + replaceBits, //nolint:mnd // after the tenant
			Args: append([]any{string(id)}, a.columns.Columns(len(columns))...),
		}}
	}
	for _, args := range a.each {
		stmts = append(stmts, db.Stmt{SQL: "INSERT INTO product_bits (tenant, term, block, bits) VALUES ($1, $2, $3, $4)" + replaceBits, Args: args})
	}
	return stmts
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

// finish stores what terms the products have, their words and the groups, and moves the place.
func (p *putting) finish(ctx context.Context, from, to ports.SearchPlace, groups []productsearch.Group) error {
	err := p.db.Transact(ctx, ports.ForTenant(p.tenant), func(ctx context.Context, on db.Session) error {
		fresh, err := p.freshWords(ctx, on)
		if err != nil {
			return err
		}
		if len(groups) > 0 || len(fresh) > 0 {
			changed := make([]string, 0, len(fresh)+1)
			for _, w := range fresh {
				changed = append(changed, wordMark+w)
			}
			if len(groups) > 0 {
				changed = append(changed, groupsMark)
			}
			if err := p.next(ctx, on, changed); err != nil {
				return err
			}
		}
		stmts := slices.Concat(p.wordStmts(fresh), p.productStmts())
		for _, g := range groups {
			st, err := p.groupStmt(g)
			if err != nil {
				return err
			}
			stmts = append(stmts, st)
		}
		stmts = append(stmts, db.Stmt{
			SQL:    "UPDATE product_places SET version = $3, sequence = $4, reading = $5, after_id = $6, claim = '' WHERE tenant = $1 AND claim = $2",
			Args:   []any{string(p.tenant), p.claim, to.Version, to.Sequence, to.Reading, to.After},
			OnDone: db.ErrIfNone(ports.ErrStale),
		})
		return on.Run(ctx, stmts...)
	})
	if err != nil {
		return fmt.Errorf("store products of %s: %w", from.Tenant, err)
	}
	return nil
}

// freshWords are the words of the products that are not known yet.
func (p *putting) freshWords(ctx context.Context, on db.Session) ([]string, error) {
	words := map[string]bool{}
	for _, s := range p.products {
		for _, w := range s.next.Words {
			words[w] = true
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	err := db.Query(ctx, on, func(r db.Row) error {
		var known string
		err := r.Scan(&known)
		delete(words, known)
		return err
	}, "SELECT word FROM product_words WHERE tenant = $1 AND "+p.db.Dialect.InList("word", "$2"), string(p.tenant), slices.Collect(maps.Keys(words)))
	return slices.Sorted(maps.Keys(words)), err
}

func (p *putting) wordStmts(words []string) (stmts []db.Stmt) {
	for _, w := range words {
		stmts = append(stmts, db.Stmt{
			SQL: "INSERT INTO product_words (tenant, word) VALUES ($1, $2) ON CONFLICT DO NOTHING", Args: []any{string(p.tenant), w},
		})
	}
	return stmts
}

func (p *putting) productStmts() (stmts []db.Stmt) {
	for _, s := range p.products {
		st := db.Stmt{
			SQL:  "UPDATE product_numbers SET terms = $3, pending = FALSE WHERE tenant = $1 AND product = $2",
			Args: []any{string(p.tenant), s.id, packTerms(s.next.Terms)},
		}
		if len(s.next.Terms) == 0 {
			st = db.Stmt{SQL: "DELETE FROM product_numbers WHERE tenant = $1 AND product = $2", Args: []any{string(p.tenant), s.id}}
		}
		stmts = append(stmts, st)
	}
	return stmts
}

func (p *putting) groupStmt(g productsearch.Group) (db.Stmt, error) {
	key := []any{string(p.tenant), string(g.Kind), g.ID}
	if len(g.Names) == 0 {
		return db.Stmt{SQL: "DELETE FROM product_groups WHERE tenant = $1 AND kind = $2 AND id = $3", Args: key}, nil
	}
	names, err := json.Marshal(g.Names)
	return db.Stmt{
		SQL: "INSERT INTO product_groups (tenant, kind, id, parent, names) VALUES ($1, $2, $3, $4, $5)" +
			" ON CONFLICT (tenant, kind, id) DO UPDATE SET parent = excluded.parent, names = excluded.names",
		Args: append(key, g.Parent, string(names)),
	}, err
}
