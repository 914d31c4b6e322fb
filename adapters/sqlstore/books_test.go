package sqlstore_test

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestTheBooksAreReadPageByPage(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, at := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		move := func(id, kind, order string, minor int64) ports.Movement {
			m := ports.Movement{
				ID: id, Tenant: "t1", Environment: tenant.Live, Type: kind, Amount: money.Of(minor, "EUR"), Provider: "toss", Account: "a", Reference: id,
				Checkout: "c", Order: order, At: at,
			}
			atomically(t, s, func(ctx context.Context, tx ports.Tx) error { return tx.Ledger.Append(ctx, m) })
			return m
		}
		want := []ports.Movement{move("m1", "charge", "o1", 10), move("m2", "refund", "o1", 3), move("m3", "charge", "", 7), move("m4", "charge", "o2", 1)}
		want[2].Order = "o2"
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error { return tx.Ledger.Assign(ctx, want[2]) })
		for after, rest := range map[string][]ports.Movement{"": want[:2], "m2": want[2:], "m4": nil} {
			got, err := s.Books().Movements(t.Context(), "t1", after, 2)
			if err != nil || len(got) != len(rest) {
				t.Fatalf("after %q: %v %v", after, got, err)
			}
			for i, m := range got {
				if m.At = m.At.UTC(); m != rest[i] {
					t.Errorf("after %q: %+v, want %+v", after, m, rest[i])
				}
			}
		}
		got, err := s.Books().Balances(t.Context(), "t1", []string{"o1", "o2", "o3"})
		if err != nil || len(got) != 2 || !maps.Equal(got["o1"], map[money.Currency]int64{"EUR": 7}) || !maps.Equal(got["o2"], map[money.Currency]int64{"EUR": 8}) {
			t.Errorf("%v %v", got, err)
		}
		if other, err := s.Books().Movements(t.Context(), "t2", "", 9); err != nil || len(other) != 0 {
			t.Errorf("another shop reads %v, %v", other, err)
		}
	})
}

func TestStockThatForgotAPromiseIsFound(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			for _, v := range []string{"v1", "v2"} {
				if err := tx.Stock.Set(ctx, "t1", tenant.Live, "p", v, ports.Level{OnHand: 10, Tracked: true}); err != nil {
					return err
				}
			}
			return tx.Stock.Reserve(ctx, "t1", tenant.Live, "c1", []ports.Demand{{Variant: "v1", Quantity: 2}}, time.Now().Add(time.Hour))
		})
		if got, err := s.Books().Drift(t.Context(), "t1"); err != nil || len(got) != 0 {
			t.Errorf("%v %v", got, err)
		}
		if err := s.Exec(t.Context(), "t1", "UPDATE stock SET reserved = 3 WHERE variant = 'v1' AND environment = 'live'"); err != nil {
			t.Fatal(err)
		}
		want := ports.Drifted{Place: ports.Place{Environment: tenant.Live, Variant: "v1"}, Reserved: 3, Promised: 2}
		if got, err := s.Books().Drift(t.Context(), "t1"); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%v %v", got, err)
		}
	})
}
