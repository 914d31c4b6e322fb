package program

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

// searchableDemo is a server with the demo shop, all of whose products are found, and the header with the shop's test secret key. A server
// makes its index while it serves.
func searchableDemo(t *testing.T) (server *runningServer, secret string) {
	t.Helper()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	waitUntil(t, func() bool {
		_, found := requestJSON(t, "GET", server.url+"/api/commerce/products/search?limit=0", "", "X-Client-Key: "+keys.TestClientKey)
		return found["totalDocs"] == 47.0
	})
	return server, secret
}

// searchShop is a browser with the storefront of an indexed shop, and the proxy between.
func searchShop(t *testing.T) (*visitor, *faultproxy.Proxy) {
	t.Helper()
	server, _ := searchableDemo(t)
	p := faultproxy.Start(t, server.url)
	return openStorefront(t, p.URL), p
}

// searchesSentTo is how many searches were sent.
func searchesSentTo(p *faultproxy.Proxy) (sent int) {
	for _, r := range p.Requests() {
		if r.Method == http.MethodGet && strings.HasPrefix(r.Path, "/api/commerce/products/search?") {
			sent++
		}
	}
	return sent
}

// pressSlash presses the key that goes to the search. As in a browser, a key that was taken writes nothing.
func (s *visitor) pressSlash() {
	s.Helper()
	s.do(input.DispatchKeyEvent(input.KeyRawDown).WithKey("/").WithCode("Slash"), input.DispatchKeyEvent(input.KeyUp).WithKey("/").WithCode("Slash"))
	s.waitFor(`document.activeElement.id === 'search'`)
}

// goInHistory goes back or forward by so many pages, as the buttons of the browser do.
func (s *visitor) goInHistory(by int) {
	s.Helper()
	s.do(chromedp.Evaluate(fmt.Sprintf(`history.go(%d)`, by), nil))
}

// clickFacet clicks the value of a facet by its name.
func (s *visitor) clickFacet(name string) {
	s.Helper()
	label := fmt.Sprintf(`[...document.querySelectorAll('.facet-value label')].find(l => l.checkVisibility() && l.firstChild.innerText === %q)`, name)
	s.waitFor(label + ` !== undefined`)
	s.clickElement(label)
	s.waitFor(pageLoaded)
}

const foundGoods = `[...document.querySelectorAll('.found-goods .tile-name')].map(e => e.innerText).join(', ')`

// wantFound waits until these products are found.
func (s *visitor) wantFound(names string) {
	s.Helper()
	s.waitFor(fmt.Sprintf("%s === %q && %s", foundGoods, names, pageLoaded))
}

// A shopper types with a mistake, sees what is found at once, opens the results, and is told what was taken for the word.
// Rules search-10, search-12.
func TestStorefrontSearchesAsOneTypes(t *testing.T) {
	t.Parallel()
	s, p := searchShop(t)
	p.Clear()
	s.pressSlash()
	s.typeKeys("celadn")
	s.waitFor(`document.querySelector('.suggest').innerText.includes('Celadon Cup')`)
	if n := searchesSentTo(p); n > 3 {
		t.Errorf("six letters asked %d times", n)
	}
	s.checkAccessibility("what is found as one types")
	s.screenshot("s1-suggestions")
	s.typeKeys(kb.ArrowDown)
	s.enter("A cup without a handle")
	s.pressSlash()
	s.typeKeys(kb.Escape)
	s.waitFor(`!document.querySelector('.search.is-open')`)

	s.typeKeys("celadn")
	s.typeKeys(kb.Enter)
	s.wantFound("Celadon Cup")
	s.waitForText("Results for “celadn”")
	s.waitForText("Showing results for “celadon”")
	if said := evalJS[string](s.browser, `document.querySelector('.found[role=status]').innerText`); said != "1 thing found" {
		t.Errorf("it is said that %q", said)
	}
	s.checkAccessibility("the results")
	s.screenshot("s2-results")
	s.visit("/search?q=zzgrmpf&inStock=true")
	s.waitForText("Nothing found")
	s.waitForText("Check the spelling, or type fewer words.")
	s.checkAccessibility("nothing found")
	s.screenshot("s3-nothing")
	s.click("Tableware")
	s.waitForText("For cooking, pouring, eating.")
	s.checkConsole()
}

// Only the last of several answers is shown, and only one request is under way. An answer that comes late changes nothing.
func TestStorefrontIgnoresLateAnswers(t *testing.T) {
	t.Parallel()
	s, p := searchShop(t)
	held := p.InjectNext(faultproxy.Fault{Kind: faultproxy.Hold, Method: "GET", Path: "/products/search$"})
	s.pressSlash()
	s.typeKeys("moon")
	<-held.Triggered()
	p.Clear()
	s.do(chromedp.Evaluate(`document.querySelector('#search').select()`, nil))
	s.typeKeys("kettle")
	held.Release()
	s.waitFor(`document.querySelector('.suggest').innerText.includes('Hand-Beaten Kettle')`)
	if evalJS[bool](s.browser, `document.querySelector('.suggest').innerText.includes('Moon Jar')`) {
		t.Error("an answer that came late is shown")
	}
	s.checkConsole()
}

// Facets narrow what is found, by mouse and by keyboard; the address tells what is chosen, and leads back. Rule search-14.
func TestStorefrontNarrowsByFacets(t *testing.T) {
	t.Parallel()
	s, _ := searchShop(t)
	s.visit("/search?q=tea")
	all := evalJS[string](s.browser, foundGoods)
	s.clickFacet("Gifts and Lessons")
	s.wantFound("Tea Tasting Evening, A Field Guide to Korean Tea, Knife Sharpening")
	s.clickFacet("Slow Pantry")
	s.wantFound("Tea Tasting Evening, A Field Guide to Korean Tea")
	s.waitFor(`document.querySelectorAll('.chip').length === 2`)
	s.checkAccessibility("results that are narrowed")
	s.screenshot("s4-facets")
	address := evalJS[string](s.browser, `location.hash`)
	s.click("Remove Gifts and Lessons")
	s.waitFor(`document.querySelectorAll('.chip').length === 1`)
	s.goInHistory(-1)
	s.wantFound("Tea Tasting Evening, A Field Guide to Korean Tea")
	s.goInHistory(-2)
	s.wantFound(all)
	s.goInHistory(2)
	s.wantFound("Tea Tasting Evening, A Field Guide to Korean Tea")

	s.visit(address[1:]) // a link that somebody sent
	s.wantFound("Tea Tasting Evening, A Field Guide to Korean Tea")
	s.click("Remove all filters")
	s.wantFound(all)

	s.visit("/category/clothing")
	s.tabTo("Colour")
	s.typeKeys(kb.Enter)
	s.tabTo("Rust")
	s.typeKeys(" ")
	s.wantFound("Wool Socks, Merino Beanie")
	if !evalJS[bool](s.browser, `document.activeElement.checked && document.activeElement.labels[0].innerText.startsWith('Rust')`) {
		t.Error("the control loses the focus when what is found changes")
	}
	s.tabTo("Night")
	s.typeKeys(" ")
	s.waitFor(`document.querySelectorAll('.chip').length === 2`) // either color
	s.wantFound("Wool Socks, Merino Beanie")

	s.visit("/search?sort=price")
	s.fill("From", "100000")
	s.typeKeys(kb.Enter)
	s.waitForText("From ₩100,000")
	s.choose(marketField, `'us'`) // the bound was in the other currency
	s.waitForText("Prices are for United States now.")
	s.waitFor(`document.querySelectorAll('.chip').length === 0 && !location.hash.includes('minPrice')`)
	s.checkConsole()
}

// On a telephone the facets are in a dialog. Rule search-14.
func TestStorefrontFacetsOnATelephone(t *testing.T) {
	t.Parallel()
	s, _ := searchShop(t)
	s.do(chromedp.EmulateViewport(360, 740))
	s.visit("/category/tableware")
	s.checkAccessibility("a category on a telephone")
	s.screenshot("s5-telephone")
	s.tabTo("Filter")
	s.typeKeys(kb.Enter)
	s.waitFor(`document.querySelector('dialog').open`)
	s.checkAccessibility("the facets on a telephone")
	s.clickFacet("Brightsmith")
	s.waitFor(`document.querySelector('dialog > .button').innerText === 'Show 2 things'`)
	s.screenshot("s6-drawer")
	s.click("Show 2 things")
	s.waitFor(`!document.querySelector('dialog').open && document.activeElement.innerText === 'Filter'`)
	s.wantFound("Brass Spoon and Chopsticks, Hand-Beaten Kettle")
	s.checkConsole()
}

// Korean names are found by initial consonants and by what was typed on the other layout of the keyboard; more shows by a button.
// Rules search-11, search-12.
func TestStorefrontFindsKorean(t *testing.T) {
	t.Parallel()
	s, _ := searchShop(t)
	s.choose(`document.querySelector('#language')`, `'ko'`)
	s.waitFor(pageLoaded + ` && document.documentElement.lang === 'ko'`)
	for typed, found := range map[string]string{"ㄷㅎㅇㄹ": "달항아리", "ekfgkddkfl": "달항아리", "달 항아리": "달항아리"} {
		s.visit("/search?q=" + typed)
		s.wantFound(found)
	}
	s.visit("/search?sort=price")
	s.waitForText("47개 중 20개")
	s.click("더 보기")
	s.waitForText("47개 중 40개")
	if !evalJS[bool](s.browser, `location.hash.endsWith('shown=40') && document.activeElement.matches('.tile')`) {
		t.Error("what was added is not in the address, or not where the focus is")
	}
	s.screenshot("s7-korean")
	s.checkConsole()
}
