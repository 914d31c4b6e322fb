package program

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// undoOffered is a script that is true while the last change can be undone.
const undoOffered = `document.querySelector('.toast.done kbd') !== null`

// undoByKeys presses the keys for it, outside of what is typed in.
func (o *operator) undoByKeys() {
	o.Helper()
	o.waitFor(undoOffered)
	o.do(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
}

// undoByButton presses the button of the news.
func (o *operator) undoByButton() {
	o.Helper()
	o.waitFor(undoOffered)
	o.clickElement(`document.querySelector('.toast.done kbd').closest('button')`)
}

// What was changed in the console is undone by the button or by the keys; what somebody else has changed since stays as it is.
func TestConsoleUndoes(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	o := openConsole(t, server.url, keys)
	first := func(slug string) map[string]any {
		_, found := requestJSON(t, "GET", o.api+"/"+slug+"?limit=1&depth=0", "", o.secret)
		return found["docs"].([]any)[0].(map[string]any)
	}
	product, tag := first("products"), first("tags")
	toProduct, toTag := "/products/"+textAt(product, "id"), "/tags/"+textAt(tag, "id")
	isNow := func(path, name string, want any) {
		t.Helper()
		waitUntil(t, func() bool {
			_, now := requestJSON(t, "GET", o.api+path, "", o.secret)
			return fmt.Sprint(now[name]) == fmt.Sprint(want)
		})
	}
	o.signIn()
	const closeNews = `document.querySelector('.toast button').click()`
	rename := func(name string) {
		t.Helper()
		o.fill("Name", name)
		o.typeKeys(kb.Enter)
		isNow(toTag, "name", name)
	}
	o.show("/records" + toTag)
	for i, undo := range []func(*operator){(*operator).undoByButton, (*operator).undoByKeys} {
		rename(fmt.Sprint("Renamed ", i))
		undo(o)
		o.waitForText("Undone")
		isNow(toTag, "name", tag["name"])
		o.waitFor(fmt.Sprintf(`document.querySelector('main input').value === %q`, tag["name"]))
		o.do(chromedp.Evaluate(closeNews, nil))
	}
	rename("Renamed again")
	if status, answer := requestJSON(t, "PATCH", o.api+toTag, `{"name":"Somebody else's"}`, o.secret); status != http.StatusOK {
		t.Fatal(status, answer)
	}
	o.undoByKeys()
	o.waitFor(`document.querySelector('.toast.failed') !== null && !(` + undoOffered + `)`)
	isNow(toTag, "name", "Somebody else's")
	o.checkScreen("what could not be undone")

	o.show(toProduct)
	for _, undo := range []func(*operator){(*operator).undoByButton, (*operator).undoByKeys} {
		o.pick("Status", map[bool]string{true: "Unlisted", false: "Draft"}[product["status"] == "draft"])
		o.do(chromedp.KeyEvent("s", chromedp.KeyModifiers(input.ModifierCtrl)))
		o.waitFor(undoOffered)
		undo(o)
		o.waitForText("Undone")
		isNow(toProduct, "status", product["status"])
		o.do(chromedp.Evaluate(closeNews, nil))
	}
	o.checkConsole("409", "412")
}
