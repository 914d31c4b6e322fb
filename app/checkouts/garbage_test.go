package checkouts_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/checkout"
)

// A text is stored exactly as it came, or refused naming its field; no database fails on it.
func TestCheckoutTextLimits(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		before := len(b.All(checkout.Schema))
		long := func(n int) string { return strings.Repeat("김", n) }
		address := func(member, text string) string {
			return `"email":"a@b.kr","shippingAddress":` +
				strings.Replace(`{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam","`+member+`":"`+text+`"}`,
					`"`+member+`":"Kim",`, "", 1)
		}
		for name, c := range map[string]struct{ body, field string }{
			"an email without an at":     {`"email":"kim"`, "email"},
			"an email with two":          {`"email":"a@b@c.kr"`, "email"},
			"an email with a line break": {`"email":"a@b.kr\nBcc: x@y.kr"`, "email"},
			"an email that never ends":   {`"email":"` + strings.Repeat("a", 300) + `@b.kr"`, "email"},
			"a blank email":              {`"email":"  "`, "email"},
			"an email that is a number":  {`"email":7`, "email"},
			"a zero byte in the notes":   {`"email":"a@b.kr","notes":"a\u0000b"`, ""},
			"notes without end":          {`"email":"a@b.kr","notes":"` + long(40_001) + `"`, "notes"},
			"a name without end":         {`"email":"a@b.kr","customer":{"name":"` + long(201) + `"}`, "customer.name"},
			"a zero byte in the phone":   {`"email":"a@b.kr","customer":{"phone":"\u0000"}`, ""},
			"a recipient without end":    {address("recipientName", long(256)), "shippingAddress.recipientName"},
			"a street without end":       {address("address2", long(501)), "shippingAddress.address2"},
			"a zero byte in the note":    {address("deliveryNote", `\u0000`), ""},
			"a country that is a word":   {address("country", "Korea"), "shippingAddress.country"},
			"a postal code of letters": {
				`"email":"a@b.kr","shippingAddress":{"recipientName":"Kim","postalCode":"ABCDE","address1":"Gangnam"}`,
				"shippingAddress.postalCode",
			},
			"an address that is a text":   {`"email":"a@b.kr","shippingAddress":"Seoul"`, "shippingAddress"},
			"an unknown member":           {`"email":"a@b.kr","shippingAddress":{"town":"Seoul"}`, "shippingAddress.town"},
			"a cart that is no cart":      {`"email":"a@b.kr","cartId":{}`, "cartId"},
			"a revision that is half one": {`"email":"a@b.kr","expectedRevision":1.5`, "expectedRevision"},
		} {
			body := `{"cartId":"` + b.Cart(nil, "mug") + `",` + c.body + `}`
			if strings.Contains(c.body, "cartId") {
				body = `{` + c.body + `}`
			}
			status, said := w.Ask("POST", "/server/commerce/checkouts", body, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key())
			if status != 400 || c.field == "" && said.Reason() != "malformed_request" ||
				c.field != "" && !strings.Contains(said.Text("raw"), `"`+c.field+`"`) {
				t.Errorf("%s: %d %.300s", name, status, said.Text("raw"))
			}
		}
		if after := len(b.All(checkout.Schema)); after != before {
			t.Errorf("%d checkouts were made", after-before)
		}
		for name, text := range map[string]string{
			"every script":        "김민지 Åse 😀 Ω עברית \u202e العربية",
			"quotes and markup":   `<b>'"\\"</b>; DROP TABLE checkouts; --`,
			"as much as there is": long(40_000),
		} {
			body := `{"cartId":"` + b.Cart(nil, "mug") + `","email":"Ünï.코드+tag@Example.kr","notes":` + quote(text) + `}`
			status, said := w.Ask("POST", "/server/commerce/checkouts", body, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key())
			if status != 201 || said.Text("checkout.notes") != text || said.Text("checkout.email") != "ünï.코드+tag@example.kr" {
				t.Errorf("%s: %d %.300s", name, status, said.Text("raw"))
			}
		}
	})
}

func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
