package carts_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestConcurrentSweepsAbandonEachCartOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		here, there := s.process(t, mailbox.Options{}), s.process(t, mailbox.Options{})
		var old []shown
		for range 20 {
			old = append(old, here.begin(t))
		}
		s.pass(time.Hour)
		young := here.begin(t)
		s.pass(cart.Lifetime - time.Hour)
		var swept atomic.Int64
		var all sync.WaitGroup
		for _, p := range []*process{here, there, here, there} {
			all.Go(func() {
				n, more, err := p.Sweep(t.Context(), ports.Scope{System: true})
				if err != nil || more {
					t.Error(more, err)
				}
				swept.Add(int64(n))
			})
		}
		all.Wait()
		if swept.Load() != 20 {
			t.Errorf("swept %d of 20", swept.Load())
		}
		for _, c := range old {
			r, err := s.store.Read(ports.ForTenant(s.tenant.ID)).Get(t.Context(), cart.Schema, c.Cart.ID)
			if err != nil || r.Text("status") != "abandoned" || r.Int("revision") != 1 {
				t.Errorf("%v, %v", r, err)
			}
			if got := db.sequences(t, c.Cart.ID); !slices.Equal(got, []int64{1, 2}) {
				t.Error("its events:", got)
			}
		}
		a, err := here.add(t, s.server("carts.addItem", newKey()), old[0].Cart.ID, 0, s.variants[0], 1)
		if err != nil || !errors.Is(a.Fault, cart.ErrNotActive) {
			t.Error("a swept cart is not changed again:", err, a.Fault)
		}
		a, err = here.add(t, s.server("carts.addItem", newKey()), young.Cart.ID, 0, s.variants[0], 1)
		read(t, a, err)
		if n, _, err := here.Sweep(t.Context(), ports.Scope{System: true}); n != 0 || err != nil {
			t.Error("nothing is left:", n, err)
		}
	})
}

// poisonCommitter panics when it commits a change of one cart.
type poisonCommitter struct {
	ports.Committer

	cart string
}

func (c poisonCommitter) Commit(ctx context.Context, step ports.CommitRequest) error {
	if step.Changes[0].After.ID() == c.cart {
		panic("poison")
	}
	return c.Committer.Commit(ctx, step)
}

func TestPoisonousCartKeepsNoOtherFromBeingAbandoned(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		var old []shown
		for range 3 {
			old = append(old, p.begin(t))
		}
		s.pass(cart.Lifetime)
		runner := background.New(background.Options{Log: slog.New(slog.DiscardHandler), Now: s.clock})
		sweeper := carts.New(carts.Service{
			Store: p.store, Committer: poisonCommitter{p.store.Committer(), old[0].Cart.ID}, Now: s.clock, NewID: newID, Sweeps: runner.Task("carts"),
		}, mailbox.Options{})
		if n, _, err := sweeper.Sweep(t.Context(), ports.Scope{System: true}); n != 2 || err == nil {
			t.Errorf("swept %d carts beside the poisonous one (%v)", n, err)
		}
		if n, more, err := sweeper.Sweep(t.Context(), ports.Scope{System: true}); n != 0 || more || err != nil {
			t.Errorf("a failed cart is tried again at once: %d %v %v", n, more, err)
		}
		for range 5 {
			s.pass(time.Minute)
			_, _, _ = sweeper.Sweep(t.Context(), ports.Scope{System: true}) // its error is the poisonous cart's
		}
		if got := runner.Stats()[0]; got.SetAside != 1 || got.Panics != 6 {
			t.Errorf("counted %+v", got)
		}
	})
}

// Rule running-23.
func TestDamagedCartKeepsNoOtherFromBeingAbandoned(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		damaged := p.begin(t)
		p.begin(t)
		p.begin(t)
		testservers.DamageRecord(t, db.driver, db.source, "carts", damaged.Cart.ID)
		s.pass(cart.Lifetime)
		runner := background.New(background.Options{Log: slog.New(slog.DiscardHandler), Now: s.clock})
		sweeper := carts.New(carts.Service{
			Store: p.store, Committer: p.store.Committer(), Now: s.clock, NewID: newID, Sweeps: runner.Task("carts"),
		}, mailbox.Options{})
		n, _, err := sweeper.Sweep(t.Context(), ports.Scope{System: true})
		if d, is := errors.AsType[*collection.DamagedError](err); n != 2 || !is || d.ID != damaged.Cart.ID {
			t.Errorf("swept %d beside the damaged one (%v)", n, err)
		}
		if n, more, err := sweeper.Sweep(t.Context(), ports.Scope{System: true}); n != 0 || more || err != nil {
			t.Errorf("it is tried again at once: %d %v %v", n, more, err)
		}
	})
}
