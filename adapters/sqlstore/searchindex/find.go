package searchindex

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of one look-up besides ports.SearchWindow.
const (
	probeRows    = 1000 // that tell a rare word from a frequent one
	checkedOnce  = 250  // records with the rarest word that are asked for the others together
	checkedFirst = 3    // the first time, for each that is wanted
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

// lookup are the records of terms.
type lookup struct {
	texts  []string // of which a term is one, or unless exact begins with one
	exact  bool
	window int  // terms that are looked at for each text, from the largest term and id on
	ranked bool // the records come best match first, else newest first
	top    int  // records for each text
}

// stmt selects the ids of records and their ranks. A record comes once for each text, and once more if the text is a whole
// term of it.
func (x Index) stmt(q ports.SearchQuery, l lookup) db.Stmt {
	var a db.Args
	from := fmt.Sprintf("(SELECT record, kind FROM search_terms WHERE tenant = %s AND collection = %s AND environment = %s",
		a.Bind(string(q.Tenant)), a.Bind(q.Collection), a.Bind(string(q.Environment))) + x.kindFilter(q, &a)
	window := fmt.Sprintf(" ORDER BY term DESC, record DESC LIMIT %d) w GROUP BY record ORDER BY ", l.window)
	order := "2, 1 DESC"
	if !l.ranked {
		order = "1 DESC"
	}
	tail := fmt.Sprintf("%s%s LIMIT %d) x", window, order, l.top)
	exact := fmt.Sprintf("SELECT record, min(CASE kind WHEN '%s' THEN %d ELSE %d END) AS rank FROM ", search.Number, search.ExactNumber, search.Exact)
	prefix := fmt.Sprintf("SELECT record, %d AS rank FROM ", search.Prefix)
	var parts []string
	for _, text := range l.texts {
		mark := a.Bind(text)
		parts = append(parts, "SELECT * FROM ("+exact+from+" AND term = "+mark+tail)
		if !l.exact {
			parts = append(parts, "SELECT * FROM ("+prefix+from+" AND term > "+mark+" AND term < "+a.Bind(text+last)+tail)
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

// add reads a row of stmt.
func (f found) add(r db.Row) error {
	var id string
	var rank int64
	err := r.Scan(&id, &rank)
	if before, there := f[id]; !there || search.Rank(rank) < before {
		f[id] = search.Rank(rank)
	}
	return err
}

// newest are the ids, from the largest on.
func (f found) newest() []string {
	ids := slices.Collect(maps.Keys(f))
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	return ids
}

// ranked are the ids by rank, and then from the largest on.
func (f found) ranked() []string {
	ids := f.newest()
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(f[a], f[b]) })
	return ids
}

// findAny finds what has the only word, or any of many numbers.
func (x Index) findAny(ctx context.Context, q ports.SearchQuery) ([]string, error) {
	all := found{}
	var stmts []db.Stmt
	add := func(l lookup) {
		l.top = q.Limit
		st := x.stmt(q, l)
		st.OnRow = all.add
		stmts = append(stmts, st)
	}
	for _, w := range q.Query.Words {
		if q.Query.Numbers {
			add(lookup{texts: w, exact: true, window: ports.SearchWindow / len(q.Query.Words)})
		} else {
			add(lookup{texts: w, window: window(w), ranked: true})
		}
	}
	if begun := q.Query.Begun; begun != nil {
		add(lookup{texts: begun, window: window(begun)})
	}
	err := x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, stmts...)
	if q.Query.Numbers {
		return all.newest(), err
	}
	return all.ranked(), err
}

// findAll finds what has all words, or the code that they are together.
func (x Index) findAll(ctx context.Context, q ports.SearchQuery) ([]string, error) {
	ids, err := x.findWords(ctx, q)
	if err != nil || q.Query.Whole == "" {
		return ids, err
	}
	all := found{}
	for _, id := range ids {
		all[id] = search.Prefix
	}
	st := x.stmt(q, lookup{texts: []string{q.Query.Whole}, exact: true, window: ports.SearchWindow, top: q.Limit})
	st.OnRow = all.add
	err = x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, st)
	return all.newest(), err
}

// findWords finds what has all words: of the records with the rarest, from the newest on, those that have the others. Words that
// all records have are found in the newest few already, and thousands of others need not be read for them.
func (x Index) findWords(ctx context.Context, q ports.SearchQuery) (ids []string, err error) {
	words, err := x.rarestFirst(ctx, q)
	if err != nil || words == nil {
		return nil, err
	}
	few := min(checkedFirst*q.Limit, checkedOnce)
	newest, err := x.newestWith(ctx, q, words[0], few)
	if err != nil {
		return nil, err
	}
	isRare := len(newest) < few
	newest = newest[:min(len(newest), few)] // beyond these, one text of the word may have newer ones that were not read
	ids, err = x.having(ctx, q, words[1:], slices.Clone(newest))
	if err != nil || isRare || len(ids) >= q.Limit {
		return ids, err
	}
	all, err := x.newestWith(ctx, q, words[0], window(words[0]))
	if err != nil {
		return nil, err
	}
	older := slices.DeleteFunc(all, func(id string) bool { return id >= newest[few-1] })
	for some := range slices.Chunk(older, checkedOnce) {
		more, err := x.having(ctx, q, words[1:], some)
		if err != nil {
			return nil, err
		}
		if ids = append(ids, more...); len(ids) >= q.Limit {
			break
		}
	}
	return ids, nil
}

// newestWith are the newest records with a word, n at most for each of its texts, from the newest on.
func (x Index) newestWith(ctx context.Context, q ports.SearchQuery, w search.Word, n int) ([]string, error) {
	all := found{}
	st := x.stmt(q, lookup{texts: w, window: window(w), top: n})
	st.OnRow = all.add
	err := x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, st)
	return all.newest(), err
}

// rarestFirst are the words by how many records have each, nil if none has one. Of two that very many have, the one that stands
// there as it is comes before the beginning of other words: the newest records with it can be read, those with the beginning of
// many words only in the order of these.
func (x Index) rarestFirst(ctx context.Context, q ports.SearchQuery) ([]search.Word, error) {
	type counted struct {
		word         search.Word
		count, begun int64
	}
	words := make([]counted, len(q.Query.Words))
	stmts := make([]db.Stmt, len(words))
	for i, w := range q.Query.Words {
		words[i].word = w
		st := x.stmt(q, lookup{texts: w, window: probeRows, top: probeRows})
		st.SQL = fmt.Sprintf("SELECT count(*), count(CASE WHEN rank = %d THEN 1 END) FROM (%s) y", search.Prefix, st.SQL)
		st.OnRow = func(r db.Row) error { return r.Scan(&words[i].count, &words[i].begun) }
		stmts[i] = st
	}
	if err := x.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, stmts...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(words, func(a, b counted) int {
		return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(a.begun, b.begun))
	})
	if words[0].count == 0 {
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
