package steps

import (
	"context"
	"encoding/json"
	"slices"
)

func (w *world) previousSteps() []definition {
	return []definition{
		{`^a cart of an older storefront$`, w.makeOldCart},
		{`^an older storefront adds (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return w.addOldWay(ctx, n, name, "") }},
		{`^an older storefront adds (\d+) "([^"]*)" from market "([^"]*)"$`, w.addOldWay},
		{`^(\d+) people add 1 "([^"]*)" in an older storefront at once$`, w.crowdAddsOldWay},
		{`^an older storefront applies the code "([^"]*)"$`, func(ctx context.Context, code string) error { return w.onOldCode(ctx, "/apply-discount", code) }},
		{`^an older storefront takes the code "([^"]*)" off$`, func(ctx context.Context, code string) error { return w.onOldCode(ctx, "/remove-discount", code) }},
		{`^the shopper (applies|takes off) the code "([^"]*)" the old way$`, w.oldWayOnCurrent},
		{`^an older storefront shows the cart$`, func(ctx context.Context) error { return w.try(ctx, w.oldWay("GET", "", nil)) }},
		{`^it shows goods for (\d+), (\d+) off and (\d+) in all$`, w.wantFlat},
		{`^the shop's staff checks the cart out the old way$`, w.checkOutOldWay},
	}
}

// oldWay is a call of the previous generation on the cart: no key, no revision.
func (w *world) oldWay(method, path string, body any) request {
	return request{method, public + "/cart/" + w.cart.id + path, body, w.asCartOwner()}
}

func (w *world) makeOldCart(ctx context.Context) error {
	made, err := w.must(ctx, request{"POST", public + "/cart", object{}, w.asVisitor()})
	w.cart = cartView{id: text(made.body, "id"), token: text(made.body, "cartToken")}
	return err
}

func (w *world) oldAddition(n int, name, market string) (request, error) {
	g, err := w.good(name)
	body := object{"variantId": g.variant, "quantity": n}
	if market != "" {
		body["market"] = market
	}
	return w.oldWay("POST", "/items", body), err
}

func (w *world) addOldWay(ctx context.Context, n int, name, market string) error {
	r, err := w.oldAddition(n, name, market)
	if err != nil {
		return err
	}
	if err := w.try(ctx, r); err != nil || !w.got.ok() {
		return err
	}
	w.cart.revision = json.Number(text(w.got.body, "revision"))
	return nil
}

func (w *world) crowdAddsOldWay(ctx context.Context, n int, name string) error {
	r, err := w.oldAddition(1, name, "")
	if err != nil {
		return err
	}
	return w.together(ctx, slices.Repeat([]request{r}, n))
}

func (w *world) onOldCode(ctx context.Context, path, code string) error {
	return w.try(ctx, w.oldWay("POST", path, object{"discountCode": code}))
}

// oldWayOnCurrent looks for an old helper among the calls of today.
func (w *world) oldWayOnCurrent(ctx context.Context, does, code string) error {
	path := map[string]string{"applies": "/apply-discount", "takes off": "/remove-discount"}[does]
	return w.try(ctx, w.write("POST", path, object{"discountCode": code}))
}

func (w *world) wantFlat(goods, off, all string) error {
	for _, total := range [][2]string{{"itemsTotal", goods}, {"discountAmount", off}, {"totalAmount", all}} {
		if err := equal(total[0], w.got.body[total[0]], total[1]); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) checkOutOldWay(ctx context.Context) error {
	body := object{"cartId": w.cart.id, "customerSnapshot": object{"name": "Kim", "email": "kim@shopper.example"}, "shippingAddress": address()}
	made, err := w.must(ctx, request{"POST", server + "/orders/checkout", body, w.asOwner()})
	w.checkout = checkoutView{text(made.body, "checkout", "id"), text(made.body, "checkoutToken")}
	return err
}
