package checkouts_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/identity"
)

// legacyBody is the body of the previous generation's checkout of a cart.
func legacyBody(cartID, more string) string {
	return `{"cartId":"` + cartID + `","customerSnapshot":{"name":"Kim","email":"Kim@Example.com","phone":"010"},"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"}` + more + `}`
}

const checkOut = "/server/commerce/orders/checkout"

func TestLegacyCheckout(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Shop.CheckoutOrderSeparation = true
		w := paymentbed.NewWeb(b.Bed)
		cartID := b.Cart(nil, "mug")
		body := legacyBody(cartID, `,"discountCodes":["once"],"orderNumber":"A-1001","paymentId":"outside-7"`)
		status, opened := w.Ask("POST", checkOut, body, "X-API-Key", "sk")
		order, there := opened["order"]
		if status != 201 || !there || order != nil || opened.Text("checkout.status") != "open" ||
			opened.Text("checkout.totals.discount") != "1200" || opened.Text("checkout.email") != "kim@example.com" {
			t.Fatalf("%d %v", status, opened)
		}
		token := opened.Text("checkoutToken")
		shopper := []string{"X-Client-Key", "pk", "X-Checkout-Token", token}
		status, union := w.Ask("GET", "/commerce/checkouts/"+opened.Text("checkout.id"), "", shopper...)
		if status != 200 || !strings.HasPrefix(token, "co_") || strings.Contains(union.Text("raw"), "outside-7") ||
			strings.Contains(union.Text("raw"), "A-1001") {
			t.Errorf("%d %s", status, union.Text("raw"))
		}
		session := b.Pay(opened.Text("checkout.id"))
		done := b.Must(b.Confirm(session, b.Approve(session, "approve")))
		if done.Text("order.orderNumber") != "A-1001" || done.Text("order.metadata.paymentId") != "outside-7" ||
			done.Text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
		k := paymentbed.Key()
		body = legacyBody(b.Cart(nil, "2 mug"), `,"orderNumber":"A-1001"`)
		_, keyed := w.Ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		_, again := w.Ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		if keyed.Text("checkoutToken") == "" || keyed.Text("raw") != again.Text("raw") || again.Text("replayed") != "true" {
			t.Errorf("%v\n%v", keyed, again)
		}
		session = b.Pay(keyed.Text("checkout.id"))
		done = b.Must(b.Confirm(session, b.Approve(session, "approve")))
		if number := done.Text("order.orderNumber"); len(number) != 12 || done.At("order.metadata") != nil {
			t.Errorf("a number that is taken is not given twice: %v", done)
		}
	})
}

func TestLegacyCheckoutPlacesUnpaidOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		cartID := b.Cart([]string{"ONCE"}, "3 mug")
		status, made := w.Ask("POST", checkOut, legacyBody(cartID, `,"orderNumber":"B-1"`), "X-API-Key", "sk")
		if status != 201 || made.Text("order.status") != "pending" || made.Text("order.paymentStatus") != "unpaid" ||
			made.Text("order.orderNumber") != "B-1" || made.Text("order.totalAmount") != "35400" || made.At("checkoutToken") != nil ||
			made.At("checkout") != nil {
			t.Fatalf("%d %v", status, made)
		}
		if l := b.Level("mug"); l.OnHand != 97 || l.Reserved != 0 {
			t.Errorf("stock is taken at once: %+v", l)
		}
		status, late := w.Ask("POST", checkOut, legacyBody(cartID, ""), "X-API-Key", "sk")
		if status != 409 || late.Reason() != "cart_not_active" {
			t.Errorf("the cart is done: %d %v", status, late)
		}
		k := paymentbed.Key()
		body := legacyBody(b.Cart(nil, "mug"), `,"orderNumber":"B-1"`)
		_, first := w.Ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		_, again := w.Ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		if number := first.Text("order.orderNumber"); len(number) != 12 || first.Text("raw") != again.Text("raw") ||
			again.Text("replayed") != "true" {
			t.Errorf("%v\n%v", first, again)
		}
		_, free := w.Ask("POST", checkOut,
			strings.Replace(legacyBody(b.Cart(nil, "gift"), ""), `,"shippingAddress"`, `,"discountCodes":[],"shippingAddress"`, 1),
			"X-API-Key", "sk")
		if free.Text("order.status") != "paid" {
			t.Errorf("what costs nothing is paid: %v", free)
		}
		_, used := w.Ask("POST", checkOut, legacyBody(b.Cart(nil, "mug"), `,"discountCodes":["ONCE"]`), "X-API-Key", "sk")
		if used.Reason() != "discount_usage_limit" {
			t.Errorf("the code is used up by the first order: %v", used)
		}
		bare := `{"cartId":"` + b.Cart(nil, "mug") + `","customerSnapshot":{"email":"kim@example.com"}}`
		if status, answer := w.Ask("POST", checkOut, bare, "X-API-Key", "sk"); status != 422 ||
			answer.Reason() != "shipping_address_required" {
			t.Errorf("%d %v", status, answer)
		}
	})
}

func TestCartPlacesOneUnpaidOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		body := legacyBody(b.Cart(nil, "lamp"), "")
		var wg sync.WaitGroup
		var mu sync.Mutex
		told := map[string]int{}
		for range 12 {
			wg.Go(func() {
				status, answer := w.Ask("POST", checkOut, body, "X-API-Key", "sk")
				mu.Lock()
				defer mu.Unlock()
				told[fmt.Sprint(status, answer.Reason())]++
			})
		}
		wg.Wait()
		if told["201"] != 1 || told["409cart_not_active"] != 11 || b.Level("lamp").OnHand != 29 {
			t.Error(told, b.Level("lamp"))
		}
	})
}

func TestLegacyCheckoutAccess(t *testing.T) {
	b := newBed(t, shops.SQLite())
	b.Shop.CheckoutOrderSeparation = true
	w := paymentbed.NewWeb(b.Bed)
	kim := b.Create(identity.Customers, `{"email":"kim@shop.example","name":"Kim Min"}`)
	cartID := b.Cart(nil, "mug")
	customer := []string{"X-Client-Key", "pk", "Authorization", "Bearer " + kim}
	const public = "/commerce/orders/checkout"
	for name, c := range map[string]struct {
		path, body string
		headers    []string
		status     int
		reason     string
	}{
		"nobody":             {public, legacyBody(cartID, ""), nil, 401, "unauthenticated"},
		"a client key alone": {public, legacyBody(cartID, ""), []string{"X-Client-Key", "pk"}, 401, "unauthenticated"},
		"a guest with the cart's token": {
			public, legacyBody(cartID, ""), []string{"X-Client-Key", "pk", "X-Cart-Token", "ct_guest"}, 401, "unauthenticated",
		},
		"a secret key in public":         {public, legacyBody(cartID, ""), []string{"X-API-Key", "sk"}, 403, "forbidden"},
		"a client key at the server":     {checkOut, legacyBody(cartID, ""), []string{"X-Client-Key", "pk"}, 403, "forbidden"},
		"a key that may only read":       {checkOut, legacyBody(cartID, ""), []string{"X-API-Key", "sk_reader"}, 403, "forbidden"},
		"another shop":                   {checkOut, legacyBody(cartID, ""), []string{"X-API-Key", "sk_stranger"}, 404, "not_found"},
		"a customer with another's cart": {public, legacyBody(cartID, ""), customer, 404, "not_found"},
		"a customer who names a payment": {
			public, legacyBody(cartID, `,"paymentId":"p"`), append(customer, "X-Cart-Token", "ct_guest"), 400, "validation_failed",
		},
		"no buyer": {checkOut, `{"cartId":"` + cartID + `"}`, []string{"X-API-Key", "sk"}, 400, "validation_failed"},
		"no email": {
			checkOut, `{"cartId":"` + cartID + `","customerSnapshot":{"name":"Kim"}}`, []string{"X-API-Key", "sk"}, 400,
			"validation_failed",
		},
		"an order number with a space": {
			checkOut, legacyBody(cartID, `,"orderNumber":"A 1"`), []string{"X-API-Key", "sk"}, 400, "validation_failed",
		},
		"an order number that is too long": {
			checkOut, legacyBody(cartID, `,"orderNumber":"`+strings.Repeat("1", 65)+`"`), []string{"X-API-Key", "sk"}, 400,
			"validation_failed",
		},
		"a code that is none": {
			checkOut, legacyBody(cartID, `,"discountCodes":[""]`), []string{"X-API-Key", "sk"}, 400, "validation_failed",
		},
		"an unknown discount code": {
			checkOut, legacyBody(cartID, `,"discountCodes":["WISH"]`), []string{"X-API-Key", "sk"}, 422, "discount_not_found",
		},
		"a key made of the cart": {
			checkOut, legacyBody(cartID, ""), []string{"X-API-Key", "sk", "Idempotency-Key", "key-" + cartID}, 400,
			"idempotency_key_derived",
		},
		"a customer with the token of a guest": {public, legacyBody(cartID, ""), append(customer, "X-Cart-Token", "ct_guest"), 201, ""},
	} {
		if status, answer := w.Ask("POST", c.path, c.body, c.headers...); status != c.status || answer.Reason() != c.reason {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
	for name, snapshot := range map[string]string{"no email": `{"name":"Kim"}`, "no email at all": `{"email":"kim"}`} {
		_, answer := w.Ask("POST", checkOut, `{"cartId":"`+cartID+`","customerSnapshot":`+snapshot+`}`, "X-API-Key", "sk")
		if raw := answer.Text("raw"); !strings.Contains(raw, `"customerSnapshot.email"`) || strings.Contains(raw, `"email"`) {
			t.Errorf("%s is not named as it was sent: %s", name, raw)
		}
	}
	b.Shop.CommerceEnabled = false
	if status, answer := paymentbed.NewWeb(b.Bed).Ask("POST", checkOut, legacyBody(cartID, ""), "X-API-Key", "sk"); status != 403 ||
		answer.Reason() != "feature_disabled" {
		t.Errorf("%d %v", status, answer)
	}
	if r := b.Get(cart.Schema, cartID); r.Text("status") != "active" {
		t.Error(r)
	}
}
