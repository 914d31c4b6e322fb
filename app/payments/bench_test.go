package payments_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// slowLookups is a provider whose look-ups take as long as those of real ones.
type slowLookups struct{ ports.Provider }

func (s slowLookups) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	time.Sleep(100 * time.Millisecond)
	return s.Provider.Lookup(ctx, conn, ref)
}

// BenchmarkOrderBehindAbandonedPayments is how long after its payment an order is placed by the poller alone,
// without a webhook or the buyer's return, while many abandoned payments are polled: the most of
// all runs is s/order. The interval of the poller is 5 s.
func BenchmarkOrderBehindAbandonedPayments(b *testing.B) {
	for _, abandoned := range []int{0, 100, 20_000} {
		b.Run(fmt.Sprint(abandoned), func(b *testing.B) {
			bed := newBed(b, shops.Open(b, sqlstore.Options{Path: filepath.Join(testservers.TempDir(b), "shop.db")}))
			bed.Providers["sandbox"] = slowLookups{bed.Providers["sandbox"]}
			bed.abandonMany(abandoned, bed.Pay(bed.Checkout("mug").Text("checkout.id")))
			bed.Advance(50 * time.Minute)
			ctx, stop := context.WithCancel(b.Context())
			ended := make(chan error)
			go func() { // the clock of the bed follows the real one
				for last := time.Now(); ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
					now := time.Now()
					bed.Advance(now.Sub(last).Truncate(time.Millisecond))
					last = last.Add(now.Sub(last).Truncate(time.Millisecond))
				}
			}()
			go func() { ended <- bed.Poller.Run(ctx) }()
			time.Sleep(6 * time.Second) // the poller is among the abandoned ones
			var waited time.Duration
			for i := range b.N {
				fresh := bed.Pay(bed.Checkout("course").Text("checkout.id"))
				bed.CaptureAtBank(fresh, bed.Approve(fresh, "approve"))
				began := time.Now()
				for len(bed.All(order.Schema)) <= i {
					time.Sleep(20 * time.Millisecond)
				}
				waited = max(waited, time.Since(began))
			}
			b.ReportMetric(waited.Seconds(), "s/order")
			stop()
			if err := <-ended; err != nil {
				b.Error(err)
			}
		})
	}
}
