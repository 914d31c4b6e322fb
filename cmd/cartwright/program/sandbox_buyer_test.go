package program

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"testing"
)

// sandboxBuyer buys mugs with calls of the shop's server, and pays at the sandbox provider.
type sandboxBuyer struct {
	*testing.T

	url     string
	key     string // header
	variant string
}

// newBuyer is a buyer in the shop with that test secret key, and creates a product there.
func newBuyer(t *testing.T, url, secretKey string) sandboxBuyer {
	t.Helper()
	b := sandboxBuyer{T: t, url: url, key: "X-API-Key: " + secretKey}
	status, created := requestJSON(t, "POST", url+"/api/products",
		`{"name": "Mug", "price": 12000, "status": "published", "stock": 5000}`, b.key)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, created)
	}
	_, found := requestJSON(t, "GET", url+"/api/product-variants?where[product][equals]="+textAt(created, "doc", "id"), "", b.key)
	b.variant = textAt(found["docs"].([]any)[0].(map[string]any), "id")
	return b
}

// post sends a call of the shop's server with a new idempotency key.
func (b sandboxBuyer) post(path, body string) (status int, answer map[string]any) {
	b.Helper()
	return requestJSON(b.T, "POST", b.url+"/api/server/commerce"+path, body, b.key, "Idempotency-Key: ik_"+rand.Text()+"123456")
}

// must is post, and fails the test if the call fails.
func (b sandboxBuyer) must(path, body string) map[string]any {
	b.Helper()
	status, answer := b.post(path, body)
	if status != http.StatusOK && status != http.StatusCreated {
		b.Fatalf("%s: %d %v", path, status, answer)
	}
	return answer
}

// checkout creates a checkout of a new cart with one mug.
func (b sandboxBuyer) checkout() (id string) {
	b.Helper()
	cart := b.must("/carts", fmt.Sprintf(`{"items": [{"variantId": %q, "quantity": 1}]}`, b.variant))
	return textAt(b.must("/checkouts",
		fmt.Sprintf(`{"cartId": %q, "email": "kim@example.com", "shippingAddress": {"recipientName": "Kim", "phone": "010-1",
		"postalCode": "06000", "address1": "Gangnam 1", "address2": "", "deliveryNote": "", "country": "KR"}}`,
			textAt(cart, "cart", "id"))), "checkout", "id")
}

// openSession opens a widget session at the default connection of the shop.
func (b sandboxBuyer) openSession(checkout string) (status int, answer map[string]any) {
	b.Helper()
	return b.post("/payment-sessions",
		fmt.Sprintf(`{"checkoutId": %q, "successUrl": "https://shop.example/ok", "failUrl": "https://shop.example/no"}`, checkout))
}

// payAndConfirm approves a session at the sandbox and confirms it; it returns the order.
func (b sandboxBuyer) payAndConfirm(opened map[string]any) (order map[string]any) {
	b.Helper()
	status, done := b.pay(opened)
	if status != http.StatusOK && status != http.StatusCreated {
		b.Fatalf("%d %v", status, done)
	}
	order, _ = done["order"].(map[string]any)
	return order
}

// pay approves a session at the sandbox, and confirms it.
func (b sandboxBuyer) pay(opened map[string]any) (status int, answer map[string]any) {
	b.Helper()
	action, _ := opened["action"].(map[string]any)
	_, approved := requestJSON(b.T, "POST", b.url+"/sandbox/authorize",
		fmt.Sprintf(`{"orderId": %q, "outcome": "approve"}`, textAt(action, "orderId")))
	amount, _ := action["amount"].(map[string]any)
	return b.post("/payment-sessions/"+textAt(opened, "paymentSession", "id")+"/confirm",
		fmt.Sprintf(`{"paymentKey": %q, "orderId": %q, "amount": {"amount": %v, "currency": %q}}`,
			textAt(approved, "paymentKey"), textAt(action, "orderId"), amount["amount"], textAt(amount, "currency")))
}

// checkoutOfThree creates a checkout of a new cart with three mugs.
func (b sandboxBuyer) checkoutOfThree(email string) (id string) {
	b.Helper()
	cart := b.must("/carts", fmt.Sprintf(`{"items": [{"variantId": %q, "quantity": 3}]}`, b.variant))
	return textAt(b.must("/checkouts", fmt.Sprintf(`{"cartId": %q, "email": %q, "shippingAddress": {"recipientName": "Kim Jiwoo",
		"phone": "010-5550-0100", "postalCode": "06000", "address1": "Gangnam 1", "country": "KR"}}`, textAt(cart, "cart", "id"), email)), "checkout", "id")
}

// buyThree buys three mugs, pays and answers the order.
func (b sandboxBuyer) buyThree(email string) (order map[string]any) {
	b.Helper()
	status, opened := b.openSession(b.checkoutOfThree(email))
	if status != http.StatusCreated {
		b.Fatalf("%d %v", status, opened)
	}
	return b.payAndConfirm(opened)
}

// buy checks a cart out, pays and confirms.
func (b sandboxBuyer) buy() {
	b.Helper()
	status, opened := b.openSession(b.checkout())
	if status != http.StatusCreated {
		b.Fatalf("%d %v", status, opened)
	}
	if order := b.payAndConfirm(opened); order["status"] != "paid" {
		b.Fatalf("%v", order)
	}
}
