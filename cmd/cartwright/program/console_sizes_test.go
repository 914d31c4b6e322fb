package program

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// seen is a script that is true while an element can be seen.
func seen(selector string) string {
	return `[...document.querySelectorAll('` + selector + `')].some(e => e.checkVisibility())`
}

// A page that is shown four times as large scrolls in one direction, and nothing stands still in front of it. On a very wide screen parts stand
// side by side. On paper there is the document alone, black on white.
func TestConsoleFitsItsPage(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	v := &vandal{T: t, url: server.url, secret: secret}
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/orders/" + textAt(v.record("orders"), "id"))
	check := func(when string, scripts ...string) {
		t.Helper()
		for _, script := range scripts {
			if !evalJS[bool](o.browser, script) {
				t.Errorf("%s it is not so that %s", when, script)
			}
		}
	}
	const fits = `document.documentElement.scrollWidth <= innerWidth`
	o.do(chromedp.EmulateViewport(320, 256))
	o.waitFor(`document.querySelector('nav.side') === null`)
	check("four times as large", fits, `document.documentElement.scrollHeight > 2 * innerHeight`)
	o.do(chromedp.EmulateViewport(738, 560))
	o.show("/orders")
	o.click("Filter")
	o.waitFor(seen("[role=menu]"))
	check("with a menu in front", fits)
	o.show("/orders/" + textAt(v.record("orders"), "id"))
	o.do(chromedp.EmulateViewport(3840, 2160))
	o.waitFor(`document.querySelector('nav.side') !== null`)
	check("on a very wide screen", fits, `(([a, b]) => a.getBoundingClientRect().top === b.getBoundingClientRect().top)(document.querySelectorAll('main .columns > div > .card'))`)
	o.setColorScheme("dark")
	o.do(chromedp.EmulateViewport(1280, 900), emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: "dark"},
	}))
	check("on paper", fits, `!(`+seen("nav, .bar, .button, .timeline")+`)`, seen("main table"),
		`getComputedStyle(document.documentElement).colorScheme === 'light'`, `getComputedStyle(document.querySelector('main h1')).color === 'rgb(0, 0, 0)'`,
		`getComputedStyle(document.querySelector('main table a')).color === getComputedStyle(document.querySelector('main table')).color`)
	o.checkConsole()
}

// A form with secrets is kept nowhere: who leaves it by a link or a key, for another shop or by signing out is asked
// first, and may stay.
func TestConsoleAsksBeforeItLosesWhatIsTyped(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	joinShop(t, m, server.url, "Corner Shop", keys)
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/settings/payments/new")
	o.fill("Name", "Main account")
	o.waitFor(`(e => !dispatchEvent(e))(new Event('beforeunload', { cancelable: true }))`) // the page knows what would be lost
	item := func(name string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('[role^=menuitem]')].find(e => e.innerText.includes(%q))`, name)
	}
	for what, way := range map[string][]string{
		"a link":       {`document.querySelector('nav.side a[href$="/orders"]')`},
		"another shop": {`document.querySelector('nav.side .shop button')`, item("Corner Shop")},
		"signing out":  {`document.querySelector('nav.side .me button')`, item("Sign out")},
	} {
		for _, element := range way {
			o.clickElement(element)
		}
		o.waitForText("Leave without saving?")
		o.clickElement(`[...document.querySelectorAll('dialog button')].find(e => e.innerText.trim() === 'Cancel')`)
		o.waitFor(`document.querySelector('dialog') === null`)
		if typed := evalJS[string](o.browser, `document.querySelector('main input').value`); typed != "Main account" {
			t.Errorf("after %s %q is left of what was typed", what, typed)
		}
	}
	o.do(chromedp.Evaluate(`history.pushState(null, '', location.href); history.back()`, nil))
	o.waitForText("Leave without saving?")
	o.clickElement(`[...document.querySelectorAll('dialog button')].find(e => e.innerText.trim() === 'Cancel')`)
	o.waitFor(`document.querySelector('dialog') === null && document.querySelector('main input').value === 'Main account'`)
	o.do(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	o.strike("go")
	o.waitForText("Leave without saving?")
	o.clickElement(`[...document.querySelectorAll('dialog button')].find(e => e.innerText.trim() === 'Discard')`)
	o.waitFor(`location.pathname.endsWith('/orders')`)
	o.waitForScreen()
	o.checkConsole()
}
