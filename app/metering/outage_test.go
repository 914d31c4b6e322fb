package metering_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestLostSharedCountIsRestored(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		server := s.withRedis()
		s.earlier(9_980)
		one, two := s.instance(), s.instance()
		for _, m := range []*metering.Meter{one, two} {
			if n, err := s.call(m, 5); n != 5 {
				t.Fatal(err)
			}
		}
		if err := server.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.flush(one, two)
		if n, _ := s.call(one, 20); n != 10 {
			t.Errorf("%d were admitted, 10 were left", n)
		}
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
		s.flush(one, two)
		for _, m := range []*metering.Meter{one, two} {
			if n, err := s.call(m, 1); n != 0 || !errors.Is(err, quota.ErrExceeded) {
				t.Errorf("without Redis: %d, %v", n, err)
			}
		}
	})
}

// watched notes when Redis timed out, which may happen on a busy machine.
type watched struct {
	ports.SharedCounter

	away *atomic.Bool
}

// Admit implements ports.SharedCounter.
func (w watched) Admit(
	ctx context.Context, id tenant.ID, m quota.Month, h ports.CounterState, limit int64,
) (used int64, admitted bool, err error) {
	used, admitted, err = w.SharedCounter.Admit(ctx, id, m, h, limit)
	if errors.Is(err, ports.ErrCountUnavailable) {
		w.away.Store(true)
	}
	return used, admitted, err
}

func TestCallsAreAdmittedWithoutRedis(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		server := s.withRedis()
		s.earlier(9_980)
		one, two := s.instance(), s.instance()
		for _, m := range []*metering.Meter{one, two} {
			if n, err := s.call(m, 5); n != 5 {
				t.Fatal(err)
			}
		}
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
		s.flush(one, two, one)
		for _, m := range []*metering.Meter{one, two} {
			if n, err := s.call(m, 5); n != 5 {
				t.Errorf("below the limit: %d, %v", n, err)
			}
		}
		s.flush(one, two, one)
		for _, m := range []*metering.Meter{one, two} {
			if n, err := s.call(m, 1); n != 0 || !errors.Is(err, quota.ErrExceeded) {
				t.Errorf("at the limit: %d, %v", n, err)
			}
		}
	})
}

// unavailableUsage is usage storage that fails.
type unavailableUsage struct {
	ports.Usage

	is *atomic.Bool
}

var errAway = errors.New("the database does not answer")

// Save implements ports.Usage.
func (a unavailableUsage) Save(ctx context.Context, counter string, counts []ports.CallCount) error {
	if a.is.Load() {
		return errAway
	}
	return a.Usage.Save(ctx, counter, counts)
}

// SumOthers implements ports.Usage.
func (a unavailableUsage) SumOthers(ctx context.Context, counter string, tenants []tenant.ID, m quota.Month) (map[tenant.ID]int64, error) {
	if a.is.Load() {
		return nil, errAway
	}
	return a.Usage.SumOthers(ctx, counter, tenants, m)
}

// While the database is down no call is refused, and all of them are stored when it is back.
func TestCallsAreCountedWhileDatabaseIsDown(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		s.earlier(9_000)
		var gone atomic.Bool
		gone.Store(true)
		s.usage = unavailableUsage{s.usage, &gone}
		m := s.instance()
		if n, err := s.call(m, 20); n != 20 {
			t.Fatalf("%d, %v", n, err)
		}
		if err := m.Flush(t.Context()); !errors.Is(err, errAway) {
			t.Error(err)
		}
		gone.Store(false)
		s.flush(m, m)
		if used := s.used(s.instance()); used != 9_020 {
			t.Errorf("%d were counted", used)
		}
		if k, err := m.Admit(t.Context(), metering.Caller{Principal: &s.shop}); err != nil || k.Used != 9_021 {
			t.Errorf("%d, %v", k.Used, err)
		}
	})
}
