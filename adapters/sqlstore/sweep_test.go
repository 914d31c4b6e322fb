package sqlstore_test

import (
	"cmp"
	"context"
	"database/sql"
	"log/slog"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// A holder whose reservations cannot be released waits by itself: the sweep comes back to the others as often as before.
// A level that is lower than what is reserved of it stands for whatever makes the database refuse. Rule running-14.
func TestHolderThatCannotBeReleasedKeepsNoOtherFromIt(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
			o := options(t)
			runner := background.New(background.Options{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
			o.Background = runner
			s := open(t, o, portstest.ScratchRegistry())
			reserve := func(holder, variant string) {
				t.Helper()
				atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
					return tx.Stock.Reserve(ctx, "t1", tenant.Live, holder, []ports.Demand{{Variant: variant, Quantity: 2}}, now)
				})
			}
			for _, variant := range []string{"broken", "sound"} {
				atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
					return tx.Stock.Set(ctx, "t1", tenant.Live, "p", variant, ports.StockLevel{OnHand: 10, Tracked: true}, ports.StockCause{})
				})
			}
			reserve("poison", "broken")
			breakLevel(t, o)
			for i := range 3 {
				reserve("customer", "sound")
				swept, err := s.Sweep(t.Context(), now)
				if swept.ReservationHolders != 1 {
					t.Errorf("sweep %d released %d holders beside the poisonous one: %v", i+1, swept.ReservationHolders, err)
				}
				if i == 0 && err == nil {
					t.Error("the poisonous holder was released")
				}
			}
			for _, task := range runner.Stats() {
				if want := map[string]int64{"expired reservations": 1}[task.Task]; task.Failures != want {
					t.Errorf("%s failed %d times, want %d", task.Task, task.Failures, want)
				}
			}
		})
	}
}

// breakLevel has nothing of the broken variant count as reserved.
func breakLevel(t *testing.T, o sqlstore.Options) {
	t.Helper()
	driver := "pgx"
	if o.URL == "" {
		driver = "sqlite"
	}
	db, err := sql.Open(driver, cmp.Or(o.URL, "file:"+o.Path+"?_pragma=busy_timeout(10000)"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "UPDATE stock SET reserved = 0 WHERE variant = 'broken'"); err != nil {
		t.Fatal(err)
	}
}
