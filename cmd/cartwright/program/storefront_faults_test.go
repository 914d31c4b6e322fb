package program

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cartwright-dev/cartwright/adapters/sdk/typescript/example"
	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

// openTab opens the storefront in another window of the same visitor, with the same cookies and storage.
func (s *visitor) openTab(path string) *visitor {
	s.Helper()
	other := &visitor{openWindow(s.T, s.profile), s.at}
	other.do(chromedp.EmulateViewport(1280, 900))
	other.visit(path)
	return other
}

// changesSentTo are the requests that change something and have a path with that suffix.
func changesSentTo(p *faultproxy.Proxy, end string) (sent []faultproxy.Request) {
	for _, r := range p.Requests() {
		if r.Method != http.MethodGet && r.Method != http.MethodOptions && strings.HasSuffix(r.Path, end) {
			sent = append(sent, r)
		}
	}
	return sent
}

// wantRepeated fails the test unless a change was sent that often, with the same idempotency key and body
// each time, and was executed once.
func wantRepeated(t *testing.T, sent []faultproxy.Request, times int) {
	t.Helper()
	if len(sent) != times {
		t.Fatalf("%d requests were sent, want %d: %v", len(sent), times, sent)
	}
	for i, r := range sent {
		if r.Key == "" || r.Key != sent[0].Key || r.Body != sent[0].Body || r.Path != sent[0].Path {
			t.Errorf("%s %s %q differs from the first attempt %s %s %q", r.Path, r.Key, r.Body, sent[0].Path, sent[0].Key, sent[0].Body)
		}
		if i > 0 && r.Forwarded && !r.Replayed {
			t.Errorf("attempt %d was executed, not replayed: %v", i+1, r)
		}
	}
}

// A tab is closed between a request and its response. The next tab repeats the request with the same
// idempotency key and body, and it takes effect once: for an item added to a cart, and for a checkout.
func TestStorefrontResumesAfterClosedTab(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	p := faultproxy.Start(t, server.url)
	s := openStorefront(t, p.URL)
	s.addToCart("brass-ruler")

	lost := func(path, button, change string) {
		t.Helper()
		p.Clear()
		held := p.InjectNext(faultproxy.Fault{Kind: faultproxy.Hold, Method: "POST", Path: change})
		t.Cleanup(held.Release) // after the tab is closed
		tab := s.openTab(path)
		if button == "Continue" {
			tab.fill("Email", "lost@example.com")
			tab.fillAddress()
		}
		tab.clickElement(elementNamed(button))
		<-held.Triggered() // the server has executed it, and the tab has no response
		tab.close()
	}

	lost("/products/letter-set", "Add to cart", `/items$`)
	again := s.openTab("/cart")
	again.waitForText("Letter Set")
	again.waitFor(`document.querySelector('#cart-said').textContent === ', 2 items'`)
	wantRepeated(t, changesSentTo(p, "/items"), 2)
	again.close()

	lost("/checkout", "Continue", `/checkouts$`)
	again = s.openTab("/review") // of the checkout whose response was lost
	again.waitForText("lost@example.com")
	wantRepeated(t, changesSentTo(p, "/checkouts"), 2)
	again.pay()
	if n := len(ordersOf(t, server.url, secret, "lost@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	_, found := requestJSON(t, "GET", server.url+"/api/checkouts?where[email][equals]=lost@example.com", "", secret)
	if found["totalDocs"] != 1.0 {
		t.Errorf("the shop has %v checkouts", found["totalDocs"])
	}
	s.checkConsole()
}

// Requests whose responses are lost are repeated without the shopper noticing; nothing is executed twice.
func TestStorefrontRetriesLostResponses(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	p := faultproxy.Start(t, server.url)
	s := openStorefront(t, p.URL)
	changes := []string{"/carts", "/items", "/discount-codes", "/checkouts", "/payment-sessions/aggregator"}
	for _, change := range changes {
		p.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: change + "$"})
	}
	s.addToCart("brass-ruler")
	s.click("Add to cart")
	s.waitForText("See the cart (2 items)")
	s.visit("/cart")
	s.fill("Discount code", "WON5000")
	s.click("Apply")
	s.waitForText("WON5000 is applied.")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', 2 items'`)
	s.checkOutAndPay("again@example.com", true)
	for _, change := range changes {
		wantRepeated(t, changesSentTo(p, change), 2)
	}
	orders := ordersOf(t, server.url, secret, "again@example.com")
	if len(orders) != 1 {
		t.Fatalf("the shop has %v", orders)
	}
	s.checkConsole("ERR_EMPTY_RESPONSE", "ERR_CONNECTION")
}

// Two tabs share one cart. What one adds, the other shows; a change of an old revision is refused, and the shopper sees
// the new one.
func TestStorefrontTabsShareCart(t *testing.T) {
	t.Parallel()
	server, _, _ := demoShop(t)
	p := faultproxy.Start(t, server.url)
	one := openStorefront(t, p.URL)
	one.addToCart("brass-ruler")
	one.visit("/cart")
	other := one.openTab("/products/letter-set")
	other.click("Add to cart")
	other.waitForText("is in your cart. See the cart (2 items)")

	one.click("More: Quantity of Brass Ruler") // of an old revision
	one.waitForText("Your cart was changed in another window.")
	one.waitForText("Letter Set")
	if n := evalJS[int](one.browser, `Number(document.querySelector('.line input').value)`); n != 1 {
		t.Errorf("the field shows %d, and the cart has 1", n)
	}
	one.click("More: Quantity of Brass Ruler")
	one.waitForText("Brass Ruler: 2.")
	refused := changesSentTo(p, "")
	if last := refused[len(refused)-1]; last.Key == refused[len(refused)-2].Key {
		t.Error("a change after a conflict must have a new idempotency key")
	}

	other.visit("/products/hanji-notebook")
	one.click("Remove Letter Set") // the other tab does not show it yet
	one.waitForText("Letter Set is no longer in your cart.")
	other.click("Add to cart") // adding needs no current revision
	other.waitForText("is in your cart. See the cart (3 items)")
	one.checkConsole("409")
}

// The storefront works on another origin than the API, with CORS preflights.
func TestStorefrontOnAnotherOrigin(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	p := faultproxy.Start(t, server.url)
	mux := http.NewServeMux()
	mux.Handle("/demo/", http.StripPrefix("/demo/", http.FileServerFS(example.Files)))
	mux.HandleFunc("/demo/shop.json", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"name": "Elsewhere", "clientKey": keys.TestClientKey, "baseUrl": p.URL})
	})
	front := httptest.NewServer(mux)
	t.Cleanup(front.Close)
	s := openStorefront(t, front.URL)
	s.waitForText("Elsewhere")
	s.addToCart("brass-ruler")
	s.checkOutAndPay("far@example.com", true)
	if n := len(ordersOf(t, server.url, secret, "far@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	preflights := 0
	for _, r := range p.Requests() {
		if r.Method == http.MethodOptions {
			preflights++
		}
		if strings.HasPrefix(r.Path, "/demo") {
			t.Error("the page was requested from the server of the API")
		}
	}
	if preflights == 0 {
		t.Error("there was no preflight: storefront and API have one origin")
	}
	s.checkConsole()
}
