package carts_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
)

// parallel runs test on both databases, with one process, with two, and without mailboxes: the results must
// be the same.
func parallel(t *testing.T, variants int, test func(t *testing.T, s *shop, at func(i int) *process)) {
	for _, set := range []struct {
		name      string
		processes int
		off       bool
		redis     bool
	}{{"one process", 1, false, false}, {"two processes and Redis", 2, false, true}, {"no mailboxes", 2, true, false}} {
		t.Run(set.name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, db database) {
				s := newShop(t, db, variants)
				var all []*process
				for range set.processes {
					all = append(all, s.process(t, mailbox.Options{Disabled: set.off}))
				}
				if set.redis {
					shareReceipts(t, all)
				}
				test(t, s, func(i int) *process { return all[i%len(all)] })
			})
		})
	}
}

func TestParallelServerAddsAreAllApplied(t *testing.T) {
	parallel(t, 50, func(t *testing.T, s *shop, at func(int) *process) {
		c := at(0).begin(t)
		var wg sync.WaitGroup
		for i, variant := range s.variants {
			wg.Go(func() {
				if a, err := at(i).add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, variant, 1); err != nil || a.Fault != nil {
					t.Error(err, a.Fault)
				}
			})
		}
		wg.Wait()
		checkAllApplied(t, s, at(0).look(t, c.Cart.ID))
	})
}

func checkAllApplied(t *testing.T, s *shop, got shown) {
	t.Helper()
	if len(got.Cart.Lines) != len(s.variants) || got.Cart.Revision != int64(len(s.variants)+1) ||
		got.Cart.Totals.Total.String() != fmt.Sprint(1000*len(s.variants)) {
		t.Errorf("%d lines, revision %d, total %s", len(got.Cart.Lines), got.Cart.Revision, got.Cart.Totals.Total)
	}
	for _, v := range s.variants {
		if !slices.ContainsFunc(got.Cart.Lines, func(l shownLine) bool {
			return l.Variant == v && l.Quantity == 1
		}) {
			t.Error("lost", v)
		}
	}
}

func TestParallelGuestAddsWithRetriesAreAllApplied(t *testing.T) {
	parallel(t, 12, func(t *testing.T, s *shop, at func(int) *process) {
		c := at(0).begin(t)
		var wg sync.WaitGroup
		for i, variant := range s.variants {
			wg.Go(func() {
				for expected := int64(1); ; {
					a, err := at(i).add(t, s.guest("carts.addItem", newKey(), c.CartToken), c.Cart.ID, expected, variant, 1)
					if err != nil {
						t.Error(err)
						return
					}
					if a.Fault == nil {
						return
					}
					if !errors.Is(a.Fault, cart.ErrRevisionConflict) {
						t.Error(a.Fault)
						return
					}
					expected = a.Fault.Data["currentRevision"].(int64)
				}
			})
		}
		wg.Wait()
		checkAllApplied(t, s, at(0).look(t, c.Cart.ID))
	})
}

func TestHotCartHasGaplessRevisions(t *testing.T) {
	const clients, each = 64, 3
	parallel(t, 1, func(t *testing.T, s *shop, at func(int) *process) {
		c := at(0).begin(t)
		var mu sync.Mutex
		revisions := []int64{1}
		var wg sync.WaitGroup
		for i := range clients {
			wg.Go(func() {
				for range each {
					a, err := at(i).add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
					if err != nil || a.Fault != nil {
						t.Error(err, a.Fault)
						return
					}
					mu.Lock()
					revisions = append(revisions, a.Revision)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		got := at(0).look(t, c.Cart.ID)
		if got.Cart.Revision != clients*each+1 || got.Cart.Lines[0].Quantity != clients*each {
			t.Errorf("revision %d, quantity %d", got.Cart.Revision, got.Cart.Lines[0].Quantity)
		}
		slices.Sort(revisions)
		checkGapless(t, "revisions", revisions, clients*each+1)
		checkGapless(t, "events", s.db.sequences(t, c.Cart.ID), clients*each+1)
	})
}

func checkGapless(t *testing.T, what string, list []int64, n int) {
	t.Helper()
	if len(list) != n {
		t.Errorf("%d %s, want %d", len(list), what, n)
	}
	for i, x := range list {
		if x != int64(i+1) {
			t.Errorf("%s: %d at place %d", what, x, i+1)
			return
		}
	}
}

func TestDuplicateRequestsHaveOneEffect(t *testing.T) {
	parallel(t, 1, func(t *testing.T, s *shop, at func(int) *process) {
		c := at(0).begin(t)
		call := s.guest("carts.addItem", newKey(), c.CartToken)
		answers := make([]idempotency.Response, 50)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				var err error
				if answers[i], err = at(i).add(t, call, c.Cart.ID, 1, s.variants[0], 1); err != nil {
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
		if got := at(0).look(t, c.Cart.ID); first != 1 || got.Cart.Revision != 2 || got.Cart.Lines[0].Quantity != 1 {
			t.Errorf("%d first answers, revision %d", first, got.Cart.Revision)
		}
	})
}

func TestCreateIsIdempotent(t *testing.T) {
	parallel(t, 1, func(t *testing.T, s *shop, at func(int) *process) {
		call := s.guest("carts.create", newKey(), "")
		bodies := make([]string, 20)
		var wg sync.WaitGroup
		for i := range bodies {
			wg.Go(func() {
				a, err := at(i).Create(t.Context(), call, newCart())
				if err != nil {
					t.Error(err)
				}
				bodies[i] = a.Body.String()
			})
		}
		wg.Wait()
		slices.Sort(bodies)
		if bodies[0] == "" || bodies[0] != bodies[len(bodies)-1] {
			t.Errorf("%s\n%s", bodies[0], bodies[len(bodies)-1])
		}
	})
}

func TestParallelAddsWithoutKeysAreAllApplied(t *testing.T) {
	parallel(t, 30, func(t *testing.T, s *shop, at func(int) *process) {
		c := at(0).begin(t)
		var wg sync.WaitGroup
		for i, variant := range s.variants {
			wg.Go(func() {
				target := carts.Target{Call: s.guest("cart.addItem", "", c.CartToken), Cart: c.Cart.ID, Form: carts.Flat}
				if a, err := at(i).AddLine(t.Context(), target, cart.LineInput{Variant: variant, Quantity: 1}, ""); err != nil ||
					a.Fault != nil || a.Replayed {
					t.Error(err, a.Fault)
				}
			})
		}
		wg.Wait()
		checkAllApplied(t, s, at(0).look(t, c.Cart.ID))
		checkGapless(t, "events", s.db.sequences(t, c.Cart.ID), 31)
	})
}
