package program

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// ownScreens are the screens of collections that have one of their own.
var ownScreens = map[string]string{
	"orders": "/orders", "products": "/products", "customers": "/customers", "discounts": "/discounts", "draft-orders": "/drafts", "posts": "/posts",
	"pages": "/pages", "return-requests": "/returns", "disputes": "/disputes", "shipping-policies": "/settings/shipping", "tax-rates": "/taxes",
	"provider-connections": "/settings/payments", "webhook-endpoints": "/webhooks",
}

// turnTo shows another screen of the test environment, as a link does.
func (o *operator) turnTo(screen string) {
	o.Helper()
	o.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector('main h1').setAttribute('data-left', '');
		history.pushState(null, '', '/console/test' + %q); dispatchEvent(new PopStateEvent('popstate'))`, screen), nil))
	o.waitFor(`document.querySelector('main h1[data-left]') === null && ` + screenShown)
}

// must posts what the shop has to take.
func (v *vandal) must(path string, body map[string]any) {
	v.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		v.Fatal(err)
	}
	if status, answer := requestJSON(v.T, "POST", v.url+"/api"+path, string(encoded), v.secret); status > 299 {
		v.Fatal(path, answer)
	}
}

// makeRecords makes what the demo shop lacks, with texts where only its maker writes.
func (v *vandal) makeRecords() {
	v.Helper()
	text := hostileTexts[0] + hostileTexts[2] + hostileTexts[4] + strings.Repeat("W", 40)
	who := map[string]any{"recipientName": text, "address1": text, "deliveryNote": text}
	v.must("/customers", map[string]any{"email": "evil@example.com", "password": "correct horse battery", "addresses": []any{who}})
	v.must("/pages", map[string]any{"title": "Page", "slug": "evil", "status": "draft"})
	v.must("/discounts", map[string]any{"code": "EVIL", "type": "percentage", "value": 10})
	v.must("/orders/import", map[string]any{"orders": []any{map[string]any{
		"orderNumber": "EVIL-1", "status": "paid", "email": "evil@example.com", "currency": "KRW", "totalAmount": 1000, "placedAt": "2026-11-01T00:00:00Z",
		"notes": text, "customerSnapshot": map[string]any{"name": text}, "shippingAddress": who,
		"lines": []any{map[string]any{"title": text, "sku": text[:20], "quantity": 1, "unitPrice": 1000}},
	}}})
	v.must("/comments", map[string]any{"collection": "orders", "record": v.record("orders")["id"], "text": text})
}

// fillWithTexts writes hostile texts into everything. It answers the screens that show them.
func (v *vandal) fillWithTexts() (screens []string) {
	v.Helper()
	v.makeRecords()
	_, found := requestJSON(v.T, "GET", v.url+"/api/orders?where[orderNumber][equals]=EVIL-1", "", v.secret)
	order := textAt(found, "docs", "0", "id")
	if order == "" {
		v.Fatal("the order is not imported")
	}
	screens = append(screens, "/orders/"+order, "/records/orders/"+order)
	_, described := requestJSON(v.T, "GET", v.url+"/api/schemas", "", v.secret)
	for _, each := range described["collections"].([]any) {
		s := each.(map[string]any)
		slug := s["slug"].(string)
		record := v.record(slug)
		if may, _ := s["may"].([]any); record == nil || !slices.Contains(may, any("update")) {
			continue
		}
		id := record["id"].(string)
		v.write("/api/"+slug+"/"+id, "", record, s["fields"].([]any), func(body map[string]any) map[string]any { return body })
		screens = append(screens, "/records/"+slug, "/records/"+slug+"/"+id)
		if own := ownScreens[slug]; own != "" {
			screens = append(screens, own+"/"+id)
		}
	}
	return screens
}

// Whatever customers and colleagues write into any field of the shop is shown as they wrote it: nothing of it runs, and no screen gets
// wider than the window.
func TestConsoleShowsHostileTexts(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	v := &vandal{T: t, url: server.url, secret: secret, written: map[string]string{}}
	screens := v.fillWithTexts()
	t.Logf("%d texts are written; refused: %v", len(v.written), v.refused)
	if len(v.written) < 45 {
		t.Errorf("only %d texts are written", len(v.written))
	}
	o := openConsole(t, server.url, keys)
	o.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`window.ran = []; window.canary = window.alert = () => ran.push('ran');
			addEventListener('securitypolicyviolation', (e) => ran.push(e.blockedURI + ' ' + e.violatedDirective))`).Do(ctx)
		return err
	}))
	o.signIn()
	o.show("/account")
	for _, screen := range append(consoleScreens(o), screens...) {
		o.turnTo(screen)
		for _, width := range []int64{1280, 360} {
			o.do(chromedp.EmulateViewport(width, 800))
			o.waitFor(screenShown + ` && (document.querySelector('nav.side') !== null) === (innerWidth >= 720)`) // the frame has followed
			o.checkHarmless(fmt.Sprintf("%s at %d pixels", screen, width))
		}
	}
	o.checkConsole("500 (") // nothing may be refused by the policy of the page
}

// checkHarmless reports what a text did to the screen that shows it.
func (o *operator) checkHarmless(name string) {
	o.Helper()
	for what, script := range map[string]string{
		"runs a text":            `window.ran.join()`,
		"has an image of a text": `document.querySelector('img[src="x"], svg[onload]') ? 'yes' : ''`,
		"has a script of a text": `[...document.scripts].filter(s => !s.src).map(s => s.text).join()`,
		"has a link that is a script": `[...document.querySelectorAll('[href], [src], [action]')].map(e => e.getAttribute('href') ?? e.getAttribute('src') ?? e.action)
			.filter(u => /^\s*javascript:/i.test(u)).join()`,
		"is wider than the window": `document.documentElement.scrollWidth > innerWidth ? 'by ' + (document.documentElement.scrollWidth - innerWidth) : ''`,
		"is wider than its frame": `(m => m.scrollWidth > m.clientWidth ? 'by ' + (m.scrollWidth - m.clientWidth) + ', to the end of ' + [...m.querySelectorAll('*')].reduce((a, b) =>
			b.getBoundingClientRect().right > a.getBoundingClientRect().right ? b : a).outerHTML : '')(document.querySelector('main'))`,
	} {
		if told := evalJS[string](o.browser, script); told != "" {
			o.Errorf("%s %s: %s", name, what, cmp.Or(strings.TrimSpace(told), told)[:min(200, len(told))])
		}
	}
}
