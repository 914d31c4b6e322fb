package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// complaints fails a test at what a store logs as an error, such as a remembered count that turned out wrong.
type complaints struct {
	slog.Handler

	complained *atomic.Int64
}

func (c complaints) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelError
}

func (c complaints) Handle(context.Context, slog.Record) error {
	c.complained.Add(1)
	return nil
}

// pair are two stores on one database, as two instances have them.
type pair struct {
	stores     [2]*sqlstore.Store
	complained atomic.Int64
	events     atomic.Int64
}

func openPair(t *testing.T, o sqlstore.Options) *pair {
	p := &pair{}
	o.Logger = slog.New(complaints{slog.DiscardHandler, &p.complained})
	for i := range p.stores {
		p.stores[i] = open(t, o, portstest.ScratchRegistry())
	}
	return p
}

var pairs = map[string]func(*testing.T) sqlstore.Options{
	"sqlite": func(t *testing.T) sqlstore.Options {
		return sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "data.db")}
	},
	"postgres": func(t *testing.T) sqlstore.Options {
		return sqlstore.Options{URL: testservers.Postgres(t), Connections: 6}
	},
}

// action is one write: a record gets the content of another one, or goes.
type action struct{ store, record, content int }

// put writes through the store, and once more when somebody else was faster.
func (p *pair) put(ctx context.Context, of tenant.ID, s *collection.Schema, contents []collection.Record, a action) error {
	id := fmt.Sprintf("%s-%d", of, a.record)
	for {
		err := p.stores[a.store].Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error {
			before, err := tx.Records.Get(ctx, s, id)
			if err != nil && !errors.Is(err, ports.ErrNotFound) {
				return err
			}
			var after collection.Record
			if a.content < len(contents) {
				after = contents[a.content].Clone()
				after["id"], after["tenant"] = id, string(of)
			}
			if before == nil && after == nil {
				return nil
			}
			c := collection.NewChange(s, before, after, fmt.Sprint("e", p.events.Add(1)), start)
			if gone, err := tx.Records.Deleted(ctx, []string{id}); err != nil {
				return err
			} else if last, ok := gone[id]; ok && before == nil {
				c = c.ContinuingFrom(last)
			}
			return tx.Records.Write(ctx, c)
		})
		if !errors.Is(err, ports.ErrStale) {
			return err
		}
	}
}

// counted asks for a count by the ordinary road, and inside of a transaction, where nothing is remembered.
func (p *pair) counted(ctx context.Context, of tenant.ID, q collection.Query) (kept [2]int64, plain int64, err error) {
	for i, s := range p.stores {
		page, err := s.Read(ports.ForTenant(of)).Find(ctx, q)
		if err != nil {
			return kept, 0, err
		}
		kept[i] = page.TotalDocs
	}
	err = p.stores[0].Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error {
		page, err := tx.Records.Find(ctx, q)
		plain = page.TotalDocs
		return err
	})
	return kept, plain, err
}

// anyCond draws a condition of tests in ands and ors.
func anyCond(t *rapid.T, tests []collection.Comparison, depth int) collection.Cond {
	switch rapid.IntRange(0, 5).Draw(t, "shape") {
	case 0, 1:
		if depth > 0 {
			list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) collection.Cond { return anyCond(t, tests, depth-1) }), 0, 3).
				Draw(t, "conditions")
			if rapid.Bool().Draw(t, "all of them") {
				return collection.And(list)
			}
			return collection.Or(list)
		}
	case 2:
		return nil
	}
	return tests[rapid.IntRange(0, len(tests)-1).Draw(t, "test")]
}

// Whatever is written, by whomever, a remembered count is the count.
func TestCachedCountsAreExact(t *testing.T) {
	for name, options := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openPair(t, options(t))
			schema, contents, tests := portstest.QueryTestData(fold)
			tenants := 0
			rapid.Check(t, func(t *rapid.T) {
				tenants++
				of, ctx := tenant.ID(fmt.Sprint("tenant-", tenants)), context.Background()
				var queries []collection.Query
				for range 5 {
					queries = append(queries, collection.Query{
						Schema: schema, Where: anyCond(t, tests, 2), Limit: rapid.SampledFrom([]int{0, 1, 3, 500}).Draw(t, "limit"),
						Page: 1,
					})
				}
				oneWrite := rapid.Custom(func(t *rapid.T) action {
					return action{
						rapid.IntRange(0, 1).Draw(t, "store"), rapid.IntRange(0, 5).Draw(t, "record"),
						rapid.IntRange(0, len(contents)+3).Draw(t, "content"),
					}
				})
				for range rapid.IntRange(1, 4).Draw(t, "rounds") {
					var all sync.WaitGroup
					failed := make(chan error, 4)
					for range 2 {
						writes := rapid.SliceOfN(oneWrite, 0, 4).Draw(t, "writes")
						all.Go(func() {
							for _, w := range writes {
								if err := p.put(ctx, of, schema, contents, w); err != nil {
									failed <- err
									return
								}
							}
						})
					}
					for i := range 2 { // what a page of everything proves is compared with what was remembered
						all.Go(func() {
							for _, q := range queries[:2] {
								q.Limit = 500
								if _, err := p.stores[i].Read(ports.ForTenant(of)).Find(ctx, q); err != nil {
									failed <- err
									return
								}
							}
						})
					}
					if rapid.Bool().Draw(t, "numbered") {
						all.Go(func() {
							if _, err := p.stores[0].Sequence(ctx); err != nil {
								failed <- err
							}
						})
					}
					all.Wait()
					select {
					case err := <-failed:
						t.Fatal(err)
					default:
					}
					for _, q := range queries {
						kept, plain, err := p.counted(ctx, of, q)
						if err != nil {
							t.Fatal(err)
						}
						if kept[0] != plain || kept[1] != plain {
							t.Fatalf("%v: remembered %v, there are %d", q.Where, kept, plain)
						}
					}
				}
				if p.complained.Load() > 0 {
					t.Fatal("a count that a page disproved was remembered")
				}
			})
		})
	}
}

// Answers that overtake each other are told apart from those that came in order.
func TestCachedCountsAreExactUnderConcurrency(t *testing.T) {
	for name, options := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openPair(t, options(t))
			schema, contents, _ := portstest.QueryTestData(fold)
			ctx, of := t.Context(), tenant.ID("busy")
			asked := []collection.Cond{
				nil, schema.Where("state", collection.Exists, true), schema.Where("price", collection.GreaterThan, int64(1000)),
			}
			var writers, readers sync.WaitGroup
			done := make(chan struct{})
			for n := range 3 {
				writers.Go(func() {
					for i := range 60 {
						if err := p.put(ctx, of, schema, contents, action{n % 2, (i*7 + n) % 10, (i*5 + n*3) % (len(contents) + 3)}); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			for n := range 6 {
				readers.Go(func() {
					for i := n; ; i++ {
						select {
						case <-done:
							return
						default:
						}
						q := collection.Query{Schema: schema, Where: asked[i%3], Limit: 500, Page: 1}
						if _, err := p.stores[n%2].Read(ports.ForTenant(of)).Find(ctx, q); err != nil {
							t.Error(err)
							return
						}
						if i%10 == 0 {
							if _, err := p.stores[n%2].Sequence(ctx); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			writers.Wait()
			close(done)
			readers.Wait()
			if n := p.complained.Load(); n > 0 {
				t.Errorf("%d times a page disproved what was remembered", n)
			}
		})
	}
}
