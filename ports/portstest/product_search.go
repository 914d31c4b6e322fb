package portstest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ProductSearchFixture is a store of EventSchemas with its index of products, which folds with strings.ToLower.
type ProductSearchFixture struct {
	Store    ports.Store
	Products ports.ProductSearch
	// Second is another instance with the same data.
	Second ports.ProductSearch
	Number func(t *testing.T) // see EventLogFixture.Number
}

// ProductSearch checks ports.ProductSearch of the stores that open makes.
func ProductSearch(t *testing.T, open func(t *testing.T) ProductSearchFixture) {
	f := open(t)
	t.Run("who is behind is told until its place is moved", f.testBehind)
	t.Run("a place is moved by one of many", f.testPlaces)
	t.Run("what is found is what a scan finds", f.testScan)
	t.Run("a product that is found is found by all that it has", f.testComplete)
	t.Run("groups have their names before products are found that have them", f.testNames)
	t.Run("a word is taken for one that some product has", f.testWords)
	t.Run("what a crash leaves is mended by whoever goes on", f.testCrash)
	t.Run("a cleared tenant finds nothing, and others do", f.testClear)
}

func (f ProductSearchFixture) testBehind(t *testing.T) {
	w := newEventWriter(t, f.Store)
	w.write(w.change(notes, "n1", "one", 1))
	if f.Number != nil {
		f.Number(t)
	}
	lag := func(version int64) (l ports.SearchLag, listed bool) {
		all, err := f.Products.Behind(t.Context(), version, 1000)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all, func(l ports.SearchLag) bool { return l.Tenant == w.id })
		if i >= 0 {
			l = all[i]
		}
		return l, i >= 0
	}
	l, listed := lag(1)
	if want := (ports.SearchLag{SearchPlace: ports.SearchPlace{Tenant: w.id}, Newest: 1}); !listed || l != want {
		t.Fatalf("%+v, %t", l, listed)
	}
	before, err := f.Products.Backlog(t.Context(), 1)
	if err != nil || before.Events < 1 || before.Making < 1 {
		t.Fatalf("%+v, %v", before, err)
	}
	complete := ports.SearchPlace{Tenant: w.id, Version: 1, Sequence: 1}
	if err := f.Products.Put(t.Context(), l.SearchPlace, complete, nil, nil); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[int64]bool{1: false, 2: true} {
		if l, listed := lag(version); listed != want || listed && l.SearchPlace != complete {
			t.Errorf("version %d: %+v, %t", version, l, listed)
		}
	}
	if after, err := f.Products.Backlog(t.Context(), 1); err != nil || after.Events != before.Events-1 || after.Making != before.Making-1 {
		t.Errorf("%+v after %+v, %v", after, before, err)
	}
}

// named is a listed product with a name.
func named(id, name string) productsearch.Entry {
	return productsearch.EntryOf(productsearch.Product{ID: id, Listed: true, Names: []string{name}, Price: -1}, strings.ToLower)
}

func (f ProductSearchFixture) search(t *testing.T, in ports.ProductSearch, r productsearch.Request) productsearch.Found {
	t.Helper()
	r.Environment, r.Sort = cmp.Or(r.Environment, tenant.Live), cmp.Or(r.Sort, productsearch.Relevance)
	if r.Scale == nil {
		r.Scale = perUnit
	}
	found, err := in.Search(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// perUnit is the shop's own currency.
func perUnit(key int64) (int64, bool) { return key / productsearch.KeysPerUnit, true }

func parsed(t *testing.T, text string) productsearch.Query {
	t.Helper()
	q, err := productsearch.Parse(text, strings.ToLower)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func (f ProductSearchFixture) testPlaces(t *testing.T) {
	id := freshTenant()
	from := ports.SearchPlace{Tenant: id}
	var moved []int
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			in := f.Products
			if i%2 == 1 {
				in = f.Second
			}
			err := in.Put(t.Context(), from, ports.SearchPlace{Tenant: id, Version: 1, Sequence: int64(i + 1)},
				[]productsearch.Entry{named("p", fmt.Sprintf("mine word%d", i)), named(fmt.Sprintf("p%d", i), "other")}, nil)
			if err != nil && !errors.Is(err, ports.ErrStale) {
				t.Error(err)
			}
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				moved = append(moved, i)
			}
		})
	}
	all.Wait()
	if len(moved) != 1 {
		t.Fatalf("%v moved the place", moved)
	}
	for i := range 8 {
		found := f.search(t, f.Products, productsearch.Request{Tenant: id, Limit: 9, Query: parsed(t, fmt.Sprintf("word%d", i))})
		if want := i == moved[0]; (len(found.IDs) == 1) != want && len(found.Corrections) == 0 {
			t.Errorf("word%d: %+v, and %v moved the place", i, found, moved)
		}
	}
	if _, err := f.Products.Clear(t.Context(), from); !errors.Is(err, ports.ErrStale) {
		t.Errorf("cleared from where it was: %v", err)
	}
}

// indexedShops is what the indexes of several tenants have to have.
type indexedShops struct {
	random *rand.Rand
	places map[tenant.ID]ports.SearchPlace
	all    map[tenant.ID]*productShelf
}

// productShelf is the products of a tenant.
type productShelf struct {
	products map[string]productsearch.Product
	order    []string // ids, oldest first
	groups   map[string]productsearch.Group
}

func newIndexedShops(seed uint64) *indexedShops {
	return &indexedShops{rand.New(rand.NewPCG(seed, 2)), map[tenant.ID]ports.SearchPlace{}, map[tenant.ID]*productShelf{}}
}

func (s *indexedShops) of(id tenant.ID) *productShelf {
	if s.all[id] == nil {
		s.all[id] = &productShelf{products: map[string]productsearch.Product{}, groups: map[string]productsearch.Group{}}
	}
	return s.all[id]
}

func (s *indexedShops) pick(of ...string) string { return of[s.random.IntN(len(of))] }

func (s *indexedShops) word() string {
	return s.pick("red", "blue", "mug", "mugs", "coffee", "coffees", "lamp", "lampshade", "이어폰", "무선", "티셔츠", "반팔", "면", "x", "pro2")
}

// product is a random product; some are not listed.
func (s *indexedShops) product(id string) productsearch.Product {
	p := productsearch.Product{
		ID: id, Listed: s.random.IntN(8) > 0, Names: []string{s.word() + " " + s.word()}, Descriptions: []string{s.word() + " " + s.word()},
		Brand: s.pick("", "b1", "b2", "b3"), Price: s.random.Int64N(300) * productsearch.KeysPerUnit, Fixed: map[string]int64{},
	}
	for range s.random.IntN(3) {
		p.Categories = append(p.Categories, s.pick("c1", "c2", "c3", "c4"))
		p.Tags = append(p.Tags, s.pick("t1", "t2"))
		p.Options = append(p.Options, productsearch.Option{Name: s.pick("Color", "Size"), Value: s.pick("Red", "M", "L")})
		p.InStock = append(p.InStock, tenant.Environment(s.pick("live", "test")))
	}
	if s.random.IntN(10) == 0 {
		p.Price = -1
	}
	if s.random.IntN(4) == 0 {
		p.Fixed["jp"] = s.random.Int64N(5000)
	}
	return p
}

// batch is a random change of a tenant: its entries and groups.
func (s *indexedShops) batch(id tenant.ID) (entries []productsearch.Entry, groups []productsearch.Group) {
	of := s.of(id)
	seen := map[string]bool{}
	for range 1 + s.random.IntN(30) {
		product := fmt.Sprintf("p%02d", s.random.IntN(50))
		if seen[product] {
			continue
		}
		seen[product] = true
		next := s.product(product)
		if s.random.IntN(6) == 0 {
			entries = append(entries, productsearch.Gone(product))
			next.Listed = false
		} else {
			entries = append(entries, productsearch.EntryOf(next, strings.ToLower))
		}
		before, there := of.products[product]
		switch {
		case !next.Listed && there && before.Listed:
			of.order = slices.DeleteFunc(of.order, func(o string) bool { return o == product })
		case next.Listed && !(there && before.Listed):
			of.order = append(of.order, product)
		}
		of.products[product] = next
	}
	for _, g := range []productsearch.Group{
		{Kind: productsearch.Brand, ID: s.pick("b1", "b2"), Names: map[string]string{"": s.word(), "ko": s.word()}},
		{Kind: productsearch.Category, ID: s.pick("c1", "c2", "c3"), Parent: s.pick("", "c4", "c3"), Names: map[string]string{"": s.word()}},
		{Kind: productsearch.OptionValue, ID: "Color\x1fRed", Names: map[string]string{"": "Color\x1fRed", "ko": "색\x1f빨강"}},
	} {
		if g.Parent == g.ID || s.random.IntN(2) == 0 {
			continue
		}
		if s.random.IntN(5) == 0 {
			g.Names = nil
		}
		groups = append(groups, g)
		if of.groups[g.Term()] = g; g.Names == nil {
			delete(of.groups, g.Term())
		}
	}
	return entries, groups
}

// request is a random request.
func (s *indexedShops) request(t *testing.T, id tenant.ID) productsearch.Request {
	r := productsearch.Request{
		Tenant: id, Environment: tenant.Environment(s.pick("live", "test")), Locale: s.pick("", "ko"), Scale: perUnit, Limit: s.random.IntN(20),
		Offset: s.random.IntN(2) * s.random.IntN(20), Facets: true, Sort: productsearch.Sort(s.pick(productsearch.Sorts...)),
	}
	switch s.random.IntN(4) {
	case 0:
		r.Query = parsed(t, s.word())
	case 1:
		r.Query = parsed(t, s.word()+s.pick(" ", "", "z ")+s.word())
	case 2:
		r.Query = parsed(t, s.pick("ㅇㅇㅍ", "ㅌㅅ", "xltucm", "cofee", "이어펀", "nothing", "빨강", "la", "반"))
	}
	if s.random.IntN(3) == 0 {
		r.Market, r.Scale = "jp", func(key int64) (int64, bool) { return key / productsearch.KeysPerUnit / 7 * 100, true }
	}
	some := func(of ...string) (values []string) {
		if s.random.IntN(4) == 0 {
			values = []string{s.pick(of...), s.pick(of...)}
		}
		return values
	}
	r.Filter = productsearch.Filter{
		Brands: some("b1", "b2", "b9"), Categories: some("c1", "c2", "c3", "c4"), Tags: some("t1", "t2"), InStock: s.random.IntN(5) == 0,
	}
	for _, value := range some("Red", "M", "L") {
		r.Filter.Options = append(r.Filter.Options, productsearch.Option{Name: s.pick("Color", "Size"), Value: value})
	}
	if s.random.IntN(4) == 0 {
		low := s.random.Int64N(4000)
		r.Filter.Price = &productsearch.PriceRange{Low: low, High: low + s.random.Int64N(3000)}
	}
	return r
}

func (f ProductSearchFixture) testScan(t *testing.T) {
	s := newIndexedShops(1)
	tenants := []tenant.ID{freshTenant(), freshTenant()}
	for round := range 16 {
		id := tenants[round%2]
		entries, groups := s.batch(id)
		f.putNext(t, s, id, entries, groups)
		for n := range 40 {
			in := f.Products
			if n%2 == 1 {
				in = f.Second
			}
			r := s.request(t, tenants[s.random.IntN(2)])
			if got, want := f.search(t, in, r), s.of(r.Tenant).scan(t, r); !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: %+v finds\n%+v, want\n%+v", round, r, got, want)
			}
		}
	}
}

// putNext puts a batch and moves the place of the tenant on.
func (f ProductSearchFixture) putNext(t *testing.T, s *indexedShops, id tenant.ID, entries []productsearch.Entry, groups []productsearch.Group) {
	t.Helper()
	from := s.places[id]
	from.Tenant = id
	to := from
	to.Version, to.Sequence = 1, from.Sequence+1
	if err := f.Products.Put(t.Context(), from, to, entries, groups); err != nil {
		t.Fatal(err)
	}
	s.places[id] = to
}

// Puts end at any moment, as if their server were killed, and another one with what is true by then follows.
func (f ProductSearchFixture) testCrash(t *testing.T) {
	s := newIndexedShops(3)
	id := freshTenant()
	for range 30 {
		lost, groups := s.batch(id)
		from := s.places[id]
		from.Tenant = id
		to := from
		to.Version, to.Sequence = 1, from.Sequence+1
		short, cancel := context.WithTimeout(t.Context(), time.Duration(s.random.IntN(8_000))*time.Microsecond)
		if err := f.Products.Put(short, from, to, lost, groups); err == nil {
			s.places[id] = to
		}
		cancel()
		var entries []productsearch.Entry // all that the lost one was about, as it is by now
		s.batch(id)
		for product, p := range s.of(id).products {
			entries = append(entries, productsearch.EntryOf(p, strings.ToLower))
			_ = product
		}
		var all []productsearch.Group
		for _, term := range []productsearch.Group{
			{Kind: productsearch.Brand, ID: "b1"}, {Kind: productsearch.Brand, ID: "b2"}, {Kind: productsearch.Category, ID: "c1"},
			{Kind: productsearch.Category, ID: "c2"}, {Kind: productsearch.Category, ID: "c3"}, {Kind: productsearch.OptionValue, ID: "Color\x1fRed"},
		} {
			if g, there := s.of(id).groups[term.Term()]; there {
				term = g
			}
			all = append(all, term)
		}
		f.putNext(t, s, id, entries, all)
		for range 10 {
			r := s.request(t, id)
			r.Sort = productsearch.Relevance
			got, want := f.search(t, f.Second, r), s.of(id).scan(t, r)
			if got.IDs, want.IDs = nil, nil; !reflect.DeepEqual(got, want) { // which product is newer, the crash decides
				t.Fatalf("%+v finds\n%+v, want\n%+v", r, got, want)
			}
		}
	}
}

func (f ProductSearchFixture) testClear(t *testing.T) {
	cleared, other := freshTenant(), freshTenant()
	at := ports.SearchPlace{Version: 1, Sequence: 1, Reading: ports.SearchClearing}
	for _, id := range []tenant.ID{cleared, other} {
		at.Tenant = id
		if err := f.Products.Put(t.Context(), ports.SearchPlace{Tenant: id}, at, []productsearch.Entry{named("p", "mug")}, nil); err != nil {
			t.Fatal(err)
		}
		if found := f.search(t, f.Products, productsearch.Request{Tenant: id, Limit: 9}); found.Total != 1 {
			t.Fatalf("%+v", found)
		}
	}
	at.Tenant = cleared
	for more := true; more; {
		var err error
		if more, err = f.Products.Clear(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[tenant.ID]int64{cleared: 0, other: 1} {
		for _, in := range []ports.ProductSearch{f.Products, f.Second} {
			if found := f.search(t, in, productsearch.Request{Tenant: id, Limit: 9}); found.Total != want || int64(len(found.IDs)) != want {
				t.Errorf("%+v, want %d", found, want)
			}
		}
	}
}
