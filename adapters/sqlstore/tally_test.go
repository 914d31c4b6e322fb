package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// wares have a number to bound and an index that covers lists by state and price.
func wares() (*collection.Registry, *collection.Schema) {
	c := &collection.Schema{
		Slug: "wares", Singular: "Ware", Plural: "Wares", ListIndexes: [][]string{{"state", "price"}}, Fields: []collection.Field{
			{Name: "state", Kind: collection.Select, Options: []string{"draft", "published"}, Indexed: true},
			{Name: "price", Kind: collection.Integer, Indexed: true},
			{Name: "rank", Kind: collection.Integer, Indexed: true},
		},
	}
	r, err := collection.NewRegistry(c)
	if err != nil {
		panic(err)
	}
	return r, c
}

// openWares are two stores of wares on one database.
func openWares(t *testing.T, name string) (*pair, *collection.Schema) {
	registry, schema := wares()
	p, o := &pair{}, pairs[name](t)
	o.Logger = slog.New(complaints{slog.DiscardHandler, &p.complained})
	for i := range p.stores {
		p.stores[i] = open(t, o, registry)
	}
	return p, schema
}

// anyWares draws contents of records, some of them without a price.
func anyWares(t *rapid.T) []collection.Record {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) collection.Record {
		r := collection.Record{
			"state": rapid.SampledFrom([]string{"draft", "published", "published"}).Draw(t, "state"),
			"rank":  rapid.Int64Range(0, 4).Draw(t, "rank"),
		}
		if rapid.IntRange(0, 9).Draw(t, "priced") > 0 {
			r["price"] = rapid.Int64Range(0, 9).Draw(t, "price")
		}
		return r
	}), 6, 6).Draw(t, "contents")
}

// anyBounded draws a list of wares within a range; lists with different exceptions have different tallies.
func anyBounded(t *rapid.T, s *collection.Schema, except int) collection.Query {
	q := collection.Query{Schema: s, Limit: rapid.SampledFrom([]int{0, 1, 3, 100}).Draw(t, "limit"), Page: rapid.IntRange(1, 3).Draw(t, "page")}
	var all collection.And
	if rapid.Bool().Draw(t, "of a state") {
		all = append(all, s.Where("state", collection.Equals, "published"))
	}
	if except > 0 {
		all = append(all, s.Where("id", collection.NotEquals, fmt.Sprint(except)))
	}
	for range rapid.IntRange(1, 2).Draw(t, "bounds") {
		op := rapid.SampledFrom([]collection.Op{
			collection.GreaterThan, collection.GreaterThanEqual, collection.LessThan, collection.LessThanEqual,
		}).Draw(t, "bound")
		all = append(all, s.Where("price", op, rapid.Int64Range(-1, 10).Draw(t, "value")))
	}
	q.Where = all
	f, _ := s.Field(rapid.SampledFrom([]string{"createdAt", "price", "rank", "id"}).Draw(t, "sort"))
	q.Sort = []collection.SortKey{{Path: []collection.Field{f}, Desc: rapid.Bool().Draw(t, "descending")}}
	return q
}

// Whatever is written, by whomever, lists within ranges that were never asked for have the pages and totals that the
// database counts.
func TestTalliedListsAreExact(t *testing.T) {
	for name := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, schema := openWares(t, name)
			tenants := 0
			rapid.Check(t, func(t *rapid.T) {
				tenants++
				of, ctx := tenant.ID(fmt.Sprint("tenant-", tenants)), context.Background()
				contents := anyWares(t)
				for i := range 12 {
					if err := p.put(ctx, of, schema, contents, action{0, i, i % len(contents)}); err != nil {
						t.Fatal(err)
					}
				}
				oneWrite := rapid.Custom(func(t *rapid.T) action {
					return action{
						rapid.IntRange(0, 1).Draw(t, "store"), rapid.IntRange(0, 15).Draw(t, "record"),
						rapid.IntRange(0, len(contents)+2).Draw(t, "content"),
					}
				})
				for round := range rapid.IntRange(1, 3).Draw(t, "rounds") {
					var asked []collection.Query
					for range 8 {
						asked = append(asked, anyBounded(t, schema, round*rapid.IntRange(0, 1).Draw(t, "excepts")))
					}
					p.askBesideWrites(ctx, t, of, schema, contents, asked, rapid.SliceOfN(oneWrite, 0, 8).Draw(t, "writes"))
					if rapid.Bool().Draw(t, "numbered") {
						if _, err := p.stores[0].Sequence(ctx); err != nil {
							t.Fatal(err)
						}
					}
					for _, q := range asked {
						p.compare(ctx, t, of, q)
					}
				}
				if p.complained.Load() > 0 {
					t.Fatal("a count that a page disproved was remembered")
				}
			})
		})
	}
}

// askBesideWrites asks for lists on both stores while others write.
func (p *pair) askBesideWrites(
	ctx context.Context, t *rapid.T, of tenant.ID, s *collection.Schema, contents []collection.Record, asked []collection.Query, writes []action,
) {
	var all sync.WaitGroup
	errs := make([]error, 7)
	all.Go(func() {
		for _, w := range writes {
			errs[6] = errors.Join(errs[6], p.put(ctx, of, s, contents, w))
		}
	})
	for i := range 6 { // some answers overtake others
		all.Go(func() {
			for n := range asked {
				_, err := p.stores[i%2].Read(ports.ForTenant(of)).Find(ctx, asked[(n+i)%len(asked)])
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// compare compares a list with that of a transaction, where nothing is cached.
func (p *pair) compare(ctx context.Context, t *rapid.T, of tenant.ID, q collection.Query) {
	var plain collection.Page
	err := p.stores[0].Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) (err error) {
		plain, err = tx.Records.Find(ctx, q)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.stores {
		page, err := s.Read(ports.ForTenant(of)).Find(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if page.TotalDocs != plain.TotalDocs || !slices.Equal(docIDs(page), docIDs(plain)) {
			t.Fatalf("%v by %v: %d %v, there are %d %v", q.Where, q.Sort, page.TotalDocs, docIDs(page), plain.TotalDocs, docIDs(plain))
		}
	}
}

// After a few ranges, those that nobody asked for before are not counted any more: rows that go without an event, which
// no server has them do, change no total.
func TestNewRangesAreNotCounted(t *testing.T) {
	for name := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, schema := openWares(t, name)
			contents := []collection.Record{{"state": "published", "price": int64(5), "rank": int64(1)}}
			const records = 40
			for i := range records {
				if err := p.put(t.Context(), "a", schema, contents, action{0, i, 0}); err != nil {
					t.Fatal(err)
				}
			}
			asked := int64(6)
			total := func() int64 {
				t.Helper()
				asked++
				page, err := p.stores[0].Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{
					Schema: schema, Limit: 1, Page: 1, Where: collection.And{
						schema.Where("state", collection.Equals, "published"), schema.Where("price", collection.LessThan, asked),
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				return page.TotalDocs
			}
			left, n := int64(records), int64(0)
			for began := time.Now(); n <= left && time.Since(began) < patience; n = total() { // the tally is made meanwhile
				if left > 5 && asked%5 == 0 {
					left--
					if err := p.stores[0].Exec(t.Context(), "a", "DELETE FROM wares WHERE id = $1", fmt.Sprint("a-", left)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if n <= left {
				t.Fatal("new ranges are counted:", n)
			}
			if err := p.put(t.Context(), "a", schema, contents, action{1, records, 0}); err != nil { // by another instance
				t.Fatal(err)
			}
			if now := total(); now != n+1 {
				t.Errorf("%d and one record more are %d", n, now)
			}
		})
	}
}
