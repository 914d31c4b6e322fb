package sqlstore_test

import (
	"context"
	"fmt"
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

// translatedProducts is how many products the shop of BenchmarkLanguages has.
const translatedProducts = 10_000

// storeTranslated stores the products of two shops: those of one are in three languages, those of the other in one.
func storeTranslated(b *testing.B, s *sqlstore.Store) {
	b.Helper()
	for _, shop := range []tenant.ID{"three", "one"} {
		for from := 0; from < translatedProducts; from += 500 {
			err := s.Atomically(b.Context(), ports.ForTenant(shop), func(ctx context.Context, tx ports.Tx) error {
				var changes []collection.Change
				for i := from; i < from+500; i++ {
					r := collection.Record{
						"id": fmt.Sprint(shop, i), "tenant": string(shop), "name": fmt.Sprintf("Product %05d", i*7919%translatedProducts),
						"slug": fmt.Sprint("p", i), "status": catalog.Published, "description": strings.Repeat("A mug. ", 60),
					}
					if shop == "three" {
						r[collection.TranslationsName] = map[string]any{
							"ko": map[string]any{"name": fmt.Sprintf("상품 %05d", i), "slug": fmt.Sprint("상품", i), "description": strings.Repeat("머그입니다. ", 60)},
							"ja": map[string]any{"name": fmt.Sprintf("製品 %05d", i), "description": strings.Repeat("マグです。", 60)},
						}
					}
					at := time.Date(2026, 1, 31, 9, 0, i, 0, time.UTC)
					changes = append(changes, collection.NewChange(catalog.Products, nil, r, fmt.Sprint("e", shop, i), at))
				}
				return tx.Records.Write(ctx, changes...)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkLanguages asks for pages of ten of ten thousand products, in a shop with one language, and in one with three.
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
		languageQueries(b, name, s, known)
	}
}

func languageQueries(b *testing.B, name string, s *sqlstore.Store, known *collection.Registry) {
	b.Helper()
	ask := func(what string, shop tenant.ID, in tenant.Content, sort string, where map[string]any) {
		b.Run(name+"/"+what, func(b *testing.B) {
			parser := collection.QueryParser{Registry: known, Schema: known.Get("products"), Audience: collection.Staff, Fold: strings.ToLower, Content: in}
			order, err := parser.SortBy(sort)
			if err != nil {
				b.Fatal(err)
			}
			cond, err := parser.Where(where)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				page, err := s.Read(ports.ForTenant(shop)).Find(b.Context(), collection.Query{
					Schema: known.Get("products"), Where: cond, Sort: order, Limit: 10, Page: 1,
				})
				if err != nil || len(page.Docs) == 0 {
					b.Fatal(err, len(page.Docs))
				}
			}
		})
	}
	ko := tenant.Content{Locale: "ko"}
	published := map[string]any{"status": map[string]any{"equals": "published"}}
	ask("newest of one language", "one", tenant.Content{}, "", published)
	ask("newest of three", "three", tenant.Content{}, "", published)
	ask("newest of three in Korean", "three", ko, "", published)
	ask("by name", "three", tenant.Content{}, "name", published)
	ask("by name in Korean", "three", ko, "name", published)
	ask("by handle", "three", tenant.Content{}, "", map[string]any{"slug": map[string]any{"equals": "p77"}})
	ask("by handle in Korean", "three", ko, "", map[string]any{"slug": map[string]any{"equals": "상품77"}})
	ask("like", "three", tenant.Content{}, "", map[string]any{"name": map[string]any{"like": "product 00123"}})
	ask("like in Korean", "three", ko, "", map[string]any{"name": map[string]any{"like": "상품 00123"}})
}
