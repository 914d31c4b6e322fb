package drafts_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

const scratched = `"unitPrice":9000,"discountPercent":10,"reason":"a scratch"`

func krw(n int64) money.Money { return money.Of(n, "KRW") }

// termsLine is a line of mugs with a scratch.
func (b *bed) termsLine(quantity string) string {
	return `{"lines":[{"variant":"` + b.variants["mug"] + `","quantity":` + quantity + `,"terms":{` + scratched + `}}]}`
}

// Rule drafts-16.
func TestTermsGoIntoTheOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft("", "mug")
		if status, got := b.patch(id, b.termsLine("2")); status != 200 || got.text("doc.lines.0.terms.reason") != "a scratch" {
			t.Fatalf("%d %v", status, got["raw"])
		}
		got := b.calculate(id)
		for path, want := range map[string]string{
			"subtotal": "18000", "discount": "1800", "shipping": "3000", "total": "19200", "lines.0.unitPrice": "9000",
			"lines.0.total": "16200", "lines.0.terms.catalogPrice": "12000", "lines.0.terms.discount": "1800", "lines.0.terms.reason": "a scratch",
		} {
			if got.text(path) != want {
				t.Errorf("%s: %v", path, got.at(path))
			}
		}
		status, done := b.finalize(id, key())
		if status != 201 || done.text("order.totalAmount") != "19200" || done.text("order.lines.0.unitPrice") != "9000" ||
			done.text("order.lines.0.terms.discount") != "1800" || done.text("order.lines.0.terms.reason") != "a scratch" {
			t.Errorf("%d %v", status, done["raw"])
		}
		o := order.FromRecord(b.get(order.Schema, done.text("order.id")))
		if o.Discount != krw(1800) || o.Lines[0].Total != krw(16_200) || *o.Lines[0].Terms.CatalogPrice != krw(12_000) {
			t.Errorf("%+v", o)
		}
		linked := b.draft("", "mug")
		b.patch(linked, b.termsLine("2"))
		_, link := b.link(linked, "")
		x := checkout.FromRecord(b.get(checkout.Schema, link.text("checkout.id")))
		goods, err := cart.FromRecord(b.get(cart.Schema, x.Cart))
		if err != nil || x.Totals.Total != krw(19_200) || x.Lines[0].Terms.Reason != "a scratch" || goods.Lines[0].Terms != nil {
			t.Errorf("%+v of %+v, %v", x, goods, err)
		}
	})
}

// What people may not do is refused whether a draft is made or changed; what was agreed before may stay. Rule drafts-17.
func TestTermsTakeAPermission(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		support := []string{"Authorization", "Bearer support"}
		priced := b.termsLine("2")
		if status, got := b.ask("POST", "/draft-orders", priced, support...); status != 403 {
			t.Errorf("made: %d %v", status, got["raw"])
		}
		id := b.draft("", "mug")
		if status, got := b.ask("PATCH", "/draft-orders/"+id, priced, support...); status != 403 {
			t.Errorf("changed: %d %v", status, got["raw"])
		}
		if status, got := b.ask("PATCH", "/draft-orders/"+id, priced, "Authorization", "Bearer tenant-editor"); status != 200 {
			t.Errorf("by an editor: %d %v", status, got["raw"])
		}
		if status, got := b.ask("PATCH", "/draft-orders/"+id, `{"operatorNotes":"x",`+strings.TrimPrefix(priced, "{"), support...); status != 200 {
			t.Errorf("kept: %d %v", status, got["raw"])
		}
		if status, _ := b.ask("PATCH", "/draft-orders/"+id, b.termsLine("3"), support...); status != 403 {
			t.Errorf("of more units: %d", status)
		}
		if status, got := b.ask("PATCH", "/draft-orders/"+id, `{"lines":[`+b.lines("mug")+`]}`, support...); status != 200 {
			t.Errorf("removed: %d %v", status, got["raw"])
		}
	})
}

// Rule drafts-18.
func TestDraftShipsByTheChosenPolicy(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		express := b.create(shipping.Schema, `{"title":"Express","baseFee":9000,"freeShippingThreshold":100000}`)
		id := b.draft(`,"shippingPolicy":"`+express+`"`, "mug")
		if got := b.calculate(id); got.text("shipping") != "9000" || got.text("total") != "21000" {
			t.Errorf("%v", got["raw"])
		}
		if status, got := b.finalize(id, key()); status != 201 || got.text("order.shippingAmount") != "9000" || got.text("order.shippingMethod") != "Express" {
			t.Errorf("%d %v", status, got["raw"])
		}
		dollars := b.create(shipping.Schema, `{"title":"Abroad","baseFee":9,"currency":"USD"}`)
		for _, fee := range []string{"", `,"shippingFee":500`} {
			id = b.draft(`,"shippingPolicy":"`+dollars+`"`+fee, "mug")
			if status, got := b.finalize(id, key()); status != 422 || got.reason() != "shipping_unavailable" {
				t.Errorf("%q: %d %v", fee, status, got["raw"])
			}
		}
	})
}
