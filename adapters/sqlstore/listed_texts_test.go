package sqlstore_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// signs have texts that lists sort by, one of them within a group, and others in rows and in rows of these; all may be missing.
var signs = &collection.Schema{Slug: "signs", Singular: "Sign", Plural: "Signs", Fields: collection.WithTranslations(
	collection.Field{Name: "title", Kind: collection.Text, Indexed: true, MaxLength: 500, Translatable: true},
	collection.Field{Name: "body", Kind: collection.Text, Translatable: true},
	collection.Field{Name: "seo", Kind: collection.Group, Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Indexed: true, MaxLength: 100, Translatable: true},
	}},
	collection.Field{Name: "status", Kind: collection.Select, Options: []string{"draft", "published"}, Indexed: true},
	collection.Field{Name: "lines", Kind: collection.Array, Fields: []collection.Field{
		{Name: "id", Kind: collection.Text, ReadOnly: true},
		{Name: "label", Kind: collection.Text, MaxLength: 100, Translatable: true},
		{Name: "more", Kind: collection.Group, Fields: []collection.Field{{Name: "note", Kind: collection.Textarea, Translatable: true}}},
		{Name: "parts", Kind: collection.Array, Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, ReadOnly: true}, {Name: "name", Kind: collection.Text, MaxLength: 100, Translatable: true},
		}},
	}},
)}

// textShop is a shop of signs whose texts are in several languages, and what it should hold.
type textShop struct {
	store  *sqlstore.Store
	known  *collection.Registry
	random *rand.Rand
	id     tenant.ID
	should map[string]collection.Record // by id
	gone   map[string]bool              // ids that were deleted
	events int

	in    tenant.Content  // the language of the list asked for
	where collection.Cond // its condition on what reads so
}

// Few texts, so that many are equal or lack in a language.
var textWords = []string{"", "a", "b", "B", "가", "나", "ä", "x'y", `q"\`}

// change writes, changes or deletes one of the signs.
func (s *textShop) change(t *testing.T) {
	t.Helper()
	id := fmt.Sprintf("%s-%02d", s.id, s.random.IntN(60))
	for before := s.should[id]; before == nil && s.gone[id]; before = s.should[id] {
		id += "n" // a deleted record does not come back
	}
	before := s.should[id]
	s.events++
	at := time.Date(2026, 1, 31, 9, 0, s.events, 0, time.UTC)
	var after collection.Record
	if before == nil || s.random.IntN(5) > 0 {
		after = collection.Record{
			"id": id, "tenant": string(s.id), "title": s.text(), "seo": map[string]any{"name": s.text()}, "createdAt": at,
			"status": []string{"published", "draft"}[s.random.IntN(2)], "lines": s.lines(),
		}
		if before != nil {
			after["createdAt"] = before["createdAt"]
		}
		after[collection.TranslationsName] = s.translations()
	}
	change := collection.NewChange(signs, before, after, fmt.Sprint(s.id, "-e", s.events), at)
	if err := s.write(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	if delete(s.should, id); after != nil {
		s.should[id] = change.After
	} else {
		s.gone[id] = true
	}
}

func (s *textShop) write(ctx context.Context, change collection.Change) error {
	return s.store.Atomically(ctx, ports.ForTenant(s.id), func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, change) })
}

// lines are up to three rows, whose ids the next change may give to others.
func (s *textShop) lines() (all []collection.Record) {
	for i := range s.random.IntN(4) {
		all = append(all, collection.Record{
			"id": fmt.Sprint("l", i), "label": s.text(), "more": collection.Record{"note": s.text()},
			"parts": []collection.Record{{"id": "p", "name": s.text()}},
		})
	}
	return all
}

// translations are the texts in other languages, most of which lack some.
func (s *textShop) translations() map[string]any {
	all := map[string]any{}
	for _, locale := range []string{"ko", "ja", "zh-Hant"} {
		texts := map[string]any{}
		for _, path := range []string{
			"title", "seo.name", "body", "lines.l0.label", "lines.l1.label", "lines.l0.more.note", "lines.l1.more.note", "lines.l0.parts.p.name",
		} {
			if text := s.text(); text != nil && s.random.IntN(2) > 0 {
				texts[path] = text
			}
		}
		all[locale] = texts
	}
	return all
}

// text is a word, or null.
func (s *textShop) text() any {
	if s.random.IntN(6) == 0 {
		return nil
	}
	return s.word()
}

func (s *textShop) word() string { return textWords[s.random.IntN(len(textWords))] }

// question is a list to ask for.
type question struct {
	sort  string
	where map[string]any
	in    tenant.Content
	limit int
}

func (s *textShop) question() question {
	pick := func(words ...string) string { return words[s.random.IntN(len(words))] }
	q := question{
		sort: pick("title", "-title", "seo.name", "-seo.name", "-title,id", "-createdAt"), limit: []int{1, 3, 7, 100}[s.random.IntN(4)],
		in: tenant.Content{Locale: pick("ko", "ja", "zh-Hant", "fr"), Fallback: pick("", "", "", tenant.NoFallback, "ja")},
	}
	text, rows := s.word(), pick("lines.label", "lines.more.note", "lines.parts.name")
	q.where = []map[string]any{
		nil, {"status": map[string]any{"equals": "published"}},
		{"title": map[string]any{"equals": text}}, {"title": map[string]any{"in": []any{text, "가"}}},
		{"title": map[string]any{"like": pick("a", "n", "가", "Y")}}, {"title": map[string]any{"greater_than": text}},
		{"title": map[string]any{"not_equals": text}, "status": map[string]any{"equals": "published"}},
		{rows: map[string]any{"equals": text}}, {rows: map[string]any{"not_in": []any{text, "b", nil}}},
		{rows: map[string]any{"like": pick("a", "B", "가")}}, {rows: map[string]any{"contains": text, "greater_than_equal": "b"}},
		{rows: map[string]any{"exists": s.random.IntN(2) == 0}}, {rows: map[string]any{"not_equals": nil, "less_than": text}},
	}[s.random.IntN(13)]
	return q
}

func (s *textShop) query(t *testing.T, q question) collection.Query {
	t.Helper()
	p := collection.QueryParser{Registry: s.known, Schema: signs, Audience: collection.Staff, Fold: strings.ToLower, Content: q.in}
	order, err := p.SortBy(q.sort)
	if err != nil {
		t.Fatal(err)
	}
	where, err := p.Where(q.where)
	if err != nil {
		t.Fatal(err)
	}
	p.Content, s.in = tenant.Content{}, q.in
	if s.where, err = p.Where(q.where); err != nil {
		t.Fatal(err)
	}
	return collection.Query{Schema: signs, Where: where, Sort: order, Limit: q.limit, Page: 1}
}

// expected are the ids that a list should have, by comparing all records in memory.
func (s *textShop) expected(q collection.Query) []string {
	ids := []string{}
	var all []collection.Record
	for _, r := range s.should {
		if collection.Matches(signs.Localized(r, s.in), s.where, strings.ToLower) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, q.Compare)
	for _, r := range all {
		ids = append(ids, r.ID())
	}
	return ids
}

// pages reads a list from its first page to the one after its last.
func (s *textShop) pages(t *testing.T, q collection.Query) (ids []string) {
	t.Helper()
	ids = []string{}
	for {
		page, err := s.store.Read(ports.ForTenant(s.id)).Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Docs {
			ids = append(ids, r.ID())
		}
		if want := int64(len(s.expected(q))); page.TotalDocs != want {
			t.Fatalf("page %d counts %d, want %d", q.Page, page.TotalDocs, want)
		}
		if len(page.Docs) < q.Limit {
			return ids
		}
		q.Page++
	}
}

// TestListsInALanguageAreExact compares lists of records that change at random with all records in memory.
func TestListsInALanguageAreExact(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		store := open(t, signs)
		known, err := collection.NewRegistry(signs)
		if err != nil {
			t.Fatal(err)
		}
		var shops []*textShop
		for i, id := range []tenant.ID{"a", "b"} {
			shops = append(shops, &textShop{
				store: store, known: known, random: rand.New(rand.NewPCG(85, uint64(i))), id: id, should: map[string]collection.Record{},
				gone: map[string]bool{},
			})
		}
		for range 60 {
			for _, s := range shops {
				for range 4 {
					s.change(t)
				}
				for range 3 {
					asked := s.question()
					q := s.query(t, asked)
					if got, want := s.pages(t, q), s.expected(q); !reflect.DeepEqual(got, want) {
						t.Fatalf("%+v\n%v, want\n%v", asked, got, want)
					}
					s.readInTransaction(t, q)
				}
			}
		}
	})
}

// readInTransaction reads a page in the middle of a list where nothing is remembered of it.
func (s *textShop) readInTransaction(t *testing.T, q collection.Query) {
	t.Helper()
	want := s.expected(q)
	q.Page = 1 + s.random.IntN(len(want)/q.Limit+1)
	want = want[min(len(want), (q.Page-1)*q.Limit):min(len(want), q.Page*q.Limit)]
	got := []string{}
	err := s.store.Atomically(t.Context(), ports.ForTenant(s.id), func(ctx context.Context, tx ports.Tx) error {
		page, err := tx.Records.Find(ctx, q)
		got = got[:0]
		for _, r := range page.Docs {
			got = append(got, r.ID())
		}
		return err
	})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatal(q.Page, got, want, err)
	}
}

// TestConcurrentTranslationsAreAllListed writes from many sides at once.
func TestConcurrentTranslationsAreAllListed(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		store := open(t, signs)
		known, err := collection.NewRegistry(signs)
		if err != nil {
			t.Fatal(err)
		}
		var writers sync.WaitGroup
		all := make([]*textShop, 4)
		for i := range all {
			all[i] = &textShop{
				store: store, known: known, random: rand.New(rand.NewPCG(86, uint64(i))), id: "a", should: map[string]collection.Record{},
			}
		}
		for i, s := range all {
			writers.Go(func() {
				for n := range 20 {
					r := collection.Record{
						"id": fmt.Sprint(i, "-", n), "tenant": "a", "title": "n", "status": "draft",
						collection.TranslationsName: map[string]any{[]string{"ko", "ja"}[n%2]: map[string]any{"title": "t" + s.word()}},
					}
					c := collection.NewChange(signs, nil, r, fmt.Sprint("e", i, "-", n), time.Unix(int64(n), 0))
					if err := s.write(t.Context(), c); err != nil {
						t.Error(err)
						return
					}
					s.should[r.ID()] = c.After
				}
			})
		}
		writers.Wait()
		for _, s := range all[1:] {
			maps.Copy(all[0].should, s.should)
		}
		q := all[0].query(t, question{sort: "title", in: tenant.Content{Locale: "ko"}, limit: 7})
		if got, want := all[0].pages(t, q), all[0].expected(q); !reflect.DeepEqual(got, want) {
			t.Error(got, want)
		}
	})
}

// TestOlderTranslationsAreListed sorts what a version wrote that had no index of texts, before the newer one started and beside it.
func TestOlderTranslationsAreListed(t *testing.T) {
	t.Parallel()
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, plain := options(t), slices.Clone(signs.Fields)
			plain[0].Indexed = false
			older := openVersion(t, o, plain)
			older.write(nil, translatedSign("s1", "ko", "c"))
			older.write(nil, translatedSign("s2", "ko", "a"))
			older.write(nil, translatedSign("s9", "ja", "a"))
			newer := openVersion(t, o, signs.Fields)
			for range 3 { // so that the languages of the records are remembered
				newer.sorts("s2", "s1", "s9")
			}
			older.write(nil, translatedSign("s3", "ko", "b"))
			older.write(older.get("s1"), translatedSign("s1", "ko", "0"))
			older.write(nil, translatedSign("s4", "ja", "b"))
			newer.lists("s1", "s2", "s3", "s4", "s9")
			newer.swept(3)
			newer.sorts("s1", "s2", "s3", "s4", "s9")
		})
	}
}

func translatedSign(id, locale, title string) collection.Record {
	return collection.Record{
		"id": id, "tenant": "a", "title": "t", "status": "draft",
		collection.TranslationsName: map[string]any{locale: map[string]any{"title": title}},
	}
}

// sorts wants the records in the order of their titles in Korean.
func (v version) sorts(want ...string) {
	v.t.Helper()
	if got := v.byTitle(); !slices.Equal(got, want) {
		v.t.Error(got, want)
	}
}

// lists wants the records in any order, and at least once: until the sweep it is not known of all in which languages they are.
func (v version) lists(want ...string) {
	v.t.Helper()
	if got := slices.Compact(slices.Sorted(slices.Values(v.byTitle()))); !slices.Equal(got, want) {
		v.t.Error(got, want)
	}
}

// byTitle are the ids of the records as they are sorted by their titles in Korean.
func (v version) byTitle() (ids []string) {
	v.t.Helper()
	p := collection.QueryParser{Schema: v.notes, Audience: collection.Staff, Content: tenant.Content{Locale: "ko"}}
	order, err := p.SortBy("title")
	if err != nil {
		v.t.Fatal(err)
	}
	page, err := v.Read(ports.ForTenant("a")).Find(v.t.Context(), collection.Query{Schema: v.notes, Sort: order, Limit: 9, Page: 1})
	if err != nil {
		v.t.Fatal(err)
	}
	for _, r := range page.Docs {
		ids = append(ids, r.ID())
	}
	return ids
}
