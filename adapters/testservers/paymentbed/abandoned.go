package paymentbed

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// abandonedAtOnce is how many sessions are stored in one transaction.
const abandonedAtOnce = 500

// Abandon stores n copies of an opened session with their planned look-ups: sessions that nobody will pay, opened an hour
// before now and due since a minute.
func Abandon(ctx context.Context, store ports.Store, opened payment.Session, n int, now time.Time) error {
	for from := 0; from < n; from += abandonedAtOnce {
		if err := store.Atomically(ctx, ports.ForTenant(opened.Tenant), func(ctx context.Context, tx ports.Tx) error {
			w := collection.NewChangeSet(now, shops.NewID)
			var tasks []ports.PaymentTask
			for i := from; i < min(from+abandonedAtOnce, n); i++ {
				s := opened
				s.ID, s.PaymentID, s.ProviderSessionID = shops.NewID(), fmt.Sprintf("abandoned%08d", i), ""
				s.Checkout, s.Cart = fmt.Sprintf("%s-%d", s.Checkout, i), fmt.Sprintf("%s-%d", s.Cart, i)
				w.Put(payment.Sessions, nil, s.Record())
				tasks = append(tasks, ports.PaymentTask{
					Kind: ports.TaskLookup, Tenant: s.Tenant, Item: s.ID, Lane: s.Connection, Urgency: 2, Since: now.Add(-time.Hour),
					DueAt: now.Add(-time.Minute),
				})
			}
			if err := tx.Records.Write(ctx, w.List()...); err != nil {
				return err
			}
			return tx.PaymentTasks.Schedule(ctx, tasks...)
		}); err != nil {
			return err
		}
	}
	return nil
}
