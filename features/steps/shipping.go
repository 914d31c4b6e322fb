package steps

import (
	"context"
	"encoding/json"
)

// shippingSteps changes shipping policies and quotes what shipping costs.
type shippingSteps struct {
	*client

	catalog *catalogSteps
}

func newShippingSteps(c *client, catalog *catalogSteps) *shippingSteps {
	return &shippingSteps{client: c, catalog: catalog}
}

func (s *shippingSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^shipping is free from (\d+)$`, func(ctx context.Context, from string) error {
			return s.changeDefaultPolicy(ctx, object{"freeShippingThreshold": json.Number(from)})
		}},
		{`^the surcharge for Jeju is (\d+), waived when shipping is free$`, s.waiveSurcharge},
		{`^"([^"]*)" has a shipping policy with a base fee of (\d+)$`, s.setProductPolicy},
		{`^shipping an order of (\d+) to "([^"]*)" costs (\d+)$`, func(ctx context.Context, amount, code, want string) error {
			return s.wantAmount(ctx, object{"orderAmount": json.Number(amount), "postalCode": code}, want)
		}},
		{
			`^shipping (\d+) "([^"]*)" to "([^"]*)" in an order of (\d+) costs (\d+)$`,
			func(ctx context.Context, n int, name, code, amount, want string) error {
				return s.wantAmountOf(ctx, []line{{n, name}}, object{"orderAmount": json.Number(amount), "postalCode": code}, want)
			},
		},
		{`^shipping (\d+) "([^"]*)" and (\d+) "([^"]*)" to "([^"]*)" in an order of (\d+) costs (\d+)$`, s.wantAmountOfTwo},
		{`^the shopper asks what shipping to "([^"]*)" costs$`, func(ctx context.Context, code string) error {
			return s.try(ctx, request{"POST", publicAPI + "/shipping/calculate", object{
				"orderAmount": json.Number("1000"), "postalCode": code,
			}, s.asVisitor()})
		}},
		{`^a shipping policy that refunds shipping "([^"]*)"$`, func(ctx context.Context, how string) error {
			return s.changeDefaultPolicy(ctx, object{"initialShippingRefund": how})
		}},
		{
			`^a shipping policy that refunds shipping "([^"]*)" and charges (\d+) KRW for return shipping$`,
			func(ctx context.Context, how, fee string) error {
				return s.changeDefaultPolicy(ctx, object{"initialShippingRefund": how, "returnShippingFee": json.Number(fee)})
			},
		},
	}
}

// changeDefaultPolicy changes the policy that every shop is created with.
func (s *shippingSteps) changeDefaultPolicy(ctx context.Context, change object) error {
	found, err := s.must(ctx, request{"GET", "/api/shipping-policies?where[isDefault][equals]=true", nil, s.asServer()})
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/shipping-policies/" + text(found.body, "docs", 0, "id"), change, s.asServer()})
	return err
}

func (s *shippingSteps) waiveSurcharge(ctx context.Context, fee string) error {
	return s.changeDefaultPolicy(ctx, object{"zones": []any{object{
		"name": "jeju", "extraFee": json.Number(fee), "waivedWhenFree": true, "ranges": []any{object{"from": "63000", "to": "63644"}},
	}}})
}

// setProductPolicy gives a product its own policy, with the default zones.
func (s *shippingSteps) setProductPolicy(ctx context.Context, name, fee string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"POST", "/api/shipping-policies", object{"title": name, "baseFee": json.Number(fee)}, s.asServer()})
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/products/" + p.id, object{"shippingPolicy": text(made.body, "doc", "id")}, s.asServer()})
	return err
}

func (s *shippingSteps) wantAmount(ctx context.Context, body object, want string) error {
	got, err := s.must(ctx, request{"POST", publicAPI + "/shipping/calculate", body, s.asVisitor()})
	if err != nil {
		return err
	}
	return equal("the shipping amount", got.body["shippingAmount"], want)
}

func (s *shippingSteps) wantAmountOf(ctx context.Context, lines []line, body object, want string) (err error) {
	if body["items"], err = s.catalog.items(lines); err != nil {
		return err
	}
	return s.wantAmount(ctx, body, want)
}

func (s *shippingSteps) wantAmountOfTwo(ctx context.Context, n int, one string, m int, other, code, amount, want string) error {
	return s.wantAmountOf(ctx, []line{{n, one}, {m, other}}, object{"orderAmount": json.Number(amount), "postalCode": code}, want)
}
