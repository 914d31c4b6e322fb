package program

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/pquerna/otp/totp"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// proofAsked is a script that is true while the console asks who is there.
const proofAsked = `document.querySelector('form#proof') !== null`

func (o *operator) waitForAlert() {
	o.Helper()
	o.waitFor(`document.querySelector('form#proof [role=alert], form#proof .error, dialog [role=alert]') !== null`)
}

// Somebody at a console that was left open makes no key and gives no large amount back: they are asked for the password, and what they
// were doing goes on once it is right.
func TestConsoleAsksForProof(t *testing.T) {
	t.Parallel()
	s, ahead := startServerWithClock(t, nil)
	keys := *s.NewCredentials
	order := newBuyer(t, s.BaseURL, keys.TestSecretKey).buyThree("kim@example.com")
	admin := "Authorization: Bearer " + logInAs(t, s, "users", keys.AdminEmail, keys.AdminPassword)
	if status, a := requestJSON(t, "PATCH", s.BaseURL+"/api/tenants/"+keys.TenantID,
		`{"settings":{"proofAbove":[{"amount":5000,"currency":"KRW"}]}}`, admin); status != http.StatusOK {
		t.Fatal(status, a)
	}
	countOf := func(path string) string {
		_, found := requestJSON(t, "GET", s.BaseURL+path, "", "X-API-Key: "+keys.TestSecretKey)
		return fmt.Sprint(found["totalDocs"])
	}
	o := openConsole(t, s.BaseURL, keys)
	o.signIn()
	ahead.Add(int64(tenant.ProofLasts + time.Minute))
	o.show("/keys")
	before := countOf("/api/api-keys")
	o.press("New key")
	o.write("Name", "Robot")
	o.typeKeys(kb.Enter)
	o.waitFor(proofAsked)
	o.checkScreen("the question who is there")
	o.screenshot("console-proof")
	o.write("Password", "not the password")
	o.typeKeys(kb.Enter)
	o.waitForAlert()
	if now := countOf("/api/api-keys"); now != before {
		t.Errorf("there were %s keys, and with a wrong password %s", before, now)
	}
	o.typeKeys(kb.Escape)
	o.waitFor(`!(` + proofAsked + `)`)
	if name := evalJS[string](o.browser, `document.querySelector('dialog input').value`); name != "Robot" {
		t.Errorf("after a change of mind the form has the name %q", name)
	}
	o.do(chromedp.Focus(`dialog input`, chromedp.ByQuery))
	o.typeKeys(kb.Enter)
	o.waitFor(proofAsked)
	o.write("Password", keys.AdminPassword)
	o.typeKeys(kb.Enter)
	o.waitFor(`document.querySelector('pre.once') !== null`)
	if made := evalJS[string](o.browser, `document.querySelector('pre.once').innerText`); !strings.HasPrefix(made, "sk_test_") {
		t.Errorf("the key is %q", made)
	}
	o.refundsWithProof(s, order, func() { ahead.Add(int64(tenant.ProofLasts + time.Minute)) })
	o.checkConsole("403", "400")
}

// refundsWithProof gives back more of an order than the limit, and is asked for the password.
func (o *operator) refundsWithProof(s *Server, order map[string]any, later func()) {
	o.Helper()
	refunded := func() string {
		_, now := requestJSON(o.T, "GET", s.BaseURL+"/api/orders/"+textAt(order, "id"), "", "X-API-Key: "+o.keys.TestSecretKey)
		return fmt.Sprint(now["refundedAmount"])
	}
	later()
	o.do(chromedp.EmulateViewport(360, 800))
	o.show("/orders/" + textAt(order, "id"))
	o.click("More")
	o.click("Refund an amount")
	o.write("Amount", "6000")
	o.waitForText("Refundable after that")
	o.write("Reason", "scratched")
	o.click("Refund an amount")
	o.waitFor(proofAsked)
	o.checkScreen("the question who is there, on a telephone")
	if refunded() != "0" {
		o.Errorf("%s was refunded without a proof", refunded())
	}
	o.write("Password", o.keys.AdminPassword)
	o.click("Confirm")
	o.waitFor(`document.querySelector('dialog[open]') === null`)
	waitUntil(o.T, func() bool { return refunded() == "6000" })
}

// People sign in to the console with a code of their app after the password, and with a passkey alone.
func TestConsoleSecondFactors(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	server := m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	_, login := requestJSON(t, "POST", server.url+"/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, keys.AdminEmail, keys.AdminPassword))
	secret := addAuthenticatorApp(t, server.url, textAt(login, "token"))
	at, err := url.Parse(server.url)
	if err != nil {
		t.Fatal(err)
	}
	w := openPasskeyWindow(t)
	o := &operator{visitor: &visitor{w.browser, "http://localhost:" + at.Port() + "/console/"}, keys: keys} // browsers know no passkeys of a network address
	o.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(o.at))
	o.waitFor(`document.querySelector('form') !== null`)
	o.fill("Email", keys.AdminEmail)
	o.fill("Password", keys.AdminPassword)
	o.typeKeys(kb.Enter)
	o.waitFor(`document.querySelector('input[autocomplete=one-time-code]') !== null`)
	o.checkScreen("the second step of a login")
	code, err := totp.GenerateCode(secret, time.Now().Add(30*time.Second)) // the one after that which was used
	if err != nil {
		t.Fatal(err)
	}
	o.fill("Code", code)
	o.typeKeys(kb.Enter)
	o.waitForText("Hello, Admin")

	o.show("/account")
	o.press("Add a passkey")
	o.click("Continue")
	o.waitForText("The passkey is added")
	o.click("Admin")
	o.click("Sign out")
	o.click("Sign in with a passkey")
	o.waitFor(`document.querySelector('.login') === null && ` + screenShown)
	o.checkConsole("401")
}
