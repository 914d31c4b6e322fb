package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// waitFor polls until done, or until ctx ends.
func waitFor(ctx context.Context, done func() bool) error {
	for !done() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		wait(ctx, time.Millisecond)
	}
	return nil
}

// checkout fills a cart and opens its checkout.
func (c *caller) checkout(ctx context.Context, variant string, codes ...string) (id string, err error) {
	var cart cartBody
	if _, err := c.must(ctx, request{"POST", cartPath, newKey(), map[string]any{
		"items": []any{map[string]any{"variantId": variant, "quantity": 1}}, "discountCodes": append([]string{}, codes...),
	}}, &cart); err != nil {
		return "", err
	}
	var out struct{ Checkout struct{ ID string } }
	_, err = c.must(ctx, checkoutOf(cart.Cart.ID), &out)
	return out.Checkout.ID, err
}

// scarceUnits lets 100 buyers check out 30 units at once: 30 succeed, and the others are refused before they
// pay.
func scarceUnits(ctx context.Context, st *testbed) error {
	const buyers, units = 100, 30
	variant, err := st.newVariant(ctx, map[string]any{"name": "Scarce lamp", "price": 5000, "stock": units})
	if err != nil {
		return err
	}
	before, err := st.caller.count(ctx, "orders")
	if err != nil {
		return err
	}
	var won atomic.Int64
	if err := concurrently(buyers, func(int) error {
		id, err := st.caller.checkout(ctx, variant)
		if err != nil {
			return err
		}
		order, a, err := payOnce(ctx, st.caller, id)
		switch {
		case err != nil:
			return err
		case order.Status == "paid":
			won.Add(1)
		case !bytes.Contains(a.body, []byte(`"out_of_stock"`)):
			return fmt.Errorf("%d %s", a.status, a.body)
		}
		return nil
	}); err != nil {
		return err
	}
	var left struct{ Stock, Reserved int64 }
	if _, err := st.caller.must(ctx, request{"GET", "/api/product-variants/" + variant, "", nil}, &left); err != nil {
		return err
	}
	after, err := st.caller.count(ctx, "orders")
	if err == nil && (won.Load() != units || after-before != units || left.Stock != 0 || left.Reserved != 0) {
		err = fmt.Errorf("%d buyers succeeded, %d orders, %+v", won.Load(), after-before, left)
	}
	return err
}

// payOnce pays for a checkout whose payment session may be refused; the answer is then the refusal, and there
// is no order.
func payOnce(ctx context.Context, c *caller, checkout string) (orderBody, answer, error) {
	a, err := c.send(ctx, sessionOf(checkout))
	if err != nil || a.status >= http.StatusMultipleChoices {
		return orderBody{}, a, err
	}
	order, err := paySession(ctx, c, a)
	return order, a, err
}

// singleUseCode places 50 orders at once that a single-use code makes free: one is placed.
func singleUseCode(ctx context.Context, st *testbed) error {
	const placements, giftPrice = 50, 5000
	variant, err := st.newVariant(ctx, notShipped("Gift", giftPrice))
	if err != nil {
		return err
	}
	code := "ONE-" + newKey()[3:15]
	discount, err := st.newDiscount(ctx, map[string]any{"code": code, "type": "percentage", "value": 100, "usageLimit": 1})
	if err != nil {
		return err
	}
	ids := make([]string, placements)
	if err := concurrently(placements, func(i int) (err error) {
		ids[i], err = st.caller.checkout(ctx, variant, code)
		return err
	}); err != nil {
		return err
	}
	var placed atomic.Int64
	if err := concurrently(placements, func(i int) error {
		a, err := st.caller.send(ctx, request{"POST", commerce + "/checkouts/" + ids[i] + "/complete", newKey(), map[string]any{}})
		switch {
		case err != nil:
			return err
		case a.status == http.StatusOK:
			placed.Add(1)
		case !bytes.Contains(a.body, []byte(`"discount_usage_limit"`)):
			return fmt.Errorf("%d %s", a.status, a.body)
		}
		return nil
	}); err != nil {
		return err
	}
	var now struct{ UsageCount int64 }
	_, err = st.caller.must(ctx, request{"GET", "/api/discounts/" + discount, "", nil}, &now)
	if err == nil && (placed.Load() != 1 || now.UsageCount != 1) {
		err = fmt.Errorf("%d orders with a code for one use, which counts %d", placed.Load(), now.UsageCount)
	}
	return err
}
