package program

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// Of two operators who edit one record, the second is shown what the first changed, and nothing is lost without their word.
func TestConsoleComparesEdits(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	_, found := requestJSON(t, "GET", server.url+"/api/brands?limit=1", "", secret)
	id := textAt(found["docs"].([]any)[0].(map[string]any), "id")
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/records/brands/" + id)
	o.fill("Name", "My name")
	if status, answer := requestJSON(t, "PATCH", server.url+"/api/brands/"+id, `{"name":"Their name","description":"Their text"}`, secret); status != 200 {
		t.Fatal(status, answer)
	}
	o.waitForText("Somebody else has changed this since you began.")
	o.waitForText("Their name")
	o.checkScreen("the comparison of two edits")
	o.click("Go on with what is there now")
	o.click("Save")
	o.waitForText("Saved")
	_, now := requestJSON(t, "GET", server.url+"/api/brands/"+id, "", secret)
	if now["name"] != "My name" || now["description"] != "Their text" {
		t.Errorf("after both edits the brand is %v", now)
	}

	o.fill("Name", "Kept over a reload")
	o.do(chromedp.Reload())
	o.waitForScreen()
	o.waitForText("This is what you had typed before the page was reloaded.")
	o.click("Discard")
	o.waitFor(`document.querySelector('main input').value === 'My name'`)
	o.checkConsole()
}

// A new order appears by itself. While the server is away that is told, and what happened meanwhile is there when it is back.
func TestConsoleIsLive(t *testing.T) {
	t.Parallel()
	addr, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	m := newDemoEnv(t).with("CARTWRIGHT_ADDR", addr)
	server := m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	buyer := newBuyer(t, server.url, keys.TestSecretKey)
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/orders")
	o.waitForText(textAt(buyer.buyThree("kim@example.com"), "orderNumber"))
	if err := server.stop(); err != nil {
		t.Fatal(err)
	}
	o.waitForText("The connection is gone.")
	m.serve(t)
	o.waitForText(textAt(buyer.buyThree("kim@example.com"), "orderNumber"))
	o.waitFor(`document.querySelector('.offline') === null`)
}

// joinShop makes a shop in which the person of the keys works too.
func joinShop(t *testing.T, m commandEnv, url, name string, keys credentials) {
	t.Helper()
	var second struct {
		InvitationToken string `json:"invitationToken"`
	}
	if err := json.Unmarshal([]byte(m.must(t, "tenant", "create", "--name", name, "--admin", keys.AdminEmail, "--json")), &second); err != nil {
		t.Fatal(err)
	}
	_, in := requestJSON(t, "POST", url+"/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, keys.AdminEmail, keys.AdminPassword))
	if status, answer := requestJSON(t, "POST", url+"/api/invitations/"+second.InvitationToken+"/accept", `{}`,
		"Authorization: Bearer "+textAt(in, "token")); status != 200 {
		t.Fatal(status, answer)
	}
}

// Who works for two shops sees one at a time: nothing of the other is on the screen, not even what was read before.
func TestConsoleSwitchesShops(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	joinShop(t, m, server.url, "Corner Shop", keys)
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/records/brands")
	o.waitForText("Moonkiln")
	o.click("Saebyeok Goods")
	o.clickElement(`[...document.querySelectorAll('[role=menuitemcheckbox]')].find(e => e.innerText.includes('Corner Shop'))`)
	o.waitFor(`document.querySelector('.shop').innerText.includes('Corner Shop')`)
	o.waitForScreen()
	o.show("/records/brands")
	o.waitForText("No brands yet")
	o.wantNoText("Moonkiln")
	o.click("Corner Shop")
	o.clickElement(`[...document.querySelectorAll('[role=menuitemcheckbox]')].find(e => e.innerText.includes('Saebyeok Goods'))`)
	o.waitFor(`document.querySelector('.shop').innerText.includes('Saebyeok Goods')`)
	o.show("/records/brands")
	o.waitForText("Moonkiln")
	o.checkConsole()
}
