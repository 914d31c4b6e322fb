package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cartwright-dev/cartwright/cmd/torture/linear"
)

// cartFamily is a few carts that several shoppers share, and the history of their operations.
type cartFamily struct {
	caller   *caller
	history  *linear.History
	carts    []string // ids
	variants []string

	shoppers []*shopper
	mu       sync.Mutex
	open     []unanswered
}

// unanswered is a change whose shopper did not wait for the response.
type unanswered struct {
	shopper   *shopper
	operation linear.Operation
	request   request
	payload   []byte
	sent      int64
}

// maxUnanswered is how many changes of a history may stay unanswered: each doubles the search.
const maxUnanswered = 3

// newCartFamily creates the carts of a family. The seed decides what its shoppers do.
func (st *testbed) newCartFamily(ctx context.Context, seed, number uint64) (*cartFamily, error) {
	h := &cartFamily{caller: st.caller, variants: append(st.variants[:cartVariants:cartVariants], st.scarceVariant)}
	for range cartsPerFamily {
		c, err := newCart(ctx, st.caller)
		if err != nil {
			return nil, err
		}
		h.carts = append(h.carts, c.id)
	}
	h.history = linear.NewHistory(st.rules(), len(h.carts))
	for i := range shoppersPerFamily {
		h.shoppers = append(h.shoppers, &shopper{
			cartFamily: h, id: i, dice: rand.New(rand.NewPCG(seed, number<<8|uint64(i))), seen: make([]linear.Cart, len(h.carts)),
		})
	}
	return h, nil
}

const (
	cartsPerFamily    = 3
	shoppersPerFamily = 5
)

// rules is the shop of the testbed for the sequential rules.
func (st *testbed) rules() linear.Shop {
	s := linear.Shop{
		Offers:    map[string]linear.Offer{st.scarceVariant: {Price: scarcePrice, OnHand: scarceStock}},
		Discounts: map[string]int64{tenPercentCode: 10},
	}
	for i, variant := range st.variants {
		s.Offers[variant] = linear.Offer{Price: price(i), OnHand: ampleStock}
	}
	return s
}

func (h *cartFamily) leaveUnanswered(o unanswered) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = append(h.open, o)
}

// resolveUnanswered repeats abandoned changes once everything runs, and leaves a few unanswered. Then it
// reads every cart.
func (h *cartFamily) resolveUnanswered(ctx context.Context) error {
	left := 0
	for _, o := range h.open {
		if o.shopper.dice.IntN(4) == 0 && left < maxUnanswered {
			left++
			h.history.Record(o.shopper.id, o.operation, o.sent, linear.Result{Unknown: true}, 0)
			continue
		}
		if err := o.shopper.retryUntilAnswered(ctx, o); err != nil {
			return err
		}
	}
	reader := h.shoppers[0]
	for i := range h.carts {
		w := linear.Operation{Verb: linear.Read, Cart: i}
		r, _ := reader.request(w)
		if err := reader.retryUntilAnswered(ctx, unanswered{reader, w, r, nil, h.history.Now()}); err != nil {
			return err
		}
	}
	return nil
}

// retryUntilAnswered repeats a request until it is answered.
func (s *shopper) retryUntilAnswered(ctx context.Context, o unanswered) error {
	for ctx.Err() == nil {
		latest := s.history.Now()
		if a, answered := s.try(ctx, o.request, o.payload); answered {
			return s.record(o.operation, answeredRequest{o.operation.Cart, o.request, o.payload, a}, o.sent, latest)
		}
		wait(ctx, 20*time.Millisecond)
	}
	return fmt.Errorf("%s %s: no answer: %w", o.request.method, o.request.path, ctx.Err())
}

// replay checks that repeated requests get exactly the same responses.
func (h *cartFamily) replay(ctx context.Context) error {
	var work errgroup.Group
	for _, s := range h.shoppers {
		work.Go(func() error {
			for _, t := range s.answered {
				a, err := h.caller.repeat(ctx, t.request, t.payload)
				if err != nil {
					return err
				}
				if err := t.sameAs(a); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return work.Wait()
}

// check searches for a sequence of operations that explains all responses.
func (h *cartFamily) check() error {
	if err := h.history.Check(checkTimeout); err != nil {
		return fmt.Errorf("carts %v: %w", h.carts, err)
	}
	return nil
}
