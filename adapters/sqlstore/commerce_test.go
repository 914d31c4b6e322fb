package sqlstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestCommercePorts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		store := func(*testing.T) ports.Store { return s }
		t.Run("stock", func(t *testing.T) { portstest.Stock(t, store) })
		t.Run("uses", func(t *testing.T) { portstest.Uses(t, store) })
		t.Run("ledger", func(t *testing.T) { portstest.Ledger(t, store) })
		t.Run("journal", func(t *testing.T) { portstest.Journal(t, store) })
		t.Run("receipts", func(t *testing.T) { portstest.Receipts(t, store) })
		t.Run("claims", func(t *testing.T) {
			portstest.Claims(t, func(*testing.T) portstest.ClaimsBed { return portstest.ClaimsBed{Store: s, Claims: s.Claims()} })
		})
	})
}

func TestSweepEndsPromisesPastTheirTimeOnly(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		reserve := func(holder string, until time.Time) {
			t.Helper()
			atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
				return tx.Stock.Reserve(ctx, "t1", tenant.Live, holder, []ports.Demand{{Variant: "v", Quantity: 2}}, until)
			})
		}
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Set(ctx, "t1", tenant.Live, "p", "v", ports.Level{OnHand: 10, Tracked: true})
		})
		reserve("overdue", now)
		reserve("running", now.Add(time.Second))
		reserve("renewed", now)
		reserve("renewed", now.Add(time.Second))
		if swept, err := s.Sweep(t.Context(), now); err != nil || swept.Holders != 1 || swept.More() {
			t.Errorf("swept %+v, %v; want one holder", swept, err)
		}
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{"v"})
			if want := (ports.Level{OnHand: 10, Reserved: 4, Tracked: true}); levels["v"] != want {
				t.Errorf("stock %+v, want %+v", levels["v"], want)
			}
			return err
		})
	})
}

func TestSweepForgetsReceiptsPastTheirExpiry(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		expiries := []time.Time{now, now.Add(time.Second), {}}
		for i, at := range expiries {
			atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
				return tx.Receipts.Keep(ctx, ports.Receipt{Tenant: "t1", Key: ports.ReceiptKey{byte(i)}, Result: ports.OK, At: now, Expires: at}, 0)
			})
		}
		if swept, err := s.Sweep(t.Context(), now); err != nil || swept.Receipts != 1 {
			t.Errorf("swept %+v, %v; want one receipt", swept, err)
		}
		for i, want := range []error{ports.ErrAbsent, nil, nil} {
			if _, err := s.Read(ports.Of("t1")).Receipt(t.Context(), ports.ReceiptKey{byte(i)}); !errors.Is(err, want) {
				t.Errorf("receipt %d: %v, want %v", i, err, want)
			}
		}
	})
}

func TestSweepForgetsRevocationsWhenTheirTokensHaveExpired(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		for jti, until := range map[string]time.Time{"long over": now.Add(-2 * time.Hour), "just over": now, "alive": now.Add(time.Hour)} {
			if err := s.Revoke(t.Context(), jti, now.Add(-3*time.Hour), until); err != nil {
				t.Fatal(err)
			}
		}
		if swept, err := s.Sweep(t.Context(), now); err != nil || swept.Revocations != 1 || swept.More() {
			t.Errorf("swept %+v, %v; want one revocation", swept, err)
		}
		if revoked, err := s.Revoked(t.Context(), "alive", now); err != nil || !revoked {
			t.Errorf("a living token came back: %v", err)
		}
	})
}

func TestTheBooksTellWhenMoreWentBackThanCameIn(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		move := func(id, kind string, minor int64) {
			t.Helper()
			atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
				return tx.Ledger.Append(ctx, ports.Movement{ID: id, Tenant: "t1", Environment: tenant.Live, Type: kind, Amount: money.Money{Minor: minor, Currency: "EUR"}, Reference: id, Order: "o1", At: time.Unix(0, 0)})
			})
		}
		move("m1", "charge", 10)
		move("m2", "refund", 10)
		if wrong, err := s.CheckBooks(t.Context()); err != nil || len(wrong) != 0 {
			t.Errorf("balanced books: %v, %v", wrong, err)
		}
		move("m3", "refund", 1)
		wrong, err := s.CheckBooks(t.Context())
		if want := (sqlstore.Imbalance{Tenant: "t1", Environment: tenant.Live, Order: "o1", Currency: "EUR", Minor: -1}); err != nil || len(wrong) != 1 || wrong[0] != want {
			t.Errorf("books %v, %v; want %v", wrong, err, want)
		}
	})
}

func TestTheBooksRefuseToBeRewritten(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			return tx.Ledger.Append(ctx, ports.Movement{ID: "m1", Tenant: "t1", Environment: tenant.Live, Type: "charge", Amount: money.Money{Minor: 10, Currency: "EUR"}, Order: "o1", At: time.Unix(0, 0)})
		})
		for _, sql := range []string{"UPDATE money_movements SET minor = 1", "DELETE FROM money_movements"} {
			if err := s.Exec(t.Context(), "t1", sql); err == nil {
				t.Errorf("%s was carried out", sql)
			}
		}
	})
}

func atomically(t testing.TB, s *sqlstore.Store, fn func(context.Context, ports.Tx) error) {
	t.Helper()
	if err := s.Atomically(t.Context(), ports.Of("t1"), fn); err != nil {
		t.Fatal(err)
	}
}
