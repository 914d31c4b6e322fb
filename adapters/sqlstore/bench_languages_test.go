package sqlstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// translatedProducts is how many products each shop of BenchmarkLanguages has.
const translatedProducts = 10_000

// The shops of BenchmarkLanguages: their products are in one language, in three, or every other one in three.
const (
	inOne   tenant.ID = "one"
	inThree tenant.ID = "three"
	inSome  tenant.ID = "some"
)

// languageProduct is a product of a shop of BenchmarkLanguages.
func languageProduct(shop tenant.ID, i int, name string) collection.Record {
	r := collection.Record{
		"id": fmt.Sprint(shop, i), "tenant": string(shop), "name": name + fmt.Sprintf(" %05d", i*7919%translatedProducts),
		"slug": fmt.Sprint("p", i), "status": catalog.Published, "description": strings.Repeat("A mug. ", 60),
	}
	if shop == inThree || shop == inSome && i%2 == 0 {
		r[collection.TranslationsName] = map[string]any{
			"ko": map[string]any{
				"name": fmt.Sprintf("상품 %05d", i), "slug": fmt.Sprint("상품", i), "description": strings.Repeat("머그입니다. ", 60),
			},
			"ja": map[string]any{"name": fmt.Sprintf("製品 %05d", i), "description": strings.Repeat("マグです。", 60)},
		}
	}
	return r
}

func storeTranslated(b *testing.B, s *sqlstore.Store) {
	b.Helper()
	for _, shop := range []tenant.ID{inOne, inThree, inSome} {
		for from := 0; from < translatedProducts; from += 500 {
			var changes []collection.Change
			for i := from; i < from+500; i++ {
				at := time.Date(2026, 1, 31, 9, 0, i, 0, time.UTC)
				changes = append(changes, collection.NewChange(catalog.Products, nil, languageProduct(shop, i, "Product"), fmt.Sprint("e", shop, i), at))
			}
			writeAll(b, s, shop, changes...)
		}
	}
}

func writeAll(b *testing.B, s *sqlstore.Store, shop tenant.ID, changes ...collection.Change) {
	b.Helper()
	err := s.Atomically(b.Context(), ports.ForTenant(shop), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, changes...)
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLanguages compares what a shop with ten thousand products in three languages does in one of them with the same in a shop with one
// language: ratio is how many times as long it takes, of which the goal is at most 1.10. Both take turns, so that a busy machine slows both.
func BenchmarkLanguages(b *testing.B) {
	for name, open := range map[string]func(testing.TB, ...*collection.Schema) *sqlstore.Store{"sqlite": openSQLite, "postgres": openPostgres} {
		s := open(b, registry.Schemas()...)
		known, err := collection.NewRegistry(registry.Schemas()...)
		if err != nil {
			b.Fatal(err)
		}
		storeTranslated(b, s)
		if err := s.Analyze(b.Context()); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Sequence(b.Context()); err != nil {
			b.Fatal(err)
		}
		l := languageBench{name, s, known}
		l.lists(b)
		l.records(b)
	}
}

type languageBench struct {
	database string
	store    *sqlstore.Store
	known    *collection.Registry
}

// minTurns are taken even if the benchmark asks for fewer: the ratio is one of medians.
const minTurns = 40

// compare takes turns between one and other.
func (l languageBench) compare(b *testing.B, what string, one, other func(turn int)) {
	b.Helper()
	b.Run(l.database+"/"+what, func(b *testing.B) {
		var took [2][]time.Duration
		for turn := range max(b.N, minTurns) {
			for i, work := range []func(int){one, other} {
				began := time.Now()
				work(turn)
				took[i] = append(took[i], time.Since(began))
			}
		}
		var middle [2]float64
		for i := range took {
			slices.Sort(took[i])
			middle[i] = float64(took[i][len(took[i])/2].Nanoseconds())
		}
		b.ReportMetric(middle[0], "ns/one")
		b.ReportMetric(middle[1], "ns/three")
		b.ReportMetric(middle[1]/middle[0], "ratio")
		b.ReportMetric(0, "ns/op")
	})
}

// asked is a list.
type asked struct {
	sort  string
	where map[string]any
	page  int
	limit int
	walk  int // how many pages to read one after the other
	shown bool
}

// read returns what reads a list of a shop in a language.
func (l languageBench) read(b *testing.B, shop tenant.ID, locale string, a asked) func(int) {
	b.Helper()
	parser := collection.QueryParser{
		Registry: l.known, Schema: l.known.Get("products"), Audience: collection.Staff, Fold: strings.ToLower, Content: tenant.Content{Locale: locale},
	}
	order, err := parser.SortBy(a.sort)
	if err != nil {
		b.Fatal(err)
	}
	where, err := parser.Where(a.where)
	if err != nil {
		b.Fatal(err)
	}
	q := collection.Query{Schema: parser.Schema, Where: where, Sort: order, Limit: a.limit, Page: max(1, a.page)}
	if a.shown {
		q.Now = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	}
	return func(int) {
		for range max(1, a.walk) {
			page, err := l.store.Read(ports.ForTenant(shop)).Find(b.Context(), q)
			if err != nil || page.TotalDocs == 0 || len(page.Docs) == 0 && q.Limit > 0 {
				b.Fatal(err, page.TotalDocs)
			}
			q.Page++
		}
		q.Page = max(1, a.page)
	}
}

func (l languageBench) lists(b *testing.B) {
	b.Helper()
	published := map[string]any{"status": map[string]any{"equals": catalog.Published}}
	named := func(op, one string) map[string]any { return map[string]any{"name": map[string]any{op: one}} }
	both := func(what string, a asked) {
		l.compare(b, what, l.read(b, inOne, "", a), l.read(b, inThree, "ko", a))
	}
	newest := asked{where: published, limit: 10}
	l.compare(b, "newest, in the default language", l.read(b, inOne, "", newest), l.read(b, inThree, "", newest))
	both("newest", newest)
	both("by name", asked{sort: "name", where: published, limit: 10})
	both("by name, last first", asked{sort: "-name", where: published, limit: 10})
	both("by name, of what shoppers see", asked{sort: "name", where: published, limit: 10, shown: true})
	both("by name, page 300", asked{sort: "name", where: published, limit: 10, page: 300})
	both("by name, pages 1 to 20", asked{sort: "name", where: published, limit: 10, walk: 20})
	byName := asked{sort: "name", where: published, limit: 10}
	l.compare(b, "by name, half translated", l.read(b, inOne, "", byName), l.read(b, inSome, "ko", byName))
	l.compare(b, "by name, none translated", l.read(b, inOne, "", byName), l.read(b, inSome, "fr", byName))
	pair := func(what, op, form string) { // another text each time, so that no count is remembered
		each := func(shop tenant.ID, locale, word string) func(int) {
			return func(turn int) {
				l.read(b, shop, locale, asked{where: named(op, word+fmt.Sprintf(form, turn*37%translatedProducts)), limit: 10})(turn)
			}
		}
		l.compare(b, what, each(inOne, "", "Product "), each(inThree, "ko", "상품 "))
	}
	pair("name equals", "equals", "%05d")
	pair("name is like", "like", "%05d")
	pair("name is like, of many", "like", "%.0d")
	pair("name is after", "greater_than", "%05d")
}

func (l languageBench) records(b *testing.B) {
	b.Helper()
	get := func(shop tenant.ID) func(int) {
		return func(turn int) {
			if _, err := l.store.Read(ports.ForTenant(shop)).Get(b.Context(), catalog.Products, fmt.Sprint(shop, turn%translatedProducts)); err != nil {
				b.Fatal(err)
			}
		}
	}
	l.compare(b, "by id", get(inOne), get(inThree))
	write := func(shop tenant.ID) func(int) {
		n := translatedProducts
		return func(int) {
			n++
			at := time.Date(2026, 1, 31, 9, 0, n, 0, time.UTC)
			writeAll(b, l.store, shop, collection.NewChange(catalog.Products, nil, languageProduct(shop, n, "Product"), fmt.Sprint("e", shop, n), at))
		}
	}
	l.compare(b, "create", write(inOne), write(inThree))
}
