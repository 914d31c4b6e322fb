package program

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// checkScreen reports what axe finds wrong with the screen, in both color schemes, and a width that does not fit.
func (o *operator) checkScreen(name string) {
	o.Helper()
	o.checkScheme(name, "light", everyRule)
	o.checkScheme(name, "dark", `['color-contrast']`) // only colors differ
	o.setColorScheme("light")
	o.checkFrame(name)
}

// checkScheme reports what axe finds wrong with the screen in a color scheme.
func (o *operator) checkScheme(name, scheme, rules string) {
	o.Helper()
	if !evalJS[bool](o.browser, `'axe' in window`) {
		axe, err := os.ReadFile(filepath.Join(consoleFolder, "node_modules/axe-core/axe.min.js"))
		if err != nil {
			o.Fatal("axe-core is not installed: make clients")
		}
		o.do(chromedp.Evaluate(string(axe)+`;0`, nil))
	}
	o.setColorScheme(scheme)
	var wrong []string
	o.do(chromedp.Evaluate(`axe.run({ resultTypes: ['violations'], runOnly: `+rules+` }).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary)))`,
		&wrong, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	for _, w := range wrong {
		o.Errorf("%s in %s: %s", name, scheme, w)
	}
}

// checkFrame reports what of a page is there whatever it shows.
func (o *operator) checkFrame(name string) {
	o.Helper()
	for what, script := range map[string]string{
		"one heading of the page": `document.querySelectorAll('h1').length === 1`,
		"a title":                 `document.title.endsWith('Cartwright') && document.title.length > 12`,
		"a width that fits":       screenFits,
		"a word for everything":   `!/` + wordless() + `/.test(document.body.innerText)`,
	} {
		if !evalJS[bool](o.browser, script) {
			o.Errorf("%s lacks %s", name, what)
		}
	}
	if cut := evalJS[[]string](o.browser, cutTexts); len(cut) > 0 {
		o.Errorf("%s cuts off %q", name, cut)
	}
}

// screenFits is a script that is true when neither the page nor what scrolls in it is wider than its place.
const screenFits = `document.documentElement.scrollWidth <= window.innerWidth && [...document.querySelectorAll('main')].every(m => m.scrollWidth <= m.clientWidth)`

// comesToFit reports whether the screen fits within two seconds of frames: it is laid out anew in another width.
func (o *operator) comesToFit() (fits bool) {
	o.Helper()
	o.do(chromedp.Evaluate(`(async () => {
		for (let i = 0; i < 120 && !(document.querySelector('nav.side') && `+screenFits+`); i++) await new Promise(requestAnimationFrame);
		return `+screenFits+`;
	})()`, &fits, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return fits
}

// cutTexts is a script for the texts of a screen that end at the edge of what they stand in, without dots that say so, and without a way to
// scroll there.
const cutTexts = `[...document.querySelectorAll('main *, dialog[open] *')].flatMap(e => {
	const own = [...e.childNodes].filter(n => n.nodeType === 3 && n.data.trim());
	if (own.length === 0 || !e.checkVisibility() || e.closest('.aside, textarea, select, svg')) return [];
	const range = document.createRange();
	range.selectNodeContents(own[0]);
	const { right, width } = range.getBoundingClientRect();
	for (let box = e; width > 0 && box && !box.matches('main'); box = box.parentElement) {
		const { overflowX, textOverflow } = getComputedStyle(box);
		if (overflowX === 'visible') continue;
		if (overflowX !== 'hidden' && overflowX !== 'clip' || textOverflow === 'ellipsis') return [];
		if (right > box.getBoundingClientRect().right + 1) return [own[0].data.trim()];
	}
	return [];
})`

// wordless is a pattern for the names of words, which are shown where there is no word: orders.refund, or orders.17 as its number.
var wordless = sync.OnceValue(func() string {
	files, err := filepath.Glob(filepath.Join(consoleFolder, "files/words/*.ko.js"))
	if err != nil || len(files) == 0 {
		panic(fmt.Sprint("there are no words: ", err))
	}
	areas := make([]string, 0, len(files))
	for _, file := range files {
		areas = append(areas, strings.TrimSuffix(filepath.Base(file), ".ko.js"))
	}
	return `(?:^|[^\w.@/-])(?:` + strings.Join(areas, "|") + `)\.(?:\d+|[a-z][\w-]*)(?:[^\w.@]|$)`
})

// Words that are missing are found, by name and by number, and addresses of the internet are none.
func TestWordlessIsFound(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(wordless())
	for text, missing := range map[string]bool{
		"orders.17": true, "a list.rowsPlain": true, "orders.refund": true, "Orders. 17 of them": false, "me@orders.example.com": false, "12.50": false,
	} {
		if pattern.MatchString(text) != missing {
			t.Errorf("%q: want %v", text, missing)
		}
	}
}

// everyRule is what a screen has to meet, and wordsRules what of it depends on the words.
const (
	everyRule  = `['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']`
	wordsRules = `['aria-command-name', 'aria-input-field-name', 'button-name', 'html-has-lang', 'html-lang-valid', 'label', 'link-name', 'target-size']`
)

// leads opens a screen by a link of its own, so that the page stays.
func (o *operator) leads(screen string) {
	o.Helper()
	o.do(chromedp.Evaluate(fmt.Sprintf(`(() => {
		const a = document.createElement('a');
		a.href = '/console/test%s';
		document.querySelector('#app').append(a);
		a.click();
		a.remove();
	})()`, screen), nil))
	o.waitFor(fmt.Sprintf(`(location.pathname + location.search).startsWith('/console/test%s')`, screen))
	o.waitForScreen()
}

// consoleScreens are the screens of the navigation, by their path.
func consoleScreens(o *operator) []string {
	return evalJS[[]string](o.browser, `[...document.querySelectorAll('nav.side a')].map(a => a.getAttribute('href').replace('/console/test', ''))`)
}

// screensBehind are screens that only others lead to, besides the first record of a list.
var screensBehind = []string{
	"/settings/mails", "/settings/mails/order_placed", "/records/tax-rates", "/taxes/new", "/products/new",
	"/discounts/new", "/customers/guests", "/transfers/imports", "/transfers/new", "/webhooks/deliveries", "/team/invitations",
	"/team/roles", "/team/roles/new", "/carriers/import", "/account", "/no/such/screen", "/orders/%E0%A4",
}

// Every screen, and of lists the first record, is accessible, in both languages and color schemes, on a desk and on a
// telephone, and the browser's console stays empty. So is every window that opens in front of them, which the keyboard goes through in
// the order in which it is read.
func TestConsoleScreens(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	buyer := newBuyer(t, server.url, keys.TestSecretKey)
	order := buyer.buyThree("kim@example.com")
	behind := buyer.fillShop(buyer.buyThree("a.long.address.of.somebody@shopper.example"))
	for language, schemes := range map[string][]string{"en": {"light", "dark"}, "ko": nil} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			o := openConsole(t, server.url, keys)
			o.signIn()
			o.do(chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('cartwright-console:language', %q)`, language), nil))
			o.show("/")
			o.checkAll(language, schemes, behind)
			o.checkConsole()
		})
	}
	t.Run("platform", func(t *testing.T) {
		t.Parallel()
		root := keys
		root.AdminEmail = "root@platform.example"
		root.AdminPassword = passwordIn(m.must(t, "user", "create", "--email", root.AdminEmail, "--role", "platform-admin"))
		o := openConsole(t, server.url, root)
		o.signIn()
		o.show("/settings")
		o.waitFor(`document.querySelector('#shops [data-row]') !== null`)
		o.checkScreen("the list of all shops")
		o.clickElement(`document.querySelector('#shops .row-link')`)
		o.waitFor(`document.querySelector('#shops .policy h3') !== null`)
		o.checkScreen("a shop of the list")
		o.checkConsole()
	})
	t.Run("windows", func(t *testing.T) {
		t.Parallel()
		o := openConsole(t, server.url, keys)
		o.signIn()
		o.checkWindows("/orders/" + textAt(order, "id"))
		o.checkConsole("422")
	})
}

// checkAll checks all screens with their first records: on a desk in the first scheme, on a telephone in the second, and that they fit
// between the two. Colors are the same in every language: without schemes they are left out. Behind are screens that no list leads to.
// No route is left out.
func (o *operator) checkAll(language string, schemes, behind []string) {
	screens := consoleScreens(o)
	for _, named := range []string{"/mails", "/taxes", "/settings"} {
		if len(screens) < 20 || !slices.Contains(screens, named) {
			o.Fatalf("there are only %v", screens)
		}
	}
	screens = slices.Concat(screens, screensBehind, behind)
	const first = `document.querySelector('main [data-row] a.row-link')?.getAttribute('href').replace('/console/test', '') ?? ''`
	for i := 0; i < len(screens); i++ {
		screen := screens[i]
		name := fmt.Sprintf("console-%s-%02d", language, i)
		o.do(chromedp.EmulateViewport(1280, 900))
		o.leads(screen)
		if schemes != nil {
			o.checkScheme(screen, schemes[0], everyRule)
		}
		o.checkFrame(screen)
		o.screenshot(name + "-wide")
		if record := evalJS[string](o.browser, first); record != "" && !slices.Contains(screens, record) {
			screens = append(screens, record)
		}
		o.do(chromedp.EmulateViewport(360, 740))
		o.waitForScreen()
		if schemes != nil {
			o.checkScheme(screen+" on a telephone", schemes[1], everyRule)
		} else {
			o.checkScheme(screen+" on a telephone", "light", wordsRules)
		}
		o.checkFrame(screen + " on a telephone")
		o.screenshot(name + "-narrow")
		o.do(chromedp.EmulateViewport(738, 900))
		if !o.comesToFit() {
			o.Errorf("%s does not fit into 738 pixels", screen)
		}
	}
	o.checkRoutes(screens)
}

// checkWindows opens what opens in front of the screens.
func (o *operator) checkWindows(order string) {
	for _, window := range []struct {
		screen  string
		presses []string
	}{
		{"/orders", []string{"Filter", "Status"}}, {"/orders", []string{"Filter", "Placed at"}}, {"/orders", []string{"Export"}},
		{"/orders", []string{"Views", "Save as a view"}}, {order, []string{"More", "Refund an amount"}}, {order, []string{"More", "Cancel some units"}},
		{order, []string{"More", "Cancel order"}}, {order, []string{"Correct address and contact"}}, {"/carriers", []string{"Make a batch"}},
		{"/customers", []string{"New customer"}}, {"/payments", []string{"Find a provider's payment"}}, {"/team", []string{"Invite"}},
		{"/keys", []string{"New key"}}, {"/webhooks", []string{"New webhook"}},
	} {
		o.show(window.screen)
		for _, name := range window.presses {
			o.press(name)
		}
		o.checkWindow(window.screen + " " + strings.Join(window.presses, ", "))
	}
	for keys, name := range map[string]string{"?": "the keys", "gn": "notifications"} {
		o.do(chromedp.Focus(`main h1`, chromedp.ByQuery))
		o.strike(keys)
		o.checkWindow(name)
	}
	for _, screen := range []string{order, "/drafts/new"} {
		o.show(screen)
		o.checkFocus(screen)
	}
}

// checkWindow checks the window in front, goes through it, and leaves it by Escape: the focus is back where it was.
func (o *operator) checkWindow(name string) {
	o.Helper()
	o.waitFor(`document.querySelector('dialog[open]') !== null && document.querySelector('dialog[open] .loading') === null`)
	o.checkScreen(name)
	o.screenshot("console-window-" + strings.NewReplacer("/", "", " ", "-", ",", "").Replace(name))
	o.checkFocus(name)
	o.typeKeys(kb.Escape)
	o.waitFor(`document.querySelector('dialog[open]') === null`)
	var lost bool
	o.do(chromedp.Evaluate(`(async () => {
		for (let i = 0; i < 120 && document.activeElement === document.body; i++) await new Promise(requestAnimationFrame);
		return document.activeElement === document.body;
	})()`, &lost, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if lost {
		o.Errorf("after %s the focus is nowhere", name)
	}
}

// focusStep is a script for what is wrong with where the focus has come to: from above and from the left it goes on, and it is seen.
const focusStep = `(() => {
	const e = document.activeElement, front = ` + inFront + `;
	if (e === document.body || !front.contains(e)) return front.matches('dialog') && e !== document.body ? 'out' : 'end';
	if (window.focusBegan === e) return 'end';
	const [a, b] = [window.focusBefore?.getBoundingClientRect(), e.getBoundingClientRect()];
	const back = a && b.bottom <= a.top && b.left < a.right;
	window.focusBegan ??= e;
	window.focusBefore = e;
	return back ? 'back' : ` + focusSeen + ` ? '' : 'unseen';
})()`

// focusSeen is a script that is true when what has the focus, or what it stands in, has an outline.
const focusSeen = `(() => { const outlined = e => e && getComputedStyle(e).outlineStyle !== 'none' && parseFloat(getComputedStyle(e).outlineWidth) >= 2;
	const e = document.activeElement;
	return [e, e.nextElementSibling, e.parentElement].some(outlined) })()`

// checkFocus goes through what is in front with the Tab key.
func (o *operator) checkFocus(name string) {
	o.Helper()
	o.do(chromedp.Evaluate(`delete window.focusBegan; delete window.focusBefore; (`+inFront+`.querySelector('[tabindex="-1"]') ?? document.body).focus()`, nil))
	for range 150 {
		o.typeKeys(kb.Tab)
		switch wrong := evalJS[string](o.browser, focusStep); wrong {
		case "end":
			return
		case "":
		default:
			o.Errorf("in %s the focus is %s at %s", name, wrong, evalJS[string](o.browser, `document.activeElement.outerHTML.slice(0, 200)`))
		}
	}
	o.Errorf("the focus does not come to the end of %s", name)
}
