package program

import (
	"fmt"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chooseTransfer checks a cup out and chooses a virtual account on the payment page. It returns the account.
func (s *visitor) chooseTransfer(email string) (account string) {
	s.Helper()
	s.addToCart("celadon-cup")
	s.visit("/checkout")
	s.fill("Email", email)
	s.fillAddress()
	s.click("Continue")
	s.waitForText("How would you like to pay?")
	s.clickPay()
	s.decideOnPaymentPage("virtual_account")
	return s.waitForTransfer()
}

// waitForTransfer waits for the instructions, and returns the account to transfer to.
func (s *visitor) waitForTransfer() (account string) {
	s.Helper()
	s.waitForText("Please transfer the amount.")
	return evalJS[string](s.browser, `document.querySelector('.account').innerText`)
}

// A shopper chooses a virtual account, is told where to pay, leaves, comes back, and pays at the bank in another window.
// The first one then shows the order.
func TestStorefrontPaysByVirtualAccount(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	account := s.chooseTransfer("transfer@example.com")
	for _, want := range []string{
		"Amount ₩31,000 Bank Sandbox Bank (099) Account " + account, "Holder Sandbox Payments", "We keep your goods until then.",
	} {
		s.waitForText(want)
	}
	if due := evalJS[string](s.browser, `document.querySelector('time').innerText`); due != evalJS[string](s.browser,
		`new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(document.querySelector('time').dateTime))`) {
		t.Errorf("the transfer is due %q", due)
	}
	s.checkAccessibility("the instructions")
	s.screenshot("9-transfer")
	s.do(chromedp.EmulateViewport(360, 740))
	s.checkAccessibility("the instructions on a telephone")
	s.setColorScheme("dark")
	s.screenshot("m9-transfer-dark")
	s.setColorScheme("light")
	s.do(chromedp.EmulateViewport(1280, 900))

	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		s.do(cdpbrowser.SetPermission(&cdpbrowser.PermissionDescriptor{Name: name}, cdpbrowser.PermissionSettingGranted).
			WithOrigin(server.url).WithBrowserContextID(s.profile))
	}
	s.click("Copy the account")
	s.waitForText("The account is copied.")
	var copied string
	s.do(chromedp.Evaluate(`navigator.clipboard.readText()`, &copied, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true)
	}))
	if copied != account {
		t.Errorf("%q was copied, want %q", copied, account)
	}

	for _, path := range []string{"/payment", "/review"} { // also when the page is opened later
		s.visit(path)
		if again := s.waitForTransfer(); again != account {
			t.Errorf("at %s it is the account %s, before it was %s", path, again, account)
		}
	}
	if orders := ordersOf(t, server.url, secret, "transfer@example.com"); len(orders) != 0 {
		t.Errorf("before the transfer the shop has %v", orders)
	}
	bank := openWindow(t, s.profile)
	bank.open(evalJS[string](s.browser, elementNamed("Transfer it at the sandbox bank")+`.href`))
	if !evalJS[bool](bank, fmt.Sprintf(`document.body.innerText.includes(%q)`, account)) {
		t.Error("the bank shows another account")
	}
	bank.checkAccessibility()
	bank.press("Transfer KRW 31,000 now")
	bank.waitFor(`document.querySelector('h1')?.innerText === 'Payment complete'`)
	bank.close()
	s.waitForText("Thank you")
	if orders := ordersOf(t, server.url, secret, "transfer@example.com"); len(orders) != 1 ||
		orders[0].(map[string]any)["paymentStatus"] != "paid" {
		t.Errorf("the shop has %v", orders)
	}
	s.checkConsole()
}

// A shopper who changes their mind pays by card, and the account is closed.
func TestStorefrontPaysAnotherWayThanByVirtualAccount(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.chooseTransfer("card@example.com")
	page := evalJS[string](s.browser, elementNamed("Transfer it at the sandbox bank")+`.href`)
	s.clickElement(elementNamed("Pay another way"))
	s.waitForText("How would you like to pay?")
	bank := openWindow(t, s.profile)
	bank.open(page)
	if title := evalJS[string](bank, `document.querySelector('h1').innerText`); title != "Payment closed" {
		t.Errorf("the bank shows %q", title)
	}
	bank.close()
	s.pay()
	if orders := ordersOf(t, server.url, secret, "card@example.com"); len(orders) != 1 {
		t.Errorf("the shop has %v", orders)
	}
	s.checkConsole()
}
