package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fiveHundred is the form of a product with 500 variants.
func fiveHundred() string {
	var sizes, colors, variants []string
	for i := range 50 {
		sizes = append(sizes, fmt.Sprintf(`{"label":"%d"}`, 200+i))
	}
	for i := range 10 {
		colors = append(colors, fmt.Sprintf(`{"label":"Color %d"}`, i))
	}
	for i := range 500 {
		variants = append(variants, fmt.Sprintf(`{"sku":"SHOE-%03d","price":1000,"optionValues":[{"option":"Size","value":"%d"},
			{"option":"Color","value":"Color %d"}]}`, i, 200+i/10, i%10))
	}
	return fmt.Sprintf(`{"name":"Shoe","status":"draft","price":1000,"options":[{"name":"Size","values":[%s]},{"name":"Color","values":[%s]}],"variants":[%s]}`,
		strings.Join(sizes, ","), strings.Join(colors, ","), strings.Join(variants, ","))
}

// A sheet of 500 variants has the rows in sight in the page. A column of prices that is pasted, and filled down, is saved as it stands there.
func TestConsoleManyVariants(t *testing.T) {
	t.Parallel()
	server, secret, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	status, made := requestJSON(t, "POST", server.url+"/api/products/complete", fiveHundred(), secret)
	if status != 201 {
		t.Fatal(status, made)
	}
	product := "/products/" + textAt(made, "product", "id")
	o := openConsole(t, server.url, keys)
	o.signIn()
	o.show(product)
	few := func(when string) {
		t.Helper()
		if rows := evalJS[int](o.browser, `document.querySelectorAll('.cells [role=row]').length`); rows > 60 {
			t.Errorf("%s there are %d rows in the page", when, rows)
		}
	}
	few("at the beginning")
	o.do(chromedp.Evaluate(`document.querySelector('.cells [aria-rowindex="2"] [aria-colindex="3"]').dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))`, nil))
	o.waitFor(`document.activeElement.getAttribute('aria-label')?.includes('Price')`)
	o.do(chromedp.Evaluate(`{ const d = new DataTransfer();
		d.setData('text/plain', Array.from({ length: 500 }, (_, i) => 7000 + 10 * i).join('\n'));
		document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: d, bubbles: true, cancelable: true })) }`, nil))
	o.typeKeys(strings.Repeat(kb.PageDown, 60))
	o.waitFor(`document.activeElement.value === '11990'`)
	few("at the end")
	o.do(chromedp.KeyEvent("s", chromedp.KeyModifiers(2))) // Ctrl+S
	o.waitForText("Saved")
	_, now := requestJSON(t, "GET", server.url+"/api"+product+"/complete", "", secret)
	for i := range 500 {
		at := fmt.Sprint(i)
		sku, price := textAt(now, "product", "variants", at, "sku"), now["product"].(map[string]any)["variants"].([]any)[i].(map[string]any)["price"]
		if sku != fmt.Sprintf("SHOE-%03d", i) || price != float64(7000+10*i) {
			t.Fatalf("variant %d is %s for %v", i, sku, price)
		}
	}
	o.checkConsole()
}
