package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// consoleFolder is where the console is checked.
const consoleFolder = "../../../adapters/console"

// operator is a browser window with the console.
type operator struct {
	*visitor

	keys   credentials
	api    string // URL of the API
	secret string // header with the secret key of the test environment
}

// openConsole opens the console of a server in a new browser.
func openConsole(t *testing.T, url string, keys credentials) *operator {
	t.Helper()
	o := &operator{&visitor{openBrowser(t), url + "/console/"}, keys, url + "/api", "X-API-Key: " + keys.TestSecretKey}
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
