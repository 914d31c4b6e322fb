package program

import (
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// meanwhile does something between what the window asks for at a path, the first time, and the server, and lets all go on after that.
func (o *operator) meanwhile(path string, something func()) {
	o.Helper()
	var once sync.Once
	chromedp.ListenTarget(o.ctx, func(event any) {
		if paused, is := event.(*fetch.EventRequestPaused); is {
			go func() { // events are told one after the other, and the answer to a command is one
				once.Do(something)
				_ = chromedp.Run(o.ctx, fetch.ContinueRequest(paused.RequestID)) // the window may be closed
			}()
		}
	})
	o.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*" + path, RequestStage: fetch.RequestStageRequest}}))
}

// A payment link that a colleague revokes in the moment in which it is asked for is not made anew.
func TestConsoleLeavesRevokedLinksRevoked(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body string) map[string]any {
		status, answer := requestJSON(t, method, server.url+"/api"+path, body, secret)
		if status > 299 {
			t.Errorf("%s: %d %v", path, status, answer)
		}
		return answer
	}
	sold := "/product-variants?where[product.status][equals]=published&where[kind][equals]=physical&limit=1&depth=0"
	variant := textAt(ask("GET", sold, ""), "docs", "0", "id")
	draft := textAt(ask("POST", "/draft-orders", fmt.Sprintf(`{"lines":[{"variant":%q,"quantity":1}],
		"customerSnapshot":{"name":"Kim","email":"kim@shop.example"},
		"shippingAddress":{"recipientName":"Kim","phone":"010-5550-0199","postalCode":"06000","address1":"Gangnam 1","country":"KR"}}`,
		variant)), "doc", "id")
	at := "/draft-orders/" + draft
	if made := ask("POST", at+"/payment-link", `{}`); textAt(made, "draftOrder", "status") != "awaiting_payment" {
		t.Fatalf("there is no link to revoke: %v", made)
	}
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/drafts/" + draft)
	o.meanwhile("/payment-link", func() { ask("POST", at+"/payment-link/revoke", `{}`) })
	o.press("Show the link")
	o.waitFor(`document.querySelector('.toast') !== null`)
	if now := ask("GET", at+"?depth=0", ""); textAt(now, "id") != draft || textAt(now, "paymentLink", "checkout") != "" {
		t.Errorf("the revoked link is there again: %v", now)
	}
}
