package mail_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

func TestWrongTemplatesAreRefused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"":                             "needs a text",
		"Hello {{nobody}}":             "Line 1, column 7: there is no variable nobody.",
		"안녕\n하세요 {{nobody}}":           "Line 2, column 5: there is no variable nobody.",
		"{{#name}}Hello":               "Line 1, column 1: this section has no end: close name.",
		"{{/name}}":                    "closes name, which is not",
		"{{#name}}{{#total}}{{/name}}": "column 20: this closes name",
		"Hello {{name":                 "column 7: this tag has no end",
		"{{}}":                         "names no variable",
		"{{{name}}}":                   "there is no variable {name.",
		"{{&name}}":                    "there is no variable &name.",
		"{{>name}}":                    "there is no variable >name.",
		"{{=<% %>=}}":                  "there is no variable =<% %>=.",
		"Your {{lines}}":               "lines has lines of its own",
		"{{quantity}}":                 "there is no variable quantity.",
		"{{#lines}}{{#lines}}{{/lines}}{{/lines}}":               "a list cannot stand in a list",
		"{{#name}}{{#name}}{{#name}}{{#name}}{{#name}}{{/name}}": "more than 4 sections",
		"[here](http://shop.example/)":                           "column 8: a link leads to an https address",
		"[here](javascript:alert(1))":                            "column 8: a link leads",
		"[here]({{name}})":                                       "column 8: a link leads",
		"[here](https://shop.example":                            "the address of this link has no end",
		"a\x00b":                                                 "column 2: this character",
		strings.Repeat("가", mail.MaxBody/3+1):                    "at most 65536 bytes",
	} {
		err := mail.Template{Kind: mail.OrderPlaced, Locale: "ko", Subject: "x", Body: body}.Check()
		if err == nil || !strings.Contains(said(err), want) {
			t.Errorf("%.60q: %v, want %q", body, said(err), want)
		}
	}
	for subject, want := range map[string]string{
		"": "needs a subject", "{{lines}}": "lines of its own", "{{totals}}": "lines of its own", "{{partial}}": "no variable partial",
		"a\nb": "column 2: this character", strings.Repeat("가", mail.MaxSubject+1): "at most 255 characters",
	} {
		err := mail.Template{Kind: mail.OrderPlaced, Locale: "ko", Subject: subject, Body: "x"}.Check()
		if err == nil || !strings.Contains(said(err), want) {
			t.Errorf("%.60q: %v, want %q", subject, said(err), want)
		}
	}
}

// said is what an error says about a field.
func said(err error) string {
	if err == nil {
		return ""
	}
	var all strings.Builder
	for _, f := range fault.From(err).Fields {
		all.WriteString(f.Message)
	}
	return all.String()
}

func TestSectionsListsAndMarkup(t *testing.T) {
	t.Parallel()
	facts := mail.Facts{"name": "Kim", "orderNumber": "1", "lines": []collection.Record{
		{"title": "Mug", "quantity": int64(2)}, {"title": "Plate", "options": "Blue", "quantity": int64(1)},
	}}
	for body, want := range map[string]string{
		"Hello {{name}}!": "Hello Kim!",
		"{{#name}}Dear {{name}}{{/name}}{{^name}}Hi{{/name}}":                                   "Dear Kim",
		"{{^orderUrl}}no page{{/orderUrl}}":                                                     "no page",
		"{{#lines}}\n- {{quantity}} {{title}}{{#options}}, {{options}}{{/options}}\n{{/lines}}": "- 2 Mug\n- 1 Plate, Blue",
		"one\ntwo\n\nthree":                             "one\ntwo\n\nthree",
		"1. first\n2. second":                           "1. first\n2. second",
		`\*\*not bold\*\* {{! nobody sees this }}`:      "**not bold**",
		"**bold** and [a page](https://shop.example/a)": "bold and a page (https://shop.example/a)",
		"[button](https://shop.example/{{name}})":       "button:\nhttps://shop.example/Kim",
		"Hi\n\n[gone]({{orderUrl}})":                    "Hi",
		"see [gone]({{orderUrl}})":                      "see gone",
		"# Title\nbelow":                                "Title\n\nbelow",
	} {
		m, err := mail.Render(mail.Template{Kind: mail.OrderPlaced, Locale: "en", Subject: "x", Body: body}, facts, mail.Shop{})
		if text, _, _ := strings.Cut(m.Text, "\n\n-- \n"); err != nil || text != want {
			t.Errorf("%q: %q, %v, want %q", body, text, err, want)
		}
	}
}

func TestTheSumsOfAMailHaveTheTaxes(t *testing.T) {
	t.Parallel()
	usd := func(minor int64) money.Money { return money.Of(minor, "USD") }
	vat := tax.Amount{Name: "VAT", Percent: money.DecimalOf(10), Amount: usd(100)}
	list := "{{#taxes}}\n- {{tax}} {{percent}}: {{amount}}{{#included}}, in the prices{{/included}}\n{{/taxes}}"
	for included, want := range map[bool][2]string{
		false: {"Subtotal: $10.00\nVAT 10%: $1.00\nTotal: $11.00", "- VAT 10: $1.00"},
		true:  {"Subtotal: $10.00\nTotal: $11.00\nOf the total, VAT 10%: $1.00", "- VAT 10: $1.00, in the prices"},
	} {
		taxes := &sale.Taxes{Amount: vat.Amount, Included: included, Rates: tax.Taxes{vat}}
		o := order.Order{Subtotal: usd(1000), Discount: usd(0), Total: usd(1100), Taxes: taxes}
		c := checkout.Checkout{Totals: sale.Totals{Subtotal: usd(1000), Discount: usd(0), Total: usd(1100), Taxes: taxes}}
		for body, want := range map[string]string{"{{totals}}": want[0], list: want[1]} {
			for of, facts := range map[string]mail.Facts{"an order": mail.OfOrder(o), "a checkout": mail.OfCheckout(c)} {
				m, err := mail.Render(mail.Template{Kind: mail.OrderPlaced, Locale: "en", Subject: "x", Body: body}, facts, mail.Shop{})
				if text, _, _ := strings.Cut(m.Text, "\n\n-- \n"); err != nil || text != want {
					t.Errorf("%s, included %t: %q, %v, want %q", of, included, text, err, want)
				}
			}
		}
	}
}

func TestWordsAreChosenByLanguage(t *testing.T) {
	t.Parallel()
	own := func(locale string) mail.Template {
		return mail.Template{Kind: mail.OrderPlaced, Locale: locale, Subject: "own " + locale, Body: "x"}
	}
	saved := []mail.Template{own("de"), own("en-GB"), own("ko"), {Kind: mail.Notice, Locale: "ja", Subject: "another kind"}}
	for wanted, want := range map[[2]string]string{
		{"de", "ko"}: "own de", {"de-AT", "ko"}: "own de", {"en-GB", "ko"}: "own en-GB", {"en-US", "ko"}: "default en",
		{"ja", "ko"}: "default ja", {"fr", "ko-KR"}: "own ko", {"", "ko"}: "own ko", {"fr", "fr"}: "default en", {"", ""}: "default en",
	} {
		got := mail.Choose(mail.OrderPlaced, wanted[0], wanted[1], saved)
		name := got.Subject
		if !strings.HasPrefix(name, "own ") {
			name = "default " + got.Locale
		}
		if name != want {
			t.Errorf("%q: %s, want %s", wanted, name, want)
		}
	}
}

func TestATextThatCannotBeRenderedGivesWay(t *testing.T) {
	t.Parallel()
	rows := make([]collection.Record, 1000)
	for i := range rows {
		rows[i] = collection.Record{"title": "Mug"}
	}
	for name, body := range map[string]string{
		"too long": "{{#lines}}" + strings.Repeat("x", 60_000) + "{{/lines}}", "of an older server": "{{gone}}",
	} {
		saved := []mail.Template{{Kind: mail.OrderPlaced, Locale: "en", Subject: "own", Body: body}}
		if _, err := mail.Render(saved[0], mail.Facts{"lines": rows}, shop()); err == nil {
			t.Errorf("%s: it was rendered", name)
		}
		m, err := mail.Write(mail.OrderPlaced, mail.Facts{"lines": rows}, "en", saved, shop())
		if err != nil || m.Subject == "own" || !strings.Contains(m.Text, "Thank you") {
			t.Errorf("%s: %q, %v", name, m.Subject, err)
		}
	}
}

func TestMailsLoadNothing(t *testing.T) {
	t.Parallel()
	loads := regexp.MustCompile(`(?i)(src|srcset|background)\s*=\s*"([^"]*)"|url\(|@import|<link|<script|<iframe|<object`)
	for _, kind := range mail.Kinds {
		text, _ := mail.Default(mail.Kind(kind), "en")
		m, err := mail.Render(text, mail.Sample(text.Kind, "en", "USD", now), shop())
		found := loads.FindAllString(m.HTML, -1)
		if err != nil || len(found) != 1 || found[0] != `src="https://shop.example/logo.png"` {
			t.Errorf("%s: %q, %v", kind, found, err)
		}
	}
}
