package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// checkoutView is a checkout as its shopper knows it.
type checkoutView struct{ id, token string }

func address() object {
	return object{
		"recipientName": "Kim Minji", "phone": "010-1234-5678", "postalCode": "04524", "address1": "110 Sejong-daero", "address2": "3F", "country": "KR",
	}
}

func (w *world) checkoutSteps() []definition {
	return []definition{
		{`^a checkout of (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return w.makeCheckout(ctx, n, name, true) }},
		{`^a checkout of (\d+) "([^"]*)" without an address$`, func(ctx context.Context, n int, name string) error { return w.makeCheckout(ctx, n, name, false) }},
		{`^the shopper checks out$`, func(ctx context.Context) error { return w.checkOut(ctx, true) }},
		{`^the shopper checks out without an address$`, func(ctx context.Context) error { return w.checkOut(ctx, false) }},
		{`^the shopper gives an address$`, w.giveAddress},
		{`^the shopper completes the checkout without paying$`, w.complete},
		{`^the shopper completes the checkout (\d+) times at once$`, w.completeTogether},
		{`^the checkout is "([^"]*)"$`, w.wantCheckoutStatus},
		{`^the first checkout is "([^"]*)"$`, w.wantFirstCheckoutStatus},
		{`^the checkout holds (\d+) "([^"]*)"$`, w.wantCheckoutLine},
		{`^the checkout costs (\d+) ([A-Z]{3})$`, w.wantCheckoutCost},
		{`^the checkout has no shipping$`, w.wantNoShipping},
		{`^exactly one order of (\d+) ([A-Z]{3}) is placed$`, w.wantOneOrder},
		{`^no order is placed$`, w.wantNoOrder},
		{`^the shop's server asks for the checkouts that are "([^"]*)", the newest first$`, func(ctx context.Context, status string) error {
			return w.try(ctx, request{"GET", server + "/checkouts" + newest(status), nil, w.asOwner()})
		}},
		{`^a browser asks for the checkouts of the shop$`, func(ctx context.Context) error {
			return w.try(ctx, request{"GET", server + "/checkouts", nil, w.asBuyer()})
		}},
		{`^it finds (\d+) checkouts, the first of (\d+) KRW$`, w.wantFound},
		{`^the list of records says the same$`, w.wantSameList},
		{`^reading the checkout does not show its token$`, w.wantHiddenToken},
		{`^the checkout cannot be read with the cart's token$`, w.wantCartTokenRefused},
	}
}

func (w *world) makeCheckout(ctx context.Context, n int, name string, withAddress bool) error {
	if err := w.makeCart(ctx, "", []wish{{n, name}}); err != nil {
		return err
	}
	if err := w.checkOut(ctx, withAddress); err != nil {
		return err
	}
	return w.succeeded()
}

func (w *world) checkOut(ctx context.Context, withAddress bool) error {
	if withAddress {
		return w.checkOutTo(ctx, address())
	}
	return w.checkOutTo(ctx, nil)
}

// checkOutTo checks the cart out; without an address it is not told yet.
func (w *world) checkOutTo(ctx context.Context, to object) error {
	body := object{"cartId": w.cart.id, "expectedRevision": w.cart.revision, "email": "kim@shopper.example"}
	if to != nil {
		body["shippingAddress"] = to
	}
	if err := w.try(ctx, request{"POST", public + "/checkouts", body, keyed(w.asCartOwner())}); err != nil {
		return err
	}
	if w.got.ok() {
		w.checkout = checkoutView{text(w.got.body, "checkout", "id"), text(w.got.body, "checkoutToken")}
		w.seen = append(w.seen, w.checkout)
	}
	return nil
}

func (w *world) asBuyer() map[string]string {
	return with(w.asVisitor(), "X-Checkout-Token", w.checkout.token)
}

func (w *world) giveAddress(ctx context.Context) error {
	return w.try(ctx, request{"PATCH", public + "/checkouts/" + w.checkout.id, object{"shippingAddress": address()}, keyed(w.asBuyer())})
}

func (w *world) completion() request {
	return request{"POST", public + "/checkouts/" + w.checkout.id + "/complete", object{}, keyed(w.asBuyer())}
}

func (w *world) complete(ctx context.Context) error { return w.try(ctx, w.completion()) }

func (w *world) completeTogether(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, w.completion())
	}
	return w.together(ctx, all)
}

// readCheckout retrieves the union of Contract 8: a status and what belongs to it.
func (w *world) readCheckout(ctx context.Context) (object, error) {
	got, err := w.must(ctx, request{"GET", public + "/checkouts/" + w.checkout.id, nil, w.asBuyer()})
	return got.body, err
}

func (w *world) wantCheckoutStatus(ctx context.Context, want string) error {
	got, err := w.readCheckout(ctx)
	if err != nil {
		return err
	}
	return equal("the checkout", got["status"], want)
}

func (w *world) wantFirstCheckoutStatus(ctx context.Context, want string) error {
	last := w.checkout
	w.checkout = w.seen[0]
	defer func() { w.checkout = last }()
	return w.wantCheckoutStatus(ctx, want)
}

func (w *world) wantCheckoutLine(ctx context.Context, quantity int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	got, err := w.readCheckout(ctx)
	if err != nil {
		return err
	}
	for _, line := range list(got, "checkout", "lines") {
		if idOf(dig(line, "variant")) == g.variant {
			return equal(name+" in the checkout", dig(line, "quantity"), strconv.Itoa(quantity))
		}
	}
	return fmt.Errorf("the checkout holds no %q", name)
}

func (w *world) wantCheckoutCost(ctx context.Context, amount, currency string) error {
	got, err := w.readCheckout(ctx)
	if err != nil {
		return err
	}
	if err := equal("the currency", dig(got, "checkout", "currency"), currency); err != nil {
		return err
	}
	return equal("the total", dig(got, "checkout", "totals", "total"), amount)
}

// wantNoShipping: where nothing ships there is no shipping line at all, not one of zero.
func (w *world) wantNoShipping(ctx context.Context) error {
	got, err := w.readCheckout(ctx)
	if err != nil {
		return err
	}
	totals, _ := dig(got, "checkout", "totals").(object)
	if shipping, there := totals["shipping"]; there {
		return fmt.Errorf("shipping is %v", shipping)
	}
	return equal("requiring shipping", dig(got, "checkout", "requiresShipping"), "false")
}

// orders lists the shop's orders; every scenario has a shop of its own.
func (w *world) orders(ctx context.Context) ([]any, error) {
	got, err := w.must(ctx, request{"GET", "/api/orders?limit=100", nil, w.asOwner()})
	return list(got.body, "docs"), err
}

func (w *world) wantOneOrder(ctx context.Context, amount, currency string) error {
	orders, err := w.orders(ctx)
	if err != nil {
		return err
	}
	if len(orders) != 1 {
		return fmt.Errorf("%d orders are placed", len(orders))
	}
	for what, want := range map[string]string{"totalAmount": amount, "currency": currency, "status": "paid", "checkout": w.checkout.id} {
		got := dig(orders[0], what)
		if what == "checkout" {
			got = idOf(got)
		}
		if err := equal("the order's "+what, got, want); err != nil {
			return err
		}
	}
	return w.wantCheckoutStatus(ctx, "completed")
}

func (w *world) wantNoOrder(ctx context.Context) error {
	orders, err := w.orders(ctx)
	if err == nil && len(orders) != 0 {
		err = fmt.Errorf("%d orders are placed", len(orders))
	}
	return err
}

// newest asks a list for what has a status.
func newest(status string) string {
	return "?depth=1&limit=5&sort=-createdAt&where[status][equals]=" + status
}

func (w *world) wantFound(n, total string) error {
	if err := equal("how many there are", w.got.body["totalDocs"], n); err != nil {
		return fmt.Errorf("%w: %s", err, w.got)
	}
	return equal("the first", dig(w.got.body, "docs", 0, "totals", "total"), total)
}

// wantSameList compares the last answer with that of the collection, byte by byte.
func (w *world) wantSameList(ctx context.Context) error {
	got, err := w.must(ctx, request{"GET", "/api/checkouts" + newest("open"), nil, w.asOwner()})
	if err == nil && !bytes.Equal(got.raw, w.got.raw) {
		err = fmt.Errorf("the list %s, and the operation %s", got, w.got)
	}
	return err
}

func (w *world) wantHiddenToken(ctx context.Context) error {
	for path, header := range map[string]map[string]string{
		public + "/checkouts/" + w.checkout.id: w.asBuyer(),
		server + "/checkouts/" + w.checkout.id: w.asOwner(),
		"/api/checkouts/" + w.checkout.id:      w.asOwner(),
	} {
		got, err := w.must(ctx, request{"GET", path, nil, header})
		if err != nil {
			return err
		}
		raw, err := json.Marshal(got.body)
		if err != nil {
			return err
		}
		if bytes.Contains(raw, []byte(w.checkout.token)) {
			return fmt.Errorf("%s shows the token", path)
		}
	}
	return nil
}

func (w *world) wantCartTokenRefused(ctx context.Context) error {
	if err := w.try(ctx, request{"GET", public + "/checkouts/" + w.checkout.id, nil, w.asCartOwner()}); err != nil {
		return err
	}
	if w.got.ok() {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}
