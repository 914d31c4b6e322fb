package checkouts_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// counts is how many checkouts of the tenant have a status, as lists count them.
func (b *bed) counts(status string) int64 {
	b.T.Helper()
	page, err := b.Store.Read(ports.ForTenant(b.Shop.ID)).Find(b.T.Context(), collection.Query{
		Schema: checkout.Schema, Environment: "test", Now: b.Now(), Limit: 10, Page: 1,
		Where: checkout.Schema.Where("status", collection.Equals, status),
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return page.TotalDocs
}

// A page that has the token of a checkout and nothing else is shown the checkout; any other token, key or environment is
// told that there is none.
func TestTokenAloneShowsItsCheckout(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		opened, other := b.Checkout("mug"), b.Checkout("mug")
		token := opened.Text("checkoutToken")
		ask := func(headers ...string) (int, string) {
			t.Helper()
			status, got := w.Ask("GET", "/commerce/checkouts/by-token", "", headers...)
			return status, got.Text("checkout.id")
		}
		if status, id := ask("X-Client-Key", "pk", "X-Checkout-Token", token); status != 200 || id != opened.Text("checkout.id") {
			t.Errorf("%d %s", status, id)
		}
		if _, id := ask("X-Client-Key", "pk", "X-Checkout-Token", other.Text("checkoutToken")); id != other.Text("checkout.id") {
			t.Errorf("the other checkout is %s", id)
		}
		if status, _ := ask("X-Client-Key", "pk"); status != 401 {
			t.Errorf("without a token: %d", status)
		}
		for name, headers := range map[string][]string{
			"an unknown token":      {"X-Client-Key", "pk", "X-Checkout-Token", token + "x"},
			"the hash of a token":   {"X-Client-Key", "pk", "X-Checkout-Token", idempotency.HashToken(token)},
			"the other environment": {"X-Client-Key", "pk_live", "X-Checkout-Token", token},
			"another shop":          {"X-Client-Key", "pk_stranger", "X-Checkout-Token", token},
		} {
			if status, id := ask(headers...); status != 404 || id != "" {
				t.Errorf("%s: %d %s", name, status, id)
			}
		}
	})
}

func TestRetrieveCheckoutInEveryStatus(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		union := func(name, id, status string, members ...string) {
			t.Helper()
			_, got := w.Ask("GET", "/server/commerce/checkouts/"+id, "", "X-API-Key", "sk")
			delete(got, "raw")
			delete(got, "replayed")
			want := append([]string{"checkout", "status"}, members...)
			if is := slices.Sorted(maps.Keys(got)); !slices.Equal(is, slices.Sorted(slices.Values(want))) || got.Text("status") != status ||
				got.Text("checkout.status") != status {
				t.Errorf("%s: %v", name, got)
			}
		}
		opened := b.Checkout("mug")
		union("open", opened.Text("checkout.id"), "open")
		b.Advance(checkout.Lifetime)
		union("expired by the clock", opened.Text("checkout.id"), "expired")
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		union("expired and written down", opened.Text("checkout.id"), "expired")

		held := b.Checkout("mug")
		session := b.Pay(held.Text("checkout.id"))
		union("pending", held.Text("checkout.id"), "payment_pending", "paymentSession")
		b.Advance(checkout.Lifetime)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		union("pending after its time", held.Text("checkout.id"), "payment_pending", "paymentSession")
		a, err := b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(held.Text("checkout.cart")))
		paymentbed.Refused(t, "a second checkout beside a held slot", a, err, payment.ErrSlotHeld)
		if a.Fault == nil || a.Fault.Data["paymentSessionId"] != session.Text("paymentSession.id") {
			t.Errorf("the holder is not named: %+v", a.Fault)
		}
		b.Must(b.Confirm(session, b.Approve(session, "approve")))
		union("completed", held.Text("checkout.id"), "completed", "order")

		old, newer, _ := b.Superseded()
		union("in need of a person", old.Text("checkout.id"), "requires_attention", "reason")
		third := b.CheckoutOf(newer.Text("checkout.cart"))
		union("superseded", newer.Text("checkout.id"), "canceled")
		if r := b.Get(checkout.Schema, newer.Text("checkout.id")); r.Text("supersededBy") != third.Text("checkout.id") {
			t.Errorf("%v", r)
		}
	})
}

func TestExpiryAppliesBeforeItIsStored(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for range 3 {
			b.Checkout("mug")
		}
		b.Pay(b.Checkout("mug").Text("checkout.id"))
		before := map[string]int64{"open": 0, "expired": 3, "payment_pending": 1}
		if b.counts("open") != 3 || b.counts("expired") != 0 {
			t.Error(b.counts("open"), b.counts("expired"))
		}
		b.Advance(checkout.Lifetime - time.Millisecond)
		if b.counts("open") != 3 {
			t.Error("they expired early")
		}
		b.Advance(time.Millisecond)
		for _, how := range []string{"by the clock", "written down"} {
			for status, want := range before {
				if got := b.counts(status); got != want {
					t.Errorf("%s: %d are %s", how, got, status)
				}
			}
			b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		}
	})
}

func TestUpdateCheckoutByStatus(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ctx := t.Context()
		change := func(id string) (idempotency.Response, error) {
			return b.Checkouts.Update(ctx, b.Server(paymentbed.Key(), "checkouts.update", ""),
				checkouts.UpdateInput{Checkout: id, Email: " Lee@Example.com "})
		}
		opened := b.Checkout("2 mug")
		id := opened.Text("checkout.id")
		changed := b.Must(change(id))
		if changed.Text("checkout.email") != "lee@example.com" || changed.Text("checkout.customerSnapshot.name") != "Kim" ||
			changed.Text("checkout.totals.total") != opened.Text("checkout.totals.total") ||
			changed.Text("checkout.expiresAt") != opened.Text("checkout.expiresAt") {
			t.Errorf("%v", changed)
		}
		w := paymentbed.NewWeb(b.Bed)
		for name, body := range map[string]string{
			"no email": `{"email":""}`, "a blank one": `{"email":" "}`, "no address": `{"email":"kim"}`,
			"half a way": `{"shippingAddress":{"postalCode":"06000"}}`, "another cart": `{"cartId":"` + shops.NewID() + `"}`,
			"notes": `{"notes":"x"}`, "a total": `{"totals":{"total":1}}`, "lines": `{"lines":[]}`, "a list": `[]`,
		} {
			if status, said := w.Ask("PATCH", "/server/commerce/checkouts/"+id,
				body, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key()); status != 400 {
				t.Errorf("%s: %d %v", name, status, said)
			}
		}
		if status, said := w.Ask("PATCH", "/server/commerce/checkouts/"+id,
			`{"email":"a@b.kr"}`, "X-API-Key", "sk"); said.Reason() != "idempotency_key_required" {
			t.Errorf("without a key: %d %v", status, said)
		}
		session := b.Pay(id)
		a, err := change(id)
		paymentbed.Refused(t, "while it is paid", a, err, payment.ErrSlotHeld)
		if a.Fault == nil || a.Fault.Data["paymentSessionId"] != session.Text("paymentSession.id") {
			t.Errorf("the holder is not named: %+v", a.Fault)
		}
		b.Release(session)
		b.Must(change(id))
		b.CheckoutOf(opened.Text("checkout.cart"))
		a, err = change(id)
		paymentbed.Refused(t, "once superseded", a, err, checkout.ErrNotOpen)
		old := b.Checkout("mug").Text("checkout.id")
		b.Advance(checkout.Lifetime)
		a, err = change(old)
		paymentbed.Refused(t, "after its time", a, err, checkout.ErrExpired)
		b.Poller.PollOnce(ctx, ports.ForTenant(b.Shop.ID))
		a, err = change(old)
		paymentbed.Refused(t, "once that is written down", a, err, checkout.ErrExpired)
	})
}

func TestCompleteRefusals(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		complete := func(id string) (idempotency.Response, error) {
			return b.Checkouts.CompleteFree(t.Context(), b.Server(paymentbed.Key(), "checkouts.complete", ""), id)
		}
		old := b.Checkout("gift")
		b.CheckoutOf(old.Text("checkout.cart"))
		a, err := complete(old.Text("checkout.id"))
		paymentbed.Refused(t, "a superseded one", a, err, checkout.ErrNotOpen)
		short := b.Checkout("4 gift")
		b.Must(complete(b.Checkout("3 gift").Text("checkout.id")))
		a, err = complete(short.Text("checkout.id"))
		paymentbed.Refused(t, "goods that are gone", a, err, ports.ErrOutOfStock)
		if l := b.Level("gift"); l.OnHand != 2 || len(b.All(order.Schema)) != 1 {
			t.Errorf("%+v", l)
		}
		late := b.Checkout("gift")
		b.Advance(checkout.Lifetime)
		a, err = complete(late.Text("checkout.id"))
		paymentbed.Refused(t, "an expired one", a, err, checkout.ErrExpired)
		a, err = complete(shops.NewID())
		paymentbed.Refused(t, "none", a, err, ports.ErrNotFound)
	})
}

// used is how many uses of a code count, reserved and redeemed ones.
func (b *bed) used(code string) (n int64) {
	b.T.Helper()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		page, err := tx.Records.Find(ctx, collection.Query{
			Schema: discount.Schema, Limit: 1, Page: 1, Where: discount.Schema.Where("code", collection.Equals, code),
		})
		if err != nil {
			return err
		}
		all, _, err := tx.DiscountUses.Counts(ctx, tenant.Test, []string{page.Docs[0].ID()}, "")
		n = all[page.Docs[0].ID()]
		return err
	})
	return n
}

func TestStockAndCodesAreReservedTogether(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		promised := func(when string, goods, uses int64) {
			t.Helper()
			if l := b.Level("mug"); l.Reserved != goods || b.used("ONCE") != uses {
				t.Errorf("%s: %d units and %d uses are reserved", when, l.Reserved, b.used("ONCE"))
			}
		}
		first, second := b.CheckoutOf(b.Cart([]string{"ONCE"}, "2 mug")), b.CheckoutOf(b.Cart([]string{"ONCE"}, "3 mug"))
		promised("checked out", 0, 0)
		paying := b.Pay(first.Text("checkout.id"))
		promised("while one is paid", 2, 1)
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(second.Text("checkout.id")))
		paymentbed.Refused(t, "a code that is promised", a, err, ports.ErrDiscountUsageLimit)
		promised("after a refusal", 2, 1)
		b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			paying.Text("paymentSession.id")))
		promised("canceled", 0, 0)
		b.Pay(second.Text("checkout.id"))
		promised("by the other", 3, 1)
		b.Advance(time.Hour)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		promised("after an hour", 0, 0)
		again := b.Pay(second.Text("checkout.id"))
		promised("retried", 3, 1)
		b.Must(b.Confirm(again, b.Approve(again, "approve")))
		promised("sold", 0, 1)
	})
}

// A checkout token stays valid whatever happens to the payments, and appears in no answer that others can read.
func TestCheckoutTokenOutlivesSessions(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		opened := b.Checkout("mug")
		id, token := opened.Text("checkout.id"), opened.Text("checkoutToken")
		shopper := func() []string {
			return []string{"X-Client-Key", "pk", "X-Checkout-Token", token, "Idempotency-Key", paymentbed.Key()}
		}
		look := func(when, status string) {
			t.Helper()
			code, got := w.Ask("GET", "/commerce/checkouts/"+id, "", shopper()...)
			if code != 200 || got.Text("status") != status || strings.Contains(got.Text("raw"), token) {
				t.Errorf("%s: %d %v", when, code, got)
			}
		}
		pay := func() paymentbed.Answer {
			t.Helper()
			code, got := w.Ask("POST", "/commerce/payment-sessions",
				`{"checkoutId":"`+id+`","successUrl":"https://shop.example/ok","failUrl":"https://shop.example/no"}`, shopper()...)
			if code/100 != 2 || strings.Contains(got.Text("raw"), token) {
				t.Fatalf("%d %v", code, got)
			}
			return got
		}
		first := pay()
		b.Approve(first, "decline")
		b.SettleSession(first)
		look("declined", "payment_pending")
		if code, got := w.Ask("POST", "/commerce/payment-sessions/"+first.Text("paymentSession.id")+"/cancel", "{}", shopper()...); code != 200 ||
			strings.Contains(got.Text("raw"), token) {
			t.Errorf("%d %v", code, got)
		}
		look("canceled", "open")
		b.Release(pay())
		look("released", "open")
		last := pay()
		b.Must(b.Confirm(last, b.Approve(last, "approve")))
		look("paid", "completed")
		for _, path := range []string{"?checkoutToken=", "?token=", "?X-Checkout-Token=", "?x-checkout-token="} {
			if code, got := w.Ask("GET", "/commerce/checkouts/"+id+path+token, "", "X-Client-Key", "pk"); code != 401 {
				t.Errorf("a token in the address: %d %v", code, got)
			}
		}
		for _, s := range []*collection.Schema{checkout.Schema, payment.Sessions, payment.Transactions, order.Schema} {
			for _, r := range b.All(s) {
				if text := string(collection.AppendJSON(nil, s, r, collection.View{Audience: collection.Staff})); strings.Contains(text, token) ||
					strings.Contains(text, idempotency.HashToken(token)) {
					t.Errorf("%s shows the token: %s", s.Slug, text)
				}
			}
		}
	})
}
