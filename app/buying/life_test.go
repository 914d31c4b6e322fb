package buying_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// of is a checkout of an existing cart, made by the shop's server.
func (b *bed) of(cartID string) said {
	b.t.Helper()
	return b.must(b.Create(b.t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(cartID)))
}

func (b *bed) release(session said) {
	b.t.Helper()
	b.must(b.Release(b.t.Context(), b.server(key(), "paymentSessions.release", ""), session.text("paymentSession.id"), "The shopper called."))
}

// counts is how many checkouts of the shop have a status, as lists count them now.
func (b *bed) counts(status string) int64 {
	b.t.Helper()
	page, err := b.store.Read(ports.Of(b.shop.ID)).Find(b.t.Context(), collection.Query{
		Schema: checkout.Schema, Environment: "test", Now: b.now(), Limit: 10, Page: 1, Where: checkout.Schema.Where("status", collection.Equals, status),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return page.TotalDocs
}

func TestWhatACheckoutAnswersInEveryStatus(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := newWeb(b)
		union := func(name, id, status string, members ...string) {
			t.Helper()
			_, got := w.ask("GET", "/server/commerce/checkouts/"+id, "", "X-API-Key", "sk")
			delete(got, "raw")
			delete(got, "replayed")
			want := append([]string{"checkout", "status"}, members...)
			if is := slices.Sorted(maps.Keys(got)); !slices.Equal(is, slices.Sorted(slices.Values(want))) || got.text("status") != status || got.text("checkout.status") != status {
				t.Errorf("%s: %v", name, got)
			}
		}
		opened := b.checkout("mug")
		union("open", opened.text("checkout.id"), "open")
		b.advance(checkout.Lifetime)
		union("expired by the clock", opened.text("checkout.id"), "expired")
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		union("expired and written down", opened.text("checkout.id"), "expired")

		held := b.checkout("mug")
		session := b.pay(held.text("checkout.id"))
		union("pending", held.text("checkout.id"), "payment_pending", "paymentSession")
		b.advance(checkout.Lifetime)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		union("pending after its time", held.text("checkout.id"), "payment_pending", "paymentSession")
		a, err := b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(held.text("checkout.cart")))
		refused(t, "a second checkout beside a held slot", a, err, payment.ErrSlotHeld)
		if a.Fault == nil || a.Fault.Data["paymentSessionId"] != session.text("paymentSession.id") {
			t.Errorf("the holder is not named: %+v", a.Fault)
		}
		b.must(b.confirm(session, b.approve(session, "approve")))
		union("completed", held.text("checkout.id"), "completed", "order")

		old, newer, _ := b.superseded()
		union("in need of a person", old.text("checkout.id"), "requires_attention", "reason")
		third := b.of(newer.text("checkout.cart"))
		union("superseded", newer.text("checkout.id"), "canceled")
		if r := b.get(checkout.Schema, newer.text("checkout.id")); r.Text("supersededBy") != third.text("checkout.id") {
			t.Errorf("%v", r)
		}
	})
}

func TestExpiryMeansTheSameBeforeAndAfterItIsWrittenDown(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		for range 3 {
			b.checkout("mug")
		}
		b.pay(b.checkout("mug").text("checkout.id"))
		before := map[string]int64{"open": 0, "expired": 3, "payment_pending": 1}
		if b.counts("open") != 3 || b.counts("expired") != 0 {
			t.Error(b.counts("open"), b.counts("expired"))
		}
		b.advance(checkout.Lifetime - time.Millisecond)
		if b.counts("open") != 3 {
			t.Error("they expired early")
		}
		b.advance(time.Millisecond)
		for _, how := range []string{"by the clock", "written down"} {
			for status, want := range before {
				if got := b.counts(status); got != want {
					t.Errorf("%s: %d are %s", how, got, status)
				}
			}
			b.Sweep(t.Context(), ports.Of(b.shop.ID))
		}
	})
}

func TestWhenACheckoutCanBeChanged(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		ctx := t.Context()
		change := func(id string) (once.Answer, error) {
			return b.Update(ctx, b.server(key(), "checkouts.update", ""), buying.CheckoutUpdate{Checkout: id, Email: " Lee@Example.com "})
		}
		opened := b.checkout("2 mug")
		id := opened.text("checkout.id")
		changed := b.must(change(id))
		if changed.text("checkout.email") != "lee@example.com" || changed.text("checkout.customerSnapshot.name") != "Kim" || changed.text("checkout.totals.total") != opened.text("checkout.totals.total") || changed.text("checkout.expiresAt") != opened.text("checkout.expiresAt") {
			t.Errorf("%v", changed)
		}
		w := newWeb(b)
		for name, body := range map[string]string{
			"no email": `{"email":""}`, "a blank one": `{"email":" "}`, "no address": `{"email":"kim"}`, "half a way": `{"shippingAddress":{"postalCode":"06000"}}`,
			"another cart": `{"cartId":"` + shops.NewID() + `"}`, "notes": `{"notes":"x"}`, "a total": `{"totals":{"total":1}}`, "lines": `{"lines":[]}`, "a list": `[]`,
		} {
			if status, said := w.ask("PATCH", "/server/commerce/checkouts/"+id, body, "X-API-Key", "sk", "Idempotency-Key", key()); status != 400 {
				t.Errorf("%s: %d %v", name, status, said)
			}
		}
		if status, said := w.ask("PATCH", "/server/commerce/checkouts/"+id, `{"email":"a@b.kr"}`, "X-API-Key", "sk"); said.reason() != "idempotency_key_required" {
			t.Errorf("without a key: %d %v", status, said)
		}
		session := b.pay(id)
		a, err := change(id)
		refused(t, "while it is paid", a, err, payment.ErrSlotHeld)
		if a.Fault == nil || a.Fault.Data["paymentSessionId"] != session.text("paymentSession.id") {
			t.Errorf("the holder is not named: %+v", a.Fault)
		}
		b.release(session)
		b.must(change(id))
		b.of(opened.text("checkout.cart"))
		a, err = change(id)
		refused(t, "once superseded", a, err, checkout.ErrNotOpen)
		old := b.checkout("mug").text("checkout.id")
		b.advance(checkout.Lifetime)
		a, err = change(old)
		refused(t, "after its time", a, err, checkout.ErrExpired)
		b.Sweep(ctx, ports.Of(b.shop.ID))
		a, err = change(old)
		refused(t, "once that is written down", a, err, checkout.ErrExpired)
	})
}

func TestWhatCannotBeCompleted(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		complete := func(id string) (once.Answer, error) {
			return b.Complete(t.Context(), b.server(key(), "checkouts.complete", ""), id)
		}
		old := b.checkout("gift")
		b.of(old.text("checkout.cart"))
		a, err := complete(old.text("checkout.id"))
		refused(t, "a superseded one", a, err, checkout.ErrNotOpen)
		short := b.checkout("4 gift")
		b.must(complete(b.checkout("3 gift").text("checkout.id")))
		a, err = complete(short.text("checkout.id"))
		refused(t, "goods that are gone", a, err, ports.ErrShort)
		if l := b.level("gift"); l.OnHand != 2 || len(b.all(order.Schema)) != 1 {
			t.Errorf("%+v", l)
		}
		late := b.checkout("gift")
		b.advance(checkout.Lifetime)
		a, err = complete(late.text("checkout.id"))
		refused(t, "an expired one", a, err, checkout.ErrExpired)
		a, err = complete(shops.NewID())
		refused(t, "none", a, err, ports.ErrAbsent)
	})
}

// used is how many uses of a code count now, promised ones with placed ones.
func (b *bed) used(code string) (n int64) {
	b.t.Helper()
	b.atomically(func(ctx context.Context, tx ports.Tx) error {
		page, err := tx.Records.Find(ctx, collection.Query{Schema: discount.Schema, Limit: 1, Page: 1, Where: discount.Schema.Where("code", collection.Equals, code)})
		if err != nil {
			return err
		}
		all, _, err := tx.Uses.Counts(ctx, tenant.Test, []string{page.Docs[0].ID()}, "")
		n = all[page.Docs[0].ID()]
		return err
	})
	return n
}

func TestGoodsAndCodesArePromisedTogether(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		promised := func(when string, goods, uses int64) {
			t.Helper()
			if l := b.level("mug"); l.Reserved != goods || b.used("ONCE") != uses {
				t.Errorf("%s: %d goods and %d uses are promised", when, l.Reserved, b.used("ONCE"))
			}
		}
		first, second := b.of(b.cart([]string{"ONCE"}, "2 mug")), b.of(b.cart([]string{"ONCE"}, "3 mug"))
		promised("checked out", 0, 0)
		paying := b.pay(first.text("checkout.id"))
		promised("while one is paid", 2, 1)
		a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(second.text("checkout.id")))
		refused(t, "a code that is promised", a, err, ports.ErrUsedUp)
		promised("after a refusal", 2, 1)
		b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), paying.text("paymentSession.id")))
		promised("canceled", 0, 0)
		b.pay(second.text("checkout.id"))
		promised("by the other", 3, 1)
		b.advance(time.Hour)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		promised("after an hour", 0, 0)
		again := b.pay(second.text("checkout.id"))
		promised("retried", 3, 1)
		b.must(b.confirm(again, b.approve(again, "approve")))
		promised("sold", 0, 1)
	})
}

// The token is the right to the checkout, whatever becomes of its payments; it stands in nothing that others see.
func TestTheTokenOutlivesEverySession(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := newWeb(b)
		opened := b.checkout("mug")
		id, token := opened.text("checkout.id"), opened.text("checkoutToken")
		shopper := func() []string {
			return []string{"X-Client-Key", "pk", "X-Checkout-Token", token, "Idempotency-Key", key()}
		}
		look := func(when, status string) {
			t.Helper()
			code, got := w.ask("GET", "/commerce/checkouts/"+id, "", shopper()...)
			if code != 200 || got.text("status") != status || strings.Contains(got.text("raw"), token) {
				t.Errorf("%s: %d %v", when, code, got)
			}
		}
		pay := func() said {
			t.Helper()
			code, got := w.ask("POST", "/commerce/payment-sessions", `{"checkoutId":"`+id+`","successUrl":"https://shop.example/ok","failUrl":"https://shop.example/no"}`, shopper()...)
			if code/100 != 2 || strings.Contains(got.text("raw"), token) {
				t.Fatalf("%d %v", code, got)
			}
			return got
		}
		first := pay()
		b.approve(first, "decline")
		b.settled(first)
		look("declined", "payment_pending")
		if code, got := w.ask("POST", "/commerce/payment-sessions/"+first.text("paymentSession.id")+"/cancel", "{}", shopper()...); code != 200 || strings.Contains(got.text("raw"), token) {
			t.Errorf("%d %v", code, got)
		}
		look("canceled", "open")
		b.release(pay())
		look("released", "open")
		last := pay()
		b.must(b.confirm(last, b.approve(last, "approve")))
		look("paid", "completed")
		for _, path := range []string{"?checkoutToken=", "?token=", "?X-Checkout-Token=", "?x-checkout-token="} {
			if code, got := w.ask("GET", "/commerce/checkouts/"+id+path+token, "", "X-Client-Key", "pk"); code != 401 {
				t.Errorf("a token in the address: %d %v", code, got)
			}
		}
		for _, s := range []*collection.Schema{checkout.Schema, payment.Sessions, payment.Transactions, order.Schema} {
			for _, r := range b.all(s) {
				if text := string(collection.AppendJSON(nil, s, r, collection.View{Audience: collection.Staff})); strings.Contains(text, token) || strings.Contains(text, once.HashText(token)) {
					t.Errorf("%s shows the token: %s", s.Slug, text)
				}
			}
		}
	})
}
