package drafts_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/ports"
)

// link makes a payment link.
func (b *bed) link(id, body string, headers ...string) (int, jsonAnswer) {
	b.t.Helper()
	return b.ask("POST", "/draft-orders/"+id+"/payment-link", body, slices.Concat(owner, headers)...)
}

func TestPaymentLinkFreezesTheDraft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft(`,"discountCode":"TEN"`, "2 mug", "1 lamp")
		status, a := b.link(id, `{"days":30}`)
		if status != 201 || a.text("draftOrder.status") != "awaiting_payment" || a.text("draftOrder.paymentLink.checkout") != a.text("checkout.id") {
			t.Fatal(status, a)
		}
		x := checkout.FromRecord(b.get(checkout.Schema, a.text("checkout.id")))
		if x.TokenHash != idempotency.HashToken(a.text("checkoutToken")) || x.Draft != id || !x.ExpiresAt.Equal(start.AddDate(0, 0, 30)) ||
			len(x.Lines) != 2 || x.Status != checkout.Open {
			t.Errorf("%+v", x)
		}
		goods, err := cart.FromRecord(b.get(cart.Schema, x.Cart))
		if err != nil || goods.Totals.Total != x.Totals.Total.Minus(*x.Totals.Shipping) || goods.TokenHash != "" || goods.Customer != "" {
			t.Errorf("%+v %v", goods, err)
		}
		if len(b.orders()) != 0 || b.level("mug").OnHand != 10 || b.level("mug").Reserved != 0 {
			t.Error("something was taken")
		}
		if status, a := b.patch(id, `{"customerNotes":"later"}`); status != 409 || a.text("errors.0.extensions.reason") != draft.ErrAwaitsPayment.Reason {
			t.Error(status, a)
		}
	})
}

func TestPaymentLinkNeedsWhatAnOrderNeeds(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for name, c := range map[string]struct{ id, body, reason string }{
			"nothing to pay": {b.draft("", "1 gift"), "", "payment_not_required"},
			"no days":        {b.draft("", "1 mug"), `{"days":0}`, "validation_failed"},
			"too many days":  {b.draft("", "1 mug"), `{"days":31}`, "validation_failed"},
			"too few goods":  {b.draft("", "11 mug"), "", "out_of_stock"},
			"no lines":       {b.draft(""), "", "draft_empty"},
		} {
			if status, a := b.link(c.id, c.body); a.text("errors.0.extensions.reason") != c.reason {
				t.Errorf("%s: %d %v", name, status, a)
			}
			if b.get(draft.Schema, c.id).Text("status") != string(draft.Open) {
				t.Errorf("%s: the draft changed", name)
			}
		}
	})
}

func TestPaymentLinkIsOneAndTheSame(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft("", "2 mug")
		var mu sync.Mutex
		tokens := map[string]int{}
		shops.Concurrently(16, func(i int) {
			var headers []string
			if i%2 == 0 {
				headers = []string{"Idempotency-Key", key()}
			}
			status, a := b.link(id, "", headers...)
			mu.Lock()
			defer mu.Unlock()
			if status/100 == 2 {
				tokens[a.text("checkoutToken")]++
			}
		})
		if len(tokens) != 1 || len(b.all(checkout.Schema)) != 1 || len(b.all(cart.Schema)) != 1 {
			t.Errorf("%v", tokens)
		}
		k := key()
		_, first := b.link(id, "", "Idempotency-Key", k)
		if status, again := b.link(id, "", "Idempotency-Key", k); status != 200 || again.text("checkoutToken") != first.text("checkoutToken") ||
			tokens[again.text("checkoutToken")] == 0 {
			t.Error(status, again)
		}
	})
}

func TestRevokedLinkIsOver(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft("", "2 mug")
		revoke := func() (int, jsonAnswer) {
			return b.ask("POST", "/draft-orders/"+id+"/payment-link/revoke", "", owner...)
		}
		if status, a := revoke(); status != 409 || a.text("errors.0.extensions.reason") != draft.ErrNoPaymentLink.Reason {
			t.Error(status, a)
		}
		_, first := b.link(id, "")
		if status, a := revoke(); status != 200 || a.text("draftOrder.status") != "draft" || a.at("draftOrder.paymentLink.checkout") != nil {
			t.Error(status, a)
		}
		if x := checkout.FromRecord(b.get(checkout.Schema, first.text("checkout.id"))); x.Status != checkout.Canceled || x.IsLive() {
			t.Errorf("%+v", x)
		}
		if status, a := b.link(id, ""); status != 201 || a.text("checkoutToken") == first.text("checkoutToken") {
			t.Error(status, a)
		}
	})
}

// Rule drafts-14: who asks again after the link is over gets one that can be paid, once, however many ask.
func TestExpiredLinkMakesWayForANewOne(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.draft("", "2 mug")
		_, first := b.link(id, "")
		old := first.text("checkout.id")
		b.atomically(func(ctx context.Context, tx ports.Tx) error {
			x, d := b.get(checkout.Schema, old), b.get(draft.Schema, id)
			late, stale := x.Clone(), d.Clone()
			over := start.Add(-time.Hour)
			late["expiresAt"], stale["paymentLink"] = over, d.Group("paymentLink").Clone()
			stale.Group("paymentLink")["expiresAt"] = over
			return tx.Records.Write(ctx, collection.NewChange(checkout.Schema, x, late, shops.NewID(), start),
				collection.NewChange(draft.Schema, d, stale, shops.NewID(), start))
		})
		var mu sync.Mutex
		tokens := map[string]int{}
		shops.Concurrently(8, func(int) {
			status, a := b.link(id, `{"days":3}`)
			mu.Lock()
			defer mu.Unlock()
			if status/100 == 2 {
				tokens[a.text("checkoutToken")]++
			}
		})
		if len(tokens) != 1 || tokens[first.text("checkoutToken")] != 0 {
			t.Errorf("%v", tokens)
		}
		l := draft.LinkOf(b.get(draft.Schema, id))
		x := checkout.FromRecord(b.get(checkout.Schema, l.Checkout))
		if l.Checkout == old || !x.ExpiresAt.Equal(start.AddDate(0, 0, 3)) || x.StatusAt(start) != checkout.Open || x.Draft != id {
			t.Errorf("%+v", x)
		}
		if x := checkout.FromRecord(b.get(checkout.Schema, old)); x.Status != checkout.Expired || x.IsLive() {
			t.Errorf("%+v", x)
		}
	})
}
