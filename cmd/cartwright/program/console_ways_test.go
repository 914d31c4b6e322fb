package program

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// way is how an operator uses the console: by mouse, by keyboard alone, or on a telephone.
type way struct {
	name   string
	opened []chromedp.EmulateViewportOption
	width  int64
	goes   func(o *operator, to place)
	does   func(o *operator, what act)           // an action of the screen
	sends  func(o *operator, button string)      // the form in front
	writes func(o *operator, label, text string) // into a field, in place of what is there
	checks func(o *operator, label string)       // a choice of the window in front
	picks  func(o *operator, label, option string)
	marks  func(o *operator) // all rows of a list
	enters func(o *operator, row string)
	finds  func(o *operator, in, text, by string) // the only row with a text in a list, by its search, and opens it
}

// place is where the navigation leads.
type place struct{ name, keys, title string }

var (
	toOrders   = place{"Orders", "go", "Orders"}
	toPacking  = place{"Packing", "gp", "Packing"}
	toPayments = place{"Payments", "gm", "Payments"}
	toDrafts   = place{"Draft orders", "gd", "Draft orders"}
)

// act is an action by its name. The keyboard takes its keys, or the Tab key where it has none.
type act struct {
	name, keys string
	menu       string // which it is in; "" for none
}

// ways are those in which everything can be done.
var ways = []way{
	{
		name: "mouse", width: 1280, goes: (*operator).clickPlace, does: (*operator).clickAct, sends: (*operator).press, writes: (*operator).write,
		checks: (*operator).press, picks: (*operator).pick, marks: func(o *operator) { o.press("Select what is loaded") },
		enters: (*operator).clickRow, finds: (*operator).search,
	},
	{
		name: "telephone", width: 360, opened: []chromedp.EmulateViewportOption{chromedp.EmulateTouch}, goes: (*operator).tapPlace,
		does: (*operator).clickAct, sends: (*operator).press, writes: (*operator).write, checks: (*operator).press, picks: (*operator).pick,
		enters: (*operator).clickRow, finds: (*operator).search,
		marks: func(o *operator) {
			o.clickElement(`document.querySelector('[data-row="0"] input[type=checkbox]')`)
			o.press("Select what is loaded")
		},
	},
	{
		name: "keyboard", width: 1280, goes: func(o *operator, to place) { o.strike(to.keys) }, does: (*operator).keyAct,
		sends: func(o *operator, _ string) { o.typeKeys(kb.Enter) }, writes: (*operator).keyWrite,
		enters: (*operator).keyRow, finds: (*operator).keySearch,
		checks: (*operator).keyCheck,
		picks:  func(o *operator, label, option string) { o.tabToField(label); o.typeKeys(option) },
		marks:  func(o *operator) { o.tabTo("Select what is loaded"); o.typeKeys(" ") },
	},
}

// inFront is a script for what the operator is at: the last window that is open, or else the screen.
const inFront = `([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main'))`

// called is a script for the control in front with that name, without the keys that stand behind it.
func called(name string) string {
	return fmt.Sprintf(`[...%s.querySelectorAll('a, button, label, input')].find(e => e.checkVisibility() && !e.disabled && (e.getAttribute('aria-label') ??
		[...e.childNodes].filter(n => !n.classList?.contains('keys')).map(n => n.textContent).join('')).trim().replace(/\s+/g, ' ') === %q)`, inFront, name)
}

// press clicks the control in front with that name, which gets the focus. News that lie above it are closed before.
func (o *operator) press(name string) {
	o.Helper()
	o.waitFor(fmt.Sprintf(`(() => {
		const e = %s;
		if (!e) return false;
		e.scrollIntoView({ block: 'center', behavior: 'instant' });
		const r = e.getBoundingClientRect();
		const news = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest('.toast');
		news?.querySelector('button:last-of-type').click();
		e.focus({ preventScroll: true });
		return !news;
	})()`, called(name)))
	o.clickElement(called(name))
}

func (o *operator) clickAct(what act) {
	o.Helper()
	if what.menu != "" {
		o.press(what.menu)
	}
	o.press(what.name)
}

// strike presses keys that do something by themselves. A browser types no key that its page took, but chromedp does: on a busy machine
// it would stand in the field that the key has led to by then.
func (o *operator) strike(keys string) {
	o.Helper()
	for _, key := range keys {
		for _, event := range kb.Encode(key) {
			if event.Type != input.KeyChar {
				o.do(event)
			}
		}
	}
}

func (o *operator) keyAct(what act) {
	o.Helper()
	switch {
	case what.keys != "":
		o.strike(what.keys)
	case what.menu != "":
		o.tabTo(what.menu)
		o.typeKeys(kb.Enter)
		for range 40 {
			if evalJS[string](o.browser, `document.activeElement.innerText.trim()`) == what.name {
				o.typeKeys(kb.Enter)
				return
			}
			o.typeKeys(kb.ArrowDown)
		}
		o.Fatalf("the menu %q has no %q", what.menu, what.name)
	default:
		o.tabTo(what.name)
		o.typeKeys(kb.Enter)
	}
}

// titled waits until the screen with that title is complete.
func (o *operator) titled(title string) {
	o.Helper()
	o.waitFor(fmt.Sprintf(`document.title.startsWith(%q) && %s`, title, screenShown))
}

func (o *operator) clickPlace(to place) {
	o.Helper()
	o.click(to.name)
}

// tapPlace takes the bar at the foot, or all places behind it.
func (o *operator) tapPlace(to place) {
	o.Helper()
	if !slices.Contains([]string{"Orders", "Packing"}, to.name) {
		o.clickElement(`document.querySelector('nav.tabs button')`)
	}
	o.click(to.name)
}

// field is a script for the field in front with that label.
func field(label string) string {
	return fmt.Sprintf(`document.getElementById([...%s.querySelectorAll('label')].find(l => l.textContent.trim().startsWith(%q))?.htmlFor)`, inFront, label)
}

func (o *operator) write(label, text string) {
	o.Helper()
	o.waitFor(field(label) + ` !== null`)
	o.do(chromedp.Evaluate(field(label)+`.select()`, nil), chromedp.SendKeys(field(label), text, chromedp.ByJSPath))
}

// pick chooses an option of a select.
func (o *operator) pick(label, option string) {
	o.Helper()
	choice := fmt.Sprintf(`[...(%s?.options ?? [])].find(o => o.text === %q)`, field(label), option)
	o.waitFor(choice + ` !== undefined`)
	o.do(chromedp.Evaluate(fmt.Sprintf(`(c => { c.selected = true; c.parentElement.dispatchEvent(new Event('change', { bubbles: true })) })(%s)`, choice), nil))
}

func (o *operator) keyWrite(label, text string) {
	o.Helper()
	o.waitFor(field(label) + ` !== null`)
	o.tabToField(label) // which selects what is there
	o.typeKeys(text)
}

// keyCheck chooses among what is offered: the Tab key comes to a choice or, of several of which one holds, to that one.
func (o *operator) keyCheck(label string) {
	o.Helper()
	choice := `(` + called(label) + `)?.querySelector('input')`
	o.waitFor(choice + ` != null`)
	for range 40 {
		o.typeKeys(kb.Tab)
		switch evalJS[string](o.browser, `(e => document.activeElement === e ? 'there' : document.activeElement.name === e.name && e.type === 'radio' ? 'near' : '')(`+choice+`)`) {
		case "there":
			o.typeKeys(" ")
			return
		case "near":
			for !evalJS[bool](o.browser, choice+`.checked`) {
				o.typeKeys(kb.ArrowDown)
			}
			return
		}
	}
	o.Fatalf("the Tab key does not reach %q", label)
}

// tabToField presses the Tab key until the field in front with that label has the focus, which must be visible.
func (o *operator) tabToField(label string) {
	o.Helper()
	for range 120 {
		o.do(chromedp.KeyEvent(kb.Tab))
		if !evalJS[bool](o.browser, `document.activeElement === `+field(label)) {
			continue
		}
		if !evalJS[bool](o.browser, focusSeen) {
			o.Errorf("%q has no visible focus", label)
		}
		return
	}
	o.Fatalf("the Tab key does not reach %q", label)
}

// one is a script that is true when a list has only one row, with that text.
func one(text string) string {
	return fmt.Sprintf(`document.querySelectorAll('[data-row]').length === 1 && document.querySelector('[data-row]').innerText.includes(%q)`, text)
}

// look waits until the search of a list finds the only row with a text: it knows what happened some moments ago.
func (o *operator) look(in, text, by string) {
	o.Helper()
	waitUntil(o.T, func() bool {
		_, found := requestJSON(o.T, "GET", o.api+in+by+text, "", o.secret)
		return fmt.Sprint(found["totalDocs"]) == "1"
	})
}

func (o *operator) search(in, text, by string) {
	o.Helper()
	o.look(in, text, by)
	const search = `document.querySelector('main input[type=search]')`
	o.waitFor(search + ` !== null`)
	o.do(chromedp.Evaluate(search+`.select()`, nil), chromedp.SendKeys(search, text, chromedp.ByJSPath))
	o.waitFor(one(text))
	o.clickRow(text)
}

func (o *operator) clickRow(row string) {
	o.Helper()
	o.clickElement(fmt.Sprintf(`[...document.querySelectorAll('.row-link')].find(e => e.innerText.includes(%q))`, row))
}

func (o *operator) keySearch(in, text, by string) {
	o.Helper()
	o.look(in, text, by)
	o.waitFor(`document.querySelector('main input[type=search]') !== null`)
	o.strike("/")
	o.typeKeys(text)
	o.waitFor(one(text))
	o.keyRow(text)
}

func (o *operator) keyRow(row string) {
	o.Helper()
	o.tabTo(row)
	o.typeKeys(kb.Enter)
}

// opens opens a console in a way, signed in, in the test environment.
func (w way) opens(t *testing.T, url string, keys credentials) *operator {
	t.Helper()
	o := openConsole(t, url, keys)
	o.signIn()
	o.do(chromedp.EmulateViewport(w.width, 800, w.opened...))
	o.show("/orders")
	return o
}
