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
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// forgetfulShared counts how often Redis gave no response.
type forgetfulShared struct {
	ports.SharedCounter

	n *atomic.Int64
}

// Admit implements ports.SharedCounter.
func (m forgetfulShared) Admit(
	ctx context.Context, id tenant.ID, month quota.Month, h ports.CounterState, limit int64,
) (used int64, admitted bool, err error) {
	used, admitted, err = m.SharedCounter.Admit(ctx, id, month, h, limit)
	if errors.Is(err, ports.ErrCountUnavailable) {
		m.n.Add(1)
	}
	return used, admitted, err
}

// admit admits a call that stays in flight.
func (s *fixture) admit(m *metering.Meter) metering.AdmittedCall {
	s.Helper()
	k, err := m.Admit(s.Context(), metering.Caller{Principal: &s.shop})
	if err != nil {
		s.Fatal(err)
	}
	return k
}

// Responses that are lost after Redis executed the command cause no drift: the tenant gets every call of its
// plan, and none more.
func TestLostAnswersLeaveNoDrift(t *testing.T) {
	shops.OnBothDatabases(t, checkNoDrift)
}

const losses = 10

func checkNoDrift(t *testing.T, store *sqlstore.Store) {
	t.Helper()
	s := newFixture(t, store, tenant.Free)
	server := s.withRedis()
	proxy := before(t, server.URL)
	var missed atomic.Int64
	s.earlier(9_900)
	var all []*metering.Meter
	for range 2 {
		s.shared = forgetfulShared{s.countAt(proxy.url, time.Minute), &missed}
		all = append(all, s.instance())
	}
	admitted := 0
	call := func(m *metering.Meter, n int) {
		got, _ := s.call(m, n)
		admitted += got
	}
	for i := range losses {
		m := all[i%2]
		call(m, 1)
		proxy.lose.Store(1)
		if i < losses/2 {
			call(m, 1)
		} else {
			m.Done(s.admit(m), false) // not counted: it is given back
		}
		<-proxy.swept
		call(m, 1)
	}
	s.flush(all...)
	call(all[0], 30)
	call(all[1], 100)
	call(all[0], 100)
	s.flush(all...)
	used := s.used(all[0])
	if n := missed.Load(); n != losses {
		t.Errorf("%d answers are missing, %d were taken away", n, losses)
	}
	if admitted != 100 || used != 10_000 {
		t.Errorf("%d calls were admitted, 100 were left; %d were counted", admitted, used)
	}
}

// muteShared loses the report of every call that is given back.
type muteShared struct{ ports.SharedCounter }

// Report implements ports.SharedCounter.
func (muteShared) Report(tenant.ID, quota.Month, ports.CounterState) {}

func TestUnreportedReleasesAreCorrected(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		for missed := true; missed; {
			s := newFixture(t, store, tenant.Free)
			s.withRedis()
			var n atomic.Int64
			s.shared = muteShared{forgetfulShared{s.shared, &n}}
			s.earlier(9_980)
			one, two := s.instance(), s.instance()
			for range 8 {
				one.Done(s.admit(one), false)
			}
			under := s.admit(one)
			one.Done(s.admit(one), false)
			s.flush(one)
			got, err := s.call(two, 30)
			one.Done(under, true)
			s.flush(one, two)
			if used := s.used(two); n.Load() == 0 && (got != 19 || !errors.Is(err, quota.ErrExceeded) || used != 10_000) {
				t.Errorf("%d were admitted, 19 were left; %d were counted, %v", got, used, err)
			}
			missed = n.Load() > 0
		}
	})
}

// The calls in flight of a crashed instance become available after it was silent for some time, and not
// before.
func TestCrashWithCallsInFlightHeals(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		for silence, want := range map[time.Duration]int{time.Hour: 3, time.Nanosecond: 10} {
			for missed := true; missed; {
				s := newFixture(t, store, tenant.Free)
				s.withRedis()
				s.silence = silence
				var n atomic.Int64
				s.shared = forgetfulShared{s.shared, &n}
				s.earlier(9_988)
				one, two := s.instance(), s.instance()
				crashed, _ := s.call(one, 2)
				s.flush(one)
				lost, _ := s.call(one, 2)
				var under []metering.AdmittedCall
				for range 5 {
					under = append(under, s.admit(one))
				}
				got, err := s.call(two, 30)
				s.flush(two)
				used := s.used(two)
				for _, k := range under { // it was only suspended, and resumes
					one.Done(k, true)
				}
				s.flush(one)
				more, _ := s.call(two, 1)
				if missed = n.Load() > 0; missed {
					continue
				}
				if crashed != 2 || lost != 2 || got != want || !errors.Is(err, quota.ErrExceeded) ||
					used != 9_990+int64(want) || more != 0 {
					t.Errorf("silent for %s: %d and %d, then %d were admitted, want %d; %d were counted, then %d; %v", silence, crashed,
						lost, got, want, used, more, err)
				}
			}
		}
	})
}

// A refusal is rechecked once a second: the database is not queried for each one.
func TestRefusalIsRecheckedOncePerSecond(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newFixture(t, store, tenant.Free)
		s.withRedis()
		s.silence = time.Nanosecond
		var n, asked atomic.Int64
		s.shared = recheckCounter{forgetfulShared{s.shared, &n}, &asked}
		s.earlier(10_000)
		m := s.instance()
		for range 3 {
			for range 20 {
				_, _ = s.call(m, 1)
			}
			s.clock.Add(1000)
		}
		if got := asked.Load(); got != 3 && n.Load() == 0 {
			t.Errorf("%d doubts in three seconds", got)
		}
	})
}

// recheckCounter counts rechecks.
type recheckCounter struct {
	ports.SharedCounter

	n *atomic.Int64
}

// Inactive implements ports.SharedCounter.
func (d recheckCounter) Inactive(ctx context.Context, id tenant.ID, m quota.Month, since time.Duration) (map[string]int64, error) {
	d.n.Add(1)
	return d.SharedCounter.Inactive(ctx, id, m, since)
}
