package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// consoleFolder is where the console is checked.
const consoleFolder = "../../../adapters/console"

// operator is a browser window with the console.
type operator struct {
	*visitor

	keys credentials
}

// openConsole opens the console of a server in a new browser.
func openConsole(t *testing.T, url string, keys credentials) *operator {
	t.Helper()
	o := &operator{&visitor{openBrowser(t), url + "/console/"}, keys}
	o.do(chromedp.EmulateViewport(1280, 900))
	o.setColorScheme("light")
	o.do(chromedp.Navigate(o.at))
	o.waitFor(`document.querySelector('form') !== null`)
	return o
}

// signIn signs the admin of the credentials in.
func (o *operator) signIn() {
	o.Helper()
	o.fill("Email", o.keys.AdminEmail)
	o.fill("Password", o.keys.AdminPassword)
	o.typeKeys(kb.Enter)
	o.waitForScreen()
}

// screenShown is a script that is true when a screen of the console is complete.
const screenShown = `document.querySelector('main h1') !== null && !document.documentElement.dataset.loading &&
	document.querySelector('main .loading, main [aria-busy=true]') === null`

func (o *operator) waitForScreen() {
	o.Helper()
	o.waitFor(screenShown)
}

// show opens a screen of the test environment by its address, as a bookmark does.
func (o *operator) show(screen string) {
	o.Helper()
	o.do(chromedp.Navigate(o.at + "test" + screen))
	o.waitForScreen()
}

// checkScreen reports what axe finds wrong with the screen, in both color schemes, and a width that does not fit.
func (o *operator) checkScreen(name string) {
	o.Helper()
	axe, err := os.ReadFile(filepath.Join(consoleFolder, "node_modules/axe-core/axe.min.js"))
	if err != nil {
		o.Fatal("axe-core is not installed: make clients")
	}
	o.do(chromedp.Evaluate(string(axe)+`;0`, nil))
	for scheme, rules := range map[string]string{
		"light": `{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }`, "dark": `{ runOnly: ['color-contrast'] }`,
	} {
		o.setColorScheme(scheme)
		var wrong []string
		o.do(chromedp.Evaluate(`axe.run(`+rules+`).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.html + ' ' + n.failureSummary)))`, &wrong,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		for _, w := range wrong {
			o.Errorf("%s in %s: %s", name, scheme, w)
		}
	}
	o.setColorScheme("light")
	for what, script := range map[string]string{
		"one heading of the page": `document.querySelectorAll('h1').length === 1`,
		"a title":                 `document.title.endsWith('Cartwright') && document.title.length > 12`,
		"a width that fits":       `document.documentElement.scrollWidth <= window.innerWidth`,
	} {
		if !evalJS[bool](o.browser, script) {
			o.Errorf("%s lacks %s", name, what)
		}
	}
}

// The words for what the schemas name are there, in Korean where English is derived, and no other.
func TestSchemasHaveWords(t *testing.T) {
	t.Parallel()
	document := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(document, []byte(newCommandEnv(t).must(t, "openapi")), 0o600); err != nil {
		t.Fatal(err)
	}
	testservers.NoteInputs(t, consoleFolder+"/files/words")
	testservers.NoteInputs(t, wordsFolder)
	inTypeScript(t, []string{"../../console/scripts/words-of-schema.mjs", document})
}

// Whoever opens the console is asked for a password, and is told what is wrong with it. Signed in, they see the shop; signed out,
// nothing of it.
func TestConsoleLogin(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	o := openConsole(t, server.url, keys)
	o.checkScreen("the login")
	o.fill("Email", keys.AdminEmail)
	o.fill("Password", "not the password")
	o.typeKeys(kb.Enter)
	o.waitFor(`document.querySelector('.login [role=alert]') !== null`)
	o.checkScreen("the login with what is wrong")
	o.signIn()
	o.waitForText("Hello, Admin")
	if path := evalJS[string](o.browser, `location.pathname`); path != "/console/live/" {
		t.Errorf("after the login the address is %s", path)
	}
	if kept := evalJS[string](o.browser, `document.cookie + JSON.stringify(localStorage)`); strings.Contains(kept, "eyJ") {
		t.Errorf("scripts can read the login: %s", kept)
	}
	o.click("Admin")
	o.click("Sign out")
	o.waitFor(`document.querySelector('.login') !== null`)
	o.wantNoText("Saebyeok")
	o.checkConsole("401")
}

// consoleScreens are the screens that need no record, by their path.
func consoleScreens(o *operator) []string {
	return evalJS[[]string](o.browser, `[...document.querySelectorAll('nav.side a')].map(a => a.getAttribute('href').replace('/console/test', ''))`)
}

// Every screen is accessible, in both languages and color schemes, on a desk and on a telephone, and the browser's console
// stays empty.
func TestConsoleScreens(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"en", "ko"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			o := openConsole(t, server.url, keys)
			o.signIn()
			o.do(chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('cartwright-console:language', %q)`, language), nil))
			o.show("/")
			screens := consoleScreens(o)
			if len(screens) < 20 {
				t.Fatalf("there are only %v", screens)
			}
			for i, screen := range screens {
				o.do(chromedp.EmulateViewport(1280, 900))
				o.show(screen)
				o.checkScreen(screen)
				o.screenshot(fmt.Sprintf("console-%s-%02d-wide", language, i))
				o.do(chromedp.EmulateViewport(360, 740))
				o.waitForScreen()
				o.checkScreen(screen + " on a telephone")
				o.screenshot(fmt.Sprintf("console-%s-%02d-narrow", language, i))
			}
			o.checkConsole()
		})
	}
}
