package steps

import (
	"context"
	"encoding/json"
	"fmt"
)

// discountSteps creates discount codes and validates them outside carts.
type discountSteps struct {
	*client

	catalog *catalogSteps
}

func newDiscountSteps(c *client, catalog *catalogSteps) *discountSteps {
	return &discountSteps{client: c, catalog: catalog}
}

func (s *discountSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the code "([^"]*)" takes (\d+) percent off$`, func(ctx context.Context, code, percent string) error {
			return s.create(ctx, object{"code": code, "type": "percentage", "value": json.Number(percent)})
		}},
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off, once$`, func(ctx context.Context, code, amount, currency string) error {
			return s.create(ctx, object{
				"code": code, "type": "fixed_amount", "value": json.Number(amount), "currency": currency, "usageLimit": 1,
			})
		}},
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off until (\S+)$`, func(ctx context.Context, code, amount, currency, end string) error {
			return s.create(ctx, object{
				"code": code, "type": "fixed_amount", "value": json.Number(amount), "currency": currency, "endsAt": end + "T00:00:00.000Z",
			})
		}},
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off$`, func(ctx context.Context, code, amount, currency string) error {
			return s.create(ctx, object{"code": code, "type": "fixed_amount", "value": json.Number(amount), "currency": currency})
		}},
		{
			`^the code "([^"]*)" takes (\d+) percent off, at most (\d+) ([A-Z]{3})$`,
			func(ctx context.Context, code, percent, most, currency string) error {
				return s.create(ctx, object{
					"code": code, "type": "percentage", "value": json.Number(percent), "maxDiscountAmount": json.Number(most),
					"currency": currency,
				})
			},
		},
		{
			`^the code "([^"]*)" takes (\d+) percent off orders of (\d+) ([A-Z]{3}) or more$`,
			func(ctx context.Context, code, percent, least, currency string) error {
				return s.create(ctx, object{
					"code": code, "type": "percentage", "value": json.Number(percent), "minOrderAmount": json.Number(least),
					"currency": currency,
				})
			},
		},
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off orders from (\d+), and (\d+) off orders from (\d+)$`, s.createTiered},
		{`^the code "([^"]*)" takes (\d+) percent off "([^"]*)" only$`, s.createForProduct},
		{`^the shopper validates the code "([^"]*)" for an order of (\d+)$`, func(ctx context.Context, code, amount string) error {
			return s.validate(ctx, object{"code": code, "orderAmount": json.Number(amount)})
		}},
		{
			`^the shopper validates the code "([^"]*)" for an order of (\d+) ([A-Z]{3})$`,
			func(ctx context.Context, code, amount, currency string) error {
				return s.validate(ctx, object{"code": code, "orderAmount": json.Number(amount), "currency": currency})
			},
		},
		{
			`^the shopper validates the code "([^"]*)" for an order of (\d+) in market "([^"]*)"$`,
			func(ctx context.Context, code, amount, market string) error {
				return s.validate(ctx, object{"code": code, "orderAmount": json.Number(amount), "market": market})
			},
		},
		{`^the shopper validates the code "([^"]*)" for an order of 1 "([^"]*)" and 1 "([^"]*)" at (\d+)$`, s.validateItems},
		{`^the code would take (\d+) off$`, s.wantValid},
		{`^the code is invalid because "([^"]*)"$`, s.wantInvalid},
	}
}

func (s *discountSteps) create(ctx context.Context, discount object) error {
	_, err := s.must(ctx, request{"POST", "/api/discounts", discount, s.asServer()})
	return err
}

func (s *discountSteps) createTiered(ctx context.Context, code, low, currency, from, high, above string) error {
	tier := func(value, from string) object {
		return object{"minAmount": json.Number(from), "discountType": "fixed_amount", "value": json.Number(value)}
	}
	return s.create(ctx, object{"code": code, "type": "tiered", "currency": currency, "tiers": []any{tier(low, from), tier(high, above)}})
}

func (s *discountSteps) createForProduct(ctx context.Context, code, percent, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.create(ctx, object{"code": code, "type": "percentage", "value": json.Number(percent), "applicableProducts": []any{p.id}})
}

func (s *discountSteps) validate(ctx context.Context, body object) error {
	return s.try(ctx, request{"POST", publicAPI + "/discounts/validate", body, s.asVisitor()})
}

func (s *discountSteps) validateItems(ctx context.Context, code, one, other, amount string) error {
	items, err := s.catalog.items([]line{{1, one}, {1, other}})
	if err != nil {
		return err
	}
	return s.validate(ctx, object{"code": code, "orderAmount": json.Number(amount), "items": items})
}

func (s *discountSteps) wantValid(amount string) error {
	if text(s.got.body, "valid") != "true" {
		return fmt.Errorf("the server %s", s.got)
	}
	return equal("what the code takes off", s.got.body["discountAmount"], amount)
}

func (s *discountSteps) wantInvalid(reason string) error {
	if text(s.got.body, "valid") != "false" || text(s.got.body, "discountAmount") != "0" {
		return fmt.Errorf("the server %s", s.got)
	}
	return equal("the reason", s.got.body["reason"], reason)
}
