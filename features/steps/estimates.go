package steps

import (
	"context"
	"encoding/json"
	"fmt"
)

// estimateSteps are about codes and delivery before there is a cart.
func (w *world) estimateSteps() []definition {
	return []definition{
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off$`, func(ctx context.Context, code, amount, currency string) error {
			return w.makeCode(ctx, object{"code": code, "type": "fixed_amount", "value": json.Number(amount), "currency": currency})
		}},
		{`^the code "([^"]*)" takes (\d+) percent off, at most (\d+) ([A-Z]{3})$`, func(ctx context.Context, code, percent, most, currency string) error {
			return w.makeCode(ctx, object{"code": code, "type": "percentage", "value": json.Number(percent), "maxDiscountAmount": json.Number(most), "currency": currency})
		}},
		{`^the code "([^"]*)" takes (\d+) percent off orders of (\d+) ([A-Z]{3}) or more$`, func(ctx context.Context, code, percent, least, currency string) error {
			return w.makeCode(ctx, object{"code": code, "type": "percentage", "value": json.Number(percent), "minOrderAmount": json.Number(least), "currency": currency})
		}},
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off from (\d+), and (\d+) from (\d+)$`, w.makeSteps},
		{`^the code "([^"]*)" takes (\d+) percent off "([^"]*)" only$`, w.makeLimitedCode},
		{`^the shopper tries the code "([^"]*)" on (\d+)$`, func(ctx context.Context, code, amount string) error {
			return w.tryCode(ctx, object{"code": code, "orderAmount": json.Number(amount)})
		}},
		{`^the shopper tries the code "([^"]*)" on (\d+) ([A-Z]{3})$`, func(ctx context.Context, code, amount, currency string) error {
			return w.tryCode(ctx, object{"code": code, "orderAmount": json.Number(amount), "currency": currency})
		}},
		{`^the shopper tries the code "([^"]*)" on (\d+) in market "([^"]*)"$`, func(ctx context.Context, code, amount, market string) error {
			return w.tryCode(ctx, object{"code": code, "orderAmount": json.Number(amount), "market": market})
		}},
		{`^the shopper tries the code "([^"]*)" on 1 "([^"]*)" and 1 "([^"]*)" for (\d+)$`, w.tryCodeOn},
		{`^the code would take (\d+) off$`, w.wantVerdict},
		{`^the code is no good because "([^"]*)"$`, w.wantNoGood},
		{`^delivery is free from (\d+)$`, func(ctx context.Context, from string) error {
			return w.changeDelivery(ctx, object{"freeShippingThreshold": json.Number(from)})
		}},
		{`^Jeju costs (\d+) more, unless delivery is free$`, w.waiveJeju},
		{`^"([^"]*)" is delivered for (\d+)$`, w.deliverBy},
		{`^delivery of an order of (\d+) to "([^"]*)" costs (\d+)$`, func(ctx context.Context, amount, code, want string) error {
			return w.wantDelivery(ctx, object{"orderAmount": json.Number(amount), "postalCode": code}, want)
		}},
		{`^delivery of (\d+) "([^"]*)" to "([^"]*)" for (\d+) costs (\d+)$`, func(ctx context.Context, n int, name, code, amount, want string) error {
			return w.wantDeliveryOf(ctx, []wish{{n, name}}, object{"orderAmount": json.Number(amount), "postalCode": code}, want)
		}},
		{`^delivery of (\d+) "([^"]*)" and (\d+) "([^"]*)" to "([^"]*)" for (\d+) costs (\d+)$`, w.wantMixedDelivery},
		{`^the shopper asks for delivery to "([^"]*)"$`, func(ctx context.Context, code string) error {
			return w.try(ctx, request{"POST", public + "/shipping/calculate", object{"orderAmount": json.Number("1000"), "postalCode": code}, w.asVisitor()})
		}},
		{`^the shopper checks out to "([^"]*)"$`, func(ctx context.Context, code string) error {
			to := address()
			to["postalCode"] = code
			return w.checkOutTo(ctx, to)
		}},
	}
}

func (w *world) makeSteps(ctx context.Context, code, low, currency, from, high, above string) error {
	tier := func(value, from string) object {
		return object{"minAmount": json.Number(from), "discountType": "fixed_amount", "value": json.Number(value)}
	}
	return w.makeCode(ctx, object{"code": code, "type": "tiered", "currency": currency, "tiers": []any{tier(low, from), tier(high, above)}})
}

func (w *world) makeLimitedCode(ctx context.Context, code, percent, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	return w.makeCode(ctx, object{"code": code, "type": "percentage", "value": json.Number(percent), "applicableProducts": []any{g.product}})
}

func (w *world) tryCode(ctx context.Context, body object) error {
	return w.try(ctx, request{"POST", public + "/discounts/validate", body, w.asVisitor()})
}

func (w *world) tryCodeOn(ctx context.Context, code, one, other, amount string) error {
	items, err := w.items([]wish{{1, one}, {1, other}})
	if err != nil {
		return err
	}
	return w.tryCode(ctx, object{"code": code, "orderAmount": json.Number(amount), "items": items})
}

// items are wishes as the server takes them.
func (w *world) items(wishes []wish) (items []any, err error) {
	for _, wish := range wishes {
		g, err := w.good(wish.name)
		if err != nil {
			return nil, err
		}
		items = append(items, object{"variantId": g.variant, "quantity": wish.quantity})
	}
	return items, nil
}

func (w *world) wantVerdict(amount string) error {
	if text(w.got.body, "valid") != "true" {
		return fmt.Errorf("the server %s", w.got)
	}
	return equal("what the code takes off", w.got.body["discountAmount"], amount)
}

func (w *world) wantNoGood(reason string) error {
	if text(w.got.body, "valid") != "false" || text(w.got.body, "discountAmount") != "0" {
		return fmt.Errorf("the server %s", w.got)
	}
	return equal("the reason", w.got.body["reason"], reason)
}

// changeDelivery changes the policy that the shop began with.
func (w *world) changeDelivery(ctx context.Context, change object) error {
	found, err := w.must(ctx, request{"GET", "/api/shipping-policies?where[isDefault][equals]=true", nil, w.asOwner()})
	if err != nil {
		return err
	}
	_, err = w.must(ctx, request{"PATCH", "/api/shipping-policies/" + text(found.body, "docs", 0, "id"), change, w.asOwner()})
	return err
}

func (w *world) waiveJeju(ctx context.Context, fee string) error {
	return w.changeDelivery(ctx, object{"zones": []any{object{
		"name": "jeju", "extraFee": json.Number(fee), "waivedWhenFree": true, "ranges": []any{object{"from": "63000", "to": "63644"}},
	}}})
}

// deliverBy gives a product a policy of its own, with the zones that every policy begins with.
func (w *world) deliverBy(ctx context.Context, name, fee string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	made, err := w.must(ctx, request{"POST", "/api/shipping-policies", object{"title": name, "baseFee": json.Number(fee)}, w.asOwner()})
	if err != nil {
		return err
	}
	_, err = w.must(ctx, request{"PATCH", "/api/products/" + g.product, object{"shippingPolicy": text(made.body, "doc", "id")}, w.asOwner()})
	return err
}

func (w *world) wantDelivery(ctx context.Context, body object, want string) error {
	got, err := w.must(ctx, request{"POST", public + "/shipping/calculate", body, w.asVisitor()})
	if err != nil {
		return err
	}
	return equal("delivery", got.body["shippingAmount"], want)
}

func (w *world) wantDeliveryOf(ctx context.Context, wishes []wish, body object, want string) (err error) {
	if body["items"], err = w.items(wishes); err != nil {
		return err
	}
	return w.wantDelivery(ctx, body, want)
}

func (w *world) wantMixedDelivery(ctx context.Context, n int, one string, m int, other, code, amount, want string) error {
	return w.wantDeliveryOf(ctx, []wish{{n, one}, {m, other}}, object{"orderAmount": json.Number(amount), "postalCode": code}, want)
}
