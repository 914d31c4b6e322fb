package program

import (
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Every word that the storefront says is there in each language, and no other.
func TestStorefrontWords(t *testing.T) {
	t.Parallel()
	noteTypeScript(t)
	check := exec.CommandContext(t.Context(), "node", "scripts/words.mjs")
	check.Dir = typescriptFolder
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// purchases are what a buyer of a language types and reads.
var purchases = map[string]struct {
	market, email                     string
	add, continues, thanks, mail, tax string
	product, total                    string
	address                           [][2]string
	emailLabel, lines                 string
	width                             int64
}{
	"en": {
		market: "us", email: "ann@example.com", add: "Add to cart", continues: "Continue", thanks: "Thank you", mail: "Thank you for your order",
		tax: "New York sales tax 4%", product: "Celadon Cup", total: "$39.52", emailLabel: "Email", lines: "New York, New York 10001", width: 1280,
		address: [][2]string{
			{"Name", "Ann Lee"}, {"Phone", "(212) 555-0123"}, {"Street and number", "12 W 31st St"}, {"City", "New York"}, {"State", "New York"},
			{"ZIP code", "10001"},
		},
	},
	"ko": {
		market: "kr", email: "jiwoo@example.com", add: "장바구니 담기", continues: "다음", thanks: "감사합니다", mail: "주문해 주셔서 감사합니다",
		tax: "VAT 10% 포함", product: "청자 잔", total: "₩31,000", emailLabel: "이메일", lines: "자하문로 12", width: 360,
		address: [][2]string{{"받는 분", "김지우"}, {"휴대전화", "010-5550-0100"}, {"도로명 주소", "자하문로 12"}, {"우편번호", "03044"}},
	},
	"ja": {
		market: "jp", email: "yuki@example.com", add: "カートに入れる", continues: "次へ進む", thanks: "ありがとうございます", mail: "ご注文ありがとうございます",
		tax: "内 Consumption tax 10%", product: "青磁のカップ", total: "￥4,400", emailLabel: "メールアドレス", lines: "東京都 渋谷区 神宮前1-2-3", width: 360,
		address: [][2]string{
			{"お名前", "佐藤 由紀"}, {"電話番号", "090-1234-5678"}, {"郵便番号", "150-0001"}, {"都道府県", "東京都"}, {"市区町村", "渋谷区"},
			{"町名・番地", "神宮前1-2-3"},
		},
	},
}

// People of three countries buy in their language, on a desk and on a telephone: the shop, the form of their address, the taxes, the
// order and its mail. Rules languages-3, languages-11, addresses-4.
func TestStorefrontSellsInThreeLanguages(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	for language, b := range purchases {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			s := openStorefront(t, server.url)
			s.do(chromedp.EmulateViewport(b.width, 900))
			s.choose(`document.querySelector('#language')`, fmt.Sprintf("%q", language))
			s.waitFor(pageLoaded + fmt.Sprintf(` && location.search.includes('lang=' + %q) && document.documentElement.lang === %q`, language, language))
			s.choose(marketField, fmt.Sprintf("%q", b.market))
			s.visit("/products/celadon-cup")
			s.waitForText(b.product)
			s.click(b.add)
			s.waitFor(`document.querySelector('#cart-size').innerText === '1'`)
			s.visit("/checkout")
			s.fill(b.emailLabel, b.email)
			s.fillFields(b.address)
			s.checkAccessibility("the checkout in " + language)
			s.showCheckout(language)
			s.do(chromedp.EmulateViewport(b.width, 900))
			s.click(b.continues)
			for _, text := range []string{b.product, b.tax, b.total, b.lines} {
				s.waitForText(text)
			}
			s.screenshot("l-" + language + "-payment")
			s.waitFor(`document.querySelector('main form.form input[name=method]') !== null && ` + pageLoaded)
			s.clickElement(`document.querySelector('main .form .button')`)
			s.decideOnPaymentPage("approve")
			s.waitForText(b.thanks)
			s.checkAccessibility("the order in " + language)
			s.screenshot("l-" + language + "-order")
			wantOrderIn(t, server.url, secret, b.email, language)
			waitUntil(t, func() bool { return strings.Contains(mailboxOf(t, server.url), b.mail) })
			s.checkConsole()
		})
	}
}

// wantOrderIn fails the test unless a buyer has one order, in that language.
func wantOrderIn(t *testing.T, url, secret, email, language string) {
	t.Helper()
	orders := ordersOf(t, url, secret, email)
	if len(orders) != 1 {
		t.Fatalf("the shop has %v", orders)
	}
	locale := orders[0].(map[string]any)["locale"]
	if locale == nil {
		locale = "en" // the shop's
	}
	if locale != language {
		t.Errorf("the order is in %v", locale)
	}
}

// mailboxOf is the page that shows the mails of a development server.
func mailboxOf(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/mailbox", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// What is in a cart moves to the language of the page, and the address names the language. Rule languages-11.
func TestStorefrontCartChangesItsLanguage(t *testing.T) {
	t.Parallel()
	server, _, _ := demoShop(t)
	s := openStorefront(t, server.url)
	s.addToCart("celadon-cup")
	s.visit("/cart")
	s.fill("Discount code", "won5000")
	s.click("Apply")
	s.waitForText("WON5000")
	s.choose(`document.querySelector('#language')`, `'ko'`)
	s.waitFor(pageLoaded + ` && location.search.includes('lang=ko') && document.documentElement.lang === 'ko'`)
	s.waitForText("청자 잔")
	s.waitForText("WON5000")
	s.waitFor(`document.querySelector('#cart-said').textContent === ', 1개'`)
	s.fill("할인 코드", "LASTSPRING")
	s.click("적용")
	s.waitForText("사용 기간이 지난 코드입니다.")
	s.checkConsole()
}
