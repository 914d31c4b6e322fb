package steps

import "context"

// purchaseSteps takes a shopper from a product to a paid order.
type purchaseSteps struct {
	*client

	carts     *cartSteps
	checkouts *checkoutSteps
	payments  *paymentSteps
	orders    *orderSteps
}

func newPurchaseSteps(c *client, carts *cartSteps, checkouts *checkoutSteps, payments *paymentSteps, orders *orderSteps) *purchaseSteps {
	return &purchaseSteps{client: c, carts: carts, checkouts: checkouts, payments: payments, orders: orders}
}

func (s *purchaseSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a paid order of (\d+) "([^"]*)" and (\d+) "([^"]*)"$`, s.buyTwo},
		{`^a paid order of (\d+) "([^"]*)"$`, s.buy},
		{
			`^a paid order of (\d+) "([^"]*)" and (\d+) "([^"]*)" with the code "([^"]*)"$`,
			func(ctx context.Context, n int, name string, m int, other, code string) error {
				if err := s.carts.create(ctx, "", []line{{n, name}, {m, other}}, code); err != nil {
					return err
				}
				return s.payCart(ctx)
			},
		},
	}
}

func (s *purchaseSteps) buy(ctx context.Context, n int, name string) error {
	return s.buyLines(ctx, line{n, name})
}

func (s *purchaseSteps) buyTwo(ctx context.Context, n int, name string, m int, other string) error {
	return s.buyLines(ctx, line{n, name}, line{m, other})
}

// buyLines takes a shopper from an empty cart to a paid order.
func (s *purchaseSteps) buyLines(ctx context.Context, lines ...line) error {
	if err := s.carts.create(ctx, "", lines); err != nil {
		return err
	}
	return s.payCart(ctx)
}

// payCart checks the current cart out and pays it.
func (s *purchaseSteps) payCart(ctx context.Context) error {
	if err := s.checkouts.checkOut(ctx, true); err != nil {
		return err
	}
	if err := s.wantSuccess(); err != nil {
		return err
	}
	return s.payCheckout(ctx)
}

// payCheckout opens a payment of the current checkout, approves it as the shopper and confirms it, which
// places the order.
func (s *purchaseSteps) payCheckout(ctx context.Context) error {
	if err := s.payments.open(ctx); err != nil {
		return err
	}
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if err := s.payments.decide(ctx, "approve"); err != nil {
		return err
	}
	got, err := s.must(ctx, s.payments.confirmRequest())
	s.orders.use(text(got.body, "order", "id"))
	return err
}
