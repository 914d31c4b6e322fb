package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// step is something that happens to a contested cart, once others have.
type step struct {
	after []string
	do    func(ctx context.Context, c *contestedCart) error
}

// story is all steps: session A is released, B takes the slot, the buyer pays on both open pages, and a new checkout is
// made and paid by session C. Which steps are refused depends on their order.
var story = map[string]step{
	"open A":       {nil, func(ctx context.Context, c *contestedCart) error { return c.open(ctx, 0, 0) }},
	"release A":    {[]string{"open A"}, func(ctx context.Context, c *contestedCart) error { return c.release(ctx, 0) }},
	"open B":       {[]string{"release A"}, func(ctx context.Context, c *contestedCart) error { return c.open(ctx, 1, 0) }},
	"release B":    {[]string{"open B"}, func(ctx context.Context, c *contestedCart) error { return c.release(ctx, 1) }},
	"new checkout": {[]string{"release B"}, func(ctx context.Context, c *contestedCart) error { return c.checkOut(ctx, 1) }},
	"open C":       {[]string{"new checkout"}, func(ctx context.Context, c *contestedCart) error { return c.open(ctx, 2, 1) }},
	"pay A":        {[]string{"open A"}, func(ctx context.Context, c *contestedCart) error { return c.pay(ctx, 0) }},
	"pay B":        {[]string{"open B"}, func(ctx context.Context, c *contestedCart) error { return c.pay(ctx, 1) }},
	"pay C":        {[]string{"open C"}, func(ctx context.Context, c *contestedCart) error { return c.pay(ctx, 2) }},
}

// drawStory is the steps in a random order that keeps their conditions, with up to three of them at the same time.
func drawStory(dice *rand.Rand) (stages [][]string) {
	done := map[string]bool{}
	for len(done) < len(story) {
		var ready []string
		for _, name := range slices.Sorted(maps.Keys(story)) {
			waits := slices.ContainsFunc(story[name].after, func(other string) bool { return !done[other] })
			if !done[name] && !waits {
				ready = append(ready, name)
			}
		}
		dice.Shuffle(len(ready), func(i, j int) { ready[i], ready[j] = ready[j], ready[i] })
		ready = ready[:1+dice.IntN(min(3, len(ready)))]
		for _, name := range ready {
			done[name] = true
		}
		stages = append(stages, ready)
	}
	return stages
}

// playThreeSessions plays the story with many carts, in random orders, while servers are killed.
func playThreeSessions(ctx context.Context, s stage) (string, error) {
	a, closeDB, err := s.auditor(ctx)
	if err != nil {
		return "", err
	}
	defer closeDB()
	before, err := a.netCharged(ctx)
	if err != nil {
		return "", err
	}
	carts := make([]*contestedCart, s.size)
	for i := range carts {
		carts[i] = &contestedCart{testbed: s.testbed, dice: rand.New(rand.NewPCG(s.dice.Uint64(), uint64(i)))}
	}
	kills, err := s.killWhile(ctx, func(ctx context.Context) error {
		all, ctx := errgroup.WithContext(ctx)
		all.SetLimit(8)
		for _, c := range carts {
			all.Go(func() error { return c.play(ctx) })
		}
		return all.Wait()
	})
	if err != nil {
		return "", err
	}
	sum, err := s.closeBooks(ctx, carts)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d carts with one order and one kept charge each; %s; %d kills", len(carts), sum, kills),
		errors.Join(a.events(ctx), a.checkLedger(ctx, before, sum.revenue))
}

// killWhile kills servers one after the other, at random moments and at failpoints, while work runs.
func (s stage) killWhile(ctx context.Context, work func(ctx context.Context) error) (kills int, err error) {
	end := make(chan time.Time)
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		faults, err := chaos(ctx, s.dice, s.kills(s.dice), end, s.log)
		kills = summary{Faults: faults}.faultCount()
		return err
	})
	both.Go(func() error {
		defer close(end)
		return work(ctx)
	})
	return kills, both.Wait()
}

// charges is what buyers of contested carts were charged.
type charges struct {
	total, refunded int
	silent          int // neither the buyer nor the provider told the shop
	most            int // of one cart
	revenue         *big.Rat
}

func (c charges) String() string {
	return fmt.Sprintf("%d charges, at most %d per cart, %d of them without a webhook or a return of the buyer; %d waited in the queue with a suggested refund and were refunded",
		c.total, c.most, c.silent, c.refunded)
}

// closeBooks waits until all charges are known, checks what they became, and refunds what waits for an operator.
func (s stage) closeBooks(ctx context.Context, carts []*contestedCart) (sum charges, err error) {
	sum.revenue = new(big.Rat)
	for _, c := range carts {
		if err := c.waitUntilKnown(ctx); err != nil {
			return sum, fmt.Errorf("cart %s, %v: %w", c.id, c.told, err)
		}
	}
	if err := s.checkMoney(ctx); err != nil {
		return sum, fmt.Errorf("before the refunds: %w", err)
	}
	for _, c := range carts {
		if err := c.check(ctx, &sum); err != nil {
			return sum, fmt.Errorf("cart %s, %v: %w", c.id, c.told, err)
		}
	}
	return sum, s.checkMoney(ctx)
}
