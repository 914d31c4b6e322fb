package program

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

// visitor is a browser window with the example storefront.
type visitor struct {
	*browser

	at string // URL of the storefront, with the slash at its end
}

// openStorefront opens the storefront of a server in a new browser.
func openStorefront(t *testing.T, url string) *visitor {
	t.Helper()
	s := &visitor{openBrowser(t), url + "/demo/"}
	s.do(chromedp.EmulateViewport(1280, 900))
	s.visit("/")
	return s
}

// pageLoaded is a script that is true when the page is complete and no request is running.
const pageLoaded = `document.readyState === 'complete' && document.querySelector('main h1') !== null && !document.querySelector('main[aria-busy]')`

// visit opens a page by its path, as a bookmark does.
func (s *visitor) visit(path string) {
	s.Helper()
	// a unique URL, which makes the browser load the page again
	s.do(chromedp.Navigate(s.at + "?" + strconv.FormatInt(time.Now().UnixNano(), 36) + "#" + path))
	s.waitFor(pageLoaded)
}

// elementNamed is a script for the visible link, button, label or summary with that name.
func elementNamed(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('a, button, label, summary')].find(e => e.checkVisibility() &&
		(e.getAttribute('aria-label') ?? e.innerText).trim().replace(/\s+/g, ' ') === %q)`, name)
}

// click clicks the element with that name, and waits for the page.
func (s *visitor) click(name string) {
	s.Helper()
	s.waitFor(elementNamed(name) + ` !== undefined`)
	s.clickElement(elementNamed(name))
	s.waitFor(pageLoaded)
}

// clickElement clicks the element of a script, unless another covers it. One script checks and clicks, since elements
// move while a page is rendered.
func (s *visitor) clickElement(element string) {
	s.Helper()
	if over := evalJS[string](s.browser, `(() => {
		const e = `+element+`;
		e.scrollIntoView({ block: 'center', behavior: 'instant' });
		const [r] = e.getClientRects();
		const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		if (!e.contains(hit) && hit !== e.control) return (hit?.outerHTML ?? 'the edge');
		e.click();
		return '';
	})()`); over != "" {
		s.Fatalf("%s is covered by %s", element, over)
	}
}

// clickPay clicks the button of the last page before the payment.
func (s *visitor) clickPay() {
	s.Helper()
	// the previous page has a button there, too
	s.waitFor(`/^Pay /.test(document.querySelector('main .form .button')?.innerText) && ` + pageLoaded)
	s.clickElement(`document.querySelector('main .form .button')`)
}

// fieldLabeled is a script for the field with that label.
func fieldLabeled(label string) string {
	return fmt.Sprintf(
		`document.getElementById([...document.querySelectorAll('main label')].find(l => l.checkVisibility() && l.innerText.trim().startsWith(%q)).htmlFor)`,
		label)
}

// fill replaces the content of a field.
func (s *visitor) fill(label, text string) {
	s.Helper()
	s.do(chromedp.Evaluate(fieldLabeled(label)+`.select()`, nil), chromedp.SendKeys(fieldLabeled(label), text, chromedp.ByJSPath))
}

// waitForText waits until the page shows a text.
func (s *visitor) waitForText(text string) {
	s.Helper()
	s.waitFor(fmt.Sprintf(`document.body.innerText.replace(/\s+/g, ' ').includes(%q)`, text))
}

// wantNoText fails the test if the page shows a text.
func (s *visitor) wantNoText(text string) {
	s.Helper()
	if evalJS[bool](s.browser, fmt.Sprintf(`document.querySelector('main').innerText.includes(%q)`, text)) {
		s.Errorf("the page shows %q", text)
	}
}

// addToCart adds a product to the cart on its page.
func (s *visitor) addToCart(slug string) {
	s.Helper()
	s.visit("/products/" + slug)
	s.click("Add to cart")
	s.waitForText("is in your cart.")
}

// fillAddress fills in a shipping address in Korea.
func (s *visitor) fillAddress() {
	s.Helper()
	s.fillFields([][2]string{
		{"Name", "Kim Jiwoo"}, {"Phone", "010-5550-0100"}, {"Street and number", "12 Jahamun-ro"}, {"Postal code", "03044"},
	})
}

// fillFields fills in fields by their labels; of a field with choices, it chooses the one of that name.
func (s *visitor) fillFields(fields [][2]string) {
	s.Helper()
	for _, f := range fields {
		field := fieldLabeled(f[0])
		if !evalJS[bool](s.browser, field+`.matches('select')`) {
			s.fill(f[0], f[1])
			continue
		}
		s.choose(field, fmt.Sprintf(`[...e.options].find(o => o.text === %q).value`, f[1]))
	}
}

// choose chooses a value in a select element; both are scripts, and the element is e in that of the value.
func (s *visitor) choose(element, value string) {
	s.Helper()
	s.do(chromedp.Evaluate(`(e => {
		e.value = `+value+`;
		e.dispatchEvent(new Event('input', { bubbles: true }));
		e.dispatchEvent(new Event('change', { bubbles: true }));
	})(`+element+`)`, nil))
}

// tabTo presses the Tab key until the element with that name has the focus, which must be visible.
func (s *visitor) tabTo(name string) {
	s.Helper()
	const focused = `(() => { const e = document.activeElement; const l = e.labels?.[0];
		return (e.getAttribute('aria-label') ?? (l ? l.innerText : e.innerText)).trim().replace(/\s+/g, ' ') })()`
	var passed []string
	for range 120 {
		s.do(chromedp.KeyEvent(kb.Tab))
		now := evalJS[string](s.browser, focused)
		passed = append(passed, now)
		if !strings.HasPrefix(now, name) {
			continue
		}
		if !evalJS[bool](s.browser, visiblyFocused) {
			s.Errorf("%q has no visible focus", name)
		}
		return
	}
	s.Fatalf("the Tab key does not reach %q, only %q", name, passed)
}

// visiblyFocused is a script that is true when the focused element or, for a hidden radio button, its label has an
// outline.
const visiblyFocused = `(() => { const outlined = e => e && getComputedStyle(e).outlineStyle !== 'none' && parseFloat(getComputedStyle(e).outlineWidth) >= 2;
	return outlined(document.activeElement) || outlined(document.activeElement.nextElementSibling) })()`

// typeKeys types into the focused element.
func (s *visitor) typeKeys(text string) {
	s.Helper()
	s.do(chromedp.KeyEvent(text))
}

// enter presses the Enter key, and waits until the page shows a text.
func (s *visitor) enter(until string) {
	s.Helper()
	s.typeKeys(kb.Enter)
	s.waitFor(pageLoaded)
	s.waitForText(until)
}

// screenshot stores a picture of the whole page in the folder of CARTWRIGHT_ARTIFACTS. It does nothing without that
// variable: Go does not cache the results of tests that write into the module.
func (s *visitor) screenshot(name string) {
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

// setColorScheme sets the preferred color scheme of the visitor's system.
func (s *visitor) setColorScheme(scheme string) {
	s.Helper()
	s.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}))
}

// checkAccessibility reports what axe finds wrong with the page, in both color schemes, and problems that it does not
// check.
func (s *visitor) checkAccessibility(page string) {
	s.Helper()
	axe, err := os.ReadFile(filepath.Join(typescriptFolder, "node_modules/axe-core/axe.min.js"))
	if err != nil {
		s.Fatal("axe-core is not installed: make clients")
	}
	s.do(chromedp.Evaluate(string(axe)+`;0`, nil))
	for scheme, rules := range map[string]string{"light": `{}`, "dark": `{ runOnly: ['color-contrast'] }`} { // only colors differ
		s.setColorScheme(scheme)
		var wrong []string
		s.do(chromedp.Evaluate(`axe.run(`+rules+
			`).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary)))`, &wrong,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		for _, w := range wrong {
			s.Errorf("%s in %s: %s", page, scheme, w)
		}
	}
	s.setColorScheme("light")
	for what, script := range map[string]string{
		"one heading":                 `document.querySelectorAll('h1').length === 1`,
		"a title":                     `document.title !== ''`,
		"a width that fits":           `document.documentElement.scrollWidth <= window.innerWidth`,
		"controls of 44 pixels":       `[...document.querySelectorAll('button, select, input:not([type=radio]), .button')].every(e => !e.checkVisibility() || e.getBoundingClientRect().height >= 44)`,
		"no inline scripts or styles": `document.querySelectorAll('[style], style, script:not([src])').length === 0`,
	} {
		if !evalJS[bool](s.browser, script) {
			s.Errorf("%s lacks %s", page, what)
		}
	}
}

// checkConsole fails the test if the console has messages without one of the expected texts.
func (s *visitor) checkConsole(expected ...string) {
	s.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, message := range s.console {
		known := false
		for _, e := range expected {
			known = known || strings.Contains(message, e)
		}
		if !known {
			s.Errorf("the console shows %s", message)
		}
	}
}

// checkOutAndPay checks the cart out, pays, and waits for the page of the order.
func (s *visitor) checkOutAndPay(email string, shipped bool) {
	s.Helper()
	s.visit("/checkout")
	s.fill("Email", email)
	if shipped {
		s.fillAddress()
	}
	s.click("Continue")
	s.waitForText("How would you like to pay?")
	s.pay()
}

// pay clicks the button that pays, and pays on the payment page.
func (s *visitor) pay() {
	s.Helper()
	s.clickPay()
	s.decideOnPaymentPage("approve")
	s.waitForText("Thank you")
}

// decideOnPaymentPage waits for the sandbox's payment page, and clicks the button of an outcome there.
func (s *visitor) decideOnPaymentPage(outcome string) {
	s.Helper()
	s.waitFor(`location.pathname.startsWith('/sandbox/pay/') && document.readyState === 'complete'`)
	s.clickElement(`document.querySelector('button[value="` + outcome + `"]')`)
	s.waitFor(`location.pathname === '/demo/'`)
	s.waitFor(pageLoaded)
}
