package steps

import (
	"context"
	"errors"
	"fmt"
)

// orderSteps reads the orders of the shop.
type orderSteps struct {
	*client

	checkouts *checkoutSteps

	id string // of the current order
}

func newOrderSteps(c *client, checkouts *checkoutSteps) *orderSteps {
	return &orderSteps{client: c, checkouts: checkouts}
}

func (s *orderSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^exactly one order of (\d+) ([A-Z]{3}) is placed$`, s.wantOne},
		{`^exactly one order of (\d+) ([A-Z]{3}) is placed soon$`, func(ctx context.Context, total, currency string) error {
			return eventually(ctx, func(ctx context.Context) error { return s.wantOne(ctx, total, currency) })
		}},
		{`^no order is placed$`, s.wantNone},
		{`^the order was created by hand$`, func(ctx context.Context) error { return s.wantField(ctx, "source", "manual") }},
		{`^the order's fulfillment status is "([^"]*)"$`, func(ctx context.Context, want string) error {
			return s.wantField(ctx, "fulfillmentStatus", want)
		}},
		{`^the order has no return shipping policy$`, s.wantNoReturnPolicy},
		{`^the order is "([^"]*)"$`, func(ctx context.Context, want string) error { return s.wantField(ctx, "status", want) }},
		{`^the order's payment status is "([^"]*)"$`, func(ctx context.Context, want string) error {
			return s.wantField(ctx, "paymentStatus", want)
		}},
		{`^the order's payment status is soon "([^"]*)"$`, func(ctx context.Context, want string) error {
			return eventually(ctx, func(ctx context.Context) error { return s.wantField(ctx, "paymentStatus", want) })
		}},
		{`^(\d+) KRW of the order are refunded$`, func(ctx context.Context, want string) error {
			return s.wantField(ctx, "refundedAmount", want)
		}},
	}
}

// use makes an order the current one.
func (s *orderSteps) use(id string) { s.id = id }

// all lists the shop's orders; every scenario has a shop of its own.
func (s *orderSteps) all(ctx context.Context) ([]any, error) {
	got, err := s.must(ctx, request{"GET", "/api/orders?limit=100", nil, s.asServer()})
	return list(got.body, "docs"), err
}

func (s *orderSteps) wantOne(ctx context.Context, amount, currency string) error {
	orders, err := s.all(ctx)
	if err != nil {
		return err
	}
	if len(orders) != 1 {
		return fmt.Errorf("%d orders are placed", len(orders))
	}
	for what, want := range map[string]string{
		"totalAmount": amount, "currency": currency, "status": "paid", "checkout": s.checkouts.checkout.id,
	} {
		got := valueAt(orders[0], what)
		if what == "checkout" {
			got = idOf(got)
		}
		if err := equal("the order's "+what, got, want); err != nil {
			return err
		}
	}
	return s.checkouts.wantStatus(ctx, "completed")
}

func (s *orderSteps) wantNone(ctx context.Context) error {
	orders, err := s.all(ctx)
	if err == nil && len(orders) != 0 {
		err = fmt.Errorf("%d orders are placed", len(orders))
	}
	return err
}

func (s *orderSteps) wantNoReturnPolicy(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.id, nil, s.asServer()})
	if _, has := got.body["returnShippingPolicy"]; has && err == nil {
		err = errors.New("it has one")
	}
	return err
}

func (s *orderSteps) wantField(ctx context.Context, field, want string) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the order's "+field, got.body[field], want)
}
