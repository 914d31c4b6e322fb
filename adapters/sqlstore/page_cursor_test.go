package sqlstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

var sortable = strings.Fields("createdAt updatedAt title price weight order fragile soldAt id info.note info.deep.rank maker.name")

func anyOrder(t *rapid.T, s *collection.Schema) (orders []collection.SortKey) {
	for range rapid.IntRange(0, 2).Draw(t, "sort keys") {
		path := portstest.Path(s, strings.Split(rapid.SampledFrom(sortable).Draw(t, "key"), ".")...)
		orders = append(orders, collection.SortKey{Path: path, Desc: rapid.Bool().Draw(t, "descending")})
	}
	return orders
}

func docIDs(page collection.Page) (list []string) {
	for _, r := range page.Docs {
		list = append(list, r.ID())
	}
	return list
}

// Who walks the pages while others write gets what OFFSET would give, at every page.
func TestPagesFromCursorsEqualPagesByOffset(t *testing.T) {
	for name, options := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openPair(t, options(t))
			schema, contents, tests := portstest.QueryTestData(fold)
			tenants := 0
			rapid.Check(t, func(t *rapid.T) {
				tenants++
				of, ctx := tenant.ID(fmt.Sprint("tenant-", tenants)), context.Background()
				var changes []collection.Change
				for i, content := range rapid.SliceOfN(rapid.IntRange(0, len(contents)-1), 14, 14).Draw(t, "contents") {
					r := contents[content].Clone()
					r["id"], r["tenant"] = fmt.Sprintf("%s-%d", of, i), string(of)
					changes = append(changes, collection.NewChange(schema, nil, r, fmt.Sprint("e", p.events.Add(1)), start))
				}
				if err := p.stores[0].Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error {
					return tx.Records.Write(ctx, changes...)
				}); err != nil {
					t.Fatal(err)
				}
				q := collection.Query{Schema: schema, Sort: anyOrder(t, schema), Limit: rapid.IntRange(1, 4).Draw(t, "limit")}
				if rapid.Bool().Draw(t, "some") {
					q.Where = anyCond(t, tests, 1)
				}
				pages := []int{1, 2, 3, 4, 2, 3}
				for _, q.Page = range pages {
					if rapid.IntRange(0, 2).Draw(t, "write") == 0 {
						w := action{
							rapid.IntRange(0, 1).Draw(t, "store"), rapid.IntRange(0, 16).Draw(t, "record"),
							rapid.IntRange(0, len(contents)+3).Draw(t, "content"),
						}
						if err := p.put(ctx, of, schema, contents, w); err != nil {
							t.Fatal(err)
						}
					}
					page, err := p.stores[1].Read(ports.ForTenant(of)).Find(ctx, q)
					if err != nil {
						t.Fatal(err)
					}
					err = p.stores[0].Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error {
						want, err := tx.Records.Find(ctx, q)
						if err == nil && (!slices.Equal(docIDs(page), docIDs(want)) || page.TotalDocs != want.TotalDocs) {
							t.Fatalf("page %d of %d: %v of %d, want %v of %d", q.Page, q.Limit, docIDs(page), page.TotalDocs, docIDs(want),
								want.TotalDocs)
						}
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				if p.complained.Load() > 0 {
					t.Fatal("a count that a page disproved was remembered")
				}
			})
		})
	}
}

// Many records are gone through by the index of their order. Each is met once, however the pages are cut.
func TestPagingVisitsEachRecordOnce(t *testing.T) {
	for name, options := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openPair(t, options(t))
			schema, _, _ := portstest.QueryTestData(fold)
			var changes []collection.Change
			for i := range 3000 {
				r := collection.Record{
					"id": fmt.Sprintf("t%04d", i), "tenant": "a", "state": []string{"draft", "published"}[i%6/5],
					"order": int64(i * 7919 % 500),
				}
				changes = append(changes, collection.NewChange(schema, nil, r, fmt.Sprint("e", i), start))
			}
			if err := p.stores[0].Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
				return tx.Records.Write(ctx, changes...)
			}); err != nil {
				t.Fatal(err)
			}
			q := collection.Query{
				Schema: schema, Limit: 20, Sort: []collection.SortKey{{Path: portstest.Path(schema, "order"), Desc: true}},
				Where: collection.And{
					schema.Where("state", collection.Equals, "draft"), schema.Where("order", collection.LessThan, int64(480)),
				},
			}
			met, last := map[string]bool{}, int64(480)
			for q.Page = 1; ; q.Page++ {
				page, err := p.stores[0].Read(ports.ForTenant("a")).Find(t.Context(), q)
				if err != nil || page.TotalDocs != 2400 {
					t.Fatalf("page %d: of %d, %v", q.Page, page.TotalDocs, err)
				}
				for _, r := range page.Docs {
					if met[r.ID()] || r.Int("order") > last {
						t.Fatalf("page %d: %s out of place", q.Page, r.ID())
					}
					met[r.ID()], last = true, r.Int("order")
				}
				if len(page.Docs) == 0 {
					break
				}
			}
			if len(met) != 2400 || q.Page != 121 {
				t.Errorf("met %d on %d pages", len(met), q.Page-1)
			}
		})
	}
}
