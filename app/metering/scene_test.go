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

// february is the second instant that a test plays in: a month's last day.
var february = time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)

// scene is a shop on a plan, and the instances that serve it.
type scene struct {
	*testing.T

	usage  ports.Usage
	shared ports.SharedCount // nil: none
	clock  atomic.Int64
	shop   tenant.Principal
	burst  int

	silence time.Duration
}

func newScene(t *testing.T, store *sqlstore.Store, plan tenant.Plan) *scene {
	t.Helper()
	s := &scene{T: t, usage: store.Usage()}
	s.clock.Store(february.UnixMilli())
	s.shop = tenant.Principal{Kind: tenant.SecretKey, ID: shops.NewID(), CanRead: true, Tenant: tenant.Facts{ID: tenant.ID(shops.NewID()), Plan: plan}}
	return s
}

// withRedis has the instances share a Redis.
func (s *scene) withRedis() *testservers.Server {
	s.Helper()
	server, err := testservers.StartRedis(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = server.Stop() })
	s.shared = s.countAt(server.URL)
	return server
}

func (s *scene) countAt(url string) ports.SharedCount {
	s.Helper()
	client, err := redis.Connect(url, slog.New(slog.DiscardHandler))
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = client.Close() })
	return redis.NewCalls(client, "test:")
}

func (s *scene) now() time.Time { return time.UnixMilli(s.clock.Load()).UTC() }

func (s *scene) instance() *metering.Meter {
	return metering.New(metering.Options{Counts: s.usage, Shared: s.shared, Counter: shops.NewID(), Burst: s.burst, Now: s.now, Silence: s.silence})
}

// earlier has an instance that is gone have counted so many calls.
func (s *scene) earlier(calls int64) {
	s.Helper()
	row := ports.Calls{Tenant: s.shop.Tenant.ID, Day: quota.DayOf(s.now()), Count: calls}
	if err := s.usage.Keep(s.Context(), "earlier", []ports.Calls{row}); err != nil {
		s.Fatal(err)
	}
}

// call makes calls until one is refused, at most n, and returns how many were admitted.
func (s *scene) call(m *metering.Meter, n int) (admitted int, refusal error) {
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

func (s *scene) flush(all ...*metering.Meter) {
	s.Helper()
	for _, m := range all {
		if err := m.Flush(s.Context()); err != nil {
			s.Fatal(err)
		}
	}
}

// used is what a report says.
func (s *scene) used(m *metering.Meter) int64 {
	s.Helper()
	r, err := m.Usage(s.Context(), s.shop)
	if err != nil {
		s.Fatal(err)
	}
	return r.Used
}

// crowd makes 120 calls at once and returns how many were admitted.
func (s *scene) crowd(all []*metering.Meter) int64 {
	s.Helper()
	var in atomic.Int64
	shops.Together(120, func(i int) {
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
