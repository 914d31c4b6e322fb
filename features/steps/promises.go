package steps

import "context"

// shopper is what one of two shoppers knows while the other acts.
type shopper struct {
	cart     cartView
	checkout checkoutView
	payment  paymentView
}

func (w *world) promiseSteps() []definition {
	return []definition{
		{`^another shopper opens a payment for (\d+) "([^"]*)"$`, w.otherPays},
		{`^another shopper's payment for (\d+) "([^"]*)" is open$`, func(ctx context.Context, n int, name string) error {
			if err := w.otherPays(ctx, n, name); err != nil {
				return err
			}
			return w.succeeded()
		}},
		{`^another shopper tries to buy (\d+) "([^"]*)"$`, w.tryToBuy},
		{`^the first shopper opens the same payment again$`, func(ctx context.Context) error {
			w.cart, w.checkout, w.payment = w.first.cart, w.first.checkout, w.first.payment
			return w.openPayment(ctx)
		}},
	}
}

func (w *world) otherPays(ctx context.Context, n int, name string) error {
	w.first = shopper{w.cart, w.checkout, w.payment}
	if err := w.makeCheckout(ctx, n, name, true); err != nil {
		return err
	}
	return w.openPayment(ctx)
}

// tryToBuy goes from cart to checkout to payment, as far as the shop lets it. Where it stops may differ: carts may look
// at stock of a moment ago, payments never do.
func (w *world) tryToBuy(ctx context.Context, n int, name string) error {
	if err := w.tryCart(ctx, "", []wish{{n, name}}, nil); err != nil || !w.got.ok() {
		return err
	}
	w.cart = cartView{id: text(w.got.body, "cart", "id"), token: text(w.got.body, "cartToken")}
	if err := w.look(ctx); err != nil {
		return err
	}
	if err := w.checkOut(ctx, true); err != nil || !w.got.ok() {
		return err
	}
	return w.openPayment(ctx)
}
