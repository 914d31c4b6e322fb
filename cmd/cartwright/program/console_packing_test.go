package program

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// scan types a code into the field that has the focus, as a scanner does.
func (o *operator) scan(code string) {
	o.Helper()
	o.waitFor(`document.activeElement?.labels?.[0]?.innerText.startsWith('Scan or type')`)
	o.typeKeys(code + kb.Enter)
}

// A packer scans what goes into a parcel: what belongs to another order is refused, and one unit more than was bought. A part is
// packed, and the rest stays for another parcel.
func TestConsolePacking(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	buyer := newBuyer(t, server.url, keys.TestSecretKey)
	order := buyer.buyThree()
	if status, answer := requestJSON(t, "PATCH", server.url+"/api/product-variants/"+buyer.variant, `{"sku":"MUG-1"}`, secret); status != 200 {
		t.Fatal(status, answer)
	}
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/packing")
	o.click(textAt(order, "orderNumber"))
	o.waitFor(fmt.Sprintf(`document.title.startsWith(%q)`, textAt(order, "orderNumber")))
	o.scan("CUP-SEA")
	o.waitForText("is not in this order. Put it back.")
	o.scan("MUG-1")
	o.waitForText("Mug: 1 of 3")
	o.scan("MUG-1")
	o.waitForText("1 unit stays for another parcel.")
	o.checkScreen("a parcel that is being packed")
	o.screenshot("console-packing")
	o.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2)))
	o.waitForText("The parcel is packed")
	// The focus waits for the number on its label: it goes there once the parcel was read.
	o.waitFor(`document.activeElement?.labels?.[0]?.innerText.startsWith('Tracking number')`)
	o.tabTo("Scan or type a barcode or SKU")
	o.scan("MUG-1")
	o.waitForText("Nothing is left behind.")
	o.scan("MUG-1")
	o.waitForText("No more of Mug: 1 unit is all that goes in.")
	o.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2)))
	waitUntil(t, func() bool {
		_, found := requestJSON(t, "GET", server.url+"/api/fulfillments?where[order][equals]="+textAt(order, "id"), "", secret)
		return fmt.Sprint(found["totalDocs"]) == "2"
	})
	o.checkConsole()
}
