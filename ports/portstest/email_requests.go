package portstest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// EmailRequestsFixture is a store with its queue.
type EmailRequestsFixture struct {
	Store ports.Store
	Queue ports.EmailRequestQueue
}

// EmailRequests checks ports.EmailRequests and ports.EmailRequestQueue of the stores that open makes.
func EmailRequests(t *testing.T, open func(t *testing.T) EmailRequestsFixture) {
	f := open(t)
	t.Run("a request is claimed once it is due, by one caller at a time", f.testClaim)
	t.Run("a request is finished once", f.testFinish)
	t.Run("a tenant's own transaction has no access", f.testScope)
}

// system runs fn in a transaction across tenants.
func (f EmailRequestsFixture) system(t *testing.T, fn func(ctx context.Context, tx ports.Tx) error) error {
	t.Helper()
	return f.Store.Atomically(t.Context(), ports.Scope{System: true}, fn)
}

// add stores a request that is due at a time.
func (f EmailRequestsFixture) add(t *testing.T, due time.Time) ports.EmailRequest {
	t.Helper()
	r := ports.EmailRequest{
		ID: string(freshTenant()), Collection: "users", Purpose: "rst", Tenant: "t1", Account: "a1", Email: "kim@example.com", RequestedAt: day,
	}
	if err := f.system(t, func(ctx context.Context, tx ports.Tx) error { return tx.EmailRequests.Add(ctx, due, r) }); err != nil {
		t.Fatal(err)
	}
	return r
}

// claim claims what is due at a time, and returns the requests with one of ids.
func (f EmailRequestsFixture) claim(t *testing.T, at time.Time, limit int, ids ...string) (found []ports.EmailRequest) {
	t.Helper()
	all, err := f.Queue.ClaimDue(t.Context(), at, at.Add(time.Hour), limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if slices.Contains(ids, r.ID) {
			found = append(found, r)
		}
	}
	return found
}

func (f EmailRequestsFixture) testClaim(t *testing.T) {
	r := f.add(t, day.Add(time.Minute))
	if got := f.claim(t, day, 10, r.ID); got != nil {
		t.Error("too early:", got)
	}
	got := f.claim(t, day.Add(time.Minute), 10, r.ID)
	if len(got) != 1 || !got[0].RequestedAt.Equal(r.RequestedAt) {
		t.Fatal("due:", got)
	}
	if got[0].RequestedAt = r.RequestedAt; got[0] != r {
		t.Errorf("claimed %+v, want %+v", got[0], r)
	}
	if got := f.claim(t, day.Add(time.Minute), 10, r.ID); got != nil {
		t.Error("claimed twice:", got)
	}
	if got := f.claim(t, day.Add(2*time.Hour), 10, r.ID); len(got) != 1 {
		t.Error("not claimed again:", got)
	}
	first, second := f.add(t, day.Add(-2*time.Hour)), f.add(t, day.Add(-time.Hour))
	if got := f.claim(t, day, 1, first.ID, second.ID); len(got) != 1 || got[0].ID != first.ID {
		t.Error("not the longest due:", got)
	}
}

func (f EmailRequestsFixture) testFinish(t *testing.T) {
	r := f.add(t, day)
	finish := func(ctx context.Context, tx ports.Tx) error { return tx.EmailRequests.Finish(ctx, r.ID) }
	failed := errors.New("the transaction failed")
	err := f.system(t, func(ctx context.Context, tx ports.Tx) error { return errors.Join(finish(ctx, tx), failed) })
	if !errors.Is(err, failed) {
		t.Fatal(err)
	}
	if err := f.system(t, finish); err != nil {
		t.Error("after a rollback:", err)
	}
	if err := f.system(t, finish); !errors.Is(err, ports.ErrNotFound) {
		t.Error("twice:", err)
	}
	if got := f.claim(t, day.Add(9*time.Hour), 1000, r.ID); got != nil {
		t.Error("claimed after it was finished:", got)
	}
}

func (f EmailRequestsFixture) testScope(t *testing.T) {
	r := f.add(t, day)
	id := tenant.ID(r.ID)
	for name, call := range map[string]func(ctx context.Context, tx ports.Tx) error{
		"add":    func(ctx context.Context, tx ports.Tx) error { return tx.EmailRequests.Add(ctx, day, r) },
		"finish": func(ctx context.Context, tx ports.Tx) error { return tx.EmailRequests.Finish(ctx, r.ID) },
	} {
		if err := f.Store.Atomically(t.Context(), ports.ForTenant(id), call); err == nil {
			t.Error(name, "is done in a tenant's transaction")
		}
	}
}
