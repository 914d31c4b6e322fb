package carts_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestSuccessIsReplayedAfterLaterChanges(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		create := s.guest("carts.create", newKey(), "")
		made, err := p.Create(t.Context(), create, newCart())
		c := read(t, made, err)
		call := s.guest("carts.addItem", newKey(), c.CartToken)
		first, err := p.add(t, call, c.Cart.ID, 1, s.variants[0], 1)
		read(t, first, err)
		again := func(why string, revision int64) {
			t.Helper()
			a, err := p.add(t, call, c.Cart.ID, 1, s.variants[0], 1)
			if err != nil || !a.Replayed || a.Body.String() != first.Body.String() || a.Revision != revision {
				t.Errorf("%s: %v %v revision %d %s", why, err, a.Fault, a.Revision, a.Body)
			}
		}
		again("at once", 2)
		p.flush()
		again("without the cache", 2)
		more, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 5)
		read(t, more, err)
		again("after another change", 3)
		s.pass(5 * 24 * time.Hour)
		p.flush()
		again("days later", 3)
		s.pass(cart.Lifetime)
		again("when the cart has expired", 3)
		if late, err := p.Create(t.Context(), create, newCart()); err != nil || late.Body.String() != made.Body.String() ||
			!late.Replayed || late.Result != ports.ReceiptCreated {
			t.Errorf("create again: %v\n%s\n%s", err, late.Body, made.Body)
		}
	})
}

func TestRefusalIsReplayedThoughNowValid(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		c := p.begin(t)
		call := s.guest("carts.addItem", newKey(), c.CartToken)
		first, err := p.add(t, call, c.Cart.ID, 2, s.variants[0], 1)
		if err != nil || !errors.Is(first.Fault, cart.ErrRevisionConflict) || first.Fault.Data["currentRevision"] != int64(1) {
			t.Fatal(err, first.Fault)
		}
		a, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
		read(t, a, err)
		for range 2 {
			again := call
			again.RequestID = "another"
			a, err := p.add(t, again, c.Cart.ID, 2, s.variants[0], 1)
			if err != nil || !a.Replayed || !errors.Is(a.Fault, cart.ErrRevisionConflict) || a.RequestID != call.RequestID ||
				a.Revision != 2 {
				t.Errorf("%v %+v", err, a)
			}
			p.flush()
		}
		if got := db.sequences(t, c.Cart.ID); len(got) != 2 {
			t.Error("a refusal made an event:", got)
		}
	})
}

func TestKeyReuseIsRefused(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		c := p.begin(t)
		key := newKey()
		a, err := p.add(t, s.guest("carts.addItem", key, c.CartToken, "body"), c.Cart.ID, 1, s.variants[0], 1)
		read(t, a, err)
		for range 2 {
			if _, err := p.add(t, s.guest("carts.addItem", key, c.CartToken, "other body"), c.Cart.ID, 1, s.variants[0], 2); !errors.Is(err,
				idempotency.ErrKeyReused) {
				t.Error(err)
			}
			p.flush()
		}
		a, err = p.add(t, s.server("carts.addItem", key, "other body"), c.Cart.ID, 0, s.variants[0], 1)
		if got := read(t, a, err); got.Cart.Revision != 3 {
			t.Error("another principal's key is another key:", got.Cart.Revision)
		}
	})
}

// A response from the cache while the database is down has no revision: the current one is unknown, and the
// old one would be wrong.
func TestReplayOmitsUnreadableRevision(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	c := p.begin(t)
	call := s.guest("carts.addItem", newKey(), c.CartToken)
	first, err := p.add(t, call, c.Cart.ID, 1, s.variants[0], 1)
	read(t, first, err)
	more, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
	read(t, more, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the memory cache ignores the canceled context, the database does not
	a, err := p.AddLine(ctx, carts.Target{Call: call, Cart: c.Cart.ID, ExpectedRevision: 1},
		cart.LineInput{Variant: s.variants[0], Quantity: 1}, "")
	if err != nil || !a.Replayed || a.Body.String() != first.Body.String() || a.Revision != 0 {
		t.Errorf("%v, replayed %v, revision %d", err, a.Replayed, a.Revision)
	}
}
