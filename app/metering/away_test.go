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

func TestWhatRedisLosesIsToldToItAgain(t *testing.T) {
	shops.Both(t, func(t *testing.T, store *sqlstore.Store) {
		s := newScene(t, store, tenant.Free)
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

// watched notes when Redis missed its time, which on a busy machine it may.
type watched struct {
	ports.SharedCount

	away *atomic.Bool
}

// Take implements ports.SharedCount.
func (w watched) Take(ctx context.Context, id tenant.ID, m quota.Month, h ports.Holding, limit int64) (used int64, admitted bool, err error) {
	used, admitted, err = w.SharedCount.Take(ctx, id, m, h, limit)
	if errors.Is(err, ports.ErrCountAway) {
		w.away.Store(true)
	}
	return used, admitted, err
}

func TestWithoutRedisCallsAreAnswered(t *testing.T) {
	shops.Both(t, func(t *testing.T, store *sqlstore.Store) {
		s := newScene(t, store, tenant.Free)
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

// away is usage that does not answer.
type away struct {
	ports.Usage

	is *atomic.Bool
}

var errAway = errors.New("the database does not answer")

// Keep implements ports.Usage.
func (a away) Keep(ctx context.Context, counter string, counts []ports.Calls) error {
	if a.is.Load() {
		return errAway
	}
	return a.Usage.Keep(ctx, counter, counts)
}

// Elsewhere implements ports.Usage.
func (a away) Elsewhere(ctx context.Context, counter string, tenants []tenant.ID, m quota.Month) (map[tenant.ID]int64, error) {
	if a.is.Load() {
		return nil, errAway
	}
	return a.Usage.Elsewhere(ctx, counter, tenants, m)
}

// A database that is away refuses no call, and is told of all of them when it is back.
func TestWithoutTheDatabaseCallsAreCounted(t *testing.T) {
	shops.Both(t, func(t *testing.T, store *sqlstore.Store) {
		s := newScene(t, store, tenant.Free)
		s.earlier(9_000)
		var gone atomic.Bool
		gone.Store(true)
		s.usage = away{s.usage, &gone}
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
