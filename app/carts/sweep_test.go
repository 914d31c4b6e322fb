package carts_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
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
