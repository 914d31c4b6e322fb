package program

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestDatabaseClockContinuesTheDatabasesTime(t *testing.T) {
	t.Parallel()
	instance := time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC) // an hour ahead
	database := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	took, failure := time.Duration(0), error(nil)
	pass := func(d time.Duration) { instance, database = instance.Add(d), database.Add(d) }
	ask := func(context.Context) (time.Time, error) {
		pass(took / 2)
		shown := database
		pass(took - took/2)
		took += time.Second // the next answer is slower
		return shown, failure
	}
	c := newDatabaseClock(func() time.Time { return instance })
	if !c.Now().Equal(instance) {
		t.Error("before it was read, it shows", c.Now())
	}
	read := func(takes time.Duration) {
		t.Helper()
		took = takes
		if err := c.read(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
	}
	want := func(when string, want time.Time) {
		t.Helper()
		if got := c.Now(); !got.Equal(want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	read(time.Second / 2)
	want("read", database)
	pass(time.Minute)
	want("a minute later", database)
	database = database.Add(time.Minute) // somebody set it
	read(2 * time.Second)
	want("after a reading that took too long", database.Add(-time.Minute))
	read(0)
	want("after the next", database)
	failure = errors.New("unreachable")
	if err := c.read(t.Context(), ask); !errors.Is(err, failure) {
		t.Error(err)
	}
	want("while the database cannot be reached", database)
}

// The clock of one instance is an hour ahead. Nothing ends there that lasts elsewhere: no reservation, no login.
func TestAnInstanceWhoseClockIsAheadEndsNothing(t *testing.T) {
	testservers.OnBothDatabases(t, func(t *testing.T) {
		instanceAhead(t, "")
	}, func(t *testing.T) {
		instanceAhead(t, migratedDB.Postgres(t))
	})
}

func instanceAhead(t *testing.T, database string) {
	t.Helper()
	c := testDefaults()
	c.Address, c.Data, c.Database, c.TokenExpiration = "127.0.0.1:0", t.TempDir(), database, 1800
	s, err := build(t.Context(), c, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	shop := tenant.ID(s.NewCredentials.TenantID)
	login, err := s.access.LoginUser(t.Context(), access.Login{Email: s.NewCredentials.AdminEmail, Password: s.NewCredentials.AdminPassword})
	if err != nil {
		t.Fatal(err)
	}
	units := []ports.Demand{{Variant: "lamp", Quantity: 2}}
	inTenant(t, s, shop, func(ctx context.Context, tx ports.Tx) error {
		level := ports.StockLevel{OnHand: 5, Tracked: true}
		if err := tx.Stock.Set(ctx, shop, tenant.Live, "lamp", "lamp", level, ports.StockCause{Kind: inventory.Initial}); err != nil {
			return err
		}
		return tx.Stock.Reserve(ctx, shop, tenant.Live, "checkout", units, time.Now().Add(time.Minute))
	})

	s.clock.instance = func() time.Time { return time.Now().Add(time.Hour) }
	s.readClock(t.Context())
	s.sweep(t.Context())
	inTenant(t, s, shop, func(ctx context.Context, tx ports.Tx) error {
		levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{"lamp"})
		if levels["lamp"].Reserved != 2 {
			t.Errorf("the reservation has ended: %+v", levels["lamp"])
		}
		return err
	})
	if _, err := s.access.Authenticate(t.Context(), access.Credentials{Bearer: login.Token}); err != nil {
		t.Errorf("the login has ended: %v", err)
	}
}

func inTenant(t *testing.T, s *Server, id tenant.ID, fn func(context.Context, ports.Tx) error) {
	t.Helper()
	if err := s.store.Atomically(t.Context(), ports.ForTenant(id), fn); err != nil {
		t.Fatal(err)
	}
}
