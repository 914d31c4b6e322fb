package productindex

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/ports"
)

// finish changes the last rows of bits, stores what terms the products have, their words and the groups, and moves the place.
func (p *putting) finish(ctx context.Context, on db.Session, rows []row) error {
	words, stmts, err := p.countWords(ctx, on)
	if err != nil {
		return err
	}
	changed := append(termsOf(rows), words...)
	if len(p.groups) > 0 {
		changed = append(changed, groupsMark)
	}
	if len(changed) > 0 {
		if err := p.next(ctx, on, changed); err != nil {
			return err
		}
	}
	if err := p.change(ctx, on, rows); err != nil { // after the claim was checked, and the place locked by that
		return err
	}
	for _, s := range p.products {
		st := p.productStmt(s, packTerms(withWords(s.next.Terms, s.next.Words)), false)
		if len(s.next.Terms) == 0 {
			st = db.Stmt{SQL: "DELETE FROM product_numbers WHERE tenant = $1 AND product = $2", Args: []any{string(p.tenant), s.id}}
		}
		stmts = append(stmts, st)
	}
	groups, err := p.groupStmts(p.groups)
	if err != nil {
		return err
	}
	stmts = append(stmts, groups...)
	stmts = append(stmts, db.Stmt{
		SQL:    "UPDATE product_places SET version = $3, sequence = $4, reading = $5, after_id = $6, claim = '' WHERE tenant = $1 AND claim = $2",
		Args:   []any{string(p.tenant), p.claim, p.to.Version, p.to.Sequence, p.to.Reading, p.to.After},
		OnDone: db.ErrIfNone(ports.ErrStale),
	})
	return on.Run(ctx, stmts...)
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

// productStmt stores a product.
func (p *putting) productStmt(s stored, packed []byte, pending bool) db.Stmt {
	return db.Stmt{
		SQL: "INSERT INTO product_numbers (tenant, product, number, terms, pending) VALUES ($1, $2, $3, $4, $5)" +
			" ON CONFLICT (tenant, product) DO UPDATE SET terms = excluded.terms, pending = excluded.pending",
		Args: []any{string(p.tenant), s.id, int64(s.number), packed, pending},
	}
}

// countWords counts the products that have each word: it returns the marks of the words that come and go, and stores the counts.
func (p *putting) countWords(ctx context.Context, on db.Session) (marks []string, stmts []db.Stmt, err error) {
	more := map[string]int64{}
	for _, s := range p.products {
		for _, w := range s.next.Words {
			more[w]++
		}
		for _, w := range s.words {
			more[w]--
		}
	}
	maps.DeleteFunc(more, func(_ string, n int64) bool { return n == 0 })
	if len(more) == 0 {
		return nil, nil, nil
	}
	counted := map[string]int64{}
	words := slices.Sorted(maps.Keys(more))
	err = db.Query(ctx, on, func(r db.Row) error {
		var word string
		var products int64
		err := r.Scan(&word, &products)
		counted[word] = products
		return err
	}, "SELECT word, products FROM product_words WHERE tenant = $1 AND "+p.db.Dialect.InList("word", "$2"), string(p.tenant), words)
	counts := upserts{table: "product_words", key: []string{"word text"}, value: "products bigint"}
	for _, w := range words {
		before, there := counted[w]
		after := before + more[w]
		switch {
		case after <= 0:
			marks = append(marks, lostWordMark+w)
			stmts = append(stmts, db.Stmt{SQL: "DELETE FROM product_words WHERE tenant = $1 AND word = $2", Args: []any{string(p.tenant), w}})
			continue
		case !there:
			marks = append(marks, wordMark+w)
		}
		counts.add(p.tenant, w, after)
	}
	return marks, append(stmts, counts.stmts(p.db.Dialect, p.tenant)...), err
}

func (p *putting) groupStmts(groups []productsearch.Group) (stmts []db.Stmt, err error) {
	for _, g := range groups {
		st, err := p.groupStmt(g)
		if err != nil {
			return nil, err
		}
		stmts = append(stmts, st)
	}
	return stmts, nil
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
