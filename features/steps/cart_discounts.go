package steps

import (
	"context"
	"fmt"
	"strings"
)

// cartDiscountSteps uses discount codes in carts.
type cartDiscountSteps struct {
	*client

	carts *cartSteps
}

func newCartDiscountSteps(c *client, carts *cartSteps) *cartDiscountSteps {
	return &cartDiscountSteps{client: c, carts: carts}
}

func (s *cartDiscountSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{
			`^(?:the shopper fills )?a cart with (\d+) "([^"]*)" and the code "([^"]*)"$`,
			func(ctx context.Context, n int, name, code string) error {
				return s.carts.create(ctx, "", []line{{n, name}}, code)
			},
		},
		{`^the code "([^"]*)" takes (\d+) off the cart$`, s.wantApplied},
		{`^the shopper sets the discount codes "([^"]*)"$`, func(ctx context.Context, codes string) error {
			return s.setCodes(ctx, strings.Split(codes, ", "))
		}},
		{`^the shopper clears the discount codes$`, func(ctx context.Context) error { return s.setCodes(ctx, []string{}) }},
		{`^the cart lists no code "([^"]*)"$`, s.wantNotListed},
		{`^the code "([^"]*)" takes nothing off because "([^"]*)"$`, s.wantNotApplied},
	}
}

func (s *cartDiscountSteps) setCodes(ctx context.Context, codes []string) error {
	return s.carts.apply(ctx, s.carts.changeRequest("PUT", "/discount-codes", object{"discountCodes": codes}))
}

func (s *cartDiscountSteps) wantNotListed(ctx context.Context, code string) error {
	if err := s.carts.read(ctx); err != nil {
		return err
	}
	for _, entry := range list(s.carts.cart.body, "discountCodes") {
		if strings.EqualFold(text(entry, "code"), code) {
			return fmt.Errorf("the code is listed as %v", entry)
		}
	}
	return nil
}

func (s *cartDiscountSteps) code(ctx context.Context, code string) (object, error) {
	if err := s.carts.read(ctx); err != nil {
		return nil, err
	}
	for _, entry := range list(s.carts.cart.body, "discountCodes") {
		if strings.EqualFold(text(entry, "code"), code) {
			return entry.(object), nil
		}
	}
	return nil, fmt.Errorf("the cart lists no code %q", code)
}

func (s *cartDiscountSteps) wantApplied(ctx context.Context, code, amount string) error {
	entry, err := s.code(ctx, code)
	if err != nil {
		return err
	}
	if text(entry, "applied") != "true" || text(entry, "amount") != amount {
		return fmt.Errorf("the code is listed as %v", entry)
	}
	return equal("the cart's discount", valueAt(s.carts.cart.body, "totals", "discount"), amount)
}

func (s *cartDiscountSteps) wantNotApplied(ctx context.Context, code, reason string) error {
	entry, err := s.code(ctx, code)
	if err != nil {
		return err
	}
	if text(entry, "applied") != "false" || text(entry, "reason") != reason {
		return fmt.Errorf("the code is listed as %v", entry)
	}
	return equal("the cart's discount", valueAt(s.carts.cart.body, "totals", "discount"), "0")
}
