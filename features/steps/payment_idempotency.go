package steps

import (
	"context"
	"fmt"
)

// paymentIdempotencySteps takes each step of a purchase with a missing or derived idempotency key.
type paymentIdempotencySteps struct {
	*client

	carts     *cartSteps
	checkouts *checkoutSteps
	payments  *paymentSteps
	pages     *paymentPageSteps
	custom    *customPaymentSteps
}

func newPaymentIdempotencySteps(
	c *client, carts *cartSteps, checkouts *checkoutSteps, payments *paymentSteps, pages *paymentPageSteps, custom *customPaymentSteps,
) *paymentIdempotencySteps {
	return &paymentIdempotencySteps{client: c, carts: carts, checkouts: checkouts, payments: payments, pages: pages, custom: custom}
}

func (s *paymentIdempotencySteps) definitions() []stepDefinition {
	const step = `(checks out|changes the checkout|completes the checkout|opens a payment|cancels the payment|confirms the payment` +
		`|opens a payment page|cancels the payment page|reconciles the payment|opens a custom payment|confirms a custom payment)`
	return []stepDefinition{
		{`^the (?:shopper|shop) ` + step + ` without an idempotency key$`, func(ctx context.Context, step string) error {
			return s.sendWithKey(ctx, step, "")
		}},
		{
			`^the (?:shopper|shop) ` + step +
				` with an idempotency key derived from the id of the (cart|checkout|payment|provider's payment)$`,
			s.sendWithDerivedKey,
		},
		{
			`^the shopper opens a payment with another return address and the idempotency key of that request$`,
			func(ctx context.Context) error {
				r := s.payments.openRequest("https://elsewhere.example")
				r.header["Idempotency-Key"] = s.sent.header["Idempotency-Key"]
				return s.try(ctx, r)
			},
		},
	}
}

// request is the request of a step of a purchase.
func (s *paymentIdempotencySteps) request(name string) request {
	switch name {
	case "checks out":
		return request{"POST", publicAPI + "/checkouts", object{
			"cartId": s.carts.cart.id, "email": "kim@shopper.example", "shippingAddress": address(),
		}, keyed(s.carts.asShopper())}
	case "changes the checkout":
		return request{"PATCH", publicAPI + "/checkouts/" + s.checkouts.checkout.id, object{
			"email": "lee@shopper.example",
		}, keyed(s.checkouts.asShopper())}
	case "completes the checkout":
		return s.checkouts.completeRequest()
	case "opens a payment":
		return s.payments.openRequest("https://shop.example")
	case "cancels the payment":
		return s.custom.cancelRequest()
	case "confirms the payment":
		return s.payments.confirmRequest()
	}
	return s.otherRequest(name)
}

// unknownCustomPayment is a payment that no scenario opens.
var unknownCustomPayment = customPayment{"session", "payment", "event"}

// otherRequest is the request of a step of hosted and custom payments.
func (s *paymentIdempotencySteps) otherRequest(name string) request {
	switch name {
	case "opens a payment page":
		return s.pages.openRequest(object{"mode": "hosted_v2", "method": "CARD_KR"})
	case "cancels the payment page":
		return s.pages.cancelRequest()
	case "reconciles the payment":
		return reconcileRequest(serverAPI, "any", s.payments.payment.orderID, s.asServer())
	case "opens a custom payment":
		return s.custom.openRequest(unknownCustomPayment, keyed(s.asServer()))
	}
	return s.custom.confirmRequest(unknownCustomPayment, "18000", "KRW", s.asServer())
}

// sendWithKey takes a step with an idempotency key, "" for none.
func (s *paymentIdempotencySteps) sendWithKey(ctx context.Context, step, key string) error {
	r := s.request(step)
	if r.header["Idempotency-Key"] = key; key == "" {
		delete(r.header, "Idempotency-Key")
	}
	return s.try(ctx, r)
}

func (s *paymentIdempotencySteps) sendWithDerivedKey(ctx context.Context, step, thing string) error {
	id := map[string]string{
		"cart": s.carts.cart.id, "checkout": s.checkouts.checkout.id, "payment": s.payments.payment.id,
		"provider's payment": s.payments.payment.orderID,
	}[thing]
	if id == "" {
		return fmt.Errorf("the %s has no id", thing)
	}
	return s.sendWithKey(ctx, step, "my-key-"+id)
}
