package portstest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ChangeNotifierFixture are two instances on the same data.
type ChangeNotifierFixture struct {
	Store    ports.Store          // writes records of EventSchemas, of which "notes" is watched
	Notifier ports.ChangeNotifier // of the other instance
}

// notifierPatience is how long the suite waits for a notification: of the test, not of the product.
const notifierPatience = 30 * time.Second

// ChangeNotifier checks ports.ChangeNotifier of the instances that open makes.
func ChangeNotifier(t *testing.T, open func(t *testing.T) ChangeNotifierFixture) {
	f := open(t)
	t.Run("a committed change of another instance is notified, by tenant or as missed, to every subscriber", func(t *testing.T) {
		first, second := f.subscribe(t), f.subscribe(t)
		for range 3 {
			id := freshTenant()
			f.write(t, id, nil)
			first.wait(t, id)
			second.wait(t, id)
		}
	})
	t.Run("a change that was rolled back is not notified", func(t *testing.T) {
		s, failed := f.subscribe(t), errors.New("failed")
		s.never = freshTenant()
		f.write(t, s.never, failed)
		id := freshTenant()
		f.write(t, id, nil)
		s.wait(t, id)
	})
	t.Run("a subscription ends with its context, without an error", func(t *testing.T) {
		s := f.subscribe(t)
		s.stop()
		s.waitForEnd(t)
		again := f.subscribe(t) // and another one begins
		again.stop()
		again.waitForEnd(t)
	})
	t.Run("a subscription whose context has ended does not wait", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := f.Notifier.Subscribe(ctx, func(tenant.ID) {}, func() {}); err != nil {
			t.Error(err)
		}
	})
}

// write creates a note of a tenant in a transaction that ends with outcome.
func (f ChangeNotifierFixture) write(t *testing.T, id tenant.ID, outcome error) {
	t.Helper()
	note := collection.Record{"id": fmt.Sprint("n-", id), "tenant": string(id), "name": "x"}
	err := inTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(tx.Records.Write(ctx, collection.NewChange(notes, nil, note, fmt.Sprint("e-", id), noon)), outcome)
	})
	if !errors.Is(err, outcome) {
		t.Fatal(err)
	}
}

// subscription is what one subscriber is called with: tenants, "" for missed.
type subscription struct {
	calls chan tenant.ID
	ended chan error
	stop  context.CancelFunc
	never tenant.ID // that it must not be called with; "" for none
}

// subscribe starts a subscription and waits for its first call, which has to be missed.
func (f ChangeNotifierFixture) subscribe(t *testing.T) *subscription {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &subscription{calls: make(chan tenant.ID, 1000), ended: make(chan error, 1), stop: stop}
	go func() {
		s.ended <- f.Notifier.Subscribe(ctx, func(id tenant.ID) { s.calls <- id }, func() { s.calls <- "" })
	}()
	t.Cleanup(stop)
	if got := s.next(t); got != "" {
		t.Fatalf("the first call is of %q", got)
	}
	return s
}

func (s *subscription) next(t *testing.T) tenant.ID {
	t.Helper()
	select {
	case id := <-s.calls:
		return id
	case err := <-s.ended:
		t.Fatalf("it ended: %v", err)
	case <-time.After(notifierPatience):
		t.Fatal("no call")
	}
	return ""
}

// wait returns once a change of id may be known: it was called with id, or missed something.
func (s *subscription) wait(t *testing.T, id tenant.ID) {
	t.Helper()
	for {
		switch got := s.next(t); {
		case got != "" && got == s.never:
			t.Fatalf("called with %s", got)
		case got == id, got == "":
			return
		}
	}
}

func (s *subscription) waitForEnd(t *testing.T) {
	t.Helper()
	select {
	case err := <-s.ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(notifierPatience):
		t.Error("it does not end with its context")
	}
}
