package portstest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// SearchIndexFixture is a store of EventSchemas with its index.
type SearchIndexFixture struct {
	Store  ports.Store
	Index  ports.SearchIndex
	Number func(t *testing.T) // see EventLogFixture.Number
}

// SearchIndex checks ports.SearchIndex of the stores that open makes.
func SearchIndex(t *testing.T, open func(t *testing.T) SearchIndexFixture) {
	f := open(t)
	t.Run("who is behind is told until its place is moved", f.testBehind)
	t.Run("a place is moved by one of many", f.testPlaces)
	t.Run("what is found is what a scan finds", f.testScan)
	t.Run("a query of frequent words ends", f.testFrequent)
	t.Run("a cleared tenant finds nothing, and others do", f.testClear)
}

// lag is the entry of a tenant in Behind.
func (f SearchIndexFixture) lag(t *testing.T, id tenant.ID, version int64) (l ports.SearchLag, listed bool) {
	t.Helper()
	all, err := f.Index.Behind(t.Context(), version, 1000)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(l ports.SearchLag) bool { return l.Tenant == id })
	if i < 0 {
		return l, false
	}
	return all[i], true
}

func (f SearchIndexFixture) put(t *testing.T, from, to ports.SearchPlace, entries ...search.Entry) {
	t.Helper()
	if err := f.Index.Put(t.Context(), from, to, entries); err != nil {
		t.Fatal(err)
	}
}

func (f SearchIndexFixture) find(t *testing.T, q ports.SearchQuery) []string {
	t.Helper()
	q.Limit = cmp.Or(q.Limit, 100)
	ids, err := f.Index.Find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func (f SearchIndexFixture) testBehind(t *testing.T) {
	w := newEventWriter(t, f.Store)
	w.write(w.change(notes, "n1", "one", 1), w.change(notes, "n2", "two", 2))
	if f.Number != nil {
		f.Number(t)
	}
	l, listed := f.lag(t, w.id, 2)
	if want := (ports.SearchLag{SearchPlace: ports.SearchPlace{Tenant: w.id}, Newest: 2}); !listed || l != want {
		t.Fatalf("%+v, %t", l, listed)
	}
	before, err := f.Index.Backlog(t.Context(), 2)
	if err != nil || before.Events < 2 || before.Making < 1 {
		t.Fatalf("%+v, %v", before, err)
	}
	reading := ports.SearchPlace{Tenant: w.id, Version: 2, Sequence: 2, Reading: "notes", After: "n1"}
	f.put(t, l.SearchPlace, reading)
	if l, listed := f.lag(t, w.id, 2); !listed || l.SearchPlace != reading {
		t.Errorf("while it is made: %+v, %t", l, listed)
	}
	complete := ports.SearchPlace{Tenant: w.id, Version: 2, Sequence: 2}
	f.put(t, reading, complete)
	for version, want := range map[int64]bool{1: false, 2: false, 3: true} {
		if l, listed := f.lag(t, w.id, version); listed != want || listed && l.SearchPlace != complete {
			t.Errorf("version %d: %+v, %t", version, l, listed)
		}
	}
	if after, err := f.Index.Backlog(t.Context(), 2); err != nil || after.Events != before.Events-2 || after.Making != before.Making-1 {
		t.Errorf("%+v after %+v, %v", after, before, err)
	}
	w.write(w.change(notes, "n1", "uno", 3))
	if f.Number != nil {
		f.Number(t)
	}
	if l, listed := f.lag(t, w.id, 2); !listed || l.Newest != 3 || l.SearchPlace != complete {
		t.Errorf("%+v, %t", l, listed)
	}
}

func (f SearchIndexFixture) testPlaces(t *testing.T) {
	id := freshTenant()
	from := ports.SearchPlace{Tenant: id}
	var moved []int
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			e := noteEntry("r"+strconv.Itoa(i), "mine")
			err := f.Index.Put(t.Context(), from, ports.SearchPlace{Tenant: id, Version: 1, Sequence: int64(i + 1)}, []search.Entry{e})
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
	got := f.find(t, ports.SearchQuery{Tenant: id, Collection: "notes", Query: search.Query{Words: []search.Word{{"mine"}}}})
	if want := []string{"r" + strconv.Itoa(moved[0])}; !slices.Equal(got, want) {
		t.Errorf("%q is found, want %q", got, want)
	}
	if _, err := f.Index.Clear(t.Context(), from); !errors.Is(err, ports.ErrStale) {
		t.Errorf("cleared from where it was: %v", err)
	}
}

// noteEntry is what a note contributes to itself.
func noteEntry(id string, names ...string) search.Entry {
	e := search.Entry{Source: id, Record: id, Collection: "notes"}
	for _, name := range names {
		e.Terms = append(e.Terms, search.Term{Kind: search.Name, Text: name})
	}
	return e
}

// searched is what an index of several tenants has to have, by tenant and source.
type searched struct {
	random *rand.Rand
	places map[tenant.ID]ports.SearchPlace
	all    map[tenant.ID]map[string]search.Entry
}

// text is a random text of few letters, so that many are equal or begin alike.
func (s *searched) text() string {
	letters := []rune("ab1가%_")
	out := make([]rune, 1+s.random.IntN(4))
	for i := range out {
		out[i] = letters[s.random.IntN(len(letters))]
	}
	return string(out)
}

// kind is one of three.
func (s *searched) kind() search.Kind {
	return []search.Kind{search.Number, search.Name, search.Tracking}[s.random.IntN(3)]
}

// entry is a random entry of a source: gone, its own or a part of another record.
func (s *searched) entry() search.Entry {
	n := s.random.IntN(60)
	e := search.Entry{Source: fmt.Sprintf("r%02d", n), Record: fmt.Sprintf("r%02d", n), Collection: "trials", Environment: string(tenant.Live)}
	switch n % 5 {
	case 0:
		e.Environment = string(tenant.Test)
	case 1:
		e.Collection, e.Environment = "notes", ""
	case 2: // a part of the record before, of both environments
		e.Record = fmt.Sprintf("r%02d", n-1)
		e.Collection, e.Environment = "notes", ""
	}
	if s.random.IntN(8) == 0 {
		return search.Gone(e.Source)
	}
	for range s.random.IntN(6) {
		e.Terms = append(e.Terms, search.Term{Kind: s.kind(), Text: s.text()})
	}
	return e
}

// query is a random query.
func (s *searched) query(id tenant.ID) ports.SearchQuery {
	q := ports.SearchQuery{Tenant: id, Collection: "trials", Environment: tenant.Live, Limit: 1 + s.random.IntN(30)}
	switch s.random.IntN(3) {
	case 0:
		q.Environment = tenant.Test
	case 1:
		q.Collection, q.Environment = "notes", ""
	}
	for range 1 + s.random.IntN(3) {
		w := search.Word{s.text()}
		if s.random.IntN(3) == 0 {
			w = append(w, s.text())
		}
		q.Query.Words = append(q.Query.Words, w)
	}
	q.Query.Numbers = len(q.Query.Words) > 1 && s.random.IntN(2) == 0
	if q.Query.Numbers && s.random.IntN(2) == 0 {
		q.Query.Begun = search.Word{s.text()}
	}
	if !q.Query.Numbers && len(q.Query.Words) > 1 && s.random.IntN(2) == 0 {
		q.Query.Whole = s.text()
	}
	if s.random.IntN(3) == 0 {
		q.Kinds = []search.Kind{s.kind()}
	}
	return q
}

// scan is what a look at every entry finds.
func (s *searched) scan(q ports.SearchQuery) (ids []string) {
	terms := map[string][]search.Term{}
	for _, e := range s.all[q.Tenant] {
		if e.Collection != q.Collection || e.Environment != string(q.Environment) {
			continue
		}
		for _, t := range e.Terms {
			if q.Kinds == nil || slices.Contains(q.Kinds, t.Kind) {
				terms[e.Record] = append(terms[e.Record], t)
			}
		}
	}
	ranks := map[string]search.Rank{}
	for id, of := range terms {
		if rank, ok := q.Query.Rank(of); ok {
			ids, ranks[id] = append(ids, id), rank
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(ranks[a], ranks[b]), strings.Compare(b, a)) })
	return ids[:min(len(ids), q.Limit)]
}

func (f SearchIndexFixture) testScan(t *testing.T) {
	s := searched{rand.New(rand.NewPCG(1, 2)), map[tenant.ID]ports.SearchPlace{}, map[tenant.ID]map[string]search.Entry{}}
	tenants := []tenant.ID{freshTenant(), freshTenant()}
	for round := range 12 {
		id := tenants[round%2]
		from := s.places[id]
		from.Tenant = id
		to := from
		to.Version, to.Sequence = 1, from.Sequence+1
		if s.all[id] == nil {
			s.all[id] = map[string]search.Entry{}
		}
		latest := map[string]search.Entry{} // of a source one entry is put at a time
		for range 50 {
			e := s.entry()
			latest[e.Source] = e
		}
		var entries []search.Entry
		for source, e := range latest {
			s.all[id][source] = e
			entries = append(entries, e)
		}
		f.put(t, from, to, entries...)
		s.places[id] = to
		for range 60 {
			q := s.query(tenants[s.random.IntN(2)])
			if got, want := f.find(t, q), s.scan(q); !slices.Equal(got, want) {
				t.Fatalf("%+v finds %q, want %q", q, got, want)
			}
		}
	}
}

func (f SearchIndexFixture) testFrequent(t *testing.T) {
	id := freshTenant()
	var entries []search.Entry
	for i := range 3000 {
		name := fmt.Sprintf("r%04d", i)
		terms := []string{"all", name, fmt.Sprintf("kim%04d", 9999-i)}
		if i%1000 == 0 {
			terms = append(terms, "few")
		}
		if i >= 2000 {
			terms = append(terms, "mug")
		}
		entries = append(entries, noteEntry(name, terms...))
	}
	f.put(t, ports.SearchPlace{Tenant: id}, ports.SearchPlace{Tenant: id, Version: 1, Sequence: 1}, entries...)
	find := func(limit int, words ...string) []string {
		q := ports.SearchQuery{Tenant: id, Collection: "notes", Limit: limit}
		for _, w := range words {
			q.Query.Words = append(q.Query.Words, search.Word{w})
		}
		return f.find(t, q)
	}
	if got := find(3, "all"); !slices.Equal(got, []string{"r2999", "r2998", "r2997"}) {
		t.Errorf("of a frequent word the newest: %q", got)
	}
	if got := find(ports.MaxFound, "all"); len(got) != ports.SearchWindow {
		t.Errorf("a word that all have finds %d", len(got))
	}
	if got := find(10, "all", "few"); !slices.Equal(got, []string{"r2000", "r1000", "r0000"}) {
		t.Errorf("the rare word decides: %q", got)
	}
	if got := find(2, "all", "r"); !slices.Equal(got, []string{"r2999", "r2998"}) {
		t.Errorf("of two frequent words the newest: %q", got)
	}
	if got := find(2, "kim", "mug"); !slices.Equal(got, []string{"r2999", "r2998"}) {
		t.Errorf("of the beginning of many words and a whole one the newest: %q", got)
	}
}

func (f SearchIndexFixture) testClear(t *testing.T) {
	query := func(id tenant.ID) ports.SearchQuery {
		return ports.SearchQuery{Tenant: id, Collection: "notes", Query: search.Query{Words: []search.Word{{"a"}}}}
	}
	cleared, other := freshTenant(), freshTenant()
	at := ports.SearchPlace{Version: 1, Sequence: 1, Reading: ports.SearchClearing}
	for _, id := range []tenant.ID{cleared, other} {
		at.Tenant = id
		f.put(t, ports.SearchPlace{Tenant: id}, at, noteEntry("r1", "a"))
	}
	at.Tenant = cleared
	for more := true; more; {
		var err error
		if more, err = f.Index.Clear(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.find(t, query(cleared)); len(got) > 0 {
		t.Errorf("%q is found", got)
	}
	if got := f.find(t, query(other)); len(got) != 1 {
		t.Errorf("of the other tenant %q is found", got)
	}
}
