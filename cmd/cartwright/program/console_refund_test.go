package program

import (
	"fmt"
	"testing"
)

// transfer buys three mugs, and pays them to a virtual account.
func (b sandboxBuyer) transfer() (order map[string]any) {
	b.Helper()
	checkout := b.checkoutOfThree("kim@example.com")
	_, opened := b.openSession(checkout)
	id := textAt(opened, "action", "orderId")
	_, chosen := requestJSON(b.T, "POST", b.url+"/sandbox/authorize", fmt.Sprintf(`{"orderId": %q, "outcome": "virtual_account"}`, id))
	b.must("/payment-sessions/"+textAt(opened, "paymentSession", "id")+"/confirm",
		fmt.Sprintf(`{"paymentKey": %q, "orderId": %q, "amount": {"amount": %v, "currency": "KRW"}}`,
			textAt(chosen, "paymentKey"), id, opened["action"].(map[string]any)["amount"].(map[string]any)["amount"]))
	if status, answer := requestJSON(b.T, "POST", b.url+"/sandbox/payments/"+id+"/deposit", "", b.key); status != 200 {
		b.Fatalf("%d %v", status, answer)
	}
	waitUntil(b.T, func() bool {
		_, found := requestJSON(b.T, "GET", b.url+"/api/orders?depth=0&where[checkout][equals]="+checkout, "", b.key)
		orders, _ := found["docs"].([]any)
		if len(orders) == 1 {
			order, _ = orders[0].(map[string]any)
		}
		return order != nil
	})
	return order
}

// Money that came by a deposit is given back to an account of the buyer, which the windows ask for: nothing can be sent before they have
// shown what goes to it.
func TestConsoleRefundsToAccounts(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	buyer := newBuyer(t, server.url, keys.TestSecretKey)
	o := openConsole(t, server.url, keys)
	o.signIn()
	for window, field := range map[string][]string{
		"Refund an amount":  {"Amount", "2000", "Refundable after that"},
		"Cancel some units": {"Units of Mug", "1", "To refund"},
	} {
		o.show("/orders/" + textAt(buyer.transfer(), "id"))
		o.press("More")
		o.press(window)
		o.write("Reason", "scratched")
		o.write(field[0], field[1])
		o.waitForText("Bank account of the buyer")
		if evalJS[bool](o.browser, `document.querySelector('dialog .notice.warn, dialog dl.preview') !== null`) {
			t.Errorf("%s: a warning, or amounts, before the account is typed", window)
		}
		for label, text := range map[string]string{"Bank": "088", "Account": "110123456789", "Holder": "Kim"} {
			o.write(label, text)
		}
		o.waitForText(field[2])
		o.press(window)
		o.waitFor(`document.querySelector('dialog[open]') === null`)
	}
	o.checkConsole("422", "400") // an account that is typed half is refused at its fields, on a slow machine
}
