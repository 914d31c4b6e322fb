package steps

import (
	"context"
	"fmt"
)

func (w *world) stepKeySteps() []definition {
	const step = `(checks out|changes the checkout|completes the checkout|opens a payment|cancels the payment|confirms the payment|opens a payment page|cancels the page|reconciles the payment|opens its own payment|says that money came)`
	return []definition{
		{`^the (?:shopper|shop) ` + step + ` without a key$`, func(ctx context.Context, step string) error { return w.keyedBy(ctx, step, "") }},
		{`^the (?:shopper|shop) ` + step + ` under a key made from the number of the (cart|checkout|payment|provider's payment)$`, w.derive},
		{`^the shop cancels the order under a key made from its number$`, w.cancelDerived},
		{`^the shopper opens a payment that returns elsewhere under the key of that request$`, func(ctx context.Context) error {
			r := w.opening("https://elsewhere.example")
			r.header["Idempotency-Key"] = w.sent.header["Idempotency-Key"]
			return w.try(ctx, r)
		}},
	}
}

// step is the request of one step of buying.
func (w *world) step(name string) request {
	switch name {
	case "checks out":
		return request{"POST", public + "/checkouts", object{"cartId": w.cart.id, "email": "kim@shopper.example", "shippingAddress": address()}, keyed(w.asCartOwner())}
	case "changes the checkout":
		return request{"PATCH", public + "/checkouts/" + w.checkout.id, object{"email": "lee@shopper.example"}, keyed(w.asBuyer())}
	case "completes the checkout":
		return w.completion()
	case "opens a payment":
		return w.opening("https://shop.example")
	case "cancels the payment":
		return request{"POST", server + "/payment-sessions/" + w.payment.id + "/cancel", object{}, keyed(w.asOwner())}
	case "confirms the payment":
		return w.confirmation()
	}
	return w.stepElsewhere(name)
}

// strangeBank is one that no scenario has opened an account with.
var strangeBank = bankView{"session", "payment", "news"}

// stepElsewhere is the request of a step at an aggregator, or at a bank of the shop's own.
func (w *world) stepElsewhere(name string) request {
	switch name {
	case "opens a payment page":
		return w.openingKind(object{"mode": "hosted_v2", "method": "CARD_KR"})
	case "cancels the page":
		return request{"POST", public + "/payment-sessions/aggregator/" + w.payment.id + "/cancel", object{}, keyed(w.asBuyer())}
	case "reconciles the payment":
		return reconciling("any", w.payment.orderID, w.asOwner())
	case "opens its own payment":
		return w.bridging(strangeBank, keyed(w.asOwner()))
	}
	return w.arrival(strangeBank, "18000", "KRW", w.asOwner())
}

// keyedBy takes a step under a key, "" for none.
func (w *world) keyedBy(ctx context.Context, step, key string) error {
	r := w.step(step)
	if r.header["Idempotency-Key"] = key; key == "" {
		delete(r.header, "Idempotency-Key")
	}
	return w.try(ctx, r)
}

func (w *world) derive(ctx context.Context, step, thing string) error {
	number := map[string]string{"cart": w.cart.id, "checkout": w.checkout.id, "payment": w.payment.id, "provider's payment": w.payment.orderID}[thing]
	if number == "" {
		return fmt.Errorf("the %s has no number", thing)
	}
	return w.keyedBy(ctx, step, "my-key-"+number)
}

func (w *world) cancelDerived(ctx context.Context) error {
	id := text(w.got.body, "order", "id")
	return w.try(ctx, request{"POST", "/api/orders/" + id + "/cancel", object{"reason": "x"}, with(w.asOwner(), "Idempotency-Key", "cancel-"+id)})
}
