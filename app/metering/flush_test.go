package metering_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// slowUsage keeps counts, and takes its time.
type slowUsage struct {
	ports.Usage // unused

	takes time.Duration
	mu    sync.Mutex
	saved int64
}

// Save implements ports.Usage.
func (u *slowUsage) Save(_ context.Context, _ string, counts []ports.CallCount) error {
	time.Sleep(u.takes)
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, c := range counts {
		u.saved = c.Count
	}
	return nil
}

// SumOthers implements ports.Usage: there are none.
func (*slowUsage) SumOthers(context.Context, string, []tenant.ID, quota.Month) (map[tenant.ID]int64, error) {
	return nil, nil
}

func (u *slowUsage) count() int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.saved
}

// Whatever moment a process dies in, less than a second of its calls was not written down, on a database that
// takes a tenth of a second. The clock is the test's: no machine is too slow for this.
func TestCallsAreWrittenDownWithinASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &slowUsage{takes: 100 * time.Millisecond}
		m := metering.New(metering.Options{UsageStore: store, CounterID: "one", Now: time.Now})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- m.Run(ctx, func(err error) { t.Error(err) }) }()
		shop := tenant.Principal{Kind: tenant.SecretKey, ID: "k", CanRead: true, Tenant: tenant.Settings{ID: "t", Plan: tenant.Enterprise}}
		var made []time.Time
		for range 100 {
			k, err := m.Admit(t.Context(), metering.Caller{Principal: &shop})
			if err != nil {
				t.Fatal(err)
			}
			m.Done(k, true)
			made = append(made, time.Now())
			time.Sleep(37 * time.Millisecond)
			for _, at := range made[store.count():] {
				if open := time.Since(at); open >= time.Second {
					t.Fatalf("a call was not written down for %v", open)
				}
			}
		}
		stop()
		if err := <-ended; err != nil || store.count() != int64(len(made)) {
			t.Errorf("%d of %d calls were written down at the end, %v", store.count(), len(made), err)
		}
	})
}
