package portstest

import (
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// BackgroundFailures checks a ports.BackgroundFailures in which nothing is stored.
func BackgroundFailures(t *testing.T, s ports.BackgroundFailures) {
	failure := func(task, item string, age time.Duration) ports.BackgroundFailure {
		return ports.BackgroundFailure{
			Task: task, Tenant: freshTenant(), Item: item, Failures: 5, Error: "no such market",
			FirstFailedAt: day.Add(-time.Hour), LastFailedAt: day.Add(-age), RetryAt: day.Add(time.Hour),
		}
	}
	cart, order, everything := failure("carts", "c1", 2*time.Minute), failure("orders", "o1", time.Minute), failure("sequencer", "", 0)
	everything.Tenant = ""
	for _, f := range []ports.BackgroundFailure{cart, order, everything} {
		if err := s.Save(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	wantFailures(t, s, 10, everything, order, cart)
	cart.Failures, cart.Error, cart.LastFailedAt = 6, "", day.Add(time.Minute)
	if err := s.Save(t.Context(), cart); err != nil {
		t.Fatal(err)
	}
	wantFailures(t, s, 2, cart, everything)
	for range 2 { // what is gone is no error
		if err := s.Remove(t.Context(), cart.Task, cart.Tenant, cart.Item); err != nil {
			t.Error(err)
		}
	}
	wantFailures(t, s, 10, everything, order)
}

// wantFailures checks a list of limit failures of all tenants; of three there are, two may be shown.
func wantFailures(t *testing.T, s ports.BackgroundFailures, limit int, want ...ports.BackgroundFailure) {
	t.Helper()
	found, total, err := s.List(t.Context(), limit)
	if err != nil || !reflect.DeepEqual(found, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, found, want)
	}
	if limit < total && total != 3 || limit >= total && total != len(want) {
		t.Errorf("there are %d in all", total)
	}
}
