package program

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// routesFile has the routes of the console, a line each.
const routesFile = consoleFolder + "/files/shell/screens.js"

// consoleRoutes are the routes of the console's screens, such as /orders/:id.
func consoleRoutes(t *testing.T) (routes []string) {
	t.Helper()
	source, err := os.ReadFile(routesFile)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(source), "export const screens = [")
	text, _, _ = strings.Cut(text, "\n];")
	alike := regexp.MustCompile(`\.\.\.\[(.*)\]\.flatMap`).FindStringSubmatch(text)
	for _, path := range regexp.MustCompile(`'(/[^']*)'`).FindAllStringSubmatch(text, -1) {
		routes = append(routes, path[1])
		if alike != nil && strings.Contains(alike[1], path[0]) {
			routes = append(routes, path[1]+"/:id")
		}
	}
	return routes
}

// routeOf is the route that shows a screen: of two that fit, the one with more of its own words. It is "" for none.
func routeOf(routes []string, screen string) (found string) {
	screen, _, _ = strings.Cut(screen, "?")
	for _, route := range routes {
		parts := strings.Split(route, "/")
		for i, part := range parts {
			if strings.HasPrefix(part, ":") {
				parts[i] = "[^/]+"
			}
		}
		fits := regexp.MustCompile("^" + strings.Join(parts, "/") + "$").MatchString(screen)
		if fits && (found == "" || strings.Count(route, ":") < strings.Count(found, ":")) {
			found = route
		}
	}
	return found
}

func TestScreensBelongToRoutes(t *testing.T) {
	t.Parallel()
	routes := consoleRoutes(t)
	for screen, want := range map[string]string{
		"/": "/", "/orders": "/orders", "/orders/0198": "/orders/:id", "/orders/0198/return": "/orders/:id/return", "/posts/new": "/posts/:id",
		"/team/roles": "/team/roles", "/records/tags?translatedIn=ko": "/records/:slug", "/no/such/screen": "",
	} {
		if got := routeOf(routes, screen); got != want || want != "" && !slices.Contains(routes, want) {
			t.Errorf("%s: %q, want %q", screen, got, want)
		}
	}
}

// checkRoutes reports the routes that none of the screens belongs to.
func (o *operator) checkRoutes(screens []string) {
	o.Helper()
	routes := consoleRoutes(o.T)
	seen := map[string]bool{}
	for _, screen := range screens {
		seen[routeOf(routes, screen)] = true
	}
	for _, route := range routes {
		if !seen[route] {
			o.Errorf("no screen of %s was looked at: add a record in fillShop, or the screen to screensBehind", route)
		}
	}
}

// add sends a request of the shop's server that has to succeed.
func (b sandboxBuyer) add(path, body string, headers ...string) map[string]any {
	b.Helper()
	status, answer := requestJSON(b.T, "POST", b.url+path, body, append(headers, b.key, "Idempotency-Key: ik_"+rand.Text()+"123456")...)
	if status/100 != 2 {
		b.Fatalf("%s: %d %v", path, status, answer)
	}
	return answer
}

// firstID is the id of the first record of a list.
func (b sandboxBuyer) firstID(path string) string {
	b.Helper()
	_, found := requestJSON(b.T, "GET", b.url+path, "", b.key)
	docs, _ := found["docs"].([]any)
	if len(docs) == 0 {
		b.Fatalf("%s: %v", path, found)
	}
	return textAt(docs[0], "id")
}

// fillShop adds what the demo shop has none of, so that every route has a record: order is paid and not shipped. It returns the
// screens that no list leads to.
func (b sandboxBuyer) fillShop(order map[string]any) (screens []string) {
	b.Helper()
	b.add("/api/draft-orders", fmt.Sprintf(`{"lines": [{"variant": %q, "quantity": 2}], "customerSnapshot": {"name": "Lee Seoyeon"}}`, b.variant))
	b.add("/api/customers", `{"email": "a.very.long.address.of.somebody@shopper.example", "name": "Jonathan Featherstonehaugh-Miller"}`)
	b.add("/api/posts", `{"title": "How our celadon is fired"}`)
	b.add("/api/pages", `{"title": "About us", "slug": "about"}`)
	b.add("/api/tax-rates", `{"country": "US", "name": "Sales tax", "percent": 7.25, "classes": ["standard"]}`)
	b.add("/api/exports", `{"kind": "discounts", "format": "csv"}`)
	hook := textAt(b.add("/api/webhook-endpoints", `{"url": "https://shop.invalid/hook", "collections": ["orders"]}`), "doc", "id")
	b.add("/api/webhook-endpoints/"+hook+"/test", "")
	b.add("/api/imports", "--b\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\ncustomers\r\n--b\r\nContent-Disposition: form-data; "+
		"name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\nEmail\nimported@shop.example\nnobody\n\r\n--b--\r\n",
		"Content-Type: multipart/form-data; boundary=b")
	request := b.sendBack(order)
	b.add("/api/fulfillments/carrier-batches", `{}`)
	place := textAt(b.add("/api/stock-locations", `{"name": "Warehouse in the north of the city"}`), "doc", "id")
	b.add("/api/product-variants/"+b.variant+"/stock", fmt.Sprintf(`{"delta": 7, "location": %q, "reason": "received"}`, place))
	b.add("/api/product-variants/"+b.variant+"/stock/move", fmt.Sprintf(`{"from": %q, "units": 3}`, place))
	return []string{
		"/stock?location=" + place, "/stock?tab=movements",
		"/orders/" + textAt(order, "id") + "/return", "/settings/shipping/" + b.firstID("/api/shipping-policies?depth=0"),
		"/settings/payments/" + b.firstID("/api/provider-connections?depth=0"), "/payments/" + b.dispute(),
		"/returns/" + request,
	}
}

// sendBack ships an order, of which the buyer then wants to return a unit. It returns the id of that request.
func (b sandboxBuyer) sendBack(order map[string]any) (request string) {
	b.Helper()
	work := b.firstID("/api/fulfillment-orders?depth=0&where[order][equals]=" + textAt(order, "id"))
	parcel := textAt(b.add("/api/fulfillment-orders/"+work+"/fulfillments", `{"carrier": "cj"}`), "fulfillment", "id")
	b.add("/api/fulfillments/"+parcel+"/ship", `{"trackingNumber": "123456789012"}`)
	b.add("/api/fulfillments/"+parcel+"/deliver", "")
	asked := b.add("/api/return-requests", fmt.Sprintf(`{"order": %q, "lines": [{"orderLine": %q, "quantity": 1, "reason": "Too small"}]}`,
		textAt(order, "id"), textAt(order["lines"].([]any)[0], "id")))
	return textAt(asked, "returnRequest", "id")
}

// dispute buys something and disputes its payment, whose id it returns.
func (b sandboxBuyer) dispute() (session string) {
	b.Helper()
	status, opened := b.openSession(b.checkoutOfThree("disputing@example.com"))
	if status != http.StatusCreated {
		b.Fatalf("%d %v", status, opened)
	}
	b.payAndConfirm(opened)
	b.add("/sandbox/payments/"+textAt(opened, "action", "orderId")+"/dispute", `{"outcome": "open", "reason": "product_not_received"}`)
	waitUntil(b.T, func() bool {
		_, found := requestJSON(b.T, "GET", b.url+"/api/disputes", "", b.key)
		docs, _ := found["docs"].([]any)
		return len(docs) == 1
	})
	return textAt(opened, "paymentSession", "id")
}

// Who goes from one list to another sees the tab that comes first there, whatever was seen before, and nothing is asked for that is not there.
func TestConsoleListsBeginWithTheirFirstTab(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	buyer := newBuyer(t, server.url, keys.TestSecretKey)
	buyer.fillShop(buyer.buyThree("kim@example.com"))
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/returns")
	o.waitFor(`location.search === '?tab=open'`)
	o.leads("/payments") // which has a tab of that name, too
	o.waitFor(`location.search === '?tab=attention'`)
	o.show("/posts")
	o.clickElement(`document.querySelector('main a.row-link')`)
	o.waitFor(`/[/]posts[/]./.test(location.pathname)`)
	o.waitForScreen()
	o.leads("/pages")
	o.checkConsole() // the id of the post was asked for among the pages
}
