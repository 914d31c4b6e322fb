package payments_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// A settle decides under the locks of cart, checkout and session: it waits in a locking read, not in a write
// that was decided on what it read before.
func TestSettleWaitsForCartCheckoutAndSession(t *testing.T) {
	t.Parallel()
	url := testservers.Postgres(t)
	b := newBed(t, shops.Open(t, sqlstore.Options{URL: url, Connections: 4}))
	all := testservers.InspectPostgres(t, url)
	for name, locked := range map[string]func(x, s paymentbed.Answer) ports.Ref{
		"carts": func(x, _ paymentbed.Answer) ports.Ref {
			return ports.Ref{Schema: cart.Schema, ID: x.Text("checkout.cart")}
		},
		"checkouts": func(x, _ paymentbed.Answer) ports.Ref {
			return ports.Ref{Schema: checkout.Schema, ID: x.Text("checkout.id")}
		},
		"payment_sessions": func(_, s paymentbed.Answer) ports.Ref {
			return ports.Ref{Schema: payment.Sessions, ID: s.Text("paymentSession.id")}
		},
	} {
		x := b.Checkout("mug")
		s := b.Pay(x.Text("checkout.id"))
		b.CaptureAtBank(s, b.Approve(s, "approve"))
		b.settleWaits(all, name, locked(x, s), func() error {
			_, err := b.Payments.Settler.Settle(t.Context(), b.Shop.ID, s.Text("paymentSession.id"))
			return err
		})
		x = b.Checkout("mug")
		s = b.CustomSession(x.Text("checkout.id"), "session-"+name)
		b.settleWaits(all, name, locked(x, s), func() error {
			_, err := b.ConfirmCustom(paymentbed.Captured("session-"+name, "paid-"+name, "event-"+name))
			return err
		})
	}
}

// settleWaits locks a record of a table elsewhere and asserts that settle waits for the lock.
func (b *bed) settleWaits(all testservers.Inspector, table string, r ports.Ref, settle func() error) {
	b.T.Helper()
	release := b.lockElsewhere(r)
	settled := make(chan error, 1)
	go func() { settled <- settle() }()
	waits := waitingStatement(b.T, all, settled)
	if !strings.Contains(waits, "FOR UPDATE") || !strings.Contains(waits, `"`+table+`" r WHERE`) || !strings.Contains(waits, "r.id = ") {
		b.T.Errorf("%s: the settle waits in %q", table, waits)
	}
	release()
	if err := <-settled; err != nil {
		b.T.Errorf("%s: %v", table, err)
	}
}

// lockElsewhere holds the lock of a record in another transaction until release.
func (b *bed) lockElsewhere(r ports.Ref) (release func()) {
	held, done, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Records.Lock(ctx, r.Schema, r.ID)
			close(held)
			<-done
			return err
		})
	}()
	<-held
	return func() { close(done); <-ended }
}

const lockWaits = "SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"

// waitingStatement is the statement that waits for a lock; "" when settle ended without waiting.
func waitingStatement(t testing.TB, all testservers.Inspector, settled chan error) string {
	t.Helper()
	for {
		select {
		case err := <-settled:
			settled <- err
			return ""
		default:
		}
		if len(all.Rows(lockWaits)) > 0 {
			return strings.Join(all.Rows(lockWaits), " ") // again, because a statement and that it waits are not read at once
		}
	}
}
