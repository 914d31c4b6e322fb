package main

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// demoShop is a server with the demo shop, and the header that its own server would send.
func demoShop(t *testing.T) (server *runningServer, secret string, m commandEnv) {
	t.Helper()
	m = newCommandEnv(t)
	server = m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	return server, "X-API-Key: " + keys.TestSecretKey, m
}

// ordersOf are the orders of a buyer, as the shop has them.
func ordersOf(t *testing.T, url, secret, email string) []any {
	t.Helper()
	_, found := requestJSON(t, "GET", url+"/api/orders?where[email][equals]="+email, "", secret)
	docs, _ := found["docs"].([]any)
	return docs
}

// Somebody looks around, chooses, pays on the sandbox's page and has an order. Every page on the way is one that everybody
// can use, in light and dark; the console says nothing.
func TestStorefrontPurchase(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.waitForText("things, priced in South Korean Won.")
	s.checkAccessibility("the front page")
	s.photographs("1-front")
	s.clicks("Show more")
	s.waitForText("40 of")
	s.clicks("Tableware")
	s.waitForText("For cooking, pouring, eating.")
	s.checkAccessibility("a category")
	s.photographs("2-category")

	s.arrivesAt("/products/celadon-cup")
	s.checkAccessibility("a product")
	s.photographs("3-product")
	s.clicks("Milk (sold out)")
	s.waitFor(`document.querySelector('.offer .button').disabled && document.querySelector('.offer .button').innerText === 'Sold out'`)
	s.clicks("Sea")
	s.clicks("More: Quantity")
	s.clicks("Add to cart")
	s.waitForText("Celadon Cup, Sea is in your cart. See the cart (2 items)")
	s.checkAccessibility("a product with its message")
	s.puts("first-flush-green-tea")

	s.clicks("Cart 3 , 3 items")
	s.waitForText("Told in the next step")
	s.clicks("More: Quantity of Celadon Cup")
	s.waitForText("Celadon Cup: 3.")
	s.fills("Discount code", "LASTSPRING")
	s.clicks("Apply")
	s.waitForText("This code has run out.")
	s.clicks("Remove code LASTSPRING")
	s.waitFor(`document.querySelectorAll('.code').length === 0`)
	s.fills("Discount code", "won5000")
	s.clicks("Apply")
	s.waitForText("WON5000 is applied.")
	s.waitForText("−₩5,000")
	s.checkAccessibility("the cart")
	s.photographs("4-cart")

	s.clicks("Go to checkout")
	s.checkAccessibility("the checkout")
	s.clicks("Continue")
	s.waitForText("Please fill this in.")
	s.checkAccessibility("the checkout with what is missing")
	s.fills("Email", "jiwoo@example.com")
	s.ships()
	s.photographs("5-checkout")
	s.clicks("Continue")
	s.waitForText("How would you like to pay?")
	s.waitForText("12 Jahamun-ro")
	s.checkAccessibility("the payment")
	s.photographs("6-payment")
	s.clicks("Kakao Pay")
	s.goesToPay()
	s.waitFor(`location.pathname.startsWith('/sandbox/pay/') && document.readyState === 'complete'`)
	s.photographs("7-sandbox")
	s.onPaymentPage("approve")
	s.waitForText("Thank you")
	s.checkAccessibility("the order")
	s.photographs("8-order")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', empty'`)

	orders := ordersOf(t, server.url, secret, "jiwoo@example.com")
	if len(orders) != 1 || orders[0].(map[string]any)["paymentStatus"] != "paid" {
		t.Fatalf("the shop has %v", orders)
	}
	s.waitForText(text(orders[0].(map[string]any), "orderNumber"))
	s.arrivesAt("/orders/" + text(orders[0].(map[string]any), "checkout"))
	s.waitForText("Thank you") // again, days later
	s.checkConsole()
}

// With the keyboard alone, on a telephone's screen, in the dark.
func TestStorefrontKeyboardOnly(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.do(chromedp.EmulateViewport(360, 740))
	s.arrivesAt("/")
	s.tabsTo("Skip to content")
	s.keys(kb.Enter)
	s.waitFor(`document.activeElement.id === 'main'`)
	s.checkAccessibility("the front page on a telephone")
	s.prefers("dark")
	s.photographs("m1-front-dark")

	s.arrivesAt("/category/tableware")
	s.tabsTo("Moon Jar")
	s.enter("Two halves joined while wet")
	if !evalJS[bool](s.browser, `document.activeElement === document.querySelector('h1')`) {
		t.Error("a new page does not take the focus to its heading")
	}
	s.tabsTo("Small")
	s.keys(kb.ArrowRight)
	s.waitForText("₩139,000")
	s.tabsTo("More: Quantity")
	s.photographs("m2-product-dark")
	s.tabsTo("Add to cart")
	s.keys(kb.Enter)
	s.waitForText("Moon Jar, Medium is in your cart.")
	s.tabsTo("See the cart")
	s.enter("Go to checkout")
	s.photographs("m3-cart-dark")
	s.tabsTo("Fewer: Quantity of Moon Jar")
	s.tabsTo("Go to checkout")
	s.enter("Where does it go?")
	for _, f := range [][2]string{
		{"Email", "haneul@example.com"}, {"Name", "Jung Haneul"}, {"Phone", "010-5550-0173"}, {"Street and number", "12 Cheomdan-ro"}, {"Postal code", "63309"},
	} {
		s.tabsTo(f[0])
		s.keys(f[1])
	}
	s.checkAccessibility("the checkout on a telephone")
	s.prefers("dark")
	s.photographs("m4-checkout-dark")
	s.tabsTo("Continue")
	s.enter("How would you like to pay?")
	s.waitForText("₩6,000") // Jeju costs extra; the goods alone would be free
	s.tabsTo("Card")
	s.keys(kb.ArrowRight)
	s.photographs("m5-payment-dark")
	s.tabsTo("Pay ₩")
	s.keys(kb.Enter)
	s.waitFor(`location.pathname.startsWith('/sandbox/pay/') && document.readyState === 'complete'`)
	s.tabsTo("Pay KRW")
	s.keys(kb.Enter)
	s.waitFor(`location.pathname === '/demo/'`)
	s.waitForText("Thank you")
	s.checkAccessibility("the order on a telephone")
	s.prefers("dark")
	s.photographs("m6-order-dark")
	if n := len(ordersOf(t, server.url, secret, "haneul@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	s.checkConsole()
}

// A cart of things that are not shipped asks for no address, and nowhere is there a line for delivery.
// Rule shipping-2.
func TestStorefrontDigitalCartNeedsNoAddress(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.puts("a-field-guide-to-korean-tea")
	s.arrivesAt("/products/sunday-pottery-class")
	s.clicks("Add to cart")
	s.waitFor(`document.activeElement.getAttribute('aria-invalid') === 'true'`) // nobody said who comes
	s.fills("Name of guest 1", "Lee Minji")
	s.clicks("Add to cart")
	s.waitForText("is in your cart.")
	s.arrivesAt("/cart")
	s.waitForText("For Lee Minji")
	s.wantNoText("Delivery")
	s.clicks("Go to checkout")
	s.waitForText("Where may we write?")
	for _, word := range []string{"Delivery", "Street", "Postal code"} {
		s.wantNoText(word)
	}
	s.photographs("d1-checkout")
	s.fills("Email", "minji@example.com")
	s.clicks("Continue")
	s.waitForText("How would you like to pay?")
	s.wantNoText("Delivery")
	s.approves()
	s.wantNoText("Delivery")
	s.waitForText("A ticket for each guest comes by email.")
	s.photographs("d2-order")
	orders := ordersOf(t, server.url, secret, "minji@example.com")
	if len(orders) != 1 || orders[0].(map[string]any)["shippingAddress"].(map[string]any)["address1"] != nil {
		t.Fatalf("the shop has %v", orders)
	}

	// What costs nothing is ordered without a payment.
	s.puts("autumn-lookbook")
	s.arrivesAt("/checkout")
	s.clicks("Continue") // the address is remembered
	s.waitForText("Is everything right?")
	s.clicks("Place the order")
	s.waitForText("Thank you")
	if n := len(ordersOf(t, server.url, secret, "minji@example.com")); n != 2 {
		t.Errorf("the shop has %d orders", n)
	}
	s.checkConsole()
}

// Each market has its prices, and a cart of its own.
func TestStorefrontMarkets(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.puts("celadon-cup")
	s.do(chromedp.SetValue("#market", "us", chromedp.ByID), chromedp.Evaluate(`document.querySelector('#market').dispatchEvent(new Event('change', { bubbles: true }))`, nil))
	s.waitForText("Prices are for United States now.")
	s.waitForText("$24.00")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', empty'`)
	s.clicks("Add to cart")
	s.waitForText("is in your cart.")
	s.arrivesAt("/cart")
	s.waitForText("Total $24.00")
	s.photographs("u1-cart")
	s.arrivesAt("/checkout")
	s.fills("Email", "ann@example.com")
	s.ships()
	s.clicks("Continue")
	s.waitForText("$14.00") // the parcel
	s.approves()
	orders := ordersOf(t, server.url, secret, "ann@example.com")
	if len(orders) != 1 || orders[0].(map[string]any)["currency"] != "USD" {
		t.Fatalf("the shop has %v", orders)
	}
	s.do(chromedp.SetValue("#market", "kr", chromedp.ByID), chromedp.Evaluate(`document.querySelector('#market').dispatchEvent(new Event('change', { bubbles: true }))`, nil))
	s.waitForText("Prices are for Korea now.")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', 1 item'`)
	s.checkConsole()
}

// A payment that was declined or left can be tried again, or given up for another way to pay.
func TestStorefrontPaymentRetryAndCancel(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.puts("brass-ruler")
	s.arrivesAt("/checkout")
	s.fills("Email", "kim@example.com")
	s.ships()
	s.clicks("Continue")
	s.goesToPay()
	s.onPaymentPage("decline")
	s.waitForText("The payment did not work. No money was taken.")
	s.checkAccessibility("a declined payment")
	s.photographs("p1-declined")
	s.clicks("Try again, or pay another way")
	s.waitForText("The last try did not work.")
	s.clicks("Go on to the payment page")
	s.onPaymentPage("abandon")
	s.clicks("Try again, or pay another way")
	s.clicks("Pay another way")
	s.clicks("Toss Pay")
	s.approves()
	if n := len(ordersOf(t, server.url, secret, "kim@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	s.checkConsole()
}

// A server that founded no shop asks its visitor whose goods to show; addresses that lead nowhere say so.
func TestStorefrontAsksForShop(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err == nil {
		err = os.Remove(m.credentials())
	}
	if err != nil {
		t.Fatal(err)
	}
	s := openStorefront(t, server.url)
	s.waitForText("Which shop is this?")
	s.checkAccessibility("the question for a key")
	s.fills("Client key", keys.TestSecretKey)
	s.clicks("Open the shop")
	s.waitForText("That is no client key.")
	s.fills("Client key", keys.TestClientKey)
	s.clicks("Open the shop")
	s.waitForText("things, priced in")
	s.arrivesAt("/products/winter-floor-lamp")
	s.waitForText("This is not for sale at the moment.")
	s.arrivesAt("/products/%") // no text can be read of it
	s.waitForText("That did not work")
	s.arrivesAt("/somewhere")
	s.waitForText("This address leads nowhere.")
	s.checkAccessibility("an address that leads nowhere")
	s.checkConsole("404")
}
