package program

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The texts of a record are written beside those of the default language. What is missing is counted, and lists are filtered by it.
func TestConsoleTranslatesSideBySide(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	o := openConsole(t, server.url, keys)
	first := func(slug string) map[string]any {
		_, found := requestJSON(t, "GET", o.api+"/"+slug+"?limit=1&depth=0&sort=name", "", o.secret)
		return found["docs"].([]any)[0].(map[string]any)
	}
	languages := `{"settings":{"locale":"en","locales":["en","ko","ja"]}}`
	if status, got := requestJSON(t, "PATCH", o.api+"/tenants/"+textAt(first("tenants"), "id"), languages, secret); status != 200 {
		t.Fatal(got)
	}
	tag := first("tags")
	name, at := textAt(tag, "name"), "/tags/"+textAt(tag, "id")
	o.signIn()
	o.show("/records" + at)
	o.waitForText("Korean 1 missing")
	o.fill("Name · Korean", "신상품")
	o.typeKeys(kb.Enter)
	waitUntil(t, func() bool {
		_, now := requestJSON(t, "GET", o.api+at+"?locale=ko", "", o.secret)
		return now["name"] == "신상품" && fmt.Sprint(now["translatedIn"]) == "[ko]"
	})
	if _, now := requestJSON(t, "GET", o.api+at, "", o.secret); now["name"] != name {
		t.Error("the default language has another text now", now)
	}
	o.show("/records/tags?translatedIn=!ko")
	o.waitForText("not in Korean")
	o.waitFor(`![...document.querySelectorAll('main table a')].some(a => a.textContent === '` + name + `')`)
	o.checkConsole()
}
