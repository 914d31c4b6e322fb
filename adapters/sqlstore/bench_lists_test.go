package sqlstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// manyProducts are two hundred thousand products of ten tenants, with a document of half a kilobyte.
const manyProducts = `INSERT INTO products (tenant, id, sequence, created_at, updated_at, doc, name, name_fold, slug, slug_fold, status, price)
	SELECT 't' || i % 10, 'p' || i, 1, at, at, '{"id":"p' || i || '","tenant":"t' || i % 10 || '","name":"Product","status":"' || status || '","price":' || price || ',"description":"' || repeat('A mug. ', 60) || '","_currency":"USD"}',
		'Product', 'product', 'p' || i, 'p' || i, status, price * 100
	FROM (SELECT i, '2026-01-01T00:00:00Z'::timestamptz + i * interval '10 seconds' AS at, CASE WHEN i / 10 % 4 < 2 THEN 'published' ELSE 'draft' END AS status, 1000 + i::bigint * 7919 % 100000 AS price FROM generate_series(1, 200000) i) x`

// BenchmarkLists asks for pages of ten with a filter on status and price and their total, out of a thousand
// filters: as transactions do, which count every time, and as requests do.
func BenchmarkLists(b *testing.B) {
	url := testservers.Postgres(b)
	registry, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		b.Fatal(err)
	}
	s, err := sqlstore.Open(b.Context(), sqlstore.Options{URL: url, Registry: registry, Fold: fold})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	conn, err := pgx.Connect(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, text := range []string{manyProducts, "VACUUM ANALYZE products"} {
		if _, err := conn.Exec(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
	products := registry.Get("products")
	newest, _ := products.Field("createdAt")
	query := func() collection.Query {
		from := int64(1000+rand.IntN(100)*1000) * 100
		return collection.Query{
			Schema: products, Limit: 10, Page: 1, Sort: []collection.SortKey{{Path: []collection.Field{newest}, Desc: true}},
			Where: collection.And{
				products.Where("status", collection.Equals, "published"), products.Where("price", collection.GreaterThanEqual, from),
				products.Where("price", collection.LessThan, from+500_000)},
		}
	}
	anyone := func() tenant.ID { return tenant.ID(fmt.Sprint("t", rand.IntN(10))) }
	b.Run("counted", func(b *testing.B) {
		for b.Loop() {
			err := s.Atomically(b.Context(), ports.ForTenant(anyone()),
				func(ctx context.Context, tx ports.Tx) error { _, err := tx.Records.Find(ctx, query()); return err })
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("remembered", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Read(ports.ForTenant(anyone())).Find(b.Context(), query()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
