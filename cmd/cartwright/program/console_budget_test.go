package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// requestsFor is a script that counts the requests of the page whose path begins so.
func requestsFor(path string) string {
	return fmt.Sprintf(`performance.getEntriesByType('resource').filter(r => new URL(r.name).pathname.startsWith(%q)).length`, path)
}

// A list of thousands of orders has the rows in sight in the page and no more, and reads the pages that somebody looks at.
func TestConsoleLongList(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	const orders = 3000
	for from := 0; from < orders; from += 500 {
		rows := make([]string, 500)
		for i := range rows {
			rows[i] = fmt.Sprintf(`{"orderNumber":"L-%04d","status":"paid","email":"kim@example.com","currency":"KRW","totalAmount":1000,
				"placedAt":"2026-10-%02dT%02d:%02d:00Z","lines":[{"title":"Mug","sku":"MUG","quantity":1,"unitPrice":1000}]}`, from+i,
				1+(from+i)/120, (from+i)/60%2, (from+i)%60)
		}
		if status, answer := requestJSON(t, "POST", server.url+"/api/orders/import", `{"orders":[`+strings.Join(rows, ",")+`]}`, secret); status > 299 {
			t.Fatal(status, answer)
		}
	}
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/orders")
	o.waitForText("SB-1042")
	few := func(when string) {
		t.Helper()
		if rows := evalJS[int](o.browser, `document.querySelectorAll('[data-row]').length`); rows > 60 {
			t.Errorf("%s there are %d rows in the page", when, rows)
		}
	}
	few("at the beginning")
	o.tabTo("SB-1042")
	o.typeKeys(kb.End)
	o.waitForText("SB-2024-0173")
	few("at the end")
	if read := evalJS[int](o.browser, requestsFor("/api/orders")); read > 6 {
		t.Errorf("the list was read in %d requests", read)
	}
	o.typeKeys(kb.Home)
	o.waitForText("SB-1042")
	o.checkConsole("503") // figures are refused while thousands of orders are added up
}

// The first screen needs few answers of the server, and on the second visit no file: the user, what they may do, the schemas, the stream of
// events, how much news there is, what waits, and the figures.
func TestConsoleFirstScreen(t *testing.T) {
	t.Parallel()
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show("/")
	if asked := evalJS[int](o.browser, requestsFor("/api/")); asked > 7 {
		t.Errorf("the first screen asks the server %d times", asked)
	}
	if files := evalJS[int](o.browser, requestsFor("/console/files/")); files > 8 {
		t.Errorf("the first screen has %d files", files)
	}
	if again := evalJS[int](o.browser,
		`performance.getEntriesByType('resource').filter(r => r.name.includes('/console/files/') && r.transferSize > 0).length`); again > 0 {
		t.Errorf("on the second visit %d files are sent again", again)
	}
	t.Logf("shown after %.0f ms", evalJS[float64](o.browser, `performance.getEntriesByName('console-shown')[0].startTime`))
	o.do(chromedp.EmulateViewport(360, 740))
	o.checkConsole()
}
