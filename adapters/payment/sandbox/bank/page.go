package bank

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"strings"
)

//go:embed page.html
var pageSource string

// The page loads and runs nothing; its own style is allowed by hash. There is no form-action, since Chrome
// also applies it to the redirect after the form, which leads to the shop.
var pagePolicy = "default-src 'none'; style-src 'sha256-" + styleHash() + "'; base-uri 'none'; frame-ancestors 'none'"

func styleHash() string {
	_, style, _ := strings.Cut(pageSource, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// pageView is the data of the page.
type pageView struct {
	OrderName, Amount, Method string
	Open                      bool
	Account                   *transferView // that waits for its deposit
	Due                       string
	TaxFree                   []taxFreeView // of the payment, then of its refunds; none if nothing is tax-free
	Title, Note               string
	ReturnURL                 string
}

// html is the page. It is written without html/template, whose calls by name would keep every method of the program in the
// binary.
func (v pageView) html() string {
	var b pageBuilder
	b.element("h1", "", v.Title)
	if v.Note != "" {
		b.element("p", ` role="status"`, v.Note)
	}
	if v.Amount != "" {
		v.facts(&b)
	}
	switch {
	case v.Open:
		b.form(
			[3]string{"go", "approve", "Pay " + v.Amount}, [3]string{"", "virtual_account", "Bank transfer (virtual account)"},
			[3]string{"", "decline", "Decline the payment"}, [3]string{"leave", "abandon", "Leave without paying"},
		)
	case v.Account != nil:
		b.form([3]string{"go", "deposit", "Transfer " + v.Amount + " now"})
	}
	if isWebURL(v.ReturnURL) {
		b.element("a", ` class="button" href="`+html.EscapeString(v.ReturnURL)+`"`, "Return to the shop")
	}
	return strings.NewReplacer("{title}", html.EscapeString(v.Title), "{main}", b.text.String()).Replace(pageSource)
}

// facts writes what the buyer pays, and where.
func (v pageView) facts(b *pageBuilder) {
	_, _ = b.text.WriteString("<dl>")
	b.fact("Order", "", v.OrderName)
	if v.Method != "" {
		b.fact("Method", "", v.Method)
	}
	if a := v.Account; a != nil {
		b.fact("Bank", "", a.Bank+" ("+a.BankCode+")")
		b.fact("Account", "account", a.Number)
		b.fact("Holder", "", a.Holder)
		b.fact("Until", "", v.Due)
	}
	b.fact("Amount", "amount", v.Amount)
	for _, t := range v.TaxFree {
		b.fact(t.Label, "", t.Amount)
	}
	_, _ = b.text.WriteString("</dl>\n")
}

// pageBuilder writes HTML. Attributes are given as they are written, texts are escaped.
type pageBuilder struct{ text strings.Builder }

func (b *pageBuilder) element(name, attributes, text string) {
	_, _ = b.text.WriteString("<" + name + attributes + ">" + html.EscapeString(text) + "</" + name + ">\n")
}

// fact is a term and its description, on one line.
func (b *pageBuilder) fact(term, class, text string) {
	_, _ = b.text.WriteString("<dt>" + html.EscapeString(term) + "</dt>")
	if class != "" {
		class = ` class="` + class + `"`
	}
	b.element("dd", class, text)
}

// form has a button for each {class, outcome, text}.
func (b *pageBuilder) form(buttons ...[3]string) {
	_, _ = b.text.WriteString(`<form method="post">` + "\n")
	for _, x := range buttons {
		attributes := ` name="outcome" value="` + x[1] + `"`
		if x[0] != "" {
			attributes = ` class="` + x[0] + `"` + attributes
		}
		b.element("button", attributes, x[2])
	}
	_, _ = b.text.WriteString("</form>\n")
}
