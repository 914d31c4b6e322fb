package buying_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/identity"
)

// leave is the body of the previous generation's checkout of a cart.
func leave(cartID, more string) string {
	return `{"cartId":"` + cartID + `","customerSnapshot":{"name":"Kim","email":"Kim@Example.com","phone":"010"},"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"}` + more + `}`
}

const checkOut = "/server/commerce/orders/checkout"

func TestThePreviousGenerationChecksOut(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.shop.CheckoutOrderSeparation = true
		w := newWeb(b)
		cartID := b.cart(nil, "mug")
		body := leave(cartID, `,"discountCodes":["once"],"orderNumber":"A-1001","paymentId":"outside-7"`)
		status, opened := w.ask("POST", checkOut, body, "X-API-Key", "sk")
		order, there := opened["order"]
		if status != 201 || !there || order != nil || opened.text("checkout.status") != "open" || opened.text("checkout.totals.discount") != "1200" || opened.text("checkout.email") != "kim@example.com" {
			t.Fatalf("%d %v", status, opened)
		}
		token := opened.text("checkoutToken")
		shopper := []string{"X-Client-Key", "pk", "X-Checkout-Token", token}
		status, union := w.ask("GET", "/commerce/checkouts/"+opened.text("checkout.id"), "", shopper...)
		if status != 200 || !strings.HasPrefix(token, "co_") || strings.Contains(union.text("raw"), "outside-7") || strings.Contains(union.text("raw"), "A-1001") {
			t.Errorf("%d %s", status, union.text("raw"))
		}
		session := b.pay(opened.text("checkout.id"))
		done := b.must(b.confirm(session, b.approve(session, "approve")))
		if done.text("order.orderNumber") != "A-1001" || done.text("order.metadata.paymentId") != "outside-7" || done.text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
		k := key()
		body = leave(b.cart(nil, "2 mug"), `,"orderNumber":"A-1001"`)
		_, keyed := w.ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		_, again := w.ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		if keyed.text("checkoutToken") == "" || keyed.text("raw") != again.text("raw") || again.text("replayed") != "true" {
			t.Errorf("%v\n%v", keyed, again)
		}
		session = b.pay(keyed.text("checkout.id"))
		done = b.must(b.confirm(session, b.approve(session, "approve")))
		if number := done.text("order.orderNumber"); len(number) != 12 || done.at("order.metadata") != nil {
			t.Errorf("a number that is taken is not given twice: %v", done)
		}
	})
}

func TestAShopThatMakesOrdersBeforeTheyArePaid(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := newWeb(b)
		cartID := b.cart([]string{"ONCE"}, "3 mug")
		status, made := w.ask("POST", checkOut, leave(cartID, `,"orderNumber":"B-1"`), "X-API-Key", "sk")
		if status != 201 || made.text("order.status") != "pending" || made.text("order.paymentStatus") != "unpaid" || made.text("order.orderNumber") != "B-1" || made.text("order.totalAmount") != "35400" || made.at("checkoutToken") != nil || made.at("checkout") != nil {
			t.Fatalf("%d %v", status, made)
		}
		if l := b.level("mug"); l.OnHand != 97 || l.Reserved != 0 {
			t.Errorf("the goods are taken at once: %+v", l)
		}
		status, late := w.ask("POST", checkOut, leave(cartID, ""), "X-API-Key", "sk")
		if status != 409 || late.reason() != "cart_not_active" {
			t.Errorf("the cart is done: %d %v", status, late)
		}
		k := key()
		body := leave(b.cart(nil, "mug"), `,"orderNumber":"B-1"`)
		_, first := w.ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		_, again := w.ask("POST", checkOut, body, "X-API-Key", "sk", "Idempotency-Key", k)
		if number := first.text("order.orderNumber"); len(number) != 12 || first.text("raw") != again.text("raw") || again.text("replayed") != "true" {
			t.Errorf("%v\n%v", first, again)
		}
		_, free := w.ask("POST", checkOut, strings.Replace(leave(b.cart(nil, "gift"), ""), `,"shippingAddress"`, `,"discountCodes":[],"shippingAddress"`, 1), "X-API-Key", "sk")
		if free.text("order.status") != "paid" {
			t.Errorf("what costs nothing is paid: %v", free)
		}
		_, used := w.ask("POST", checkOut, leave(b.cart(nil, "mug"), `,"discountCodes":["ONCE"]`), "X-API-Key", "sk")
		if used.reason() != "discount_usage_limit" {
			t.Errorf("the code is used up by the first order: %v", used)
		}
		bare := `{"cartId":"` + b.cart(nil, "mug") + `","customerSnapshot":{"email":"kim@example.com"}}`
		if status, answer := w.ask("POST", checkOut, bare, "X-API-Key", "sk"); status != 422 || answer.reason() != "shipping_address_required" {
			t.Errorf("%d %v", status, answer)
		}
	})
}

func TestOneCartGivesOneUnpaidOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := newWeb(b)
		body := leave(b.cart(nil, "lamp"), "")
		var wg sync.WaitGroup
		var mu sync.Mutex
		told := map[string]int{}
		for range 12 {
			wg.Go(func() {
				status, answer := w.ask("POST", checkOut, body, "X-API-Key", "sk")
				mu.Lock()
				defer mu.Unlock()
				told[fmt.Sprint(status, answer.reason())]++
			})
		}
		wg.Wait()
		if told["201"] != 1 || told["409cart_not_active"] != 11 || b.level("lamp").OnHand != 29 {
			t.Error(told, b.level("lamp"))
		}
	})
}

func TestWhoMayCheckOutAsBefore(t *testing.T) {
	b := newBed(t, shops.SQLite())
	b.shop.CheckoutOrderSeparation = true
	w := newWeb(b)
	kim := b.create(identity.Customers, `{"email":"kim@shop.example","name":"Kim Min"}`)
	cartID := b.cart(nil, "mug")
	customer := []string{"X-Client-Key", "pk", "Authorization", "Bearer " + kim}
	const public = "/commerce/orders/checkout"
	for name, c := range map[string]struct {
		path, body string
		headers    []string
		status     int
		reason     string
	}{
		"nobody":                               {public, leave(cartID, ""), nil, 401, "unauthenticated"},
		"a client key alone":                   {public, leave(cartID, ""), []string{"X-Client-Key", "pk"}, 401, "unauthenticated"},
		"a guest with the cart's token":        {public, leave(cartID, ""), []string{"X-Client-Key", "pk", "X-Cart-Token", "ct_guest"}, 401, "unauthenticated"},
		"a secret key in public":               {public, leave(cartID, ""), []string{"X-API-Key", "sk"}, 403, "forbidden"},
		"a client key at the server":           {checkOut, leave(cartID, ""), []string{"X-Client-Key", "pk"}, 403, "forbidden"},
		"a key that may only read":             {checkOut, leave(cartID, ""), []string{"X-API-Key", "sk_reader"}, 403, "forbidden"},
		"another shop":                         {checkOut, leave(cartID, ""), []string{"X-API-Key", "sk_stranger"}, 404, "not_found"},
		"a customer with another's cart":       {public, leave(cartID, ""), customer, 404, "not_found"},
		"a customer who names a payment":       {public, leave(cartID, `,"paymentId":"p"`), append(customer, "X-Cart-Token", "ct_guest"), 400, "validation_failed"},
		"nobody who buys":                      {checkOut, `{"cartId":"` + cartID + `"}`, []string{"X-API-Key", "sk"}, 400, "validation_failed"},
		"no email":                             {checkOut, `{"cartId":"` + cartID + `","customerSnapshot":{"name":"Kim"}}`, []string{"X-API-Key", "sk"}, 400, "validation_failed"},
		"an order number with a space":         {checkOut, leave(cartID, `,"orderNumber":"A 1"`), []string{"X-API-Key", "sk"}, 400, "validation_failed"},
		"an order number that is too long":     {checkOut, leave(cartID, `,"orderNumber":"`+strings.Repeat("1", 65)+`"`), []string{"X-API-Key", "sk"}, 400, "validation_failed"},
		"a code that is none":                  {checkOut, leave(cartID, `,"discountCodes":[""]`), []string{"X-API-Key", "sk"}, 400, "validation_failed"},
		"a code nobody gave out":               {checkOut, leave(cartID, `,"discountCodes":["WISH"]`), []string{"X-API-Key", "sk"}, 422, "discount_not_found"},
		"a key made of the cart":               {checkOut, leave(cartID, ""), []string{"X-API-Key", "sk", "Idempotency-Key", "key-" + cartID}, 400, "idempotency_key_derived"},
		"a customer with the token of a guest": {public, leave(cartID, ""), append(customer, "X-Cart-Token", "ct_guest"), 201, ""},
	} {
		if status, answer := w.ask("POST", c.path, c.body, c.headers...); status != c.status || answer.reason() != c.reason {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
	for name, snapshot := range map[string]string{"no email": `{"name":"Kim"}`, "no email at all": `{"email":"kim"}`} {
		_, answer := w.ask("POST", checkOut, `{"cartId":"`+cartID+`","customerSnapshot":`+snapshot+`}`, "X-API-Key", "sk")
		if raw := answer.text("raw"); !strings.Contains(raw, `"customerSnapshot.email"`) || strings.Contains(raw, `"email"`) {
			t.Errorf("%s is not named as it was sent: %s", name, raw)
		}
	}
	b.shop.CommerceEnabled = false
	if status, answer := newWeb(b).ask("POST", checkOut, leave(cartID, ""), "X-API-Key", "sk"); status != 403 || answer.reason() != "feature_disabled" {
		t.Errorf("%d %v", status, answer)
	}
	if r := b.get(cart.Schema, cartID); r.Text("status") != "active" {
		t.Error(r)
	}
}
