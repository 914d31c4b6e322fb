package productindex_test

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/productindex"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// bigShop makes products as a big shop has them: words by frequency, as in any language, in two languages.
type bigShop struct {
	dice  *rand.Rand
	zipf  *rand.Zipf
	words []string
	hanja []string
}

func newBigShop() *bigShop {
	dice := rand.New(rand.NewPCG(5, 6))
	s := &bigShop{dice: dice, zipf: rand.NewZipf(dice, 1.1, 5, 29_999)}
	syllables := []string{"ba", "co", "di", "fer", "gen", "ha", "is", "jo", "ka", "lum", "mi", "nor", "op", "pra", "qui", "ra", "sto", "tel", "un", "ver"}
	for range 30_000 {
		latin, korean := "", ""
		for range 2 + dice.IntN(3) {
			latin += syllables[dice.IntN(len(syllables))]
			korean += string(rune(0xAC00 + dice.IntN(600)*17))
		}
		s.words, s.hanja = append(s.words, latin), append(s.hanja, korean)
	}
	return s
}

func (s *bigShop) text(of []string, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = of[s.zipf.Uint64()]
	}
	return strings.Join(words, " ")
}

func (s *bigShop) product(i int) productsearch.Product {
	p := productsearch.Product{
		ID: fmt.Sprintf("p%07d", i), Listed: true, Names: []string{s.text(s.words, 2+s.dice.IntN(4)), s.text(s.hanja, 2+s.dice.IntN(3))},
		Descriptions: []string{s.text(s.words, 30)}, Brand: fmt.Sprintf("b%04d", s.zipf.Uint64()%3000),
		Categories: []string{fmt.Sprintf("c%03d", s.dice.IntN(300))}, Tags: []string{fmt.Sprintf("t%03d", s.dice.IntN(500))},
		Price: (1 + s.dice.Int64N(2000)) * 100 * productsearch.KeysPerUnit, InStock: []tenant.Environment{tenant.Live},
	}
	for _, size := range []string{"S", "M", "L", "XL"}[:1+s.dice.IntN(4)] {
		p.Options = append(p.Options, productsearch.Option{Name: "Size", Value: size})
	}
	p.Options = append(p.Options, productsearch.Option{Name: "Color", Value: s.words[s.dice.IntN(40)]})
	if s.dice.IntN(5) == 0 {
		p.InStock = nil
	}
	return p
}

// searches are what shoppers ask for, by name: each call is another text.
func (s *bigShop) searches() map[string]func() productsearch.Request {
	name := func(of []string, n int) func() string { return func() string { return s.text(of, n) } }
	ask := func(text func() string, filter productsearch.Filter, sort productsearch.Sort) func() productsearch.Request {
		return func() productsearch.Request {
			q, err := productsearch.Parse(text(), strings.ToLower)
			if err != nil {
				panic(err)
			}
			return productsearch.Request{
				Tenant: "big", Environment: tenant.Live, Query: q, Filter: filter, Sort: sort, Limit: 24, Facets: true,
				Scale: func(key int64) (int64, bool) { return key / productsearch.KeysPerUnit, true },
			}
		}
	}
	all := func() string { return "" }
	return map[string]func() productsearch.Request{
		"all products":    ask(all, productsearch.Filter{}, productsearch.Relevance),
		"a frequent word": ask(func() string { return s.words[s.dice.IntN(20)] }, productsearch.Filter{}, productsearch.Relevance),
		"any word":        ask(name(s.words, 1), productsearch.Filter{}, productsearch.Relevance),
		"two words":       ask(name(s.words, 2), productsearch.Filter{}, productsearch.Relevance),
		"Korean":          ask(name(s.hanja, 1), productsearch.Filter{}, productsearch.Relevance),
		"a beginning":     ask(func() string { w := s.words[s.zipf.Uint64()]; return w[:min(3, len(w))] }, productsearch.Filter{}, productsearch.Relevance),
		"a Korean typo": ask(func() string {
			w := []rune(s.hanja[s.zipf.Uint64()])
			return string(append(w[:1], append([]rune{w[1] + 1}, w[2:]...)...))
		}, productsearch.Filter{}, productsearch.Relevance),
		"a typo":            ask(func() string { w := s.words[s.zipf.Uint64()]; return w[:2] + w[3:] + "x" }, productsearch.Filter{}, productsearch.Relevance),
		"a filter":          ask(name(s.words, 1), productsearch.Filter{Categories: []string{"c001", "c002"}, InStock: true}, productsearch.Relevance),
		"prices":            ask(name(s.words, 1), productsearch.Filter{Price: &productsearch.PriceRange{Low: 12_345, High: 67_890}}, productsearch.PriceUp),
		"all in a category": ask(all, productsearch.Filter{Categories: []string{"c003"}}, productsearch.PriceDown),
	}
}

// BenchmarkSearch measures a shop of a million products, or of CARTWRIGHT_BENCH_PRODUCTS: how long its index takes to make, what it weighs,
// how long searches of each kind take, in time and in CPU time of the whole process, and how long until a change is found. The SQLite
// database is kept in CARTWRIGHT_BENCH_DIR if that is given, and used again by the next run. Of small shops, words are looked for by
// the full-text search of the database beside it, too.
func BenchmarkSearch(b *testing.B) {
	products := 1_000_000
	if n, err := strconv.Atoi(os.Getenv("CARTWRIGHT_BENCH_PRODUCTS")); err == nil {
		products = n
	}
	for name, options := range map[string]func() sqlstore.Options{
		"sqlite":   func() sqlstore.Options { return sqlstore.Options{Path: filepath.Join(benchDir(b), "big.db")} },
		"postgres": func() sqlstore.Options { return sqlstore.Options{URL: testservers.Postgres(b)} },
	} {
		b.Run(name, func(b *testing.B) {
			o := options()
			m := measuring{b, stores.Open(b, o, portstest.EventSchemas()...).ProductSearch(), newBigShop(), nil, ports.SearchPlace{Tenant: "big"}}
			if products <= maxPeer {
				m.peer = newPeer(b, name == "postgres")
			}
			m.fill(products)
			if o.URL != "" {
				vacuum(b, o.URL)
			}
			m.searches()
			m.change()
		})
	}
}

// vacuum does what autovacuum would, which servers of tests have not.
func vacuum(b *testing.B, url string) {
	b.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"product_bits", "product_numbers", "product_words"} {
		if _, err := db.ExecContext(b.Context(), "VACUUM (ANALYZE) "+table); err != nil {
			b.Fatal(err)
		}
	}
}

func benchDir(b *testing.B) string {
	b.Helper()
	if dir := os.Getenv("CARTWRIGHT_BENCH_DIR"); dir != "" {
		return dir
	}
	return testservers.TempDir(b)
}

// measuring is a run on one database.
type measuring struct {
	*testing.B

	index *productindex.Index
	shop  *bigShop
	peer  *peer // nil: there is none
	place ports.SearchPlace
}

func (m *measuring) put(entries []productsearch.Entry) {
	next := ports.SearchPlace{Tenant: m.place.Tenant, Version: 1, Sequence: m.place.Sequence + 1}
	if err := m.index.Put(m.Context(), m.place, next, entries, nil); err != nil {
		m.Fatal(err)
	}
	m.place = next
}

// fill puts the products into the index, unless they are there from a run before.
func (m *measuring) fill(products int) {
	const page = 1000
	sequence, there, err := m.index.Filled(m.Context(), m.place.Tenant)
	if err != nil {
		m.Fatal(err)
	}
	if sequence > 0 {
		m.place.Version, m.place.Sequence = 1, sequence
	}
	var making, writing time.Duration
	for i := 0; i < products && there < products; {
		var some []productsearch.Product
		for ; len(some) < page && i < products; i++ {
			some = append(some, m.shop.product(i))
		}
		began := time.Now()
		entries := make([]productsearch.Entry, len(some))
		for i, p := range some {
			entries[i] = productsearch.EntryOf(p, strings.ToLower)
		}
		making += time.Since(began)
		m.peer.put(some)
		began = time.Now()
		m.put(entries)
		writing += time.Since(began)
	}
	bytes, err := m.index.Weight(m.Context())
	if err != nil {
		m.Fatal(err)
	}
	fmt.Printf("%d products: terms in %.0f s, stored in %.0f s, %d MB\n", products, making.Seconds(), writing.Seconds(), bytes>>20)
}

// searches measures each kind of search.
func (m *measuring) searches() {
	const warm, measured = 20, 200
	searches := m.shop.searches()
	for _, what := range slices.Sorted(maps.Keys(searches)) {
		var times, cpu []time.Duration
		var found int64
		for n := range warm + measured {
			r := searches[what]()
			began, used := time.Now(), cpuTime()
			f, err := m.index.Search(m.Context(), r)
			if err != nil {
				m.Fatal(err)
			}
			if n >= warm {
				times, cpu, found = append(times, time.Since(began)), append(cpu, cpuTime()-used), found+f.Total
			}
		}
		slices.Sort(times)
		slices.Sort(cpu)
		fmt.Printf("%-18s p50 %6.2f ms  p99 %6.2f ms  CPU p50 %6.2f ms  p99 %6.2f ms  %8d found%s\n", what,
			ms(times[measured/2]), ms(times[measured*99/100]), ms(cpu[measured/2]), ms(cpu[measured*99/100]), found/measured,
			m.peer.compare(what, searches[what], times[measured/2]))
	}
	fmt.Printf("%d MB are cached\n", m.index.Cached()>>20)
}

// change measures how long it takes until a new product is found.
func (m *measuring) change() {
	began, used := time.Now(), cpuTime()
	p := productsearch.Product{ID: "new", Listed: true, Names: []string{fmt.Sprintf("zzyzx%d", m.place.Sequence)}, Price: -1}
	m.put([]productsearch.Entry{productsearch.EntryOf(p, strings.ToLower)})
	stored := time.Since(began)
	q, _ := productsearch.Parse(p.Names[0], strings.ToLower)
	f, err := m.index.Search(m.Context(), productsearch.Request{
		Tenant: m.place.Tenant, Environment: tenant.Live, Query: q, Sort: productsearch.Relevance, Limit: 1,
		Scale: func(int64) (int64, bool) { return 0, true },
	})
	if err != nil || len(f.IDs) != 1 {
		m.Fatal(f, err)
	}
	fmt.Printf("a change is stored in %.1f ms, and found after %.1f ms (CPU %.1f ms)\n", ms(stored), ms(time.Since(began)), ms(cpuTime()-used))
}

// cpuTime is what this process has used of the processors so far.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
