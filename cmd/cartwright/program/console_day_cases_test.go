package program

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	downloads "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// sendByCarrier gives what is not shipped to a carrier and reads its numbers back. Three rows of the carrier's file are wrong: they are
// told before anything happens, and stay where they are. Corrected, they ship. The answer to that is lost; asked again, none ships twice.
func (d *shopDay) sendByCarrier() {
	waiting := len(d.orders) - 2
	d.goes(d.operator, toPacking)
	d.titled("Packing")
	d.waitForText(fmt.Sprintf("%d records", waiting))
	d.marks(d.operator)
	d.does(d.operator, act{name: "Put into a carrier batch"})
	d.titled("Batch ")
	d.screenshot("console-day-batch-" + d.name)
	rows := d.download(act{name: "Download as CSV", menu: "More"}, "carrier-batch-1.csv")
	number, carrier, tracking := slices.Index(rows[0], "orderNumber"), slices.Index(rows[0], "carrier"), slices.Index(rows[0], "trackingNumber")
	for i, row := range rows[1:] {
		row[carrier], row[tracking] = "CJ대한통운", fmt.Sprintf("2%011d", i)
	}
	right := make([][]string, 0, 4)
	for _, row := range rows[:4] {
		right = append(right, slices.Clone(row))
	}
	rows[1][tracking] = "12345"
	rows[2][carrier] = "Pigeon"
	rows[3][tracking] = "=A1&B1"

	d.upload(rows)
	d.waitForText(fmt.Sprintf("Ship %d parcels", waiting-3))
	for _, why := range []string{"is not a tracking number of", `"Pigeon" is not known`, "is a formula"} {
		d.waitForText(why)
	}
	d.checkScreen("a carrier's file before it is imported")
	d.screenshot("console-day-carrier-" + d.name)
	d.does(d.operator, act{name: fmt.Sprintf("Ship %d parcels", waiting-3)})
	d.waitForText(fmt.Sprintf("%d parcels are shipped. 3 rows were refused", waiting-3))
	for _, row := range rows[1:4] {
		if order := d.all("/orders?where[orderNumber][equals]=" + row[number]); order[0]["status"] != "preparing" {
			d.Errorf("the order of a bad row is %v", order[0]["status"])
		}
	}
	d.upload(right)
	d.waitForText("Ship 3 parcels")
	lost := d.loseAnswers("/api/fulfillments/carrier-file", `"dryRun"`)
	d.does(d.operator, act{name: "Ship 3 parcels"})
	d.waitForText("The server cannot be reached")
	lost()
	d.does(d.operator, act{name: "Ship 3 parcels"})
	d.waitForText("3 parcels are shipped.")
	d.parcels += waiting
}

// download takes a file, and reads it.
func (d *shopDay) download(how act, name string) [][]string {
	d.Helper()
	folder := d.TempDir()
	d.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return downloads.SetDownloadBehavior(downloads.SetDownloadBehaviorBehaviorAllow).WithBrowserContextID(d.profile).WithDownloadPath(folder).
			Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	}))
	d.does(d.operator, how)
	var text []byte
	waitUntil(d.T, func() (there bool) {
		var err error
		text, err = os.ReadFile(filepath.Join(folder, name))
		return err == nil && len(text) > 0 // the browser keeps the name before it has the content
	})
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\uFEFF"))).ReadAll()
	if err != nil {
		d.Fatal(err)
	}
	return rows
}

// upload takes a file to the import of tracking numbers.
func (d *shopDay) upload(rows [][]string) {
	d.Helper()
	name := filepath.Join(d.TempDir(), "numbers.csv")
	var text strings.Builder
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		d.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		d.Fatal(err)
	}
	d.show("/carriers/import")
	d.do(chromedp.SetUploadFiles(`input[type=file]`, []string{name}, chromedp.ByQuery))
	d.waitForText("numbers.csv")
}

// deliverAll marks as delivered what is shipped: all at once what the filter of the list finds.
func (d *shopDay) deliverAll() {
	d.goes(d.operator, toOrders)
	d.titled("Orders")
	d.does(d.operator, act{name: "Status", menu: "Filter"})
	d.checks(d.operator, "Shipped")
	d.checkScreen("a filter")
	d.does(d.operator, act{name: "Apply"})
	d.waitForText(fmt.Sprintf("%d records", len(d.orders)))
	d.marks(d.operator)
	d.does(d.operator, act{name: "Mark delivered"})
	d.waitForText(fmt.Sprintf("%d orders done", len(d.orders)))
	d.does(d.operator, act{name: "Close"})
	d.waitForText("Nothing found")
}

// takeBack takes a unit of an order back, from the request to the money.
func (d *shopDay) takeBack(order map[string]any) {
	d.open(order)
	d.does(d.operator, act{name: "Begin a return", keys: "b", menu: "More"})
	d.titled("Return of")
	d.writes(d.operator, "Units of Mug", "1")
	d.writes(d.operator, "Reason", "too blue")
	d.waitFor(called("Request the return") + ` !== undefined`)
	d.checkScreen("a return that is begun")
	d.screenshot("console-day-return-new-" + d.name)
	d.does(d.operator, act{name: "Request the return"})
	d.waitFor(called("Approve") + ` !== undefined`)
	d.does(d.operator, act{name: "Approve", keys: "n"})
	d.waitForText("Goods have arrived")
	d.does(d.operator, act{name: "Goods have arrived", keys: "n"})
	d.waitForText("What arrived counts as returned")
	d.checkScreen("goods that have arrived")
	d.does(d.operator, act{name: "Goods have arrived"})
	d.waitFor(`document.querySelector('dialog[open]') === null`)
	d.does(d.operator, act{name: "Refund", keys: "u"})
	d.waitFor(`document.querySelector('dialog[open]') !== null`)
	d.checkScreen("the refund of a return")
	d.screenshot("console-day-return-refund-" + d.name)
	d.does(d.operator, act{name: "Refund"})
	d.waitFor(`document.querySelector('dialog[open]') === null`)
	d.waitForText("Refunded")
	d.returned += 12_000
}

// takeCall takes an order on the telephone, as paid, and brings it all the way.
func (d *shopDay) takeCall() {
	d.goes(d.operator, toDrafts)
	d.titled("Draft orders")
	d.does(d.operator, act{name: "New draft order"})
	d.titled("New draft order")
	d.writes(d.operator, "Name", "Park Caller")
	d.writes(d.operator, "Phone", "010-5550-0199")
	d.writes(d.operator, "Email", "caller@example.com")
	d.titled("Park Caller")
	if !evalJS[bool](d.browser, `document.activeElement === `+field("Email")) {
		d.Error("the screen began anew when the draft got its id")
	}
	d.writes(d.operator, "Add an item", "2 x MUG-1")
	d.waitFor(`document.querySelector('[role=option][aria-selected=true] b') !== null`)
	d.typeKeys(kb.Enter)
	d.does(d.operator, act{name: "To the buyer"})
	d.writes(d.operator, "Postal code", "06000")
	d.writes(d.operator, "Address", "Gangnam 1")
	d.waitForText("₩24,000")
	d.screenshot("console-day-draft-" + d.name)
	d.does(d.operator, act{name: "Make the order"})
	d.checks(d.operator, "It is paid already, such as in cash or by a transfer")
	d.waitFor(`document.querySelector('dialog .stale, dialog [aria-busy=true]') === null`)
	d.checkScreen("an order that is made of a draft")
	d.does(d.operator, act{name: "Make the order as paid"})
	d.waitForText("Start preparing")
	d.does(d.operator, act{name: "Start preparing", keys: "n"})
	d.waitFor(called("Pack and ship") + ` !== undefined`)
	d.does(d.operator, act{name: "Ship without a tracking number", keys: "k", menu: "More"})
	d.waitFor(called("Mark delivered") + ` !== undefined`)
	d.does(d.operator, act{name: "Mark delivered", keys: "n"})
	d.waitForText("Delivered")
	d.parcels++
}

// settlePayment gives back a payment of which another amount came than was asked for.
func (d *shopDay) settlePayment() {
	if status, body := requestJSON(d.T, http.MethodPut, d.url+"/sandbox/faults", `{"wrongAmountNext": 1}`, d.secret); status != http.StatusOK {
		d.Fatalf("%d %v", status, body)
	}
	_, opened := d.buyer.openSession(d.buyer.checkout())
	if status, answer := d.buyer.pay(opened); status < 400 {
		d.Fatalf("a wrong amount is taken: %v", answer)
	}
	d.goes(d.operator, toPayments)
	d.titled("Payments")
	d.waitFor(`document.querySelectorAll('[data-row]').length === 1`)
	d.screenshot("console-day-payments-" + d.name)
	d.enters(d.operator, evalJS[string](d.browser, `document.querySelector('.row-link').innerText`))
	d.titled("₩")
	d.does(d.operator, act{name: "Refund all of it", keys: "u"})
	d.writes(d.operator, "Why", "the wrong amount came")
	d.checkScreen("the decision about a payment")
	d.screenshot("console-day-payment-" + d.name)
	d.does(d.operator, act{name: "Refund all of it"}) // Enter begins a line of the reason
	d.waitFor(`document.querySelector('dialog[open]') === null`)
	d.waitForText("The money was refunded.")
}

// editBoth is two operators who correct one order. The second is shown what the first did, and neither loses anything.
func (d *shopDay) editBoth(order map[string]any) {
	other := d.opens(d.T, d.url, d.keys)
	for _, one := range []*operator{d.operator, other} {
		one.show("/orders/" + textAt(order, "id"))
		one.press("Correct address and contact")
	}
	d.write("Delivery note", "Ring twice")
	other.write("Phone", "010-9999-0000")
	other.press("Save")
	other.waitFor(`document.querySelector('dialog[open]') === null`)
	d.waitForText("Somebody else has changed this since you began.")
	d.checkScreen("two edits of an order")
	d.screenshot("console-day-compared")
	d.press("Go on with what is there now")
	d.press("Save")
	d.waitFor(`document.querySelector('dialog[open]') === null`)
	to := d.record("/orders/" + textAt(order, "id"))["shippingAddress"]
	if textAt(to, "phone") != "010-9999-0000" || textAt(to, "deliveryNote") != "Ring twice" {
		d.Errorf("after two edits the address is %v", to)
	}
	other.checkConsole()
	other.close()
}

// count compares what is there with what was done: nothing is lost, and nothing is there twice.
func (d *shopDay) count(m commandEnv) {
	orders := d.all("/orders")
	var paid, refunded, units float64
	for _, o := range orders {
		if o["status"] != "delivered" && o["status"] != "return_processing" && o["status"] != "returned" {
			d.Errorf("the order %v is %v", o["orderNumber"], o["status"])
		}
		paid += o["totalAmount"].(float64)
		refunded += o["refundedAmount"].(float64)
	}
	if len(orders) != ordersOfADay || int64(refunded) != d.returned {
		d.Errorf("there are %d orders, and %v was given back, want %d", len(orders), refunded, d.returned)
	}
	parcels := d.all("/fulfillments?where[status][not_equals]=canceled")
	for _, p := range parcels {
		for _, item := range p["items"].([]any) {
			units += item.(map[string]any)["quantity"].(float64)
		}
	}
	sold := float64(3*len(d.orders) - 1 + 2)
	if len(parcels) != d.parcels || units != sold {
		d.Errorf("there are %d parcels of %v units, want %d of %v", len(parcels), units, d.parcels, sold)
	}
	var in, out float64
	for _, tx := range d.all("/transactions") {
		switch {
		case tx["type"] == "payment" && tx["status"] == "paid":
			in += tx["amount"].(float64)
		case tx["type"] == "refund" && tx["status"] == "refunded":
			out += tx["amount"].(float64)
		default:
			d.Errorf("a %v of %v is %v", tx["type"], tx["amount"], tx["status"])
		}
	}
	if in-out != paid-refunded {
		d.Errorf("%v came and %v went, but orders say that %v is paid and %v given back", in, out, paid, refunded)
	}
	m.must(d.T, "doctor", "--money")
}
