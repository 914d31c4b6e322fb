package steps

import (
	"context"
	"errors"
	"fmt"
)

// refundSteps cancels orders and follows what is refunded.
type refundSteps struct {
	*client

	checkouts *checkoutSteps
	payments  *paymentSteps
	orders    *orderSteps
	purchases *purchaseSteps
}

func newRefundSteps(
	c *client, checkouts *checkoutSteps, payments *paymentSteps, orders *orderSteps, purchases *purchaseSteps,
) *refundSteps {
	return &refundSteps{client: c, checkouts: checkouts, payments: payments, orders: orders, purchases: purchases}
}

func (s *refundSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a canceled order of (\d+) "([^"]*)" whose refund is pending$`, s.createCanceled},
		{`^the shop cancels the order$`, func(ctx context.Context) error { return s.try(ctx, s.cancelRequest()) }},
		{`^the shop cancels the order and names the account "([^"]*)" of "([^"]*)" at bank "([^"]*)"$`, s.cancelToAccount},
		{`^the shop cancels the order (\d+) times at once$`, s.cancelConcurrently},
		{`^the shopper tries to cancel the order$`, s.cancelAsShopper},
		{`^the ledger shows (\d+) refunds?$`, s.wantCount},
		{`^the refund is marked as failed$`, s.wantFailed},
		{`^the provider completes the refund$`, func(ctx context.Context) error { return s.settle(ctx, "succeed", "refunded") }},
		{`^the provider fails the refund$`, func(ctx context.Context) error { return s.settle(ctx, "fail", "failed") }},
		{`^the order's fulfillment orders are canceled$`, s.wantFulfillmentCanceled},
		{`^somebody refunds (\d+) KRW in the provider's console$`, s.refundInConsole},
		{`^the shop learns that (\d+) KRW of the order are refunded$`, s.wantEventually},
		{`^the refusal says that (\d+) KRW can still be refunded$`, func(want string) error {
			return equal("the remaining amount", text(s.got.body, "errors", 0, "data", "left"), want)
		}},
		{`^the shop cancels the order with an idempotency key derived from its id$`, s.cancelWithDerivedKey},
	}
}

func (s *refundSteps) createCanceled(ctx context.Context, n int, name string) error {
	if err := s.purchases.buy(ctx, n, name); err != nil {
		return err
	}
	if err := s.payments.injectFaults(ctx, object{"asyncRefundNext": 1}); err != nil {
		return err
	}
	_, err := s.must(ctx, s.cancelRequest())
	return err
}

func (s *refundSteps) cancelRequest() request {
	return request{
		"POST", "/api/orders/" + s.orders.id + "/cancel", object{"reason": "The shopper changed their mind"}, keyed(s.asServer()),
	}
}

// cancelToAccount cancels an order whose money goes to an account of its shopper.
func (s *refundSteps) cancelToAccount(ctx context.Context, number, holder, bank string) error {
	r := s.cancelRequest()
	r.body = object{
		"reason": "The shopper changed their mind", "refundAccount": object{"bank": bank, "account": number, "holder": holder},
	}
	return s.try(ctx, r)
}

func (s *refundSteps) cancelConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, s.cancelRequest())
	}
	return s.sendConcurrently(ctx, all)
}

func (s *refundSteps) cancelAsShopper(ctx context.Context) error {
	r := s.cancelRequest()
	r.header = keyed(s.checkouts.asShopper())
	return s.try(ctx, r)
}

// all are the refunds of the ledger.
func (s *refundSteps) all(ctx context.Context) ([]any, error) {
	got, err := s.must(ctx, request{"GET", "/api/transactions?limit=100&where[type][equals]=refund", nil, s.asServer()})
	return list(got.body, "docs"), err
}

func (s *refundSteps) wantCount(ctx context.Context, n int) error {
	all, err := s.all(ctx)
	if err == nil && len(all) != n {
		err = fmt.Errorf("the ledger shows %d refunds", len(all))
	}
	return err
}

func (s *refundSteps) wantFailed(ctx context.Context) error {
	all, err := s.all(ctx)
	if err != nil {
		return err
	}
	if len(all) != 1 || text(all[0], "status") != "failed" || text(all[0], "note") == "" {
		return fmt.Errorf("the ledger shows %v", all)
	}
	return nil
}

// settle makes the provider complete or fail a pending refund, and waits until the shop has recorded it.
func (s *refundSteps) settle(ctx context.Context, outcome, status string) error {
	if err := s.refundAtProvider(ctx, object{"outcome": outcome}); err != nil {
		return err
	}
	return eventually(ctx, func(ctx context.Context) error {
		all, err := s.all(ctx)
		if err == nil && (len(all) != 1 || text(all[0], "status") != status) {
			err = fmt.Errorf("the ledger shows %v", all)
		}
		return err
	})
}

// refundAtProvider acts in the provider's console on the current payment.
func (s *refundSteps) refundAtProvider(ctx context.Context, body object) error {
	body["orderId"] = s.payments.payment.orderID
	_, err := s.must(ctx, request{"POST", "/sandbox/refunds", body, nil})
	return err
}

func (s *refundSteps) refundInConsole(ctx context.Context, amount int) error {
	return s.refundAtProvider(ctx, object{"outcome": "console", "amount": amount})
}

// wantEventually waits until the provider's refund is recorded.
func (s *refundSteps) wantEventually(ctx context.Context, amount string) error {
	return eventually(ctx, func(ctx context.Context) error { return s.orders.wantField(ctx, "refundedAmount", amount) })
}

func (s *refundSteps) wantFulfillmentCanceled(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/fulfillment-orders?limit=100", nil, s.asServer()})
	if err != nil {
		return err
	}
	all := list(got.body, "docs")
	for _, f := range all {
		if err := equal("the fulfillment order", valueAt(f, "status"), "canceled"); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return errors.New("the order has no fulfillment orders")
	}
	return nil
}

func (s *refundSteps) cancelWithDerivedKey(ctx context.Context) error {
	id := text(s.got.body, "order", "id")
	return s.try(ctx, request{"POST", "/api/orders/" + id + "/cancel", object{
		"reason": "x",
	}, with(s.asServer(), "Idempotency-Key", "cancel-"+id)})
}
