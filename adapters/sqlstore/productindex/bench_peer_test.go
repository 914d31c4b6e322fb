package productindex_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// maxPeer is how many products a peer has at most.
const maxPeer = 50_000

// peer finds products as one would without an index of one's own: by the full-text search of the database, with facets by GROUP BY. It
// knows no beginnings, no Korean and no levels.
type peer struct {
	*testing.B

	db              *sql.DB
	postgres        bool
	insert, matches string
	products        int
}

func newPeer(b *testing.B, postgres bool) *peer {
	b.Helper()
	const columns = "CREATE TABLE peers (id BIGINT PRIMARY KEY, brand TEXT, category TEXT, tag TEXT"
	p := &peer{B: b, postgres: postgres}
	driver, source, tables := "sqlite", "file:"+filepath.Join(testservers.TempDir(b), "peer.db"), []string{
		columns + ")", "CREATE VIRTUAL TABLE texts USING fts5(text, content='')",
	}
	p.insert = "INSERT INTO peers (id, brand, category, tag) VALUES ($1, $2, $3, $4)"
	p.matches = "FROM texts JOIN peers p ON p.id = texts.rowid WHERE texts MATCH $1"
	if postgres {
		driver, source = "pgx", testservers.Postgres(b)
		tables = []string{columns + ", words TSVECTOR)", "CREATE INDEX ON peers USING gin (words)"}
		p.insert = "INSERT INTO peers (id, brand, category, tag, words) VALUES ($1, $2, $3, $4, to_tsvector('simple', $5))"
		p.matches = "FROM peers p WHERE p.words @@ plainto_tsquery('simple', $1)"
	}
	var err error
	if p.db, err = sql.Open(driver, source); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = p.db.Close() })
	for _, one := range tables {
		if _, err := p.db.ExecContext(b.Context(), one); err != nil {
			b.Fatal(err)
		}
	}
	return p
}

// put stores products.
func (p *peer) put(all []productsearch.Product) {
	if p == nil {
		return
	}
	tx, err := p.db.BeginTx(p.Context(), nil)
	if err != nil {
		p.Fatal(err)
	}
	for _, one := range all {
		p.products++
		text := strings.Join(append(slices.Clone(one.Names), one.Descriptions...), " ")
		args := []any{p.products, one.Brand, one.Categories[0], one.Tags[0]}
		if p.postgres {
			args = append(args, text)
		} else if _, err := tx.ExecContext(p.Context(), "INSERT INTO texts (rowid, text) VALUES ($1, $2)", p.products, text); err != nil {
			p.Fatal(err)
		}
		if _, err := tx.ExecContext(p.Context(), p.insert, args...); err != nil {
			p.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		p.Fatal(err)
	}
}

// compared are the kinds of searches that a peer can answer: those for whole words.
var compared = []string{"a frequent word", "any word", "two words"}

// compare tells how long the peer takes for a kind of search, beside the median of the index.
func (p *peer) compare(what string, search func() productsearch.Request, ours time.Duration) string {
	if p == nil || !slices.Contains(compared, what) {
		return ""
	}
	var times []time.Duration
	for range 50 {
		r := search()
		words := make([]string, len(r.Query.Words))
		for i, w := range r.Query.Words {
			words[i] = w.Text
		}
		began := time.Now()
		p.search(strings.Join(words, " "))
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	theirs := times[len(times)/2]
	return fmt.Sprintf("  full-text search p50 %6.2f ms: %.1f times as long", ms(theirs), float64(theirs)/float64(max(ours, 1)))
}

// search counts what has some words, reads a page of it, and counts three facets.
func (p *peer) search(words string) {
	for _, one := range []string{
		"SELECT CAST(count(*) AS TEXT), '' ", "SELECT CAST(p.id AS TEXT), '' ", "SELECT p.brand, CAST(count(*) AS TEXT) ",
		"SELECT p.category, CAST(count(*) AS TEXT) ", "SELECT p.tag, CAST(count(*) AS TEXT) ",
	} {
		text := one + p.matches
		switch {
		case strings.Contains(one, "p.id"):
			text += " ORDER BY p.id DESC LIMIT 24"
		case strings.Contains(one, "p."):
			text += " GROUP BY 1 ORDER BY count(*) DESC LIMIT 100"
		}
		p.read(text, words)
	}
}

// read runs a query and reads all rows of it, of two texts.
func (p *peer) read(text, words string) {
	rows, err := p.db.QueryContext(p.Context(), text, words)
	if err != nil {
		p.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var a, b string
		if err := rows.Scan(&a, &b); err != nil {
			p.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		p.Fatal(err)
	}
}
