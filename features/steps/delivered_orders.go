package steps

import "context"

// deliveredOrderSteps makes orders that are delivered.
type deliveredOrderSteps struct {
	*client

	carts         *cartSteps
	customerCarts *customerCartSteps
	orders        *orderSteps
	purchases     *purchaseSteps
	fulfillments  *fulfillmentSteps
}

func newDeliveredOrderSteps(
	c *client, carts *cartSteps, customerCarts *customerCartSteps, orders *orderSteps, purchases *purchaseSteps,
	fulfillments *fulfillmentSteps,
) *deliveredOrderSteps {
	return &deliveredOrderSteps{
		client: c, carts: carts, customerCarts: customerCarts, orders: orders, purchases: purchases, fulfillments: fulfillments,
	}
}

func (s *deliveredOrderSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a delivered order of (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return s.create(ctx, []line{{n, name}})
		}},
		{
			`^a delivered order of (\d+) "([^"]*)" and (\d+) "([^"]*)"$`,
			func(ctx context.Context, n int, name string, m int, other string) error {
				return s.create(ctx, []line{{n, name}, {m, other}})
			},
		},
		{`^a delivered order of (\d+) "([^"]*)" with the code "([^"]*)"$`, func(ctx context.Context, n int, name, code string) error {
			return s.create(ctx, []line{{n, name}}, code)
		}},
		{`^a delivered order of "([^"]*)" with (\d+) "([^"]*)"$`, s.createForCustomer},
	}
}

func (s *deliveredOrderSteps) create(ctx context.Context, lines []line, codes ...string) error {
	if err := s.carts.create(ctx, "", lines, codes...); err != nil {
		return err
	}
	if err := s.purchases.payCart(ctx); err != nil {
		return err
	}
	return s.deliver(ctx)
}

// createForCustomer makes a delivered order of a customer.
func (s *deliveredOrderSteps) createForCustomer(ctx context.Context, owner string, n int, name string) error {
	if err := s.customerCarts.create(ctx, owner, n, name); err != nil {
		return err
	}
	if err := s.customerCarts.checkOut(ctx, owner); err != nil {
		return err
	}
	if err := s.purchases.payCheckout(ctx); err != nil {
		return err
	}
	return s.deliver(ctx)
}

// deliver ships what ships in one parcel that is delivered, and completes the rest by hand.
func (s *deliveredOrderSteps) deliver(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/fulfillment-orders?where[order][equals]=" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	for _, order := range list(got.body, "docs") {
		if err := s.completeFulfillmentOrder(ctx, text(order, "type")); err != nil {
			return err
		}
	}
	return s.orders.wantField(ctx, "status", "delivered")
}

func (s *deliveredOrderSteps) completeFulfillmentOrder(ctx context.Context, fulfillmentType string) error {
	if fulfillmentType == "manual" {
		if err := s.fulfillments.complete(ctx); err != nil {
			return err
		}
		return s.wantSuccess()
	}
	for _, step := range []func() error{
		func() error { return s.fulfillments.create(ctx, fulfillmentType) },
		func() error { return s.fulfillments.ship(ctx, "cj", "123456789012") },
		func() error { return s.fulfillments.act(ctx, s.fulfillments.last(), "deliver", object{}) },
	} {
		if err := step(); err != nil {
			return err
		}
		if err := s.wantSuccess(); err != nil {
			return err
		}
	}
	return nil
}
