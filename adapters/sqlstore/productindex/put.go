package productindex

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	words   []string        // that are counted
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

// putting is one Put on its way.
type putting struct {
	*Index

	tenant   tenant.ID
	to       ports.SearchPlace
	groups   []productsearch.Group
	claim    string
	products []stored // that change
	changes  map[row]*bits
}

// Put implements ports.ProductSearch. What changes few rows is one transaction. Of more, those that list the products go last: every search
// asks for them, so that new products are found once all else is there.
func (x *Index) Put(ctx context.Context, from, to ports.SearchPlace, products []productsearch.Entry, groups []productsearch.Group) error {
	p := putting{Index: x, tenant: from.Tenant, to: to, groups: groups, claim: rand.Text()}
	done, err := p.begin(ctx, from, products)
	if err != nil || done {
		return err
	}
	listing, others := p.rows()
	for some := range slices.Chunk(others, p.rowsAtOnce()) {
		err := p.db.Transact(ctx, ports.ForTenant(p.tenant), func(ctx context.Context, on db.Session) error {
			if err := p.next(ctx, on, termsOf(some)); err != nil {
				return err
			}
			return p.change(ctx, on, some)
		})
		if err != nil {
			return fmt.Errorf("store bits of products: %w", err)
		}
	}
	err = p.db.Transact(ctx, ports.ForTenant(p.tenant), func(ctx context.Context, on db.Session) error { return p.finish(ctx, on, listing) })
	if err != nil {
		return fmt.Errorf("store products of %s: %w", p.tenant, err)
	}
	return nil
}

func (p *putting) rowsAtOnce() int {
	if p.db.Dialect.Postgres {
		return postgresRows
	}
	return sqliteRows
}

// begin claims the place, and stores what terms the products may have from now on and the names of their groups, or all there is to store:
// done reports that.
func (p *putting) begin(ctx context.Context, from ports.SearchPlace, products []productsearch.Entry) (done bool, err error) {
	err = p.At(ctx, from, "store products", func(ctx context.Context, on db.Session) error {
		if err := p.read(ctx, on, products); err != nil {
			return err
		}
		last, err := p.number(ctx, on)
		if err != nil {
			return err
		}
		listing, others := p.rows()
		rows := slices.Concat(others, listing)
		done = len(rows) <= p.rowsAtOnce()
		stmts := []db.Stmt{{
			SQL: "UPDATE product_places SET claim = $2, numbers = $3 WHERE tenant = $1", Args: []any{string(p.tenant), p.claim, last},
		}}
		if !done {
			for _, s := range p.products {
				stmts = append(stmts, p.productStmt(s, packTerms(withWords(s.union(), s.words)), true))
			}
		}
		if err := on.Run(ctx, stmts...); err != nil {
			return err
		}
		if !done {
			return p.name(ctx, on)
		}
		return p.finish(ctx, on, rows)
	})
	return done, err
}

// name stores the groups that there are before a product that is found already gets one: a facet tells its name then.
func (p *putting) name(ctx context.Context, on db.Session) error {
	there := slices.DeleteFunc(slices.Clone(p.groups), func(g productsearch.Group) bool { return len(g.Names) == 0 }) // others go last
	stmts, err := p.groupStmts(there)
	if err != nil || len(stmts) == 0 {
		return err
	}
	if err := p.next(ctx, on, []string{groupsMark}); err != nil {
		return err
	}
	return on.Run(ctx, stmts...)
}

// number gives new products their numbers, and notes what rows change. It returns the last number that was given.
func (p *putting) number(ctx context.Context, on db.Session) (last int64, err error) {
	if _, err := db.QueryRow(ctx, on, []any{&last}, "SELECT numbers FROM product_places WHERE tenant = $1", string(p.tenant)); err != nil {
		return 0, err
	}
	p.changes = map[row]*bits{}
	for i := range p.products {
		s := &p.products[i]
		if s.terms == nil {
			last++
			s.number = uint32(last) //nolint:gosec // a shop has fewer products
		}
		p.note(*s)
	}
	return last, nil
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
			if w, is := strings.CutPrefix(t, wordMark); is {
				s.words = append(s.words, w)
			} else {
				s.terms[t] = true
			}
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
		if !s.isThere() {
			p.products = append(p.products, s)
		}
	}
	return nil
}

// isThere reports whether a product stands in the index as it should.
func (s stored) isThere() bool {
	if s.terms == nil {
		return len(s.next.Terms) == 0
	}
	return !s.pending && len(s.added()) == 0 && len(s.removed()) == 0 && slices.Equal(s.words, s.next.Words)
}

// withWords are terms with words behind them, as a product's row has them.
func withWords(terms, words []string) []string {
	all := slices.Clone(terms)
	for _, w := range words {
		all = append(all, wordMark+w)
	}
	return all
}

// union are all terms that a product may have while it changes.
func (s stored) union() []string { return append(slices.Collect(maps.Keys(s.terms)), s.added()...) }
