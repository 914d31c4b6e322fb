package program

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// buyThree buys three mugs, pays and answers the order.
func (b sandboxBuyer) buyThree() (order map[string]any) {
	b.Helper()
	cart := b.must("/carts", fmt.Sprintf(`{"items": [{"variantId": %q, "quantity": 3}]}`, b.variant))
	checkout := textAt(b.must("/checkouts", fmt.Sprintf(`{"cartId": %q, "email": "kim@example.com", "shippingAddress": {"recipientName": "Kim Jiwoo",
		"phone": "010-5550-0100", "postalCode": "06000", "address1": "Gangnam 1", "country": "KR"}}`, textAt(cart, "cart", "id"))), "checkout", "id")
	status, opened := b.openSession(checkout)
	if status != http.StatusCreated {
		b.Fatalf("%d %v", status, opened)
	}
	return b.payAndConfirm(opened)
}

// way is how an operator uses the console.
type way struct {
	name  string
	width int64
	does  func(o *operator, action string)        // an action of the order
	types func(o *operator, label, text string)   // into a field of the form in front
	sends func(o *operator, button string)        // the form in front
	opens func(o *operator, order map[string]any) // from the list
}

// actionKeys are the keys of an order's actions.
var actionKeys = map[string]string{"Start preparing": "n", "Ship": "n", "Cancel some units": "l", "Refund an amount": "u"}

func byMouse(o *operator, action string) {
	o.Helper()
	if action == "Start preparing" || action == "Ship" {
		o.clickStarting(action)
		return
	}
	o.click("More")
	o.click(action)
}

// clickStarting clicks the button whose text begins so: after it stand its keys.
func (o *operator) clickStarting(text string) {
	o.Helper()
	button := fmt.Sprintf(`[...document.querySelectorAll('button')].find(e => e.checkVisibility() && e.innerText.trim().startsWith(%q))`, text)
	o.waitFor(button + ` !== undefined`)
	o.clickElement(button)
}

// ways are those in which everything can be done.
var ways = []way{
	{
		name: "mouse", width: 1280, does: byMouse, types: (*operator).fillDialog, sends: (*operator).click,
		opens: func(o *operator, order map[string]any) { o.click(textAt(order, "orderNumber")) },
	},
	{
		name: "telephone", width: 360, does: byMouse, types: (*operator).fillDialog, sends: (*operator).click,
		opens: func(o *operator, order map[string]any) {
			card := fmt.Sprintf(`[...document.querySelectorAll('.row-link')].find(e => e.innerText.includes(%q))`, textAt(order, "orderNumber"))
			o.waitFor(card + ` !== undefined`)
			o.clickElement(card)
		},
	},
	{
		name: "keyboard", width: 1280,
		does: func(o *operator, action string) { o.typeKeys(actionKeys[action]) },
		types: func(o *operator, label, text string) {
			o.waitFor(`document.querySelector('dialog[open]') !== null`)
			o.tabTo(label)
			o.typeKeys(text)
		},
		sends: func(o *operator, _ string) { o.typeKeys(kb.Enter) },
		opens: func(o *operator, order map[string]any) {
			o.typeKeys("/")
			o.typeKeys(textAt(order, "orderNumber"))
			o.waitFor(`document.querySelectorAll('[data-row]').length === 1`)
			o.tabTo(textAt(order, "orderNumber"))
			o.typeKeys(kb.Enter)
		},
	},
}

// fillDialog replaces the content of a field of the dialog that is open.
func (o *operator) fillDialog(label, text string) {
	o.Helper()
	field := fmt.Sprintf(`document.getElementById([...document.querySelectorAll('dialog label')].find(l => l.innerText.trim().startsWith(%q)).htmlFor)`, label)
	o.waitFor(`document.querySelector('dialog[open]') !== null`)
	o.do(chromedp.Evaluate(field+`.select()`, nil), chromedp.SendKeys(field, text, chromedp.ByJSPath))
}

// An operator prepares an order, takes a unit off it, is refused a refund of more than was paid, gives back less, and ships the
// rest: by mouse, by keyboard alone, and on a telephone.
func TestConsoleOrder(t *testing.T) {
	t.Parallel()
	for database, in := range map[string]func(*testing.T) commandEnv{
		"sqlite": newCommandEnv,
		"postgres": func(t *testing.T) commandEnv {
			return newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", migratedDB.Postgres(t))
		},
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			m := in(t)
			server := m.serve(t)
			keys, err := readCredentials(m.credentials())
			if err != nil {
				t.Fatal(err)
			}
			buyer := newBuyer(t, server.url, keys.TestSecretKey)
			for _, w := range ways {
				t.Run(w.name, func(t *testing.T) { playOrder(t, server.url, keys, buyer.buyThree(), w) })
			}
		})
	}
}

func playOrder(t *testing.T, url string, keys credentials, order map[string]any, w way) {
	t.Helper()
	waitUntil(t, func() bool { // a search finds what happened a second ago
		_, found := requestJSON(t, "GET", url+"/api/orders?q="+textAt(order, "orderNumber"), "", "X-API-Key: "+keys.TestSecretKey)
		return fmt.Sprint(found["totalDocs"]) == "1"
	})
	o := openConsole(t, url, keys)
	o.signIn()
	o.do(chromedp.EmulateViewport(w.width, 800))
	o.show("/orders")
	w.opens(o, order)
	o.waitFor(fmt.Sprintf(`document.title.startsWith(%q)`, textAt(order, "orderNumber")))
	o.waitForScreen()
	w.does(o, "Start preparing")
	o.waitForText("Preparing")

	w.does(o, "Cancel some units")
	w.types(o, "Units of Mug", "1")
	o.waitForText("Given back ₩12,000")
	w.types(o, "Reason", "changed their mind")
	o.checkScreen("the preview of a cancellation")
	w.sends(o, "Cancel some units")
	o.waitForText("1 canceled")

	w.does(o, "Refund an amount")
	w.types(o, "Amount", "900000")
	o.waitFor(`document.querySelector('dialog .notice') !== null`)
	w.types(o, "Reason", "scratched")
	w.sends(o, "Refund an amount")
	o.waitFor(`document.querySelector('dialog [role=alert]') !== null`)
	o.fillDialog("Amount", "2000")
	o.waitForText("Left after that")
	w.sends(o, "Refund an amount")
	o.waitFor(`document.querySelector('dialog[open]') === null`)
	o.waitForText("-₩2,000")

	w.does(o, "Ship")
	o.waitForText("Shipped")
	o.checkScreen("an order")
	o.screenshot("console-order-" + w.name)
	waitUntil(t, func() bool {
		_, now := requestJSON(t, "GET", url+"/api/orders/"+textAt(order, "id"), "", "X-API-Key: "+keys.TestSecretKey)
		return now["status"] == "shipped" && fmt.Sprint(now["refundedAmount"]) == "14000"
	})
	o.checkConsole("422", "409")
}
