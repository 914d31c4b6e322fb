package exports_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/searchindex"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

// numbers are the order numbers in the file of an export.
func (b *bed) numbers(id string) (all []string) {
	b.t.Helper()
	for _, row := range b.table(id)[1:] {
		all = append(all, row[0])
	}
	return slices.Compact(all)
}

// index has all orders in the index of what they are found by.
func (b *bed) index() {
	b.t.Helper()
	b.Records.Search = &searchindex.Finder{Index: b.store.SearchIndex(), Fold: strings.ToLower}
	x := searchindex.Indexer{
		Index: b.store.SearchIndex(), Events: b.store.EventLog(), Store: b.store, Fold: strings.ToLower, Log: slog.New(slog.DiscardHandler),
	}
	if _, err := b.store.Sequence(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	if err := x.Follower().CatchUp(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func TestOrdersAreExportedByWhatTheyAreFoundBy(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(3)
		b.index()
		id := b.ask(func(q *transfer.Request) { q.Query = "20260131-000001" })
		b.run()
		b.wantRows(b.numbers(id), "20260131-000001")
		id = b.ask(func(q *transfer.Request) {
			q.Query, q.Where = "kim@example.com", map[string]any{"orderNumber": map[string]any{"not_equals": "20260131-000001"}}
		})
		b.run()
		numbers := b.numbers(id)
		slices.Sort(numbers)
		b.wantRows(numbers, "20260131-000000", "20260131-000002")
		for kind, q := range map[transfer.Kind]string{"stock": "mug", "orders": " "} {
			request := transfer.Request{Kind: kind, Query: q, Format: "csv", Locale: transfer.English}
			if _, err := b.Start(t.Context(), b.as(b.editor()), request); fault.From(err).Kind != fault.Invalid {
				t.Errorf("%s by %q: %v", kind, q, err)
			}
		}
	})
}

// A file that may lack some of what was asked for is none.
func TestTextThatFindsTooMuchFailsAnExport(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(ports.MaxFound + 1)
		b.index()
		id := b.ask(func(q *transfer.Request) { q.Query = "kim@example.com" })
		b.run()
		if j := b.job(id); j.Status != job.Failed || j.Problem != transfer.ErrTooBroad.Message {
			t.Errorf("it is %+v", j)
		}
	})
}

// With pages by number, each order that is deleted would move one of the next page into the one that was read.
func TestRecordsThatAreDeletedMeanwhileLeaveOutNoOther(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		const orders = 250
		b.sell(orders)
		view := shops.NewView(t, b.store, b.shop.ID)
		id := b.ask(nil)
		var once sync.Once
		b.reads.between = func() {
			once.Do(func() {
				view.Atomically(func(ctx context.Context, tx ports.Tx) error {
					first, err := ports.FindAll(ctx, tx.Records, collection.Query{
						Schema: order.Schema, Where: order.Schema.Where("orderNumber", collection.LessThan, "20260131-000050"),
					})
					for _, r := range first {
						err = tx.Records.Write(ctx, collection.NewChange(order.Schema, r, nil, shops.NewID(), b.now()))
					}
					return err
				})
			})
		}
		b.run()
		numbers := b.numbers(id)
		for i := 50; i < orders; i++ {
			if want := fmt.Sprintf("20260131-%06d", i); !slices.Contains(numbers, want) {
				t.Fatalf("%s is missing", want)
			}
		}
	})
}

// What is found in many pages is in the order of its query nevertheless.
func TestAllRecordsAreFoundInTheirOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		const orders = collection.MaxLimit + 50
		b.sell(orders)
		number := order.Schema.Where("orderNumber", collection.Exists, true).Path
		scope := ports.Scope{Tenants: []tenant.ID{b.shop.ID}, Environment: tenant.Live}
		all, err := ports.FindAll(t.Context(), b.store.Read(scope), collection.Query{
			Schema: order.Schema, Where: order.Schema.Where("status", collection.Equals, "paid"), Sort: []collection.SortKey{{Path: number, Desc: true}},
		})
		if err != nil || len(all) != orders {
			t.Fatalf("found %d, %v", len(all), err)
		}
		for i, r := range all {
			if want := fmt.Sprintf("20260131-%06d", orders-1-i); r.Text("orderNumber") != want {
				t.Fatalf("order %d is %s, want %s", i, r.Text("orderNumber"), want)
			}
		}
	})
}

// Rule transfers-19.
func TestExportsHaveTheOrderThatIsAskedFor(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(250)
		for sort, first := range map[string]string{
			"": "20260131-000000", "orderNumber": "20260131-000000", "-orderNumber": "20260131-000249", "-createdAt,orderNumber": "",
		} {
			id := b.ask(func(q *transfer.Request) { q.Sort = sort })
			b.run()
			numbers := b.numbers(id)
			if first != "" && numbers[0] != first {
				t.Errorf("by %q: %s first", sort, numbers[0])
			}
			if slices.Sort(numbers); len(slices.Compact(numbers)) != 250 {
				t.Errorf("by %q: %d orders", sort, len(numbers))
			}
		}
		for sort, q := range map[string]string{"notes": "", "customer.name": "", "lines": "", "customer": "", "-orderNumber": "kim"} {
			request := transfer.Request{Kind: "orders", Query: q, Sort: sort, Format: "csv", Locale: transfer.English}
			if _, err := b.Start(t.Context(), b.as(b.editor()), request); fault.From(err).Kind != fault.Invalid {
				t.Errorf("by %q and %q: %v", sort, q, err)
			}
		}
	})
}

// Rule transfers-19: a record whose place changes while the file is made is in it once.
func TestAnOrderThatChangesLeavesNothingOutOfAnExport(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(250)
		view := shops.NewView(t, b.store, b.shop.ID)
		id := b.ask(func(q *transfer.Request) { q.Sort = "status" })
		to := []string{"delivered", "canceled"}
		b.reads.between = func() {
			to[0], to[1] = to[1], to[0]
			view.Atomically(func(ctx context.Context, tx ports.Tx) error {
				some, err := ports.FindAll(ctx, tx.Records, collection.Query{
					Schema: order.Schema, Where: order.Schema.Where("orderNumber", collection.GreaterThan, "20260131-000200"),
				})
				for _, r := range some {
					next := r.Clone()
					next["status"] = to[0]
					err = errors.Join(err, tx.Records.Write(ctx, collection.NewChange(order.Schema, r, next, shops.NewID(), b.now())))
				}
				return err
			})
		}
		b.run()
		if numbers := b.numbers(id); len(numbers) != 250 {
			t.Errorf("%d orders", len(numbers))
		}
	})
}
