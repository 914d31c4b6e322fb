package program

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ordersOfADay is how many orders a shop has on the day that is played, with one of a caller.
const ordersOfADay = 40

// A shop's day: forty orders go from paid to delivered, by mouse, by keyboard alone and on a telephone, with all that comes between.
// In the end every order, every parcel and every unit of money is where it belongs.
func TestConsoleDay(t *testing.T) {
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
			m.must(t, "migrate")
			shops := map[string]credentials{}
			for _, w := range ways {
				if (w.name == "keyboard") != (database == "postgres") {
					continue
				}
				var keys credentials
				if err := json.Unmarshal([]byte(m.must(t, "tenant", "create", "--name", "By "+w.name, "--plan", "enterprise", "--json")), &keys); err != nil {
					t.Fatal(err)
				}
				shops[w.name] = keys
			}
			server := m.serve(t)
			for _, w := range ways {
				if keys, here := shops[w.name]; here {
					t.Run(w.name, func(t *testing.T) { playDay(t, m, server.url, keys, w) })
				}
			}
		})
	}
}

// shopDay is the day of a shop.
type shopDay struct {
	*operator
	way

	buyer    sandboxBuyer
	orders   []map[string]any // as they were placed
	parcels  int              // that have to be there in the end
	returned int64            // what was given back of orders, in units of won
	url      string
}

func playDay(t *testing.T, m commandEnv, url string, keys credentials, w way) {
	t.Helper()
	d := &shopDay{way: w, url: url, buyer: newBuyer(t, url, keys.TestSecretKey)}
	setSKU(newBuyer(t, url, keys.TestSecretKey), "CUP-SEA") // nobody buys this one
	setSKU(d.buyer, "MUG-1")
	d.sell(ordersOfADay - 1)
	d.operator = w.opens(t, url, keys)
	d.prepareAll()
	d.changeMind(d.orders[0])
	d.packInTwo(d.orders[1])
	if w.name == "mouse" {
		d.editBoth(d.orders[2])
	}
	d.sendByCarrier()
	d.deliverAll()
	d.takeBack(d.orders[3])
	d.takeCall()
	d.settlePayment()
	d.checkConsole("412", "422", "409", "ERR_CONNECTION", "ERR_INTERNET_DISCONNECTED")
	d.count(m)
}

// setSKU gives what b buys an SKU.
func setSKU(b sandboxBuyer, sku string) {
	b.Helper()
	if status, answer := requestJSON(b.T, "PATCH", b.url+"/api/product-variants/"+b.variant, fmt.Sprintf(`{"sku":%q}`, sku), b.key); status != 200 {
		b.Fatal(status, answer)
	}
}

// sell is what buyers do: each pays for three mugs.
func (d *shopDay) sell(n int) {
	var lock sync.Mutex
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			order := d.buyer.buyThree(fmt.Sprintf("buyer%d@example.com", i))
			lock.Lock()
			defer lock.Unlock()
			d.orders = append(d.orders, order)
		})
	}
	all.Wait()
}

// prepareAll begins with all orders at once.
func (d *shopDay) prepareAll() {
	d.waitForText(fmt.Sprintf("%d records", len(d.orders)))
	d.marks(d.operator)
	d.waitForText(fmt.Sprintf("%d selected", len(d.orders)))
	d.does(d.operator, act{name: "Start preparing"})
	d.waitForText(fmt.Sprintf("%d orders done", len(d.orders)))
	d.checkScreen("what became of many orders")
	d.screenshot("console-day-many-" + d.name)
	d.does(d.operator, act{name: "Close"})
	d.waitFor(`document.querySelector('.selection') === null`)
}

// changeMind takes a unit off an order, is shown that more than was paid cannot be given back, and gives back less. The answer to that is
// lost on its way: who asks again gives nothing back twice.
func (d *shopDay) changeMind(order map[string]any) {
	d.open(order)
	d.does(d.operator, act{name: "Cancel some units", keys: "l", menu: "More"})
	d.writes(d.operator, "Units of Mug", "1")
	d.waitFor(`/To refund\s.*\s₩12,000/.test(document.querySelector('dialog[open] .preview')?.innerText)`) // by whom stands between
	d.writes(d.operator, "Reason", "changed their mind")
	d.checkScreen("the preview of a cancellation")
	d.screenshot("console-day-cancel-" + d.name)
	d.sends(d.operator, "Cancel some units")
	d.waitForText("1 canceled")

	d.does(d.operator, act{name: "Refund an amount", keys: "u", menu: "More"})
	d.writes(d.operator, "Amount", "900000")
	d.waitFor(field("Amount") + `?.getAttribute('aria-invalid') === 'true'`)
	d.writes(d.operator, "Reason", "scratched")
	d.waitFor(called("Refund an amount") + ` === undefined`) // no amount goes out that was not shown
	d.checkScreen("a refund that would be refused")
	d.screenshot("console-day-refused-" + d.name)
	d.writes(d.operator, "Amount", "20000")
	d.waitForText("Refundable after that")
	lost := d.loseAnswers("/api/orders/*/refund", `"preview":true`)
	d.writes(d.operator, "Amount", "3000")
	d.waitForText("₩3,000") // a preview comes through
	d.writes(d.operator, "Amount", "20000")
	d.waitForText("₩20,000")
	d.sends(d.operator, "Refund an amount")
	d.waitForText("The server cannot be reached")
	lost()
	d.waitForText("−₩20,000") // so much could not be given back again, but to ask again is the same refund
	d.sends(d.operator, "Refund an amount")
	d.waitFor(`document.querySelector('dialog[open]') === null`)
	d.returned += 32_000

	d.does(d.operator, act{name: "Ship without a tracking number", keys: "k", menu: "More"})
	d.waitForText("Mark delivered")
	d.checkScreen("an order")
	d.screenshot("console-day-order-" + d.name)
	d.parcels++
}

// open opens an order from the list.
func (d *shopDay) open(order map[string]any) {
	d.Helper()
	d.goes(d.operator, toOrders)
	d.titled("Orders")
	d.finds(d.operator, "/orders", textAt(order, "orderNumber"), "?q=")
	d.titled(textAt(order, "orderNumber"))
}

// packInTwo scans two units into a parcel and the third into another. The connection is gone in between: the parcel is packed once it
// is back.
func (d *shopDay) packInTwo(order map[string]any) {
	d.goes(d.operator, toPacking)
	d.titled("Packing")
	d.finds(d.operator, "/fulfillment-orders", textAt(order, "orderNumber"), "?where[order.orderNumber][equals]=")
	d.titled(textAt(order, "orderNumber"))
	d.scanAt("CUP-SEA", "is not in this order. Put it back.")
	d.scanAt("MUG-1", "Mug: 1 of 3")
	d.scanAt("MUG-1", "1 unit stays for another parcel.")
	d.offline(true)
	d.waitForText("The connection is gone.")
	d.checkScreen("a screen without a connection")
	d.screenshot("console-day-offline-" + d.name)
	d.does(d.operator, act{name: "Pack parcel"})
	d.waitForText("The server cannot be reached")
	d.offline(false)
	d.waitFor(`document.querySelector('.offline') === null`)
	d.does(d.operator, act{name: "Pack parcel"})
	d.waitForText("The parcel is packed")
	d.shipParcel("123456789012")
	d.scanAt("MUG-1", "Nothing is left behind.")
	d.scanAt("MUG-1", "No more of Mug: 1 unit is all that goes in.")
	d.does(d.operator, act{name: "Pack parcel"})
	d.shipParcel("123456789029")
	d.waitForText("Everything of this order is done.")
	d.checkScreen("an order that is packed")
	d.screenshot("console-day-packed-" + d.name)
	d.parcels += 2
}

// scanAt does what a scanner does: it types a code and Enter. On a telephone the field is tapped before.
func (d *shopDay) scanAt(code, told string) {
	d.Helper()
	const scan = `document.querySelector('.scan input')`
	if d.width < 1000 {
		d.waitFor(scan + `?.checkVisibility()`)
		d.do(chromedp.Evaluate(scan+`.focus()`, nil))
	}
	d.waitFor(`document.activeElement === ` + scan)
	d.typeKeys(code + kb.Enter)
	d.waitForText(told)
}

// shipParcel gives the parcel that waits a number, which ships it.
func (d *shopDay) shipParcel(number string) {
	d.Helper()
	d.waitFor(field("Carrier") + ` != null`)
	if evalJS[string](d.browser, field("Carrier")+`.value`) == "" {
		d.picks(d.operator, "Carrier", "CJ Logistics")
	}
	d.writes(d.operator, "Tracking number", number)
	d.does(d.operator, act{name: "Ship"})
	d.waitFor(fmt.Sprintf(`[...document.querySelectorAll('.packed code')].some(e => e.innerText === %q)`, number))
}

// record is what the API answers now.
func (d *shopDay) record(path string) map[string]any {
	d.Helper()
	status, found := requestJSON(d.T, "GET", d.api+path, "", d.secret)
	if status != 200 {
		d.Fatalf("%s: %d %v", path, status, found)
	}
	return found
}

// all reads all records of a list.
func (d *shopDay) all(path string) (docs []map[string]any) {
	d.Helper()
	sign := "?"
	if strings.Contains(path, "?") {
		sign = "&"
	}
	for _, doc := range d.record(path + sign + "limit=200")["docs"].([]any) {
		docs = append(docs, doc.(map[string]any))
	}
	return docs
}
