package steps

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// captureSteps capture the payment of the current order after it was authorized.
type captureSteps struct {
	*client

	payments  *paymentSteps
	orders    *orderSteps
	purchases *purchaseSteps
}

func newCaptureSteps(c *client, payments *paymentSteps, orders *orderSteps, purchases *purchaseSteps) *captureSteps {
	return &captureSteps{client: c, payments: payments, orders: orders, purchases: purchases}
}

func (s *captureSteps) definitions() []stepDefinition {
	order := func(mode string) func(context.Context, int, string) error {
		return func(ctx context.Context, n int, name string) error {
			if err := s.captureLater(ctx, mode); err != nil {
				return err
			}
			return s.purchases.buy(ctx, n, name)
		}
	}
	return []stepDefinition{
		{`^the shop captures payments when an operator says so$`, func(ctx context.Context) error { return s.captureLater(ctx, "manual") }},
		{`^an order of (\d+) "([^"]*)" that is captured when an operator says so$`, order("manual")},
		{`^an order of (\d+) "([^"]*)" that is captured when everything was shipped$`, order("on_shipping")},
		{`^a shopper orders (\d+) "([^"]*)" and approves the payment$`, s.purchases.buy},
		{`^the shop captures the payment$`, func(ctx context.Context) error { return s.try(ctx, s.captureRequest(object{})) }},
		{`^the shop captures (\d+) ([A-Z]{3}) of the payment$`, func(ctx context.Context, amount int, currency string) error {
			return s.try(ctx, s.captureRequest(object{"amount": object{"amount": amount, "currency": currency}}))
		}},
		{`^(\d+) operators capture the payment at once$`, s.captureConcurrently},
		{`^the provider releases the payment$`, func(ctx context.Context) error { return s.atProvider(ctx, "release") }},
		{`^somebody captures the payment in the provider's console$`, func(ctx context.Context) error { return s.atProvider(ctx, "capture") }},
		{`^the shop says that the order was paid otherwise$`, func(ctx context.Context) error {
			return s.try(ctx, request{"POST", "/api/orders/" + s.orders.id + "/transitions", object{"to": "paid", "note": "By bank transfer."}, s.asServer()})
		}},
		{`^the payment is released$`, s.wantReleased},
	}
}

func (s *captureSteps) captureLater(ctx context.Context, mode string) error {
	return s.payments.changeConnection(ctx, object{"capture": mode})
}

func (s *captureSteps) captureRequest(body object) request {
	return request{"POST", "/api/orders/" + s.orders.id + "/capture", body, keyed(s.asServer())}
}

// captureConcurrently needs one of them to capture; the others may come too late.
func (s *captureSteps) captureConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, s.captureRequest(object{}))
	}
	if err := s.sendConcurrently(ctx, all); err != nil {
		return err
	}
	done := 0
	for _, got := range s.concurrent {
		switch {
		case got.ok():
			done++
		case text(got.body, "errors", 0, "extensions", "reason") != "payment_not_authorized":
			return fmt.Errorf("a capture is answered %s", got)
		}
	}
	return equal("the captures", strconv.Itoa(done), "1")
}

func (s *captureSteps) atProvider(ctx context.Context, outcome string) error {
	_, err := s.must(ctx, request{"POST", "/sandbox/payments/" + s.payments.payment.orderID + "/authorization", object{"outcome": outcome}, nil})
	return err
}

func (s *captureSteps) wantReleased(ctx context.Context) error {
	session, err := s.must(ctx, request{"GET", "/api/payment-sessions/" + s.payments.payment.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	moved, err := s.must(ctx, request{"GET", "/api/transactions?limit=100", nil, s.asServer()})
	if err != nil {
		return err
	}
	return errors.Join(equal("the resolution", valueAt(session.body, "resolution"), "voided"),
		equal("the transaction", valueAt(moved.body, "docs", 0, "status"), "canceled"))
}
