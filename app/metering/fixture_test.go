package metering_test

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// february is the second start time of tests: the last day of a month.
var february = time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)

// fixture is a tenant on a plan, and the instances that serve it.
type fixture struct {
	*testing.T

	usage  ports.Usage
	shared ports.SharedCounter // nil: not used
	clock  atomic.Int64
	shop   tenant.Principal
	burst  int

	silence time.Duration
}

func newFixture(t *testing.T, store *sqlstore.Store, plan tenant.Plan) *fixture {
	t.Helper()
	s := &fixture{T: t, usage: store.Usage()}
	s.clock.Store(february.UnixMilli())
	s.shop = tenant.Principal{
		Kind: tenant.SecretKey, ID: shops.NewID(), CanRead: true, Tenant: tenant.Settings{ID: tenant.ID(shops.NewID()), Plan: plan},
	}
	return s
}

// withRedis makes the instances share a Redis.
func (s *fixture) withRedis() *testservers.Server {
	s.Helper()
	server, err := testservers.StartRedis(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = server.Stop() })
	s.shared = s.countAt(server.URL, time.Minute) // however busy the machine is
	return server
}

func (s *fixture) countAt(url string, timeout time.Duration) ports.SharedCounter {
	s.Helper()
	client, err := redis.ConnectWithTimeout(url, slog.New(slog.DiscardHandler), timeout)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = client.Close() })
	return redis.NewSharedCounter(client, "test:")
}

func (s *fixture) now() time.Time { return time.UnixMilli(s.clock.Load()).UTC() }

func (s *fixture) instance() *metering.Meter {
	return metering.New(metering.Options{
		UsageStore: s.usage, Shared: s.shared, CounterID: shops.NewID(), Burst: s.burst, Now: s.now, InactiveAfter: s.silence,
	})
}

// earlier stores that many calls counted by an instance that no longer exists.
func (s *fixture) earlier(calls int64) {
	s.Helper()
	row := ports.CallCount{Tenant: s.shop.Tenant.ID, Day: quota.DayOf(s.now()), Count: calls}
	if err := s.usage.Save(s.Context(), "earlier", []ports.CallCount{row}); err != nil {
		s.Fatal(err)
	}
}

// call makes calls until one is refused, at most n, and returns how many were admitted.
func (s *fixture) call(m *metering.Meter, n int) (admitted int, refusal error) {
	s.Helper()
	for range n {
		k, err := m.Admit(s.Context(), metering.Caller{Principal: &s.shop})
		if err != nil {
			return admitted, err
		}
		m.Done(k, true)
		admitted++
	}
	return admitted, nil
}

func (s *fixture) flush(all ...*metering.Meter) {
	s.Helper()
	for _, m := range all {
		if err := m.Flush(s.Context()); err != nil {
			s.Fatal(err)
		}
	}
}

// used is what the usage report says.
func (s *fixture) used(m *metering.Meter) int64 {
	s.Helper()
	r, err := m.Usage(s.Context(), s.shop)
	if err != nil {
		s.Fatal(err)
	}
	return r.Used
}

// crowd makes 120 concurrent calls and returns how many were admitted.
func (s *fixture) crowd(all []*metering.Meter) int64 {
	s.Helper()
	var in atomic.Int64
	shops.Concurrently(120, func(i int) {
		m := all[i%len(all)]
		k, err := m.Admit(s.Context(), metering.Caller{Principal: &s.shop})
		switch {
		case err == nil:
			in.Add(1)
			m.Done(k, true)
		case !errors.Is(err, quota.ErrExceeded):
			s.Error(err)
		}
	})
	return in.Load()
}
