package metering_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// visits makes calls of shoppers from an address until one is refused for the address's share, and returns how
// many were admitted.
func (s *fixture) visits(m *metering.Meter, kind tenant.Kind, address string) (n int) {
	s.Helper()
	p := s.shop
	p.Kind = kind
	for n < 20_000 {
		k, err := m.Admit(s.Context(), metering.Caller{Principal: &p, Address: address})
		if errors.Is(err, quota.ErrVisitorShare) {
			return n
		}
		if err != nil {
			s.Fatal(err)
		}
		m.Done(k, true)
		n++
	}
	return n
}

func TestVisitorsOfAnAddressHaveAShare(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		m := s.instance()
		if n := s.visits(m, tenant.ClientKey, "198.51.100.1"); n != 1000 {
			t.Errorf("one address made %d calls", n)
		}
		if n := s.visits(m, tenant.Customer, "198.51.100.1"); n != 0 {
			t.Errorf("logged in, the same address made %d more", n)
		}
		if n := s.visits(m, tenant.ClientKey, "198.51.100.2"); n != 1000 {
			t.Errorf("another address made %d calls", n)
		}
		k, err := m.Admit(t.Context(), metering.Caller{Principal: &s.shop, Address: "198.51.100.1"})
		if err != nil || k.Used != 2001 {
			t.Errorf("the shop's own: %d calls, %v", k.Used, err)
		}
		s.clock.Store(february.Add(12 * time.Hour).UnixMilli())
		if n := s.visits(m, tenant.ClientKey, "198.51.100.1"); n != 1000 {
			t.Errorf("on the next day it made %d calls", n)
		}
	})
}

func TestInstancesShareTheCountsOfVisitors(t *testing.T) {
	t.Parallel()
	s := newFixture(t, shops.SQLite(), tenant.Free)
	s.withRedis()
	first, second := s.instance(), s.instance()
	if n := s.visits(first, tenant.ClientKey, "198.51.100.1"); n != 1000 {
		t.Fatalf("%d calls", n)
	}
	p := s.shop
	p.Kind = tenant.ClientKey
	for range 100 { // enough to be told of
		if _, err := second.Admit(t.Context(), metering.Caller{Principal: &p, Address: "198.51.100.1"}); err != nil {
			t.Fatal(err)
		}
	}
	s.flush(first, second)
	if n := s.visits(second, tenant.ClientKey, "198.51.100.1"); n != 0 {
		t.Errorf("another instance admitted %d more", n)
	}
}

// What is admitted beyond a quota counts, and makes no room for anything else.
func TestCallsBeyondTheQuotaCount(t *testing.T) {
	t.Parallel()
	s := newFixture(t, shops.SQLite(), tenant.Free)
	m := s.instance()
	s.earlier(10_000)
	for want := range int64(3) {
		k, err := m.Admit(t.Context(), metering.Caller{Principal: &s.shop})
		if !errors.Is(err, quota.ErrExceeded) {
			t.Fatal(err)
		}
		m.Done(m.AdmitBeyondQuota(k), true)
		if used := s.used(m); used != 10_001+want {
			t.Errorf("%d calls are counted", used)
		}
	}
}
