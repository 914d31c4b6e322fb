package reports_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The shop of the benchmark: its orders come evenly over a year, of two of so many products.
const (
	benchOrders   = 100_000
	benchProducts = 1000
	yearHours     = 365 * 24
)

// What a report takes at most, in 99 of 100 cases. A ranking adds up a row per product, day or month.
const (
	p99Limit        = 100 * time.Millisecond
	p99LimitRanking = 250 * time.Millisecond
)

// BenchmarkSummary asks a shop with a year of orders for its figures, on SQLite. CARTWRIGHT_BENCH_ORDERS sets how many there are.
func BenchmarkSummary(b *testing.B) {
	orders := benchOrders
	if text := os.Getenv("CARTWRIGHT_BENCH_ORDERS"); text != "" {
		var err error
		if orders, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	store := shops.Open(b, sqlstore.Options{Path: filepath.Join(b.TempDir(), "bench.db")})
	f := newFixture(context.Background(), b, store, "Asia/Seoul")
	f.now = start.AddDate(1, 0, 0)
	f.fill(orders)
	began := time.Now()
	f.rebuild()
	b.Logf("%d orders were added up in %.1f s", orders, time.Since(began).Seconds())
	to := report.DayOf(f.now, time.UTC)
	for name, q := range map[string]reports.Query{
		"a month by day":     {From: (to - 30).String(), To: to.String(), Grouping: report.ByDay},
		"a year by month":    {From: (to - 364).String(), To: to.String(), Grouping: report.ByMonth, Compare: report.Previous},
		"products of a year": {From: (to - 364).String(), To: to.String(), Grouping: report.ByProduct, Limit: 50},
	} {
		b.Run(name, func(b *testing.B) { f.measure(b, q) })
	}
}

// measure prints the 99th percentile, which has a limit.
func (f *fixture) measure(b *testing.B, q reports.Query) {
	var took []time.Duration
	s, p := f.service(), f.admin(tenant.Live)
	for b.Loop() {
		began := time.Now()
		if _, err := s.Summary(f.ctx, p, q); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	p99 := took[len(took)*99/100]
	b.ReportMetric(float64(p99)/float64(time.Millisecond), "p99-ms")
	limit := p99Limit
	if q.Grouping == report.ByProduct {
		limit = p99LimitRanking
	}
	if p99 > limit {
		b.Errorf("p99 is %s, the limit %s", p99, limit)
	}
}

// fill writes orders with their money, many in a transaction.
func (f *fixture) fill(orders int) {
	f.t.Helper()
	const batch = 500
	for n := 0; n < orders; n += batch {
		f.within(func(ctx context.Context, tx ports.Tx) error {
			changes := make([]collection.Change, 0, batch)
			for i := n; i < min(n+batch, orders); i++ {
				at := start.Add(time.Duration(int64(yearHours) * int64(time.Hour) / int64(orders) * int64(i)))
				o := f.benchOrder(i, at)
				changes = append(changes, collection.NewChange(order.Schema, nil, o.Record(), shops.NewID(), at))
				if err := tx.Ledger.Append(ctx, ports.LedgerEntry{
					ID: shops.NewID(), Tenant: f.shop.ID, Environment: tenant.Live, Type: "charge", Amount: o.Total, Provider: "toss",
					AccountKey: "a", Reference: o.ID, Order: o.ID, At: at,
				}); err != nil {
					return err
				}
			}
			return tx.Records.Write(ctx, changes...)
		})
	}
}

// benchOrder is an order of two products.
func (f *fixture) benchOrder(i int, at time.Time) order.Order {
	none := money.Of(0, "KRW")
	o := order.Order{
		ID: shops.NewID(), Tenant: f.shop.ID, Environment: tenant.Live, Number: "B-" + strconv.Itoa(i), Status: order.Delivered, Source: order.FromAPI,
		Currency: "KRW", Subtotal: none, Discount: none, Shipping: none, Total: none, Paid: none, Refunded: none, PlacedAt: collection.TruncateTime(at),
	}
	for l := range 2 {
		total := money.Of(int64(1000+i%7*100), "KRW")
		o.Lines = append(o.Lines, order.Line{Line: sale.Line{
			ID: "l" + strconv.Itoa(l), Product: "product-" + strconv.Itoa((i*7+l*13)%benchProducts), Quantity: 1, UnitPrice: total,
			Subtotal: total, Discount: none, Total: total,
		}})
		o.Total = o.Total.Plus(total)
	}
	o.Subtotal, o.Paid = o.Total, o.Total
	return o
}
