package refunds_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestCancelRefundsAPaidOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		in := b.CheckoutInput(b.Cart([]string{"ONCE"}, "3 mug"))
		session := b.Pay(b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), in)).Text("checkout.id"))
		id := b.Must(b.Confirm(session, b.Approve(session, "approve"))).Text("order.id")
		paid, _ := b.BankTotals(id)
		if _, err := b.Refund(b.Instance, id, "a part before", 1000); err != nil {
			t.Fatal(err)
		}
		k := paymentbed.Key()
		first, err := b.CancelOrder(b.Instance, k, id)
		done := b.Must(first, err)
		if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "refunded" ||
			done.Text("order.cancelReason") != "Ordered twice" {
			t.Errorf("%v", done)
		}
		b.WantMoney(id, paid, "refunded")
		if l := b.Level("mug"); l.OnHand != 100 || l.Reserved != 0 {
			t.Errorf("%+v", l)
		}
		for _, f := range b.All(order.FulfillmentOrders) {
			if f.Text("status") != "canceled" {
				t.Errorf("%v", f)
			}
		}
		again, err := b.CancelOrder(b.NewInstance(), k, id)
		if err != nil || again.Body.String() != first.Body.String() {
			t.Errorf("%s %v", again.Body, err)
		}
		other, err := b.CancelOrder(b.Instance, paymentbed.Key(), id)
		paymentbed.Refused(t, "a canceled order", other, err, order.ErrTransition)
		if n := len(b.RefundsOf(id)); n != 2 {
			t.Errorf("%d refunds", n)
		}
		in = b.CheckoutInput(b.Cart([]string{"ONCE"}, "mug"))
		// its use was given back
		b.Pay(b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), in)).Text("checkout.id"))
	})
}

func TestConcurrentCancelsRefundOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("2 mug")
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		shops.Concurrently(8, func(i int) {
			a, err := b.CancelOrder(instances[i%2], paymentbed.Key(), id)
			if err != nil || a.Fault != nil && !errors.Is(a.Fault, order.ErrTransition) {
				t.Errorf("cancel %d: %v %v", i, err, a.Fault)
			}
		})
		b.WantMoney(id, 27000, "refunded")
		if l := b.Level("mug"); l.OnHand != 100 || len(b.RefundsOf(id)) != 1 {
			t.Errorf("%+v, %d refunds", l, len(b.RefundsOf(id)))
		}
	})
}

func TestCancelRecoversFromACrash(t *testing.T) {
	for _, point := range []string{refunds.FailRefundBegun, refunds.FailRefundSent} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				healed, again := b.PaidOrder("mug"), b.PaidOrder("mug")
				for _, id := range []string{healed, again} {
					paymentbed.MustCrash(t, func() { _, _ = b.CancelOrder(b.NewInstanceFailingAt(point), paymentbed.Key(), id) })
					if o := b.Get(order.Schema, id); o.Text("status") != "paid" {
						t.Errorf("before its refund it is %s", o.Text("status"))
					}
				}
				if done := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), again)); done.Text("order.status") != "canceled" {
					t.Errorf("%v", done)
				}
				b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
				for _, id := range []string{healed, again} {
					b.WantMoney(id, 15000, "refunded")
					if o := b.Get(order.Schema, id); o.Text("status") != "canceled" {
						t.Errorf("it is %s", o.Text("status"))
					}
					b.wantMovedByKey(inventory.Canceled, id)
					if by := b.Get(order.Schema, id).Group("canceledBy"); by.Text("kind") != "secret-key" || by.Text("id") != "key-1" {
						t.Errorf("it was canceled by %v", by)
					}
				}
				if l := b.Level("mug"); l.OnHand != 100 {
					t.Errorf("%+v", l)
				}
			})
		})
	}
}

// wantMovedByKey asserts that the stock of an order was moved by the secret key that asked for it, also where the poller
// finished the work. Rule catalog-22.
func (b *bed) wantMovedByKey(kind inventory.MovementKind, id string) {
	b.T.Helper()
	n := 0
	for _, m := range b.All(inventory.Movements) {
		if m.Text("order") != id || m.Text("kind") != string(kind) {
			continue
		}
		if n++; m.Group("actor").Text("kind") != "secret-key" || m.Group("actor").Text("id") != "key-1" {
			b.T.Errorf("%s: moved by %v", kind, m.Group("actor"))
		}
	}
	if n == 0 {
		b.T.Errorf("order %s has no movement %s", id, kind)
	}
}

func TestRefusedRefundLeavesTheOrderUnchanged(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.RefuseRefundsAtBank("NO_REFUNDS_TODAY")
		a, err := b.CancelOrder(b.Instance, paymentbed.Key(), id)
		if !errors.Is(err, ports.ErrProviderRejected) {
			t.Fatalf("%+v %v", a, err)
		}
		o := order.FromRecord(b.Get(order.Schema, id))
		if o.Status != order.Paid || o.Canceling() || o.CanceledBy.Kind != "" || !o.Refunded.IsZero() || o.CheckTransition(order.Preparing) != nil ||
			b.Level("mug").OnHand != 99 {
			t.Errorf("%+v %+v", o, b.Level("mug"))
		}
		if r := b.RefundsOf(id); len(r) != 1 || r[0].Text("status") != "failed" ||
			!strings.Contains(r[0].Text("note"), "NO_REFUNDS_TODAY") {
			t.Errorf("%v", r)
		}
	})
}

// refundAtBank refunds at the provider, as an operator in its console would.
func (b *bed) refundAtBank(orderID string, amount int64) {
	b.T.Helper()
	b.refundAtBankOf(b.PaymentID(orderID), amount)
}

func (b *bed) refundAtBankOf(id string, amount int64) {
	b.T.Helper()
	body := `{"orderId":"` + id + `","amount":` + strconv.FormatInt(amount, 10) + `,"reason":"by hand"}`
	req, _ := http.NewRequestWithContext(b.T.Context(), http.MethodPost, b.BankURL+"/v1/payments/"+id+"/cancel", strings.NewReader(body))
	req.SetBasicAuth(bank.AccountSecret(paymentbed.BankSecret, b.Account), "")
	req.Header.Set("Idempotency-Key", paymentbed.Key())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.T.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b.T.Fatal(res.Status)
	}
}

func TestCancelWithALateFailedRefundCanBeRetried(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.BankFaults(`{"asyncRefundNext":1}`)
		done := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "paid" {
			t.Errorf("%v", done)
		}
		b.FinishRefundsAtBank(id, "fail")
		b.WantMoney(id, 0, "paid")
		done = b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "refunded" {
			t.Errorf("%v", done)
		}
		b.WantMoney(id, 15000, "refunded")
		if l := b.Level("mug"); l.OnHand != 100 {
			t.Errorf("restocked twice: %+v", l)
		}
	})
}

func TestExternallyPaidOrderIsRefundedManually(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		paid := b.PaidOrder("mug")
		o := order.FromRecord(b.Get(order.Schema, paid))
		o.ID, o.Number, o.Checkout, o.Source = shops.NewID(), "imported-1", "", order.FromAPI
		r := o.Record()
		delete(r, "paidAmount")
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, r, shops.NewID(), b.Now()))
		})
		if got, err := b.Refund(b.Instance, o.ID, "k", 4000); err != nil || got.State != payment.RefundSucceeded ||
			got.Provider != "custom" {
			t.Fatalf("%+v %v", got, err)
		}
		done := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), o.ID))
		if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "refunded" || b.Balance(o.ID) != 0 {
			t.Errorf("%v, %d left", done, b.Balance(o.ID))
		}
		if got, _ := b.BankTotals(paid); got != 15000 {
			t.Errorf("the bank was asked: %d", got)
		}
		b.WantMoney(paid, 0, "paid")
	})
}

func TestCustomPaymentIsRefundedManually(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		clear(b.Providers) // none is called
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		id := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))).Text("order.id")
		if r, err := b.Refund(b.Instance, id, "k", 4000); err != nil || r.State != payment.RefundSucceeded || b.Balance(id) != 11000 {
			t.Fatalf("%+v %v, %d left", r, err, b.Balance(id))
		}
		done := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "refunded" || b.Balance(id) != 0 ||
			b.Level("mug").OnHand != 100 {
			t.Errorf("%v, %d left, %+v", done, b.Balance(id), b.Level("mug"))
		}
	})
}

func TestCancelOfAnUnpaidOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		in := b.CheckoutInput(b.Cart(nil, "2 mug"))
		id := b.Must(b.Checkouts.Legacy(t.Context(), b.Server(paymentbed.Key(), "orders.checkout", ""), in)).Text("order.id")
		done := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "unpaid" || b.Level("mug").OnHand != 100 ||
			len(b.RefundsOf(id)) != 0 {
			t.Errorf("%v %+v", done, b.Level("mug"))
		}
	})
}

func TestOrderWithoutPaymentRecordRefundsNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		for _, r := range b.All(payment.Transactions) {
			b.Rewrite(payment.Transactions, r.ID(), "status", "failed")
		}
		if a, err := b.CancelOrder(b.Instance, paymentbed.Key(), id); !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%+v %v", a, err)
		}
		if o := b.Get(order.Schema, id); o.Text("status") != "paid" {
			t.Errorf("it is %s", o.Text("status"))
		}
	})
}

func TestCancelAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		try := func(change func(c *idempotency.Call)) error {
			c := b.Server(paymentbed.Key(), "orders.cancel", id)
			change(&c)
			a, err := b.Refunds.Canceler.CancelOrder(t.Context(), c, id, refunds.CancelRequest{Reason: "no"})
			if err == nil && a.Fault != nil {
				return a.Fault
			}
			return err
		}
		for name, c := range map[string]struct {
			change func(c *idempotency.Call)
			reason string
		}{
			"an editor": {
				func(c *idempotency.Call) { c.Principal.Kind, c.Principal.Role = "user", "tenant-editor" }, "forbidden",
			},
			"a customer":          {func(c *idempotency.Call) { c.Principal.Kind = "customer" }, "forbidden"},
			"a storefront":        {func(c *idempotency.Call) { c.Principal.Kind = "client-key" }, "forbidden"},
			"a key that reads":    {func(c *idempotency.Call) { c.Principal.CanWrite = false }, "forbidden"},
			"nobody":              {func(c *idempotency.Call) { c.Principal.Kind = "anonymous" }, "unauthenticated"},
			"another environment": {func(c *idempotency.Call) { c.Principal.Environment = "live" }, "not_found"},
			"another shop":        {func(c *idempotency.Call) { c.Principal.Tenant.ID = "another" }, "not_found"},
			"without a key":       {func(c *idempotency.Call) { c.Key = "" }, "idempotency_key_required"},
			"a key made of it":    {func(c *idempotency.Call) { c.Key = "cancel-" + id }, "idempotency_key_derived"},
		} {
			if err := try(c.change); err == nil || !strings.Contains(fault.From(err).Reason, c.reason) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := try(func(c *idempotency.Call) { c.Principal.Kind, c.Principal.Role = "user", "tenant-admin" }); err != nil {
			t.Errorf("an admin: %v", err)
		}
	})
}
