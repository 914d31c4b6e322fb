package sqlstore_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// baskets are about as large as carts: a document of 1.2 KB.
var baskets = &collection.Schema{
	Slug: "baskets", Singular: "Basket", Plural: "Baskets", PerEnvironment: true, FrequentlyUpdated: true,
	Fields: []collection.Field{
		{Name: "status", Kind: collection.Text, Indexed: true},
		{Name: "customer", Kind: collection.Text, Indexed: true},
		{Name: "currency", Kind: collection.Text},
		{Name: "market", Kind: collection.Text},
		{Name: "revision", Kind: collection.Integer},
		{Name: "total", Kind: collection.Money},
		{Name: "expiresAt", Kind: collection.Date, Indexed: true},
		{Name: "lines", Kind: collection.Array, Fields: []collection.Field{
			{Name: "id", Kind: collection.Text}, {Name: "variant", Kind: collection.Text}, {Name: "title", Kind: collection.Text},
			{Name: "quantity", Kind: collection.Integer}, {Name: "unitPrice", Kind: collection.Money},
			{Name: "subtotal", Kind: collection.Money},
		}},
	},
}

func cartRecord(id string, t tenant.ID) collection.Record {
	lines := make([]collection.Record, 6)
	for i := range lines {
		lines[i] = collection.Record{
			"id":      fmt.Sprintf("line-%d-%s", i, strings.Repeat("x", 30)),
			"variant": fmt.Sprintf("variant-%d-%s", i, strings.Repeat("v", 28)), "title": "A thing one can buy, in blue",
			"quantity": int64(1), "unitPrice": money.Money{Minor: 1999, Currency: "EUR"},
			"subtotal": money.Money{Minor: 1999, Currency: "EUR"},
		}
	}
	return collection.Record{
		"id": id, "tenant": string(t), "environment": "live", "status": "active", "currency": "EUR", "market": "kr",
		"total": money.Money{Minor: 11994, Currency: "EUR"}, "expiresAt": time.Unix(1_800_000_000, 0).UTC(), "lines": lines,
	}
}

// BenchmarkSteps compares the committer with a plain transaction per step; 64 goroutines own one record each.
func BenchmarkSteps(b *testing.B) {
	for name, open := range map[string]func(testing.TB, ...*collection.Schema) *sqlstore.Store{
		"sqlite": openSQLite, "postgres": openPostgres,
	} {
		s := open(b, baskets)
		c := s.Committer()
		plain := func(ctx context.Context, step ports.CommitRequest) error {
			return s.Atomically(ctx, ports.ForTenant(step.Tenant), func(ctx context.Context, tx ports.Tx) error {
				for _, r := range step.Receipts {
					if err := tx.Receipts.Save(ctx, r, 0); err != nil {
						return err
					}
				}
				return tx.Records.Write(ctx, step.Changes...)
			})
		}
		for _, clients := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprint(name, "/", clients, "/plain"), func(b *testing.B) { runClients(b, clients, plain) })
			b.Run(fmt.Sprint(name, "/", clients, "/committer"), func(b *testing.B) {
				before := c.Stats()
				runClients(b, clients, c.Commit)
				b.ReportMetric(float64(b.N)/float64(c.Stats().Batches-before.Batches), "steps/batch")
			})
		}
	}
}

var benchIDs atomic.Int64

func runClients(b *testing.B, clients int, commit func(context.Context, ports.CommitRequest) error) {
	left := atomic.Int64{}
	left.Store(int64(b.N))
	var all sync.WaitGroup
	records := make([]collection.Record, clients)
	step := func(i int) error {
		id, t := benchIDs.Add(1), tenant.ID("tenant-"+strconv.Itoa(i%8))
		before, now := records[i], time.Now()
		after := before.Clone()
		if before == nil {
			after = cartRecord("basket-"+strconv.FormatInt(id, 10), t)
		}
		after["revision"] = id
		change := collection.NewChange(baskets, before, after, "event-"+strconv.FormatInt(id, 10), now)
		r := ports.Receipt{
			Tenant: t, Result: ports.ReceiptOK, Record: after.ID(), Sequence: id, RequestID: "r", At: now, Expires: now.Add(time.Hour),
			Body: collection.AppendJSON(nil, baskets, after, collection.View{}),
		}
		copy(r.Key[:], strconv.FormatInt(id, 10)+"-key")
		records[i] = after
		return commit(context.Background(), ports.CommitRequest{
			Tenant: t, Changes: []collection.Change{change}, Receipts: []ports.Receipt{r},
		})
	}
	for i := range clients {
		if err := step(i); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for i := range clients {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if err := step(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}
