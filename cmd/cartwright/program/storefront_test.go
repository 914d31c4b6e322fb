package program

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// demoShop is a server with the demo shop, and the header with the shop's test secret key.
func demoShop(t *testing.T) (server *runningServer, secret string, m commandEnv) {
	t.Helper()
	m = newDemoEnv(t)
	server = m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	return server, "X-API-Key: " + keys.TestSecretKey, m
}

// ordersOf are the orders of a buyer, as the shop's server reads them.
func ordersOf(t *testing.T, url, secret, email string) []any {
	t.Helper()
	_, found := requestJSON(t, "GET", url+"/api/orders?where[email][equals]="+email, "", secret)
	docs, _ := found["docs"].([]any)
	return docs
}

// A shopper browses, fills a cart, pays on the sandbox's page and gets an order. Every page on the way is accessible in
// both color schemes, and the console stays empty.
func TestStorefrontPurchase(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.waitForText("things, priced in South Korean Won.")
	s.checkAccessibility("the front page")
	s.screenshot("1-front")
	s.click("Show more")
	s.waitForText("40 of")
	s.click("Tableware")
	s.waitForText("For cooking, pouring, eating.")
	s.checkAccessibility("a category")
	s.screenshot("2-category")

	s.visit("/products/celadon-cup")
	s.checkAccessibility("a product")
	s.screenshot("3-product")
	s.click("Milk (sold out)")
	s.waitFor(`document.querySelector('.offer .button').disabled && document.querySelector('.offer .button').innerText === 'Sold out'`)
	s.click("Sea")
	s.click("More: Quantity")
	s.click("Add to cart")
	s.waitForText("Celadon Cup, Sea is in your cart. See the cart (2 items)")
	s.checkAccessibility("a product with its message")
	s.addToCart("first-flush-green-tea")

	s.click("Cart 3 , 3 items")
	s.waitForText("Told in the next step")
	s.click("More: Quantity of Celadon Cup")
	s.waitForText("Celadon Cup: 3.")
	s.fill("Discount code", "LASTSPRING")
	s.click("Apply")
	s.waitForText("This code has run out.")
	s.click("Remove code LASTSPRING")
	s.waitFor(`document.querySelectorAll('.code').length === 0`)
	s.fill("Discount code", "won5000")
	s.click("Apply")
	s.waitForText("WON5000 is applied.")
	s.waitForText("−₩5,000")
	s.checkAccessibility("the cart")
	s.screenshot("4-cart")

	s.click("Go to checkout")
	s.showCheckout("kr")
	s.checkAccessibility("the checkout")
	s.click("Continue")
	s.waitForText("Please fill this in.")
	s.checkAccessibility("the checkout with what is missing")
	s.fill("Email", "jiwoo@example.com")
	s.fillAddress()
	s.screenshot("5-checkout")
	s.click("Continue")
	s.waitForText("How would you like to pay?")
	s.waitForText("12 Jahamun-ro")
	s.checkAccessibility("the payment")
	s.screenshot("6-payment")
	s.click("Kakao Pay")
	s.clickPay()
	s.waitFor(`location.pathname.startsWith('/sandbox/pay/') && document.readyState === 'complete'`)
	s.screenshot("7-sandbox")
	s.decideOnPaymentPage("approve")
	s.waitForText("Thank you")
	s.checkAccessibility("the order")
	s.screenshot("8-order")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', empty'`)

	orders := ordersOf(t, server.url, secret, "jiwoo@example.com")
	if len(orders) != 1 || orders[0].(map[string]any)["paymentStatus"] != "paid" {
		t.Fatalf("the shop has %v", orders)
	}
	s.waitForText(textAt(orders[0].(map[string]any), "orderNumber"))
	s.visit("/orders/" + textAt(orders[0].(map[string]any), "checkout"))
	s.waitForText("Thank you") // also when the page is opened later
	s.checkConsole()
}

// A purchase with the keyboard alone, on a small screen with dark colors.
func TestStorefrontKeyboardOnly(t *testing.T) {
	t.Parallel()
	server, secret := searchableDemo(t)
	s := openStorefront(t, server.url)
	s.do(chromedp.EmulateViewport(360, 740))
	s.visit("/")
	s.tabTo("Skip to content")
	s.typeKeys(kb.Enter)
	s.waitFor(`document.activeElement.id === 'main'`)
	s.checkAccessibility("the front page on a telephone")
	s.setColorScheme("dark")
	s.screenshot("m1-front-dark")

	s.visit("/category/tableware")
	s.tabTo("Moon Jar")
	s.enter("Two halves joined while wet")
	if !evalJS[bool](s.browser, `document.activeElement === document.querySelector('h1')`) {
		t.Error("a new page does not take the focus to its heading")
	}
	s.tabTo("Small")
	s.typeKeys(kb.ArrowRight)
	s.waitForText("₩139,000")
	s.tabTo("More: Quantity")
	s.screenshot("m2-product-dark")
	s.tabTo("Add to cart")
	s.typeKeys(kb.Enter)
	s.waitForText("Moon Jar, Medium is in your cart.")
	s.tabTo("See the cart")
	s.enter("Go to checkout")
	s.screenshot("m3-cart-dark")
	s.tabTo("Fewer: Quantity of Moon Jar")
	s.tabTo("Go to checkout")
	s.enter("Where does it go?")
	for _, f := range [][2]string{
		{"Email", "haneul@example.com"}, {"Name", "Jung Haneul"}, {"Phone", "010-5550-0173"}, {"Street and number", "12 Cheomdan-ro"},
		{"Postal code", "63309"},
	} {
		s.tabTo(f[0])
		s.typeKeys(f[1])
	}
	s.checkAccessibility("the checkout on a telephone")
	s.setColorScheme("dark")
	s.screenshot("m4-checkout-dark")
	s.tabTo("Continue")
	s.enter("How would you like to pay?")
	s.waitForText("₩6,000") // Jeju costs extra; the goods alone would be free
	s.tabTo("Card")
	s.typeKeys(kb.ArrowRight)
	s.screenshot("m5-payment-dark")
	s.tabTo("Pay ₩")
	s.typeKeys(kb.Enter)
	s.waitFor(`location.pathname.startsWith('/sandbox/pay/') && document.readyState === 'complete'`)
	s.tabTo("Pay KRW")
	s.typeKeys(kb.Enter)
	s.waitFor(`location.pathname === '/demo/'`)
	s.waitForText("Thank you")
	s.checkAccessibility("the order on a telephone")
	s.setColorScheme("dark")
	s.screenshot("m6-order-dark")
	if n := len(ordersOf(t, server.url, secret, "haneul@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	s.checkConsole()
}

// The checkout of a cart with nothing to ship asks for no address, and no page shows delivery.
// Rule shipping-2.
func TestStorefrontDigitalCartNeedsNoAddress(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.addToCart("a-field-guide-to-korean-tea")
	s.visit("/products/sunday-pottery-class")
	s.click("Add to cart")
	s.waitFor(`document.activeElement.getAttribute('aria-invalid') === 'true'`) // the name of the guest is missing
	s.fill("Name of guest 1", "Lee Minji")
	s.click("Add to cart")
	s.waitForText("is in your cart.")
	s.visit("/cart")
	s.waitForText("For Lee Minji")
	s.wantNoText("Delivery")
	s.click("Go to checkout")
	s.waitForText("Where may we write?")
	for _, word := range []string{"Delivery", "Street", "Postal code"} {
		s.wantNoText(word)
	}
	s.screenshot("d1-checkout")
	s.fill("Email", "minji@example.com")
	s.click("Continue")
	s.waitForText("How would you like to pay?")
	s.wantNoText("Delivery")
	s.pay()
	s.wantNoText("Delivery")
	s.waitForText("A ticket for each guest comes by email.")
	s.screenshot("d2-order")
	orders := ordersOf(t, server.url, secret, "minji@example.com")
	if len(orders) != 1 || orders[0].(map[string]any)["shippingAddress"].(map[string]any)["address1"] != nil {
		t.Fatalf("the shop has %v", orders)
	}

	// A total of zero needs no payment.
	s.addToCart("autumn-lookbook")
	s.visit("/checkout")
	s.click("Continue") // the email address is remembered
	s.waitForText("Is everything right?")
	s.click("Place the order")
	s.waitForText("Thank you")
	if n := len(ordersOf(t, server.url, secret, "minji@example.com")); n != 2 {
		t.Errorf("the shop has %d orders", n)
	}
	s.checkConsole()
}

// Rule catalog-35.
func TestStorefrontTellsSearchEngines(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	api := server.url + "/api/products"
	_, found := requestJSON(t, "GET", api+"?where[slug][equals]=sunday-pottery-class", "", secret)
	id := found["docs"].([]any)[0].(map[string]any)["id"].(string)
	requestJSON(t, "PATCH", api+"/"+id, `{"seo":{"title":"Learn to throw","description":"Two hours at the wheel.","noIndex":true}}`, secret)
	s := openStorefront(t, server.url)
	told := func(title, description, robots string) {
		t.Helper()
		s.waitFor(fmt.Sprintf(`document.title.startsWith(%q) && document.head.querySelector('meta[name=robots]').content === %q &&
			document.head.querySelector('meta[name=description]').content.startsWith(%q)`, title, robots, description))
	}
	s.visit("/products/sunday-pottery-class")
	told("Learn to throw", "Two hours at the wheel.", "noindex")
	s.visit("/category/tableware")
	told("Tableware", "For cooking, pouring, eating.", "all")
	s.checkConsole()
}

const marketField = `document.querySelector('#market')`

// Each market has its prices, and a cart of its own.
func TestStorefrontMarkets(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.addToCart("celadon-cup")
	s.choose(marketField, `'us'`)
	s.waitForText("Prices are for United States now.")
	s.waitForText("$24.00")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', empty'`)
	s.click("Add to cart")
	s.waitForText("is in your cart.")
	s.visit("/cart")
	s.waitForText("Total $24.00")
	s.screenshot("u1-cart")
	s.visit("/checkout")
	s.fill("Email", "ann@example.com")
	s.fillFields([][2]string{
		{"Name", "Ann Lee"}, {"Phone", "(503) 555-0123"}, {"Street and number", "12 SW Main St"}, {"City", "Portland"}, {"State", "Oregon"},
		{"ZIP code", "97201"},
	})
	s.click("Continue")
	s.waitForText("$14.00") // delivery
	s.pay()
	orders := ordersOf(t, server.url, secret, "ann@example.com")
	if len(orders) != 1 || orders[0].(map[string]any)["currency"] != "USD" {
		t.Fatalf("the shop has %v", orders)
	}
	s.choose(marketField, `'kr'`)
	s.waitForText("Prices are for Korea now.")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', 1 item'`)
	s.checkConsole()
}

// Who bought in one market and buys in another is asked for the address of its country, by what its parts are called on the page, on a
// telephone and on a desk.
// Rule addresses-4.
func TestStorefrontAsksForTheAddressOfTheCountry(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.addToCart("celadon-cup")
	s.visit("/checkout")
	s.fill("Email", "yuki@example.com")
	s.fillAddress()
	s.click("Continue")
	s.waitForText("How would you like to pay?") // the address is remembered now
	s.visit("/products/celadon-cup")
	s.choose(marketField, `'jp'`)
	s.waitForText("Prices are for Japan now.")
	s.click("Add to cart")
	s.waitForText("is in your cart.")
	s.visit("/checkout")
	s.waitForText("Prefecture")
	if name := evalJS[string](s.browser, fieldLabeled("Name")+`.value`); name != "Kim Jiwoo" {
		t.Errorf("the name that was typed before is %q", name)
	}
	s.fillFields([][2]string{
		{"Name", "Sato Yuki"}, {"Phone", "090-1234-5678"}, {"Street and number", "1-2-3 Jingumae"}, {"City", "Shibuya-ku"}, {"Prefecture", "Tokyo"},
		{"Postal code", "150"},
	})
	s.click("Continue")
	s.waitForText("This does not look right.")
	s.checkAccessibility("the checkout of Japan")
	s.showCheckout("jp")
	s.fill("Postal code", "150-0001")
	s.click("Continue")
	s.waitForText("Shibuya-ku, Tokyo 150-0001")
	s.waitForText("¥1,200") // delivery
	s.pay()
	s.waitForText("Shibuya-ku, Tokyo 150-0001")
	orders := ordersOf(t, server.url, secret, "yuki@example.com")
	if len(orders) != 1 || orders[0].(map[string]any)["currency"] != "JPY" {
		t.Fatalf("the shop has %v", orders)
	}
	address := orders[0].(map[string]any)["shippingAddress"].(map[string]any)
	for name, want := range map[string]string{"country": "JP", "province": "13", "city": "Shibuya-ku", "postalCode": "150-0001"} {
		if address[name] != want {
			t.Errorf("%s is %v", name, address[name])
		}
	}
	s.checkConsole()
}

// showCheckout makes pictures of the checkout, wide and on a telephone, where it has to fit.
func (s *visitor) showCheckout(market string) {
	s.Helper()
	for _, width := range []int64{360, 1280} {
		s.do(chromedp.EmulateViewport(width, 900))
		s.screenshot(fmt.Sprintf("a-%s-%d", market, width))
		if !evalJS[bool](s.browser, `document.documentElement.scrollWidth <= window.innerWidth`) {
			s.Errorf("the checkout of %s is wider than %d pixels", market, width)
		}
	}
}

// A payment that was declined or left can be tried again, or given up for another way to pay.
func TestStorefrontPaymentRetryAndCancel(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.addToCart("brass-ruler")
	s.visit("/checkout")
	s.fill("Email", "kim@example.com")
	s.fillAddress()
	s.click("Continue")
	s.clickPay()
	s.decideOnPaymentPage("decline")
	s.waitForText("The payment did not work. No money was taken.")
	s.checkAccessibility("a declined payment")
	s.screenshot("p1-declined")
	s.click("Try again, or pay another way")
	s.waitForText("The last try did not work.")
	s.click("Go on to the payment page")
	s.decideOnPaymentPage("abandon")
	s.click("Try again, or pay another way")
	s.click("Pay another way")
	s.click("Toss Pay")
	s.pay()
	if n := len(ordersOf(t, server.url, secret, "kim@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	s.checkConsole()
}

// Without credentials of a shop, the storefront asks for a client key. Unknown paths show an error page.
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
	s.fill("Client key", keys.TestSecretKey)
	s.click("Open the shop")
	s.waitForText("That is no client key.")
	s.fill("Client key", keys.TestClientKey)
	s.click("Open the shop")
	s.waitForText("things, priced in")
	s.visit("/products/winter-floor-lamp")
	s.waitForText("This is not for sale at the moment.")
	s.visit("/products/%") // an invalid escape
	s.waitForText("That did not work")
	s.visit("/somewhere")
	s.waitForText("This address leads nowhere.")
	s.checkAccessibility("an address that leads nowhere")
	s.checkConsole("404")
}
