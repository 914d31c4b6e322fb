package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// visitor is somebody in front of the example storefront.
type visitor struct {
	*browser

	at string // address of the storefront, with the slash at its end
}

// openStorefront opens the storefront of a server in a new browser.
func openStorefront(t *testing.T, url string) *visitor {
	t.Helper()
	s := &visitor{openBrowser(t), url + "/demo/"}
	s.do(chromedp.EmulateViewport(1280, 900))
	s.arrivesAt("/")
	return s
}

// pageThere is true when the page is there and nothing is on its way.
const pageThere = `document.readyState === 'complete' && document.querySelector('main h1') !== null && !document.querySelector('main[aria-busy]')`

// arrivesAt opens a page by its address, as a bookmark does.
func (s *visitor) arrivesAt(path string) {
	s.Helper()
	s.do(chromedp.Navigate(s.at + "?" + strconv.FormatInt(time.Now().UnixNano(), 36) + "#" + path)) // another address than before loads anew
	s.waitFor(pageThere)
}

// named is a script for what can be used and is called so.
func named(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('a, button, label, summary')].find(e => e.checkVisibility() &&
		(e.getAttribute('aria-label') ?? e.innerText).trim().replace(/\s+/g, ' ') === %q)`, name)
}

// clicks uses what is called so, and waits for the page.
func (s *visitor) clicks(name string) {
	s.Helper()
	s.waitFor(named(name) + ` !== undefined`)
	s.uses(named(name))
	s.waitFor(pageThere)
}

// uses clicks what a script finds, if a mouse could: in one go, since things move while a page is made.
func (s *visitor) uses(found string) {
	s.Helper()
	if over := evalJS[string](s.browser, `(() => {
		const e = `+found+`;
		e.scrollIntoView({ block: 'center', behavior: 'instant' });
		const [r] = e.getClientRects();
		const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		if (!e.contains(hit) && hit !== e.control) return (hit?.outerHTML ?? 'the edge');
		e.click();
		return '';
	})()`); over != "" {
		s.Fatalf("%s is covered by %s", found, over)
	}
}

// goesToPay presses the button of the last page before the payment.
func (s *visitor) goesToPay() {
	s.Helper()
	s.waitFor(`/^Pay /.test(document.querySelector('main .form .button')?.innerText) && ` + pageThere) // the page before has such a button, too
	s.uses(`document.querySelector('main .form .button')`)
}

// labelled is a script for the field with a label.
func labelled(label string) string {
	return fmt.Sprintf(`document.getElementById([...document.querySelectorAll('main label')].find(l => l.checkVisibility() && l.innerText.trim().startsWith(%q)).htmlFor)`, label)
}

// fills types into a field in place of what is there.
func (s *visitor) fills(label, text string) {
	s.Helper()
	s.do(chromedp.Evaluate(labelled(label)+`.select()`, nil), chromedp.SendKeys(labelled(label), text, chromedp.ByJSPath))
}

// waitForText waits until a text stands on the page.
func (s *visitor) waitForText(text string) {
	s.Helper()
	s.waitFor(fmt.Sprintf(`document.body.innerText.replace(/\s+/g, ' ').includes(%q)`, text))
}

// wantNoText fails if a text stands on the page.
func (s *visitor) wantNoText(text string) {
	s.Helper()
	if evalJS[bool](s.browser, fmt.Sprintf(`document.querySelector('main').innerText.includes(%q)`, text)) {
		s.Errorf("the page says %q", text)
	}
}

// puts adds a product to the cart from its own page.
func (s *visitor) puts(slug string) {
	s.Helper()
	s.arrivesAt("/products/" + slug)
	s.clicks("Add to cart")
	s.waitForText("is in your cart.")
}

// ships fills the address in.
func (s *visitor) ships() {
	s.Helper()
	for _, f := range [][2]string{
		{"Name", "Kim Jiwoo"}, {"Phone", "010-5550-0100"}, {"Street and number", "12 Jahamun-ro"}, {"Postal code", "03044"},
	} {
		s.fills(f[0], f[1])
	}
}

// tabsTo presses the tab key until something that is called so has the focus, and sees that it has.
func (s *visitor) tabsTo(name string) {
	s.Helper()
	const focused = `(() => { const e = document.activeElement; const l = e.labels?.[0];
		return (e.getAttribute('aria-label') ?? (l ? l.innerText : e.innerText)).trim().replace(/\s+/g, ' ') })()`
	var met []string
	for range 120 {
		s.do(chromedp.KeyEvent(kb.Tab))
		now := evalJS[string](s.browser, focused)
		met = append(met, now)
		if !strings.HasPrefix(now, name) {
			continue
		}
		if !evalJS[bool](s.browser, visiblyFocused) {
			s.Errorf("nobody sees that %q has the focus", name)
		}
		return
	}
	s.Fatalf("no key leads to %q, only to %q", name, met)
}

// visiblyFocused: the element itself or, of a hidden radio button, its label has an outline.
const visiblyFocused = `(() => { const outlined = e => e && getComputedStyle(e).outlineStyle !== 'none' && parseFloat(getComputedStyle(e).outlineWidth) >= 2;
	return outlined(document.activeElement) || outlined(document.activeElement.nextElementSibling) })()`

// keys types with the keyboard into what has the focus.
func (s *visitor) keys(text string) {
	s.Helper()
	s.do(chromedp.KeyEvent(text))
}

// enter presses the enter key, and waits for what it opens.
func (s *visitor) enter(until string) {
	s.Helper()
	s.keys(kb.Enter)
	s.waitFor(pageThere)
	s.waitForText(until)
}

// photographs keeps a picture of the page, whole, for people, in the folder that CARTWRIGHT_ARTIFACTS names. Without it there
// are none: a test that writes into the module is never found in Go's test cache.
func (s *visitor) photographs(name string) {
	s.Helper()
	folder := os.Getenv("CARTWRIGHT_ARTIFACTS")
	if folder == "" {
		return
	}
	var picture []byte
	s.do(chromedp.FullScreenshot(&picture, 90))
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".jpg"), picture, 0o600)
	}
	if err != nil {
		s.Error(err)
	}
}

// prefers sets what the visitor's system prefers.
func (s *visitor) prefers(scheme string) {
	s.Helper()
	s.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}))
}

// checkAccessibility is what axe finds wrong with the page, in both colour schemes, and what it cannot know.
func (s *visitor) checkAccessibility(page string) {
	s.Helper()
	axe, err := os.ReadFile(filepath.Join(typescriptFolder, "node_modules/axe-core/axe.min.js"))
	if err != nil {
		s.Fatal("axe-core is not installed: make clients")
	}
	s.do(chromedp.Evaluate(string(axe)+`;0`, nil))
	for scheme, rules := range map[string]string{"light": `{}`, "dark": `{ runOnly: ['color-contrast'] }`} { // only colours differ
		s.prefers(scheme)
		var wrong []string
		s.do(chromedp.Evaluate(`axe.run(`+rules+`).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary)))`, &wrong,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		for _, w := range wrong {
			s.Errorf("%s in %s: %s", page, scheme, w)
		}
	}
	s.prefers("light")
	for what, script := range map[string]string{
		"one heading":                `document.querySelectorAll('h1').length === 1`,
		"a title":                    `document.title !== ''`,
		"room for everything":        `document.documentElement.scrollWidth <= window.innerWidth`,
		"controls a finger can hit":  `[...document.querySelectorAll('button, select, input:not([type=radio]), .button')].every(e => !e.checkVisibility() || e.getBoundingClientRect().height >= 44)`,
		"nothing written by scripts": `document.querySelectorAll('[style], style, script:not([src])').length === 0`,
	} {
		if !evalJS[bool](s.browser, script) {
			s.Errorf("%s lacks %s", page, what)
		}
	}
}

// checkConsole fails if the console complained of more than is expected.
func (s *visitor) checkConsole(expected ...string) {
	s.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, said := range s.console {
		known := false
		for _, e := range expected {
			known = known || strings.Contains(said, e)
		}
		if !known {
			s.Errorf("the console says %s", said)
		}
	}
}

// pays goes through checkout and payment from the cart on, and sees the order.
func (s *visitor) pays(email string, shipped bool) {
	s.Helper()
	s.arrivesAt("/checkout")
	s.fills("Email", email)
	if shipped {
		s.ships()
	}
	s.clicks("Continue")
	s.waitForText("How would you like to pay?")
	s.approves()
}

// approves presses the button that pays, and pays on the payment page.
func (s *visitor) approves() {
	s.Helper()
	s.goesToPay()
	s.onPaymentPage("approve")
	s.waitForText("Thank you")
}

// onPaymentPage waits for the sandbox's payment page and decides there.
func (s *visitor) onPaymentPage(outcome string) {
	s.Helper()
	s.waitFor(`location.pathname.startsWith('/sandbox/pay/') && document.readyState === 'complete'`)
	s.uses(`document.querySelector('button[value="` + outcome + `"]')`)
	s.waitFor(`location.pathname === '/demo/'`)
	s.waitFor(pageThere)
}
