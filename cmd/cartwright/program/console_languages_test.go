package program

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The texts of a record are written beside those of the default language. What is missing is counted, and lists are filtered by it.
func TestConsoleTranslatesSideBySide(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	o := openConsole(t, server.url, keys)
	made := func(name string) string {
		status, tag := requestJSON(t, "POST", o.api+"/tags", `{"name":"`+name+`"}`, o.secret)
		if status != 201 {
			t.Fatal(tag)
		}
		return "/tags/" + textAt(tag, "doc", "id")
	}
	const name = "Just in"
	at := made(name)
	made("Left alone")
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
	o.waitForText("Left alone")
	o.waitFor(`![...document.querySelectorAll('main table a')].some(a => a.textContent === '` + name + `')`)
	o.checkConsole()
}
