package program

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Units are added at a location and moved to another, by mouse, by keyboard alone and on a telephone. More than lie there are refused at
// the input, which says how many do. What lies at a location is a list with an address of its own.
func TestConsoleTellsWhereUnitsLie(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "migrate")
	shops := map[string]credentials{}
	for _, w := range ways {
		var keys credentials
		if err := json.Unmarshal([]byte(m.must(t, "tenant", "create", "--name", "By "+w.name, "--json")), &keys); err != nil {
			t.Fatal(err)
		}
		shops[w.name] = keys
	}
	server := m.serve(t)
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			keys := shops[w.name]
			p := &placesPlay{way: w, buyer: newBuyer(t, server.url, keys.TestSecretKey), operator: w.opens(t, server.url, keys)}
			p.createLocations()
			p.addAtLocation()
			p.moveTooMany()
			p.moveSome()
			p.lookAtLocations()
			p.undoMove()
			p.checkConsole("409")
		})
	}
}

// placesPlay is an operator who moves units of mugs, of which 5,000 are on hand.
type placesPlay struct {
	*operator
	way

	buyer sandboxBuyer
}

// createLocations makes the first location in the console, and the second by the API. A shop without any is asked for none.
func (p *placesPlay) createLocations() {
	p.show("/stock?tab=all")
	p.waitFor(`document.querySelectorAll('[data-row]').length === 1`)
	if evalJS[bool](p.browser, field("Location")+` != null`) {
		p.Error("a shop without locations has a choice of them")
	}
	p.show("/records/stock-locations")
	p.waitForText("Warehouses, stores and shelves")
	p.does(p.operator, act{name: "New stock location"})
	p.titled("New stock location")
	p.writes(p.operator, "Name", "Back room")
	p.does(p.operator, act{name: "Save"})
	p.titled("Back room")
	p.buyer.add("/api/stock-locations", `{"name": "Front shop", "position": 1}`)
}

// adjusts opens the window that adjusts the stock of the mugs.
func (p *placesPlay) adjusts() {
	p.Helper()
	p.enters(p.operator, "Mug")
	p.waitFor(field("Units") + ` != null`)
	p.do(chromedp.Evaluate(`document.querySelector('.toast button:last-of-type')?.click()`, nil))
}

// beginsToMove chooses to move units. The keyboard comes to that by what is before it: a link further on begins with the same word.
func (p *placesPlay) beginsToMove() {
	p.Helper()
	p.adjusts()
	if p.name == "keyboard" {
		p.tabTo("Count")
		p.typeKeys(kb.Tab + kb.Enter)
	} else {
		p.press("Move")
	}
	p.waitFor(field("To") + ` != null`)
}

// lies waits until so many units lie in the back room and in the shop, of 5,005 on hand.
func (p *placesPlay) lies(back, front int) {
	p.Helper()
	p.waitFor(`document.querySelector('dialog[open]') === null`)
	want := fmt.Sprint(back, front, 5005)
	waitUntil(p.T, func() bool {
		_, found := requestJSON(p.T, "GET", p.api+"/product-variants/"+p.buyer.variant+"/stock", "", p.secret)
		places := found["places"].([]any)
		return fmt.Sprint(places[0].(map[string]any)["units"], places[1].(map[string]any)["units"], found["stock"]) == want
	})
}

func (p *placesPlay) addAtLocation() {
	p.show("/stock?tab=all")
	p.adjusts()
	p.picks(p.operator, "Location", "Back room · 0")
	p.writes(p.operator, "Units", "5")
	p.waitForText("Back room 0 → 5")
	p.waitForText("5,000 → 5,005")
	p.checkScreen("an adjustment at a location")
	p.screenshot("console-places-add-" + p.name)
	p.writes(p.operator, "Reason", "received")
	p.sends(p.operator, "Adjust stock")
	p.lies(5, 0)
}

func (p *placesPlay) moveTooMany() {
	p.beginsToMove()
	p.picks(p.operator, "From", "Back room · 5")
	p.picks(p.operator, "To", "Front shop · 0")
	p.writes(p.operator, "Units", "9")
	p.sends(p.operator, "Move units")
	p.waitFor(`document.activeElement === ` + field("Units") + ` && document.activeElement.getAttribute('aria-invalid') === 'true'`)
	if told := evalJS[string](p.browser, `document.querySelector('dialog .wrong .error').innerText.trim()`); told != "Only 5 units are there." {
		p.Errorf("the input says %q", told)
	}
	p.checkScreen("a move that is refused")
	p.screenshot("console-places-refused-" + p.name)
	p.checkFocus("the window that moves units")
}

func (p *placesPlay) moveSome() {
	p.writes(p.operator, "Units", "2")
	p.waitForText("Back room 5 → 3")
	p.waitForText("Front shop 0 → 2")
	p.sends(p.operator, "Move units")
	p.lies(3, 2)
}

// lookAtLocations chooses one, whose list stays over a reload, and then one that is empty.
func (p *placesPlay) lookAtLocations() {
	p.buyer.add("/api/stock-locations", `{"name": "Annex", "position": 2}`)
	p.waitFor(fmt.Sprintf(`[...(%s?.options ?? [])].some(o => o.text === 'Annex')`, field("Location")))
	p.chooses("Front shop")
	listed := `/[?&]location=/.test(location.search) && ` + one("Mug") + ` && document.querySelector('[data-row]').innerText.includes('2')`
	p.waitFor(listed)
	p.do(chromedp.Reload())
	p.waitFor(listed)
	p.checkScreen("what lies at a location")
	p.screenshot("console-places-list-" + p.name)
	p.chooses("Annex")
	p.waitForText("Nothing lies here yet")
	p.checkScreen("a location where nothing lies")
	p.screenshot("console-places-empty-" + p.name)
	p.show("/stock?tab=movements")
	p.waitForText("Back room → Front shop")
	p.checkScreen("movements with their locations")
	p.screenshot("console-places-movements-" + p.name)
}

// chooses chooses a location above the list, which the keyboard comes to by a key of its own.
func (p *placesPlay) chooses(location string) {
	p.Helper()
	if p.name != "keyboard" {
		p.picks(p.operator, "Location", location)
		return
	}
	p.strike("l")
	p.waitFor(`document.activeElement === ` + field("Location"))
	p.typeKeys(location)
}

func (p *placesPlay) undoMove() {
	p.show("/stock?tab=all")
	p.beginsToMove()
	p.picks(p.operator, "To", "Front shop · 2")
	p.writes(p.operator, "Units", "7")
	p.waitForText("No location 5,000 → 4,993")
	p.sends(p.operator, "Move units")
	p.lies(3, 9)
	p.undoByKeys()
	p.lies(3, 2)
}
