package buying_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func (b *bed) cancelOrder(i *buying.Buying, key, orderID string) (once.Answer, error) {
	return i.CancelOrder(b.t.Context(), b.server(key, "orders.cancel", orderID), orderID, "Ordered twice")
}

func TestAPaidOrderIsCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		in := b.newCheckout(b.cart([]string{"ONCE"}, "3 mug"))
		session := b.pay(b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), in)).text("checkout.id"))
		id := b.must(b.confirm(session, b.approve(session, "approve"))).text("order.id")
		paid, _ := b.atBank(id)
		if _, err := b.refund(b.Buying, id, "a part before", 1000); err != nil {
			t.Fatal(err)
		}
		k := key()
		first, err := b.cancelOrder(b.Buying, k, id)
		done := b.must(first, err)
		if done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "refunded" || done.text("order.cancelReason") != "Ordered twice" {
			t.Errorf("%v", done)
		}
		b.wantMoney(id, paid, "refunded")
		if l := b.level("mug"); l.OnHand != 100 || l.Reserved != 0 {
			t.Errorf("%+v", l)
		}
		for _, f := range b.all(order.FulfillmentOrders) {
			if f.Text("status") != "canceled" {
				t.Errorf("%v", f)
			}
		}
		again, err := b.cancelOrder(b.instance(), k, id)
		if err != nil || string(again.Body) != string(first.Body) {
			t.Errorf("%s %v", again.Body, err)
		}
		other, err := b.cancelOrder(b.Buying, key(), id)
		refused(t, "a canceled order", other, err, order.ErrTransition)
		if n := len(b.refunds(id)); n != 2 {
			t.Errorf("%d refunds", n)
		}
		in = b.newCheckout(b.cart([]string{"ONCE"}, "mug"))
		b.pay(b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), in)).text("checkout.id")) // its use was given back
	})
}

func TestCancelsAtOncePayBackOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("2 mug")
		instances := []*buying.Buying{b.Buying, b.instance()}
		shops.Together(8, func(i int) {
			a, err := b.cancelOrder(instances[i%2], key(), id)
			if err != nil || a.Fault != nil && !errors.Is(a.Fault, order.ErrTransition) {
				t.Errorf("cancel %d: %v %v", i, err, a.Fault)
			}
		})
		b.wantMoney(id, 27000, "refunded")
		if l := b.level("mug"); l.OnHand != 100 || len(b.refunds(id)) != 1 {
			t.Errorf("%+v, %d refunds", l, len(b.refunds(id)))
		}
	})
}

func TestACrashInACancelHeals(t *testing.T) {
	for _, point := range []string{buying.FailRefundBegun, buying.FailRefundSent} {
		t.Run(point, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				healed, again := b.ordered("mug"), b.ordered("mug")
				for _, id := range []string{healed, again} {
					died(t, func() { _, _ = b.cancelOrder(b.dying(point), key(), id) })
					if o := b.get(order.Schema, id); o.Text("status") != "paid" {
						t.Errorf("before its money went back it is %s", o.Text("status"))
					}
				}
				if done := b.must(b.cancelOrder(b.Buying, key(), again)); done.text("order.status") != "canceled" {
					t.Errorf("%v", done)
				}
				b.Sweep(t.Context(), ports.Of(b.shop.ID))
				for _, id := range []string{healed, again} {
					b.wantMoney(id, 15000, "refunded")
					if o := b.get(order.Schema, id); o.Text("status") != "canceled" {
						t.Errorf("it is %s", o.Text("status"))
					}
				}
				if l := b.level("mug"); l.OnHand != 100 {
					t.Errorf("%+v", l)
				}
			})
		})
	}
}

func TestARefusedRefundLeavesTheOrderAsItWas(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.bankSays("NO_REFUNDS_TODAY")
		a, err := b.cancelOrder(b.Buying, key(), id)
		if !errors.Is(err, ports.ErrProviderRejected) {
			t.Fatalf("%+v %v", a, err)
		}
		o := order.FromRecord(b.get(order.Schema, id))
		if o.Status != order.Paid || o.Canceling() || !o.Refunded.IsZero() || o.MayBecome(order.Preparing) != nil || b.level("mug").OnHand != 99 {
			t.Errorf("%+v %+v", o, b.level("mug"))
		}
		if r := b.refunds(id); len(r) != 1 || r[0].Text("status") != "failed" || !strings.Contains(r[0].Text("note"), "NO_REFUNDS_TODAY") {
			t.Errorf("%v", r)
		}
	})
}

// bankSays has the provider refuse every refund with a code.
func (b *bed) bankSays(code string) {
	i := b.wired(&wire{instead: func(r *http.Request) (int, string) {
		if strings.HasSuffix(r.URL.Path, "/cancel") {
			return http.StatusConflict, `{"code":"` + code + `"}`
		}
		return 0, ""
	}})
	b.Providers = i.Providers
}

// refundBehindOurBack gives money back at the provider, as a person in its console would.
func (b *bed) refundBehindOurBack(orderID string, amount int64) {
	b.t.Helper()
	b.refundBehindOurBackOf(b.paymentID(orderID), amount)
}

func (b *bed) refundBehindOurBackOf(id string, amount int64) {
	b.t.Helper()
	body := `{"orderId":"` + id + `","amount":` + strconv.FormatInt(amount, 10) + `,"reason":"by hand"}`
	req, _ := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.bankURL+"/v1/payments/"+id+"/cancel", strings.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(bankSecret, b.account), "")
	req.Header.Set("Idempotency-Key", key())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b.t.Fatal(res.Status)
	}
}

func TestACancelWhoseRefundFailsLaterIsOwed(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.faults(`{"asyncRefundNext":1}`)
		done := b.must(b.cancelOrder(b.Buying, key(), id))
		if done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "paid" {
			t.Errorf("%v", done)
		}
		b.bankDecides(id, "fail")
		b.wantMoney(id, 0, "paid")
		done = b.must(b.cancelOrder(b.Buying, key(), id))
		if done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "refunded" {
			t.Errorf("%v", done)
		}
		b.wantMoney(id, 15000, "refunded")
		if l := b.level("mug"); l.OnHand != 100 {
			t.Errorf("restocked twice: %+v", l)
		}
	})
}

func TestAnOrderThatWasPaidElsewhereIsGivenBackByHand(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		paid := b.ordered("mug")
		o := order.FromRecord(b.get(order.Schema, paid))
		o.ID, o.Number, o.Checkout, o.Source = shops.NewID(), "imported-1", "", order.FromAPI
		r := o.Record()
		delete(r, "paidAmount")
		b.atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, r, shops.NewID(), b.now()))
		})
		if got, err := b.refund(b.Buying, o.ID, "k", 4000); err != nil || got.State != payment.RefundSucceeded || got.Provider != "custom" {
			t.Fatalf("%+v %v", got, err)
		}
		done := b.must(b.cancelOrder(b.Buying, key(), o.ID))
		if done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "refunded" || b.balance(o.ID) != 0 {
			t.Errorf("%v, %d left", done, b.balance(o.ID))
		}
		if got, _ := b.atBank(paid); got != 15000 {
			t.Errorf("the bank was asked: %d", got)
		}
		b.wantMoney(paid, 0, "paid")
	})
}

func TestMoneyOfACustomPaymentIsGivenBackByHand(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.Providers = nil // nobody is called
		b.bridged(b.checkout("mug").text("checkout.id"), "ps-1")
		id := b.must(b.vouch(captured("ps-1", "pay-1", "evt-1"))).text("order.id")
		if r, err := b.refund(b.Buying, id, "k", 4000); err != nil || r.State != payment.RefundSucceeded || b.balance(id) != 11000 {
			t.Fatalf("%+v %v, %d left", r, err, b.balance(id))
		}
		done := b.must(b.cancelOrder(b.Buying, key(), id))
		if done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "refunded" || b.balance(id) != 0 || b.level("mug").OnHand != 100 {
			t.Errorf("%v, %d left, %+v", done, b.balance(id), b.level("mug"))
		}
	})
}

func TestAnUnpaidOrderIsCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		in := b.newCheckout(b.cart(nil, "2 mug"))
		id := b.must(b.CheckOut(t.Context(), b.server(key(), "orders.checkout", ""), in)).text("order.id")
		done := b.must(b.cancelOrder(b.Buying, key(), id))
		if done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "unpaid" || b.level("mug").OnHand != 100 || len(b.refunds(id)) != 0 {
			t.Errorf("%v %+v", done, b.level("mug"))
		}
	})
}

func TestAnOrderWhosePaymentIsLostGivesNothingBack(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		for _, r := range b.all(payment.Transactions) {
			b.rewrite(payment.Transactions, r.ID(), "status", "failed")
		}
		if a, err := b.cancelOrder(b.Buying, key(), id); !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%+v %v", a, err)
		}
		if o := b.get(order.Schema, id); o.Text("status") != "paid" {
			t.Errorf("it is %s", o.Text("status"))
		}
	})
}

func TestWhoMayCancel(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		try := func(change func(c *once.Call)) error {
			c := b.server(key(), "orders.cancel", id)
			change(&c)
			a, err := b.CancelOrder(t.Context(), c, id, "no")
			if err == nil && a.Fault != nil {
				return a.Fault
			}
			return err
		}
		for name, c := range map[string]struct {
			change func(c *once.Call)
			reason string
		}{
			"an editor":           {func(c *once.Call) { c.Principal.Kind, c.Principal.Role = "user", "tenant-editor" }, "forbidden"},
			"a customer":          {func(c *once.Call) { c.Principal.Kind = "customer" }, "forbidden"},
			"a storefront":        {func(c *once.Call) { c.Principal.Kind = "client-key" }, "forbidden"},
			"a key that reads":    {func(c *once.Call) { c.Principal.CanWrite = false }, "forbidden"},
			"nobody":              {func(c *once.Call) { c.Principal.Kind = "anonymous" }, "unauthenticated"},
			"another environment": {func(c *once.Call) { c.Principal.Environment = "live" }, "not_found"},
			"another shop":        {func(c *once.Call) { c.Principal.Tenant.ID = "another" }, "not_found"},
			"without a key":       {func(c *once.Call) { c.Key = "" }, "idempotency_key_required"},
			"a key made of it":    {func(c *once.Call) { c.Key = "cancel-" + id }, "idempotency_key_derived"},
		} {
			if err := try(c.change); err == nil || !strings.Contains(fault.From(err).Reason, c.reason) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := try(func(c *once.Call) { c.Principal.Kind, c.Principal.Role = "user", "tenant-admin" }); err != nil {
			t.Errorf("an admin: %v", err)
		}
	})
}
