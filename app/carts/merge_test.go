package carts_test

import (
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// customer is a call of a customer.
func (s *shop) customer(id, operation, key string) idempotency.Call {
	c := s.guest(operation, key, "")
	c.Principal = s.principal(tenant.Customer, id)
	return c
}

// fill creates a cart with n units of the tenant's first variant for the caller.
func (p *process) fill(t testing.TB, call idempotency.Call, n int64) shown {
	t.Helper()
	a, err := p.Create(t.Context(), call, carts.NewCart{Lines: []cart.LineInput{{Variant: p.shop.variants[0], Quantity: n}}})
	return read(t, a, err)
}

func (p *process) guestsCart(t testing.TB, n int64) shown {
	return p.fill(t, p.shop.guest("carts.create", newKey(), ""), n)
}

// units is the sum of the quantities in a cart.
func (c shown) units() (n int64) {
	for _, l := range c.Cart.Lines {
		n += l.Quantity
	}
	return n
}

func TestGuestCartMergesAtLogin(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		kim := s.write(t, identity.Customers, collection.Record{"email": "kim@example.com"})
		login := func(c shown) shown {
			a, err := p.Merge(t.Context(), s.customer(kim, "carts.merge", newKey()),
				carts.MergeInput{Source: c.Cart.ID, SourceToken: c.CartToken})
			return read(t, a, err)
		}
		first, second := p.guestsCart(t, 2), p.guestsCart(t, 3)
		adopted := login(first)
		if adopted.Cart.ID != first.Cart.ID || adopted.Cart.Customer != kim || adopted.Cart.Revision != 2 ||
			adopted.Cart.Status != "active" {
			t.Errorf("the first becomes the customer's: %+v", adopted.Cart)
		}
		joined := login(second)
		if joined.Cart.ID != first.Cart.ID || joined.units() != 5 || joined.Cart.Revision != 3 {
			t.Errorf("the next goes into it: %+v", joined.Cart)
		}
		if left := p.look(t, second.Cart.ID); left.Cart.Status != "merged" || left.Cart.Revision != 2 || left.units() != 3 {
			t.Errorf("and is merged: %+v", left.Cart)
		}
		if again := login(first); again.Cart.ID != first.Cart.ID || again.Cart.Revision != 4 {
			t.Errorf("their own only cart stays theirs: %+v", again.Cart)
		}
		a, err := p.add(t, s.guest("carts.addItem", newKey(), second.CartToken), second.Cart.ID, 2, s.variants[0], 1)
		if err != nil || !errors.Is(a.Fault, cart.ErrNotActive) {
			t.Error("a merged cart takes nothing more:", err, a.Fault)
		}
		checkGapless(t, "events of the target", db.sequences(t, first.Cart.ID), 4)
		checkGapless(t, "events of the source", db.sequences(t, second.Cart.ID), 2)
	})
}

func TestWhoMayMerge(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	kim := s.write(t, identity.Customers, collection.Record{"email": "kim@example.com"})
	lee := s.write(t, identity.Customers, collection.Record{"email": "lee@example.com"})
	source, target, kims := p.guestsCart(t, 1), p.guestsCart(t, 1), p.fill(t, s.customer(kim, "carts.create", newKey()), 1)
	key := newKey()
	server, guest := s.server("carts.merge", key), s.guest("carts.merge", key, target.CartToken)
	test := server
	test.Principal.Environment = tenant.Test
	reader := server
	reader.Principal.CanWrite = false
	from := func(token, to string) carts.MergeInput {
		return carts.MergeInput{Source: source.Cart.ID, SourceToken: token, Target: to}
	}
	for name, tc := range map[string]struct {
		call idempotency.Call
		in   carts.MergeInput
		want error
	}{
		"a client key alone": {
			s.guest("carts.merge", key, ""), from(source.CartToken, target.Cart.ID), fault.ErrUnauthenticated,
		},
		"a read-only key":                          {reader, from("", target.Cart.ID), fault.ErrForbidden},
		"a guest without the source's token":       {guest, from("", target.Cart.ID), fault.ErrNotFound},
		"a guest with another token of the source": {guest, from(target.CartToken, target.Cart.ID), fault.ErrNotFound},
		"a guest with the source's token only": {
			s.guest("carts.merge", key, source.CartToken), from(source.CartToken, target.Cart.ID), fault.ErrNotFound,
		},
		"a guest who names no target":           {guest, from(source.CartToken, ""), fault.ErrValidation},
		"a customer without the source's token": {s.customer(kim, "carts.merge", key), from("", ""), fault.ErrNotFound},
		"a customer into a cart of another": {
			s.customer(lee, "carts.merge", key), from(source.CartToken, kims.Cart.ID), fault.ErrNotFound,
		},
		"a customer into a guest's cart": {
			s.customer(lee, "carts.merge", key), from(source.CartToken, target.Cart.ID), fault.ErrNotFound,
		},
		"the server of the other environment":    {test, from("", target.Cart.ID), fault.ErrNotFound},
		"the server without target and customer": {server, from("", ""), fault.ErrValidation},
		"the server for an unknown customer": {
			server, carts.MergeInput{Source: source.Cart.ID, Customer: newID()}, fault.ErrValidation,
		},
		"an unknown source":  {server, carts.MergeInput{Source: newID(), Target: target.Cart.ID}, fault.ErrNotFound},
		"an unknown target":  {server, from("", newID()), fault.ErrNotFound},
		"a cart with itself": {server, from("", source.Cart.ID), fault.ErrValidation},
		"no key":             {s.server("carts.merge", ""), from("", target.Cart.ID), idempotency.ErrKeyRequired},
		"a key made of the source": {
			s.server("carts.merge", "key-"+source.Cart.ID), from("", target.Cart.ID), idempotency.ErrKeyDerived,
		},
		"a key made of the target": {s.server("carts.merge", "key-"+target.Cart.ID), from("", target.Cart.ID), idempotency.ErrKeyDerived},
	} {
		if a, err := p.Merge(t.Context(), tc.call, tc.in); !errors.Is(err, tc.want) || a.Body != nil {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
	for _, c := range []shown{source, target, kims} {
		if got := p.look(t, c.Cart.ID); got.Cart.Revision != 1 {
			t.Error("a refusal changed something:", got.Cart)
		}
	}
	a, err := p.Merge(t.Context(), guest, from(source.CartToken, target.Cart.ID))
	if got := read(t, a, err); got.Cart.ID != target.Cart.ID || got.units() != 2 || got.Cart.Customer != "" {
		t.Error("a guest with both tokens", got.Cart)
	}
	a, err = p.Merge(t.Context(), s.server("carts.merge", newKey()), carts.MergeInput{Source: target.Cart.ID, Customer: kim})
	if got := read(t, a, err); got.Cart.ID != kims.Cart.ID || got.units() != 3 {
		t.Error("the server for a customer", got.Cart)
	}
	newer := p.fill(t, s.customer(kim, "carts.create", newKey()), 4)
	a, err = p.Merge(t.Context(), s.server("carts.merge", newKey()), carts.MergeInput{Source: newer.Cart.ID})
	if got := read(t, a, err); got.Cart.ID != kims.Cart.ID || got.units() != 7 {
		t.Error("the server with a customer's cart", got.Cart)
	}
}

func TestMergeIsReplayedFromReceipt(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		source, target := p.guestsCart(t, 1), p.guestsCart(t, 2)
		call, in := s.guest("carts.merge", newKey(), target.CartToken), carts.MergeInput{
			Source: source.Cart.ID, SourceToken: source.CartToken, Target: target.Cart.ID,
		}
		first, err := p.Merge(t.Context(), call, in)
		read(t, first, err)
		a, err := p.add(t, s.server("carts.addItem", newKey()), target.Cart.ID, 0, s.variants[0], 1)
		read(t, a, err)
		refused := call
		refused.Key = newKey()
		if a, err := p.Merge(t.Context(), refused, in); err != nil || !errors.Is(a.Fault, cart.ErrNotActive) {
			t.Error("under another key the source is merged:", err, a.Fault)
		}
		for range 2 {
			again, err := p.Merge(t.Context(), call, in)
			if err != nil || !again.Replayed || again.Body.String() != first.Body.String() || again.Revision != 3 {
				t.Errorf("%v %+v", err, again)
			}
			if again, err := p.Merge(t.Context(), refused, in); err != nil || !again.Replayed ||
				!errors.Is(again.Fault, cart.ErrNotActive) {
				t.Errorf("%v %+v", err, again)
			}
			other := call
			other.Fingerprint = idempotency.Fingerprint("POST", "carts.merge", nil, "other")
			if _, err := p.Merge(t.Context(), other, in); !errors.Is(err, idempotency.ErrKeyReused) {
				t.Error(err)
			}
			p.flush()
		}
		if got := p.look(t, target.Cart.ID); got.units() != 4 || got.Cart.Revision != 3 {
			t.Errorf("%+v", got.Cart)
		}
	})
}

func TestMergeWarnsAboutReducedQuantities(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		p := s.process(t, mailbox.Options{})
		source, target := p.guestsCart(t, 4), p.guestsCart(t, 3)
		s.stock(t, s.product, s.variants[0], 5) // the cached stock has expired: the merge reads it itself
		a, err := p.Merge(t.Context(), s.server("carts.merge", newKey()), carts.MergeInput{Source: source.Cart.ID, Target: target.Cart.ID})
		var told struct {
			Warnings []struct {
				VariantID       string
				Requested, Kept int64
			}
		}
		if got := read(t, a, err); got.units() != 5 || !got.Cart.Lines[0].Available {
			t.Errorf("%+v", got.Cart)
		}
		if err := json.Unmarshal(a.Body.Bytes(), &told); err != nil || len(told.Warnings) != 1 ||
			told.Warnings[0].VariantID != s.variants[0] || told.Warnings[0].Requested != 7 || told.Warnings[0].Kept != 5 {
			t.Errorf("%v %s", err, a.Body)
		}
	})
}

// Every addition to either cart during a merge is in the merged cart, or was refused because its cart was
// merged already.
func TestConcurrentChangesSurviveMerge(t *testing.T) {
	const adders = 24
	parallel(t, 1, func(t *testing.T, s *shop, at func(int) *process) {
		source, target := at(0).guestsCart(t, 1), at(0).guestsCart(t, 1)
		var wg sync.WaitGroup
		var counted, late atomic.Int64
		counted.Store(2)
		add := func(i int, c shown) {
			a, err := at(i).add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
			switch {
			case err != nil:
				t.Error(err)
			case a.Fault == nil:
				counted.Add(1)
			case errors.Is(a.Fault, cart.ErrNotActive) && c.Cart.ID == source.Cart.ID:
				late.Add(1)
			default:
				t.Error(a.Fault)
			}
		}
		for i := range adders {
			wg.Go(func() { add(i, source) })
			wg.Go(func() { add(i+1, target) })
			if i == adders/2 {
				wg.Go(func() {
					a, err := at(1).Merge(t.Context(), s.server("carts.merge", newKey()), carts.MergeInput{
						Source: source.Cart.ID, Target: target.Cart.ID,
					})
					read(t, a, err)
				})
			}
		}
		wg.Wait()
		left, got := at(0).look(t, source.Cart.ID), at(1).look(t, target.Cart.ID)
		if got.units() != counted.Load() || left.Cart.Status != "merged" || counted.Load()+late.Load() != 2+2*adders {
			t.Errorf("%d units of %d that were counted, %d came late, the source is %s",
				got.units(), counted.Load(), late.Load(), left.Cart.Status)
		}
		if got.Cart.Revision != adders+2 || left.Cart.Revision != adders+2-late.Load() {
			t.Errorf("revisions %d and %d", got.Cart.Revision, left.Cart.Revision)
		}
		checkGapless(t, "events of the target", s.db.sequences(t, target.Cart.ID), int(got.Cart.Revision))
		checkGapless(t, "events of the source", s.db.sequences(t, source.Cart.ID), int(left.Cart.Revision))
	})
}

func TestDuplicateMergesHappenOnce(t *testing.T) {
	parallel(t, 1, func(t *testing.T, s *shop, at func(int) *process) {
		source, target := at(0).guestsCart(t, 2), at(0).guestsCart(t, 3)
		call := s.guest("carts.merge", newKey(), target.CartToken)
		answers := make([]idempotency.Response, 50)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				var err error
				answers[i], err = at(i).Merge(t.Context(), call, carts.MergeInput{
					Source: source.Cart.ID, SourceToken: source.CartToken, Target: target.Cart.ID,
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		first := 0
		for _, a := range answers {
			if !a.Replayed {
				first++
			}
			if a.Fault != nil || a.Body.String() != answers[0].Body.String() || a.Revision != 2 {
				t.Errorf("%+v %s", a.Fault, a.Body)
			}
		}
		if got := at(0).look(t, target.Cart.ID); first != 1 || got.Cart.Revision != 2 || got.units() != 5 {
			t.Errorf("%d first answers, %+v", first, got.Cart)
		}
	})
}

// Merges in opposite directions, and several into one cart, are serialized.
func TestConcurrentMergesAreSerialized(t *testing.T) {
	parallel(t, 1, func(t *testing.T, s *shop, at func(int) *process) {
		var shownCarts []shown
		for range 5 {
			shownCarts = append(shownCarts, at(0).guestsCart(t, 1))
		}
		var wg sync.WaitGroup
		for i, source := range shownCarts {
			for j, target := range shownCarts {
				if i == j {
					continue
				}
				wg.Go(func() {
					a, err := at(i+j).Merge(t.Context(), s.server("carts.merge", newKey()), carts.MergeInput{
						Source: source.Cart.ID, Target: target.Cart.ID,
					})
					if err != nil || a.Fault != nil && !errors.Is(a.Fault, cart.ErrNotActive) {
						t.Error(err, a.Fault)
					}
				})
			}
		}
		wg.Wait()
		var states []string
		var units int64
		for _, c := range shownCarts {
			got := at(0).look(t, c.Cart.ID)
			if states = append(states, got.Cart.Status); got.Cart.Status == "active" {
				units = got.units()
			}
		}
		slices.Sort(states)
		if !slices.Equal(states, []string{"active", "merged", "merged", "merged", "merged"}) || units != 5 {
			t.Error(states, units)
		}
	})
}
