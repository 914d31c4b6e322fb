package main

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

// tab opens the storefront in another window of the same visitor, who takes it along at the latest.
func (s *visitor) tab(path string) *visitor {
	s.Helper()
	other := &visitor{openWindow(s.T, s.profile), s.at}
	other.do(chromedp.EmulateViewport(1280, 900))
	other.arrivesAt(path)
	return other
}

// sentTo are the changes that were sent to addresses that end so.
func sentTo(p *faultproxy.Proxy, end string) (sent []faultproxy.Request) {
	for _, r := range p.Requests() {
		if r.Method != http.MethodGet && r.Method != http.MethodOptions && strings.HasSuffix(r.Path, end) {
			sent = append(sent, r)
		}
	}
	return sent
}

// repeated fails unless a change was sent so often, each time with one key and the same bytes, and done once.
func repeated(t *testing.T, sent []faultproxy.Request, times int) {
	t.Helper()
	if len(sent) != times {
		t.Fatalf("%d were sent, not %d: %v", len(sent), times, sent)
	}
	for i, r := range sent {
		if r.Key == "" || r.Key != sent[0].Key || r.Body != sent[0].Body || r.Path != sent[0].Path {
			t.Errorf("%s %s %q is not sent as it was before: %s %s %q", r.Path, r.Key, r.Body, sent[0].Path, sent[0].Key, sent[0].Body)
		}
		if i > 0 && r.Forwarded && !r.Replayed {
			t.Errorf("try %d was done, not replayed: %v", i+1, r)
		}
	}
}

// Closed between send and answer, and opened again: what was under way is sent once more with its key and its bytes, and
// has one effect. Of a cart that grows, and of a checkout.
func TestStorefrontResumesAfterClosedTab(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	p := faultproxy.Start(t, server.url)
	s := openStorefront(t, p.URL)
	s.puts("brass-ruler")

	lost := func(path, button, change string) {
		t.Helper()
		p.Clear()
		held := p.InjectNext(faultproxy.Fault{Kind: faultproxy.Hold, Method: "POST", Path: change})
		t.Cleanup(held.Release) // when the tab it is for is long gone
		gone := s.tab(path)
		if button == "Continue" {
			gone.fills("Email", "lost@example.com")
			gone.ships()
		}
		gone.uses(named(button))
		<-held.Triggered() // the shop has done it, and the tab does not know
		gone.close()
	}

	lost("/products/letter-set", "Add to cart", `/items$`)
	again := s.tab("/cart")
	again.waitForText("Letter Set")
	again.waitFor(`document.querySelector('#cart-said').textContent === ', 2 items'`)
	repeated(t, sentTo(p, "/items"), 2)
	again.close()

	lost("/checkout", "Continue", `/checkouts$`)
	again = s.tab("/review") // the checkout that nobody had seen
	again.waitForText("lost@example.com")
	repeated(t, sentTo(p, "/checkouts"), 2)
	again.approves()
	if n := len(ordersOf(t, server.url, secret, "lost@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	_, found := requestJSON(t, "GET", server.url+"/api/checkouts?where[email][equals]=lost@example.com", "", secret)
	if found["totalDocs"] != 1.0 {
		t.Errorf("the shop has %v checkouts", found["totalDocs"])
	}
	s.checkConsole()
}

// Answers that are lost on the way are asked for again, in one tab and unseen; nothing is done twice.
func TestStorefrontRetriesLostResponses(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	p := faultproxy.Start(t, server.url)
	s := openStorefront(t, p.URL)
	changes := []string{"/carts", "/items", "/discount-codes", "/checkouts", "/payment-sessions/aggregator"}
	for _, change := range changes {
		p.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: change + "$"})
	}
	s.puts("brass-ruler")
	s.clicks("Add to cart")
	s.waitForText("See the cart (2 items)")
	s.arrivesAt("/cart")
	s.fills("Discount code", "WON5000")
	s.clicks("Apply")
	s.waitForText("WON5000 is applied.")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', 2 items'`)
	s.pays("again@example.com", true)
	for _, change := range changes {
		repeated(t, sentTo(p, change), 2)
	}
	orders := ordersOf(t, server.url, secret, "again@example.com")
	if len(orders) != 1 {
		t.Fatalf("the shop has %v", orders)
	}
	s.checkConsole("ERR_EMPTY_RESPONSE", "ERR_CONNECTION")
}

// Two tabs share one cart. What one adds the other sees; a change made on an old cart is refused, and the shopper looks at
// the new one.
func TestStorefrontTabsShareCart(t *testing.T) {
	t.Parallel()
	server, _, _ := demoShop(t)
	p := faultproxy.Start(t, server.url)
	one := openStorefront(t, p.URL)
	one.puts("brass-ruler")
	one.arrivesAt("/cart")
	other := one.tab("/products/letter-set")
	other.clicks("Add to cart")
	other.waitForText("is in your cart. See the cart (2 items)")

	one.clicks("More: Quantity of Brass Ruler") // on the cart as it was
	one.waitForText("Your cart was changed in another window.")
	one.waitForText("Letter Set")
	if n := evalJS[int](one.browser, `Number(document.querySelector('.line input').value)`); n != 1 {
		t.Errorf("the field says %d, and the cart has 1", n)
	}
	one.clicks("More: Quantity of Brass Ruler")
	one.waitForText("Brass Ruler: 2.")
	refused := sentTo(p, "")
	if last := refused[len(refused)-1]; last.Key == refused[len(refused)-2].Key {
		t.Error("after a conflict the change is a new one, with a key of its own")
	}

	other.arrivesAt("/products/hanji-notebook")
	one.clicks("Remove Letter Set") // the other tab knows nothing of it
	one.waitForText("Letter Set is no longer in your cart.")
	other.clicks("Add to cart") // adding means the same whatever else is there
	other.waitForText("is in your cart. See the cart (3 items)")
	one.checkConsole("409")
}

// The storefront on a server of its own, and the API elsewhere: the browser asks for permission first, and all works.
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
	s.puts("brass-ruler")
	s.pays("far@example.com", true)
	if n := len(ordersOf(t, server.url, secret, "far@example.com")); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	preflights := 0
	for _, r := range p.Requests() {
		if r.Method == http.MethodOptions {
			preflights++
		}
		if strings.HasPrefix(r.Path, "/demo") {
			t.Error("the page was asked of the API's server")
		}
	}
	if preflights == 0 {
		t.Error("the browser asked for no permission: this was one origin")
	}
	s.checkConsole()
}
