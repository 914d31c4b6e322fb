package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

func (w *world) discountSteps() []definition {
	return []definition{
		{`^the code "([^"]*)" takes (\d+) percent off$`, func(ctx context.Context, code, percent string) error {
			return w.makeCode(ctx, object{"code": code, "type": "percentage", "value": json.Number(percent)})
		}},
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off, once$`, func(ctx context.Context, code, amount, currency string) error {
			return w.makeCode(ctx, object{"code": code, "type": "fixed_amount", "value": json.Number(amount), "currency": currency, "usageLimit": 1})
		}},
		{`^the code "([^"]*)" takes (\d+) ([A-Z]{3}) off until (\S+)$`, func(ctx context.Context, code, amount, currency, end string) error {
			return w.makeCode(ctx, object{"code": code, "type": "fixed_amount", "value": json.Number(amount), "currency": currency, "endsAt": end + "T00:00:00.000Z"})
		}},
		{`^(?:the shopper fills )?a cart with (\d+) "([^"]*)" and the code "([^"]*)"$`, func(ctx context.Context, n int, name, code string) error {
			return w.makeCart(ctx, "", []wish{{n, name}}, code)
		}},
		{`^the code "([^"]*)" takes (\d+) off the cart$`, w.wantOff},
		{`^the shopper sets the codes "([^"]*)"$`, func(ctx context.Context, codes string) error { return w.setCodes(ctx, strings.Split(codes, ", ")) }},
		{`^the shopper clears the codes$`, func(ctx context.Context) error { return w.setCodes(ctx, []string{}) }},
		{`^the cart lists no code "([^"]*)"$`, w.wantNoCode},
		{`^the code "([^"]*)" takes nothing off because "([^"]*)"$`, w.wantNothingOff},
		{`^(\d+) shoppers with 1 "([^"]*)" and the code "([^"]*)" each open a payment at once$`, w.crowdPays},
	}
}

func (w *world) makeCode(ctx context.Context, discount object) error {
	_, err := w.must(ctx, request{"POST", "/api/discounts", discount, w.asOwner()})
	return err
}

func (w *world) setCodes(ctx context.Context, codes []string) error {
	return w.tryOnCart(ctx, w.write("PUT", "/discount-codes", object{"discountCodes": codes}))
}

func (w *world) wantNoCode(ctx context.Context, code string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	for _, entry := range list(w.cart.body, "discountCodes") {
		if strings.EqualFold(text(entry, "code"), code) {
			return fmt.Errorf("the code is listed as %v", entry)
		}
	}
	return nil
}

func (w *world) code(ctx context.Context, code string) (object, error) {
	if err := w.look(ctx); err != nil {
		return nil, err
	}
	for _, entry := range list(w.cart.body, "discountCodes") {
		if strings.EqualFold(text(entry, "code"), code) {
			return entry.(object), nil
		}
	}
	return nil, fmt.Errorf("the cart lists no code %q", code)
}

func (w *world) wantOff(ctx context.Context, code, amount string) error {
	entry, err := w.code(ctx, code)
	if err != nil {
		return err
	}
	if text(entry, "applied") != "true" || text(entry, "amount") != amount {
		return fmt.Errorf("the code is listed as %v", entry)
	}
	return equal("the cart's discount", dig(w.cart.body, "totals", "discount"), amount)
}

func (w *world) wantNothingOff(ctx context.Context, code, reason string) error {
	entry, err := w.code(ctx, code)
	if err != nil {
		return err
	}
	if text(entry, "applied") != "false" || text(entry, "reason") != reason {
		return fmt.Errorf("the code is listed as %v", entry)
	}
	return equal("the cart's discount", dig(w.cart.body, "totals", "discount"), "0")
}
