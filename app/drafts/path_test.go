package drafts_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

func TestFinalizeMakesAManualOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft(`,"discountCode":" once ","operatorNotes":"regular","customerNotes":"ring","tags":["Phone"]`, "2 mug", "course")
		if l := b.level("mug"); l.OnHand != 10 || l.Reserved != 0 || len(b.orders()) != 0 || len(b.all(order.FulfillmentOrders)) != 0 {
			t.Errorf("before finalize: %+v", l)
		}
		k := key()
		status, done := b.finalize(id, k)
		if status != 201 {
			t.Fatalf("%d %v", status, done["raw"])
		}
		for path, want := range map[string]string{
			"order.status": "pending", "order.source": "manual", "order.draftOrder": id, "order.checkout": "",
			"order.paymentStatus": "unpaid", "order.subtotal": "54000", "order.discountAmount": "5400", "order.shippingAmount": "3000",
			"order.totalAmount": "51600", "order.currency": "KRW", "order.email": "kim@example.com", "order.customerSnapshot.phone": "010",
			"order.shippingAddress.postalCode": "06000", "order.notes": "ring", "order.tags.0": "phone",
			"order.returnShippingPolicy.initialShippingRefund": "full_return_only", "order.lines.0.quantity": "2",
			"order.lines.0.unitPrice": "12000", "draftOrder.status": "finalized", "draftOrder.order": done.text("order.id"),
			"draftOrder.operatorNotes": "regular", "draftOrder.totals.total": "51600", "draftOrder.totals.shipping": "3000",
			"draftOrder.discountCode": "ONCE",
		} {
			if got := done.text(path); got != want {
				t.Errorf("%s is %q, want %q", path, got, want)
			}
		}
		if number := done.text("order.orderNumber"); len(number) != 12 || number[:6] != "260131" {
			t.Errorf("its number is %q", number)
		}
		if l := b.level("mug"); l.OnHand != 8 || l.Reserved != 0 || len(b.all(order.FulfillmentOrders)) != 2 {
			t.Errorf("afterwards: %+v", l)
		}
		status, again := b.finalize(id, k)
		if status != 201 || again["raw"] != done["raw"] || again.text("replayed") != "true" {
			t.Errorf("the same key again: %d %v", status, again["raw"])
		}
		status, other := b.finalize(id, key())
		if status != 409 || other.reason() != "draft_not_editable" || len(b.orders()) != 1 {
			t.Errorf("another key: %d %v", status, other["raw"])
		}
	})
}

func TestFreeDraftIsPaidImmediately(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		status, done := b.finalize(b.draft("", "2 gift"), key())
		if status != 201 || done.text("order.status") != "paid" || done.text("order.paymentStatus") != "paid" ||
			done.text("order.totalAmount") != "0" || b.level("gift").OnHand != 3 {
			t.Errorf("%d %v", status, done["raw"])
		}
		if len(b.all(payment.Transactions)) != 0 {
			t.Error("nobody paid anything")
		}
		status, done = b.finalize(b.draft(`,"shippingFee":0,"discountCode":"ONCE"`, "mug"), key())
		if status != 201 || done.text("order.status") != "pending" || done.text("order.shippingAmount") != "0" {
			t.Errorf("%d %v", status, done["raw"])
		}
	})
}

func TestDraftShipping(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for name, c := range map[string]struct {
			more  string
			goods string
			want  string
		}{
			"by the shop's policy":              {"", "mug", "3000"},
			"as the operator says":              {`,"shippingFee":700`, "mug", "700"},
			"free by a code":                    {`,"discountCode":"FREE"`, "mug", "0"},
			"as the operator says, code or not": {`,"discountCode":"FREE","shippingFee":700`, "mug", "700"},
			"nothing ships":                     {`,"shippingFee":700`, "course", "0"},
		} {
			id := b.draft(c.more, c.goods)
			if got := b.calculate(id); got.text("shipping") != c.want {
				t.Errorf("%s: calculate says %v", name, got["raw"])
			}
			if status, done := b.finalize(id, key()); status != 201 || done.text("order.shippingAmount") != c.want ||
				done.text("draftOrder.totals.shipping") != c.want {
				t.Errorf("%s: %d %v", name, status, done["raw"])
			}
		}
	})
}

func TestCalculateAndFinalizeAgree(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for _, more := range []string{"", `,"discountCode":"TEN"`, `,"shippingFee":1,"discountCode":"TEN"`} {
			id := b.draft(more, "mug", "lamp", "2 mug", "course")
			preview := b.calculate(id)
			status, done := b.finalize(id, key())
			if status != 201 {
				t.Fatalf("%d %v", status, done["raw"])
			}
			for a, o := range map[string]string{
				"subtotal": "subtotal", "discount": "discountAmount", "shipping": "shippingAmount", "total": "totalAmount",
			} {
				if preview.text(a) != done.text("order."+o) {
					t.Errorf("%s: %s is %s, then %s", more, a, preview.text(a), done.text("order."+o))
				}
			}
			for _, line := range []string{"0", "1", "2", "3"} {
				if preview.text("lines."+line+".total") != done.text("order.lines."+line+".total") {
					t.Errorf("line %s: %v, then %v", line, preview.at("lines."+line), done.at("order.lines."+line))
				}
			}
		}
	})
}

func TestCalculateReportsBlockers(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft(`,"discountCode":"nope"`, "6 mug", "course", "6 mug", "lamp")
		b.ask("PATCH", "/products/"+b.products["lamp"], `{"status":"draft"}`, owner...)
		got := b.calculate(id)
		for path, want := range map[string]string{
			"currency": "KRW", "subtotal": "174000", "total": "177000", "discountCode.code": "NOPE", "discountCode.valid": "false",
			"discountCode.reason": "discount_not_found", "lines.0.available": "false", "lines.0.reason": "out_of_stock",
			"lines.0.unitPrice": "12000", "lines.0.total": "72000", "lines.1.available": "true", "lines.1.reason": "",
			"lines.3.available": "false", "lines.3.reason": "variant_unavailable", "lines.3.unitPrice": "",
			"unavailable.0.variant": b.variants["mug"], "unavailable.0.requested": "12", "unavailable.0.available": "10",
			"unavailable.0.line":    got.text("lines.0.id"),
			"unavailable.2.variant": b.variants["lamp"], "unavailable.2.reason": "variant_unavailable", "unavailable.2.available": "0",
		} {
			if got.text(path) != want {
				t.Errorf("%s is %q, want %q", path, got.text(path), want)
			}
		}
		if lacks, _ := got.at("unavailable").([]any); len(lacks) != 3 {
			t.Errorf("%v", lacks)
		}
		if got := b.calculate(b.draft("")); got.text("total") != "0" || got.text("shipping") != "0" || got.at("discountCode") != nil {
			t.Errorf("an empty draft: %v", got["raw"])
		}
	})
}

func TestCalculateExplainsItself(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft(`,"discountCode":"TEN"`, "2 mug")
		status, got := b.ask("POST", "/draft-orders/"+id+"/calculate", `{"explain":true}`, owner...)
		if status != 200 || got.text("explanation.totals.total") != "24600" || got.text("explanation.shipping.total") != "3000" ||
			got.text("explanation.discountCodes.0.code") != "TEN" {
			t.Errorf("%d %v", status, got["raw"])
		}
		if plain := b.calculate(id); plain.at("explanation") != nil {
			t.Errorf("nobody asked: %v", plain["raw"])
		}
	})
}

func TestCancelingADraftOrderRestoresStockAndCodes(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		status, done := b.finalize(b.draft(`,"discountCode":"ONCE"`, "3 mug"), key())
		if status != 201 || b.level("mug").OnHand != 7 {
			t.Fatalf("%d %v", status, done["raw"])
		}
		used := b.draft(`,"discountCode":"ONCE"`, "mug")
		if status, got := b.finalize(used, key()); status != 422 || got.reason() != "discount_usage_limit" {
			t.Errorf("the code is used up: %d %v", status, got["raw"])
		}
		status, canceled := b.ask("POST", "/orders/"+done.text("order.id")+"/cancel",
			`{"reason":"Ordered twice"}`, append(owner, "Idempotency-Key", key())...)
		if status != 200 || canceled.text("order.status") != "canceled" || canceled.text("order.paymentStatus") != "unpaid" ||
			b.level("mug").OnHand != 10 {
			t.Errorf("%d %v %+v", status, canceled["raw"], b.level("mug"))
		}
		for _, f := range b.all(order.FulfillmentOrders) {
			if f.Text("status") != "canceled" {
				t.Errorf("%v", f)
			}
		}
		if status, got := b.finalize(used, key()); status != 201 {
			t.Errorf("its use was given back: %d %v", status, got["raw"])
		}
		if r := b.get(draft.Schema, done.text("draftOrder.id")); r.Text("status") != "finalized" {
			t.Errorf("the draft stays what it became: %v", r)
		}
	})
}

func TestCustomerRecordFillsMissingBuyerFields(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		status, who := b.ask("POST", "/customers", `{"email":"lee@example.com","name":"Lee","phone":"011"}`, owner...)
		if status != 201 {
			t.Fatalf("%d %v", status, who["raw"])
		}
		id := b.draft(`,"customer":"`+who.text("doc.id")+`"`, "course")
		if status, got := b.patch(id, `{"customerSnapshot":{"email":null,"name":"Lee at work","phone":null}}`); status != 200 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		status, done := b.finalize(id, key())
		if status != 201 || done.text("order.customer") != who.text("doc.id") || done.text("order.email") != "lee@example.com" ||
			done.text("order.customerSnapshot.name") != "Lee at work" || done.text("order.customerSnapshot.phone") != "011" {
			t.Errorf("%d %v", status, done["raw"])
		}
	})
}

func TestEveryChangeEmitsAnEvent(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft("", "mug")
		_, _ = b.patch(id, `{"operatorNotes":"regular"}`)
		if status, got := b.finalize(id, key()); status != 201 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		discarded := b.draft("", "mug")
		if status, got := b.ask("POST", "/draft-orders/"+discarded+"/discard", "", owner...); status != 200 ||
			got.text("draftOrder.status") != "discarded" {
			t.Errorf("%d %v", status, got["raw"])
		}
		if n := b.get(draft.Schema, id).Sequence(); n != 3 {
			t.Errorf("%d events of the draft", n)
		}
		if n := b.get(draft.Schema, discarded).Sequence(); n != 2 {
			t.Errorf("%d events of the discarded one", n)
		}
		if all := b.all(draft.Schema); !slices.ContainsFunc(all, func(r collection.Record) bool {
			return r.Text("status") == "discarded"
		}) {
			t.Error("a discarded draft stays readable")
		}
	})
}
