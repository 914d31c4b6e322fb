package steps

import (
	"context"
	"fmt"
	"strconv"
)

// customerCartSteps uses carts of customers who are logged in.
type customerCartSteps struct {
	*client

	catalog   *catalogSteps
	customers *customerSteps
	carts     *cartSteps
	checkouts *checkoutSteps
}

func newCustomerCartSteps(
	c *client, catalog *catalogSteps, customers *customerSteps, carts *cartSteps, checkouts *checkoutSteps,
) *customerCartSteps {
	return &customerCartSteps{client: c, catalog: catalog, customers: customers, carts: carts, checkouts: checkouts}
}

func (s *customerCartSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a cart of "([^"]*)" with (\d+) "([^"]*)"$`, s.create},
		{`^"([^"]*)" opens their own cart$`, s.readOwn},
		{`^"([^"]*)" opens the cart of "[^"]*"$`, s.readCurrent},
		{`^"([^"]*)" adds (\d+) "([^"]*)"$`, s.add},
		{`^the customer's cart holds (\d+) "([^"]*)"$`, s.wantLine},
		{`^the customer has no cart$`, s.wantNone},
	}
}

func (s *customerCartSteps) create(ctx context.Context, owner string, n int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"POST", publicAPI + "/carts", object{
		"items": []any{object{"variantId": p.variant, "quantity": n}},
	}, keyed(s.customers.as(owner))})
	s.carts.use(text(made.body, "cart", "id"), "")
	return err
}

// checkOut checks the current cart out as its customer.
func (s *customerCartSteps) checkOut(ctx context.Context, owner string) error {
	made, err := s.must(ctx, request{"POST", publicAPI + "/checkouts", object{
		"cartId": s.carts.cart.id, "email": owner + "@shopper.example", "shippingAddress": address(),
	}, keyed(s.customers.as(owner))})
	s.checkouts.use(text(made.body, "checkout", "id"), text(made.body, "checkoutToken"))
	return err
}

func (s *customerCartSteps) readOwn(ctx context.Context, who string) error {
	return s.try(ctx, request{"GET", publicAPI + "/carts/mine", nil, s.customers.as(who)})
}

func (s *customerCartSteps) readCurrent(ctx context.Context, who string) error {
	return s.try(ctx, request{"GET", publicAPI + "/carts/" + s.carts.cart.id, nil, s.customers.as(who)})
}

func (s *customerCartSteps) add(ctx context.Context, who string, n int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", publicAPI + "/carts/" + s.carts.cart.id + "/items", object{
		"variantId": p.variant, "quantity": n,
	}, keyed(s.customers.as(who))})
}

func (s *customerCartSteps) wantLine(quantity int, name string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	s.carts.cart.body, _ = s.got.body["cart"].(object)
	line, err := s.carts.line(name)
	if err != nil {
		return err
	}
	return equal(name+" in the customer's cart", line["quantity"], strconv.Itoa(quantity))
}

func (s *customerCartSteps) wantNone() error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if s.got.body["cart"] != nil {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}
