package program

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// atHeading is a script that is true when the focus is at the heading of the screen.
const atHeading = `document.activeElement?.matches('main h1')`

// Who follows a link, goes back or signs in is at the heading of the screen that comes. News is told in the window that is open. Signing
// out is asked about while something is not sent, and takes that out of the browser.
func TestConsoleTakesTheFocusAlong(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.waitFor(atHeading)
	o.show("/orders")
	for range 2 { // the second time, nothing has to be loaded for it
		o.do(chromedp.Evaluate(`document.querySelector('main a[href*="/orders/0"]').focus()`, nil))
		o.typeKeys(kb.Enter)
		o.waitFor(`/orders\/0/.test(location.pathname)`)
		o.waitForScreen()
		o.waitFor(atHeading + ` && document.querySelector('.back') !== null`)
		o.do(chromedp.Evaluate(`history.back()`, nil))
		o.waitFor(`location.pathname.endsWith('/orders')`)
		o.waitForScreen()
		o.waitFor(atHeading)
	}
	o.clickElement(`document.querySelector('main a[href*="/orders/0"]')`)
	o.waitFor(`/orders\/0/.test(location.pathname)`)
	o.waitForScreen()
	o.press("Correct address and contact")
	o.waitFor(`document.querySelector('dialog [role=status][aria-live=polite]') !== null`)
	o.write("Email", "somebody@shop.example")
	o.waitFor(`JSON.stringify(localStorage).includes('somebody@')`)
	o.typeKeys(kb.Escape)
	o.waitFor(`document.querySelector('dialog') === null`)
	o.click("Admin")
	o.click("Sign out")
	o.waitForText("Leave without saving?")
	o.clickElement(`[...document.querySelectorAll('dialog button')].find(e => e.innerText.trim() === 'Discard')`)
	o.waitFor(`document.querySelector('.login') !== null`)
	o.waitFor(`!JSON.stringify(localStorage).includes('somebody@')`)
	o.checkConsole()
}
