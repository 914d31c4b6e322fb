package metering_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestMain(m *testing.M) { shops.Main(m) }

func TestQuotaResetsWithTheMonth(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		s.earlier(9_998)
		m := s.instance()
		s.clock.Store(time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC).UnixMilli())
		n, err := s.call(m, 5)
		f, _ := errors.AsType[*fault.Error](err)
		if n != 2 || !errors.Is(err, quota.ErrExceeded) || f.RetryAfter != time.Second {
			t.Fatalf("%d calls, then %+v", n, err)
		}
		k, err := m.Admit(t.Context(), metering.Caller{Principal: &s.shop})
		if err == nil || k.Limit != 10_000 || k.Used != 10_000 || k.Month.Reset() != time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) {
			t.Errorf("it stands at %+v, %v", k.LimitStatus, err)
		}
		s.flush(m)
		if used := s.used(m); used != 10_000 {
			t.Errorf("%d were counted", used)
		}
		s.clock.Add(999)
		if n, _ := s.call(m, 1); n != 0 {
			t.Error("the last instant belongs to the old month")
		}
		s.clock.Add(1)
		if n, err := s.call(m, 3); n != 3 {
			t.Errorf("the first instant belongs to the new month: %v", err)
		}
		s.flush(m)
		if used := s.used(m); used != 3 {
			t.Errorf("%d were counted in the new month", used)
		}
	})
}

func TestCountsSurviveRestart(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		m := s.instance()
		if n, err := s.call(m, 7); n != 7 {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop() // as the server does after its last response
		if err := m.Run(ctx, func(err error) { t.Error(err) }); err != nil {
			t.Fatal(err)
		}
		next := s.instance()
		if used := s.used(next); used != 7 {
			t.Errorf("%d are known after the restart", used)
		}
		k, err := next.Admit(t.Context(), metering.Caller{Principal: &s.shop})
		if err != nil || k.Used != 8 {
			t.Errorf("the next call is number %d, %v", k.Used, err)
		}
	})
}

func TestNoEarlyRefusalWithoutSharedCount(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		s.earlier(9_900)
		one, two := s.instance(), s.instance()
		for round := range 5 { // each instance learns the other's count with every flush
			for _, m := range []*metering.Meter{one, two} {
				if n, err := s.call(m, 10); n != 10 {
					t.Fatalf("round %d: %d, %v", round, n, err)
				}
			}
			s.flush(one, two, one)
		}
		for _, m := range []*metering.Meter{one, two} {
			if n, err := s.call(m, 10); n != 0 || !errors.Is(err, quota.ErrExceeded) {
				t.Errorf("beyond the limit: %d, %v", n, err)
			}
		}
		if used := s.used(one); used != 10_000 {
			t.Errorf("%d were counted", used)
		}
	})
}

func TestSharedCountNeverExceedsLimit(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		for {
			s := newFixture(t, store, tenant.Free)
			s.withRedis()
			var missed atomic.Bool
			s.shared = watched{s.shared, &missed}
			s.earlier(9_950)
			all := []*metering.Meter{s.instance(), s.instance(), s.instance()}
			in := s.crowd(all)
			s.flush(all...)
			used := s.used(all[0])
			if missed.Load() {
				continue
			}
			if in != 50 || used != 10_000 {
				t.Errorf("%d calls were admitted, 50 were left; %d were counted", in, used)
			}
			return
		}
	})
}

func TestUnattributedCallsAreNotCounted(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		for name, shared := range map[string]bool{"alone": false, "shared": true} {
			s := newFixture(t, store, tenant.Free)
			if shared {
				s.withRedis()
			}
			s.earlier(9_999)
			m := s.instance()
			for range 3 {
				k, err := m.Admit(t.Context(), metering.Caller{Principal: &s.shop})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				m.Done(k, false)
			}
			if n, _ := s.call(m, 2); n != 1 {
				t.Errorf("%s: the last call is left, not %d", name, n)
			}
			if used := s.used(m); used != 10_000 {
				t.Errorf("%s: %d were counted", name, used)
			}
		}
	})
}

func TestCallCountsForTheDayItArrived(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Enterprise)
		m := s.instance()
		s.clock.Store(time.Date(2026, 2, 1, 23, 59, 59, 0, time.UTC).UnixMilli())
		k, err := m.Admit(t.Context(), metering.Caller{Principal: &s.shop})
		if err != nil {
			t.Fatal(err)
		}
		s.clock.Add(2000)
		if n, _ := s.call(m, 2); n != 2 {
			t.Fatal("no limit, no refusal")
		}
		s.flush(m)
		m.Done(k, true)
		for range 2 { // stored or not makes no difference
			r, err := m.Usage(t.Context(), s.shop)
			if err != nil || r.Limit != quota.Unlimited || r.Used != 3 || len(r.Daily) != 2 || r.Daily[0].Count != 1 ||
				r.Daily[1].Count != 2 || r.Daily[0].Day.String() != "2026-02-01" {
				t.Errorf("%+v, %v", r, err)
			}
			s.flush(m)
		}
		if other := s.instance(); s.used(other) != 3 {
			t.Error("another instance knows of them")
		}
	})
}

// A platform admin can help a tenant at its limit, without using up its calls.
func TestPlatformAdminCallsAreNotCounted(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		s.burst = 3
		s.earlier(10_000)
		m := s.instance()
		root := metering.Caller{
			Principal: &tenant.Principal{Kind: tenant.User, ID: "root", Role: tenant.PlatformAdmin, Tenant: s.shop.Tenant},
		}
		if n := until(t, m, root, 9); n != 3 {
			t.Errorf("%d calls, the burst is 3", n)
		}
		s.flush(m)
		if used := s.used(m); used != 10_000 {
			t.Errorf("%d were counted", used)
		}
		if n, err := s.call(m, 1); n != 0 || !errors.Is(err, quota.ErrExceeded) {
			t.Errorf("the shop makes %d calls, %v", n, err)
		}
		k, err := m.Admit(t.Context(), metering.Caller{
			Principal: &tenant.Principal{Kind: tenant.User, ID: "a", Role: tenant.Admin, Tenant: s.shop.Tenant},
		})
		if !errors.Is(err, quota.ErrExceeded) || k.Limit != 10_000 {
			t.Errorf("its admin: %+v, %v", k.LimitStatus, err)
		}
	})
}

func TestWhoMayAskForUsage(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Pro)
		m := s.instance()
		shop := s.shop.Tenant
		for name, c := range map[string]struct {
			by   tenant.Principal
			want error
		}{
			"a key with the read scope":  {s.shop, nil},
			"a key with the write scope": {tenant.Principal{Kind: tenant.SecretKey, Tenant: shop, CanWrite: true}, fault.ErrForbidden},
			"a viewer":                   {tenant.Principal{Kind: tenant.User, Tenant: shop, Role: tenant.Viewer}, nil},
			"a user of no tenant":        {tenant.Principal{Kind: tenant.User}, fault.ErrUnauthenticated},
			"a client key":               {tenant.Principal{Kind: tenant.ClientKey, Tenant: shop}, fault.ErrForbidden},
			"a customer":                 {tenant.Principal{Kind: tenant.Customer, Tenant: shop}, fault.ErrForbidden},
			"nobody":                     {tenant.Principal{Kind: tenant.Anonymous}, fault.ErrUnauthenticated},
		} {
			if _, err := m.Usage(t.Context(), c.by); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
