package metering_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// untouchedUsage fails the test if it is used.
type untouchedUsage struct{ t testing.TB }

func (u untouchedUsage) Save(context.Context, string, []ports.CallCount) error {
	u.t.Error("it was written")
	return nil
}

func (u untouchedUsage) SumOthers(context.Context, string, []tenant.ID, quota.Month) (map[tenant.ID]int64, error) {
	u.t.Error("it was read")
	return nil, nil
}

func (u untouchedUsage) ByCounter(context.Context, tenant.ID, quota.Month) (map[string]int64, error) {
	u.t.Error("it was read")
	return nil, nil
}

func (u untouchedUsage) SumOthersByDay(context.Context, string, tenant.ID, quota.Month) (map[quota.Day]int64, error) {
	u.t.Error("it was read")
	return nil, nil
}

// until makes calls until one is refused, and returns how many were admitted.
func until(t *testing.T, m *metering.Meter, c metering.Caller, most int) (n int) {
	t.Helper()
	for n < most {
		k, err := m.Admit(t.Context(), c)
		switch {
		case errors.Is(err, fault.ErrRateLimited):
			return n
		case err != nil:
			t.Fatal(err)
		}
		m.Done(k, true)
		n++
	}
	return n
}

func TestBurstLimitIsPerCaller(t *testing.T) {
	t.Parallel()
	shop := tenant.Settings{ID: "t1", Plan: tenant.Enterprise}
	who := func(kind tenant.Kind, id string) *tenant.Principal {
		return &tenant.Principal{Kind: kind, ID: id, Tenant: shop}
	}
	now := february
	m := metering.New(metering.Options{UsageStore: untouchedUsage{t}, Burst: 10, Now: func() time.Time { return now }})
	visitor := who(tenant.ClientKey, "key")
	for _, c := range []struct {
		name   string
		caller metering.Caller
		want   int
	}{
		{"a secret key", metering.Caller{Principal: who(tenant.SecretKey, "s1"), Address: "a1"}, 10},
		{"the same key from another address", metering.Caller{Principal: who(tenant.SecretKey, "s1"), Address: "a2"}, 0},
		{"another secret key", metering.Caller{Principal: who(tenant.SecretKey, "s2"), Address: "a1"}, 10},
		{"a user", metering.Caller{Principal: who(tenant.User, "u1"), Address: "a1"}, 10},
		{"a customer", metering.Caller{Principal: who(tenant.Customer, "u1"), Address: "a1"}, 10},
		{"a visitor", metering.Caller{Principal: visitor, Address: "v1"}, 10},
		{"with an invented token", metering.Caller{Principal: visitor, Address: "v1", Token: "ct_1"}, 0},
		{"another visitor", metering.Caller{Principal: visitor, Address: "v2"}, 10},
		{"a caller with a cart token", metering.Caller{Principal: visitor, Address: "v3", Token: "ct_2"}, 10},
		{"a cart token used from many addresses", metering.Caller{Principal: visitor, Address: "v4", Token: "ct_2"}, 0},
	} {
		if got := until(t, m, c.caller, 20); got != c.want {
			t.Errorf("%s makes %d calls, want %d", c.name, got, c.want)
		}
	}
	now = now.Add(20 * time.Second)
	k, err := m.Admit(t.Context(), metering.Caller{Principal: visitor, Address: "v2"})
	f, _ := errors.AsType[*fault.Error](err)
	if f == nil || !f.Retryable || f.RetryAfter != 40*time.Second || f.Data["limit"] != int64(10) || k.Burst != 10 || k.BurstLeft != 0 {
		t.Errorf("%+v %+v", k.LimitStatus, err)
	}
	now = now.Add(40 * time.Second)
	if k, err := m.Admit(t.Context(), metering.Caller{Principal: visitor, Address: "v2"}); err != nil || k.BurstLeft != 9 {
		t.Errorf("a minute later: %+v, %v", k.LimitStatus, err)
	}
}

func TestRefusedBurstIsNotCounted(t *testing.T) {
	t.Parallel()
	s := newFixture(t, shops.SQLite(), tenant.Free)
	s.burst = 3
	m := s.instance()
	if n := until(t, m, metering.Caller{Principal: &s.shop}, 9); n != 3 {
		t.Errorf("%d were admitted", n)
	}
	if used := s.used(m); used != 3 {
		t.Errorf("%d were counted", used)
	}
}

func TestInstancesShareBurstCounts(t *testing.T) {
	t.Parallel()
	s := newFixture(t, shops.SQLite(), tenant.Enterprise)
	s.burst = 100
	s.withRedis()
	one, two := s.instance(), s.instance()
	c := metering.Caller{Principal: &s.shop}
	until(t, one, c, 60)
	until(t, two, c, 30)
	s.flush(one, two, one)
	if n := until(t, two, c, 100); n != 10 {
		t.Errorf("%d more calls by the other instance, want 10", n)
	}
	s.clock.Add(time.Minute.Milliseconds())
	s.flush(one, two)
	if n := until(t, two, c, 100); n != 100 {
		t.Errorf("%d calls a minute later", n)
	}
}

// The memory that callers with many addresses can use is bounded.
func TestBurstKeysAreBounded(t *testing.T) {
	t.Parallel()
	m := metering.New(metering.Options{UsageStore: untouchedUsage{t}, Burst: 1, Now: func() time.Time { return february }})
	p := &tenant.Principal{Kind: tenant.ClientKey, ID: "key", Tenant: tenant.Settings{ID: "t1", Plan: tenant.Enterprise}}
	var refused [2]int
	for round := range refused {
		for i := range 200_000 {
			if _, err := m.Admit(t.Context(), metering.Caller{Principal: p, Address: strconv.Itoa(i)}); err != nil {
				refused[round]++
			}
		}
	}
	if refused[0] != 0 || refused[1] == 0 || refused[1] > 128_000 {
		t.Errorf("refused were %d first calls, and of the second calls %d: as many are remembered", refused[0], refused[1])
	}
}

// BenchmarkCall measures the cost of counting one call: at most 2 µs. Decision 22.
func BenchmarkCall(b *testing.B) {
	for name, c := range map[string]struct {
		plan tenant.Plan
		kind tenant.Kind
	}{
		"no limit": {tenant.Enterprise, tenant.SecretKey}, "a limit": {tenant.Pro, tenant.SecretKey},
		"a visitor": {tenant.Enterprise, tenant.ClientKey},
	} {
		b.Run(name, func(b *testing.B) {
			m := metering.New(metering.Options{UsageStore: none{}, Burst: 1 << 30, Now: time.Now})
			p := &tenant.Principal{Kind: c.kind, ID: shops.NewID(), Tenant: tenant.Settings{ID: tenant.ID(shops.NewID()), Plan: c.plan}}
			b.ReportAllocs()
			for b.Loop() {
				k, err := m.Admit(b.Context(), metering.Caller{Principal: p, Address: "192.0.2.1", Token: "ct_0123456789"})
				if err != nil && c.plan == tenant.Enterprise {
					b.Fatal(err)
				}
				if err == nil {
					m.Done(k, true)
				}
			}
		})
	}
}

// none is usage without any data.
type none struct{}

func (none) Save(context.Context, string, []ports.CallCount) error { return nil }

func (none) SumOthers(context.Context, string, []tenant.ID, quota.Month) (map[tenant.ID]int64, error) {
	return map[tenant.ID]int64{}, nil
}

func (none) ByCounter(context.Context, tenant.ID, quota.Month) (map[string]int64, error) {
	return map[string]int64{}, nil
}

func (none) SumOthersByDay(context.Context, string, tenant.ID, quota.Month) (map[quota.Day]int64, error) {
	return map[quota.Day]int64{}, nil
}
