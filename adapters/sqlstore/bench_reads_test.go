package sqlstore_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// BenchmarkReads reads single records and pages of ten out of two thousand.
func BenchmarkReads(b *testing.B) {
	for name, options := range map[string]func() sqlstore.Options{
		"sqlite":   func() sqlstore.Options { return sqlstore.Options{Path: filepath.Join(b.TempDir(), "data.db")} },
		"postgres": func() sqlstore.Options { return sqlstore.Options{URL: testservers.DurablePostgres(b)} },
	} {
		b.Run(name, func(b *testing.B) {
			registry := portstest.ScratchRegistry()
			o := options()
			o.Registry, o.Fold = registry, fold
			s, err := sqlstore.Open(b.Context(), o)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			things := registry.Get("scratch-things")
			var changes []collection.Change
			for i := range 2000 {
				r := collection.Record{
					"id": fmt.Sprint("t", i), "tenant": "a", "title": "Title", "state": "published", "price": money.Of(int64(i), "USD"),
					"labels": []string{"x", "y"}, "fragile": true,
				}
				changes = append(changes, collection.NewChange(things, nil, r, fmt.Sprint("e", i), start))
			}
			if err := s.Atomically(b.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
				return tx.Records.Write(ctx, changes...)
			}); err != nil {
				b.Fatal(err)
			}
			r := s.Read(ports.ForTenant("a"))
			b.Run("get", func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, err := r.Get(b.Context(), things, fmt.Sprint("t", i%2000)); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("find", func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					q := collection.Query{
						Schema: things, Where: things.Where("price", collection.LessThan, int64(i%2000)),
						Sort: []collection.SortKey{{Path: portstest.Path(things, "createdAt"), Desc: true}}, Limit: 10, Page: 1,
					}
					if _, err := r.Find(b.Context(), q); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
