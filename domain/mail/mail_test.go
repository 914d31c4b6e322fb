package mail_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

var update = flag.Bool("update", false, "write the golden files")

var (
	seoul = time.FixedZone("KST", 9*60*60)
	now   = time.Date(2026, 11, 28, 6, 30, 0, 0, time.UTC)
)

var currencyOf = map[string]money.Currency{"en": "USD", "ja": "JPY", "ko": "KRW"}

func shop() mail.Shop {
	return mail.ShopFrom("Starlight", "", collection.Record{
		"businessName": "Starlight Ltd.", "registrationNumber": "220-81-62517", "representative": "Kim Haneul", "phone": "02-123-4567",
		"address": collection.Record{"postalCode": "03044", "address1": "12 Jahamun-ro", "country": "KR"},
		"mail":    collection.Record{"color": "#0f766e"},
	}, "https://shop.example/logo.png", "ko", seoul)
}

// The HTML of a kind with everything that a mail can have is kept, since it is made of the same parts as the text of all.
func TestEveryKindHasAMailInThreeLanguages(t *testing.T) {
	t.Parallel()
	for _, language := range mail.DefaultLanguages {
		var all strings.Builder
		for _, kind := range mail.Kinds {
			text, ok := mail.Default(mail.Kind(kind), language)
			if !ok || text.Check() != nil {
				t.Errorf("%s in %s: %t, %v", kind, language, ok, text.Check())
				continue
			}
			m, err := mail.Render(text, mail.Sample(text.Kind, language, currencyOf[language], now), shop())
			if err != nil || m.Subject == "" || strings.Contains(m.Text+m.HTML+m.Subject, "{{") {
				t.Errorf("%s in %s: %+v, %v", kind, language, m, err)
			}
			body, _, _ := strings.Cut(m.Text, "\n-- \n") // what follows is the same below all
			all.WriteString("==== " + kind + "\n" + m.Subject + "\n\n" + body + "\n")
			if text.Kind == mail.OrderShipped {
				compareGolden(t, language+".html", m.HTML)
			}
		}
		compareGolden(t, language+".txt", all.String())
	}
}

// Whoever looks at a sample sees each variable tell something, and none that mails of the kind do not have.
//
// Rule mail-33.
func TestSamplesTellEveryVariable(t *testing.T) {
	t.Parallel()
	for _, kind := range mail.Kinds {
		k := mail.Kind(kind)
		sample := mail.Sample(k, "en", "USD", now)
		for name := range sample {
			if !slices.ContainsFunc(mail.VariablesOf(k), func(v mail.Variable) bool { return v.Name == name }) {
				t.Errorf("%s: %s is no variable", kind, name)
			}
		}
		for _, v := range mail.VariablesOf(k) {
			body := "{{#" + v.Name + "}}told{{/" + v.Name + "}}{{^" + v.Name + "}}not{{/" + v.Name + "}}"
			text := mail.Template{Kind: k, Locale: "en", Subject: "s", Body: body}
			m, err := mail.Render(text, sample, shop())
			if err != nil || v.Type != mail.TypeBoolean && !strings.HasPrefix(m.Text, "told") {
				t.Errorf("%s: %s tells nothing: %q, %v", kind, v.Name, m.Text, err)
			}
		}
	}
}

// A mail that is shown by an order tells of that order, and what no order has is named and in amounts of the whole order.
//
// Rule mail-24.
func TestSampleOfAnOrderIsThatOrder(t *testing.T) {
	t.Parallel()
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	o := order.Order{
		Number: "7", Currency: "KRW", Contact: sale.Contact{Name: "Ada"}, PlacedAt: now, Subtotal: won(1234), Discount: won(0), Total: won(1234),
		Paid: won(1234), Refunded: won(0), Lines: []order.Line{{Line: sale.Line{ID: "l", Title: "Lamp", Quantity: 1, Total: won(1234)}}},
	}
	partly := o
	partly.Refunded = won(234)
	for name, c := range map[string]struct {
		kind   mail.Kind
		of     order.Order
		madeUp []string
		says   string
	}{
		"an order":           {mail.OrderPlaced, o, nil, ""},
		"a payment":          {mail.PaymentReceived, o, nil, "1,234"},
		"a parcel":           {mail.OrderShipped, o, []string{"carrier", "trackingNumber", "trackingUrl"}, "CJ"},
		"a refund":           {mail.RefundMade, partly, nil, "234"},
		"a refund to come":   {mail.RefundMade, o, []string{"refundAmount"}, "1,234"},
		"a rejected return":  {mail.ReturnRejected, o, []string{"refundAmount", "reason"}, "used"},
		"a deposit to await": {mail.PaymentWaiting, o, []string{"amountDue", "dueAt", "bank", "accountNumber", "accountHolder"}, "1,234"},
	} {
		facts, madeUp := mail.SampleOf(c.kind, c.of, "en", now)
		text, _ := mail.Default(c.kind, "en")
		m, err := mail.Render(text, facts, shop())
		if err != nil || !slices.Equal(madeUp, c.madeUp) || !strings.Contains(m.Text, c.says) {
			t.Errorf("%s: %q is made up of %q, %v", name, madeUp, m.Text, err)
		}
		for _, other := range []string{"Mug", "Alex Kim", "261128000123", "66,000", "63,000", "24,000", "Delivery address"} {
			if strings.Contains(m.Text, other) {
				t.Errorf("%s tells of %q, which the order does not have: %s", name, other, m.Text)
			}
		}
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || string(want) != got {
		t.Errorf("%s differs (go test -update writes it): %v\n%s", name, err, got)
	}
}
