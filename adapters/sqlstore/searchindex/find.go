package searchindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of one look-up besides ports.SearchWindow.
const (
	probeRows   = 1000 // that tell a rare word from a frequent one
	checkedOnce = 250  // records with the rarest word that are asked for the others together
)

// Find implements ports.SearchIndex.
func (x Index) Find(ctx context.Context, q ports.SearchQuery) (ids []string, err error) {
	if q.Query.Numbers || len(q.Query.Words) == 1 {
		ids, err = x.findAny(ctx, q)
	} else {
		ids, err = x.findAll(ctx, q)
	}
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return ids[:min(len(ids), q.Limit)], nil
}

// last follows every term that begins with a prefix, by code points.
const last = "\U0010FFFF"

// lookup selects from the terms that are one of texts, or unless exact begin with one, at most limit of each. The rows of
// one text come from the largest term and id on.
func (x Index) lookup(q ports.SearchQuery, columns string, texts []string, exact bool, limit int) db.Stmt {
	var a db.Args
	from := fmt.Sprintf("SELECT %s FROM search_terms WHERE tenant = %s AND collection = %s AND environment = %s", columns,
		a.Bind(string(q.Tenant)), a.Bind(q.Collection), a.Bind(string(q.Environment))) + x.kindFilter(q, &a)
	tail := fmt.Sprintf(" ORDER BY term DESC, record DESC LIMIT %d) x", limit)
	var parts []string
	for _, text := range texts {
		mark := a.Bind(text)
		parts = append(parts, "SELECT * FROM ("+from+" AND term = "+mark+tail)
		if !exact {
			parts = append(parts, "SELECT * FROM ("+from+" AND term > "+mark+" AND term < "+a.Bind(text+last)+tail)
		}
	}
	return db.Stmt{SQL: strings.Join(parts, " UNION ALL "), Args: a, GenericPlan: true}
}

// window is how many terms are looked at for each text of a word: all of a rare one.
func window(w search.Word) int { return max(probeRows, ports.SearchWindow/len(w)) }

// kindFilter is the condition on the kinds of terms that count.
func (x Index) kindFilter(q ports.SearchQuery, a *db.Args) string {
	if q.Kinds == nil {
		return ""
	}
	return " AND " + x.db.Dialect.InList("kind", a.Bind(kindNames(q.Kinds)))
}

func kindNames(kinds []search.Kind) []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return names
}

// found are ids with the best rank of each.
type found map[string]search.Rank

// add reads a row of record, term and kind, which word w found; ranked is false where all have the last rank.
func (f found) add(w search.Word, ranked bool) func(db.Row) error {
	return func(r db.Row) error {
		var id string
		var t search.Term
		if err := r.Scan(&id, &t.Text, &t.Kind); err != nil {
			return err
		}
		rank := search.Prefix
		if ranked {
			rank = search.RankOf(w, t)
		}
		if before, there := f[id]; !there || rank < before {
			f[id] = rank
		}
		return nil
	}
}

// sorted are the ids, by rank and then from the largest on.
func (f found) sorted() []string {
	ids := make([]string, 0, len(f))
	for id := range f {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(f[a], f[b]), strings.Compare(b, a)) })
	return ids
}

// findAny finds what has the only word, or any of many numbers.
func (x Index) findAny(ctx context.Context, q ports.SearchQuery) ([]string, error) {
	all := found{}
	var stmts []db.Stmt
	for _, w := range q.Query.Words {
		limit := window(w)
		if q.Query.Numbers {
			limit = ports.SearchWindow / len(q.Query.Words)
		}
		st := x.lookup(q, "record, term, kind", w, q.Query.Numbers, limit)
		st.OnRow = all.add(w, !q.Query.Numbers)
		stmts = append(stmts, st)
	}
	err := x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, stmts...)
	return all.sorted(), err
}

// findAll finds what has all words: of the records with the rarest, from the newest on, those that have the others.
func (x Index) findAll(ctx context.Context, q ports.SearchQuery) (ids []string, err error) {
	words, err := x.rarestFirst(ctx, q)
	if err != nil || words == nil {
		return nil, err
	}
	all := found{}
	st := x.lookup(q, "record, term, kind", words[0], false, window(words[0]))
	st.OnRow = all.add(words[0], false)
	if err := x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, st); err != nil {
		return nil, err
	}
	for some := range slices.Chunk(all.sorted(), checkedOnce) {
		if some, err = x.having(ctx, q, words[1:], some); err != nil {
			return nil, err
		}
		if ids = append(ids, some...); len(ids) >= q.Limit {
			break
		}
	}
	return ids, nil
}

// rarestFirst are the words by how many terms each begins, nil if one begins none.
func (x Index) rarestFirst(ctx context.Context, q ports.SearchQuery) ([]search.Word, error) {
	type counted struct {
		word  search.Word
		terms int64
	}
	words := make([]counted, len(q.Query.Words))
	stmts := make([]db.Stmt, len(words))
	for i, w := range q.Query.Words {
		words[i].word = w
		st := x.lookup(q, "record, term", w, false, probeRows)
		st.SQL = "SELECT count(*) FROM (" + st.SQL + ") y"
		st.OnRow = func(r db.Row) error { return r.Scan(&words[i].terms) }
		stmts[i] = st
	}
	if err := x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, stmts...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(words, func(a, b counted) int { return cmp.Compare(a.terms, b.terms) })
	if words[0].terms == 0 {
		return nil, nil
	}
	sorted := make([]search.Word, len(words))
	for i, w := range words {
		sorted[i] = w.word
	}
	return sorted, nil
}

// having are those of ids, in their order, whose records have all of words.
func (x Index) having(ctx context.Context, q ports.SearchQuery, words []search.Word, ids []string) ([]string, error) {
	has := map[string]int{}
	stmts := make([]db.Stmt, len(words))
	for i, w := range words {
		stmts[i] = x.check(q, w, ids)
		stmts[i].OnRow = func(r db.Row) error {
			var id string
			err := r.Scan(&id)
			has[id]++
			return err
		}
	}
	err := x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, stmts...)
	return slices.DeleteFunc(ids, func(id string) bool { return has[id] < len(words) }), err
}

// check selects those of ids whose records have a word. It looks for each of them: to read all terms of the tenant that
// begin with the word looks cheap to Postgres as long as it thinks that they are few.
func (x Index) check(q ports.SearchQuery, w search.Word, ids []string) db.Stmt {
	var a db.Args
	each := "SELECT r.id FROM unnest(" + a.Bind(ids) + "::text[]) AS r(id)"
	if !x.db.Dialect.Postgres {
		each = "SELECT r.id FROM (SELECT value AS id FROM json_each($1)) r"
	}
	var terms []string
	for _, one := range w {
		terms = append(terms, "s.term >= "+a.Bind(one)+" AND s.term < "+a.Bind(one+last))
	}
	text := each + " WHERE (SELECT TRUE FROM search_terms s WHERE s.tenant = " + a.Bind(string(q.Tenant)) + " AND s.record = r.id" +
		" AND (" + strings.Join(terms, " OR ") + ")" + x.kindFilter(q, &a) + " LIMIT 1)"
	return db.Stmt{SQL: text, Args: a, GenericPlan: true}
}
