package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	goredis "github.com/redis/go-redis/v9"
)

// playPromotion has a standby take the place of Postgres that never heard of the last changes, which Redis remembers. Every
// client repeats what was acknowledged: what the standby has is replayed, what it lost is done again, once.
func playPromotion(ctx context.Context, s stage) (string, error) {
	carts, sales, err := s.changesBeforeCopy(ctx)
	if err != nil {
		return "", err
	}
	standby, err := s.postgres.Standby(ctx)
	if err != nil {
		return "", err
	}
	lost := map[*acknowledgedAdd]bool{}
	for _, h := range carts {
		kept := len(h.adds)
		for range 2 {
			if err := h.add(ctx, s.caller, s.variants); err != nil {
				return "", err
			}
		}
		for i := kept; i < len(h.adds); i++ {
			lost[&h.adds[i]] = true
		}
	}
	for _, sale := range sales {
		if _, err := s.caller.must(ctx, sale, nil); err != nil {
			return "", err
		}
	}
	if err := s.waitForReceipts(ctx, 5*len(carts)+4*len(sales)); err != nil {
		return "", err
	}
	primary := s.postgres
	s.postgres = standby
	if err := errors.Join(within(ctx, func(ctx context.Context) error { return standby.TakeOver(ctx, primary) }), primary.Stop()); err != nil {
		return "", err
	}
	if err := s.repeatAll(ctx, carts, lost, sales); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d adds and %d orders that were acknowledged and lost, each done again once; as many adds that were kept, replayed",
		len(lost), len(sales)), s.checkDatabase(ctx)
}

// changesBeforeCopy makes carts with two items each, and payments that are approved; their confirmations place the orders.
func (s stage) changesBeforeCopy(ctx context.Context) (carts []*cartHistory, sales []request, err error) {
	for i := range s.size {
		h, err := newCart(ctx, s.caller)
		if err != nil {
			return nil, nil, err
		}
		for range 2 {
			if err := h.add(ctx, s.caller, s.variants); err != nil {
				return nil, nil, err
			}
		}
		carts = append(carts, h)
		if i%4 > 0 {
			continue
		}
		checkout, err := s.caller.checkout(ctx, s.variants[0])
		if err != nil {
			return nil, nil, err
		}
		opened, err := s.caller.must(ctx, sessionOf(checkout), nil)
		if err != nil {
			return nil, nil, err
		}
		confirm, err := approve(ctx, s.caller, opened)
		if err != nil {
			return nil, nil, err
		}
		sales = append(sales, confirm)
	}
	return carts, sales, nil
}

// waitForReceipts waits until Redis would answer for n operations: all of them.
func (s stage) waitForReceipts(ctx context.Context, n int) error {
	options, err := goredis.ParseURL(s.redis.URL)
	if err != nil {
		return err
	}
	client := goredis.NewClient(options)
	defer func() { _ = client.Close() }() // it was only read
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	found := 0
	if waited := waitFor(ctx, func() bool {
		found = 0
		all := client.Scan(ctx, 0, "*receipt:*", 1000).Iterator()
		for all.Next(ctx) {
			found++
		}
		err = all.Err()
		return err != nil || found >= n
	}); err == nil {
		err = waited
	}
	if err != nil {
		return fmt.Errorf("redis has %d receipts of at least %d: %w", found, n, err)
	}
	return nil
}

// repeatAll repeats everything that was acknowledged, and checks what it did.
func (s stage) repeatAll(ctx context.Context, carts []*cartHistory, lost map[*acknowledgedAdd]bool, sales []request) error {
	for _, h := range carts {
		for i := range h.adds {
			a := &h.adds[i]
			first := a.answer
			ack, err := a.send(ctx, s.caller, h.id)
			if err != nil {
				return err
			}
			if !lost[a] && (!ack.replayed || !bytes.Equal(ack.body, first)) {
				return fmt.Errorf("cart %s: what the standby has was answered differently:\n%s\n%s", h.id, first, ack.body)
			}
		}
		if err := h.check(ctx, s.caller); err != nil {
			return err
		}
	}
	for _, sale := range sales {
		var first, again struct{ Order orderBody }
		if _, err := s.caller.must(ctx, sale, &first); err != nil {
			return err
		}
		ack, err := s.caller.must(ctx, sale, &again)
		if err != nil {
			return err
		}
		if !ack.replayed || first.Order.ID == "" || first.Order.ID != again.Order.ID {
			return fmt.Errorf("a confirmation was answered with the orders %q and %q", first.Order.ID, again.Order.ID)
		}
		if _, err := s.caller.must(ctx, request{"GET", "/api/orders/" + first.Order.ID, "", nil}, nil); err != nil {
			return err
		}
	}
	return nil
}
