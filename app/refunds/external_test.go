package refunds_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// refundInConsole refunds an order in the provider's console.
func (b *bed) refundInConsole(orderID string, amount int64) {
	b.T.Helper()
	b.refundInConsoleByID(b.PaymentID(orderID), amount)
}

func (b *bed) refundInConsoleByID(paymentID string, amount int64) {
	b.T.Helper()
	b.PostToBank("/sandbox/refunds", fmt.Appendf(nil, `{"paymentId":%q,"outcome":"console","amount":%d}`, paymentID, amount))
}

// wantRefunds asserts the recorded refunds of an order, in any order: "4000 refunded elsewhere".
func (b *bed) wantRefunds(orderID string, want ...string) {
	b.T.Helper()
	var got []string
	for _, r := range b.RefundsOf(orderID) {
		m, _ := r.Money("amount")
		one := strconv.FormatInt(m.Minor, 10) + " " + r.Text("status")
		if r.Text("note") == payment.NoteExternalRefund {
			one += " elsewhere"
		}
		got = append(got, one)
	}
	left := got
	for _, w := range want {
		for i, g := range left {
			if g == w {
				left = append(left[:i:i], left[i+1:]...)
				break
			}
		}
	}
	if len(left) > 0 || len(got) != len(want) {
		b.T.Errorf("recorded: %q, want %q", got, want)
	}
}

// refundWebhook delivers a webhook of the sandbox about a refund of an order.
func (b *bed) refundWebhook(i *paymentbed.Instance, event, orderID string) error {
	return i.Webhooks.HandleWebhook(b.T.Context(), b.Connection,
		b.WebhookOf("Transaction.PartialCancelled", event, b.PaymentID(orderID), b.Account))
}

func TestRefundRetriesAfterAnExternalRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug") // 15000
		b.refundInConsole(id, 4000)
		r, err := b.Refund(b.Instance, id, "k", 5000)
		if err != nil || r.State != payment.RefundSucceeded || r.RemainingBefore != paymentbed.KRW(11000) {
			t.Fatalf("%+v %v", r, err)
		}
		b.wantRefunds(id, "4000 refunded elsewhere", "5000 failed", "5000 refunded")
		b.WantMoney(id, 9000, "partially_refunded")
		b.refundInConsole(id, 2000)
		_, err = b.Refund(b.NewInstance(), id, "k2", 4001)
		if f := fault.From(err); !errors.Is(err, payment.ErrExceedsPaid) || f.Data["left"] != collection.JSONNumber("4000") ||
			!strings.Contains(f.Message, "4000 KRW") {
			t.Errorf("%v", err)
		}
		b.WantMoney(id, 11000, "partially_refunded")
		b.wantRefunds(id, "4000 refunded elsewhere", "5000 failed", "5000 refunded", "4001 failed", "2000 refunded elsewhere")
		b.refundInConsole(id, 0)
		_, err = b.Refund(b.Instance, id, "the rest", 0)
		if f := fault.From(err); !errors.Is(err, payment.ErrExceedsPaid) || f.Message != "The payment is fully refunded." {
			t.Errorf("%v", err)
		}
		b.WantMoney(id, 15000, "refunded")
		if o := b.OrderOf(id); o.Status != order.Paid {
			t.Errorf("the order is %s", o.Status)
		}
		b.WantSums("in the end", 0, 0)
	})
}

func TestCancelRetriesAfterAnExternalRefund(t *testing.T) {
	for name, amount := range map[string]int64{"of a part": 4000, "of everything": 0} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.PaidOrder("mug")
				b.refundInConsole(id, amount)
				k := paymentbed.Key()
				first, err := b.CancelOrder(b.Instance, k, id)
				if done := b.Must(first, err); done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "refunded" {
					t.Errorf("%v", done)
				}
				if again, err := b.CancelOrder(b.NewInstance(), k, id); err != nil || again.Body.String() != first.Body.String() {
					t.Errorf("%s %v", again.Body, err)
				}
				if amount > 0 {
					b.wantRefunds(id, "15000 failed", "4000 refunded elsewhere", "11000 refunded")
				} else {
					b.wantRefunds(id, "15000 failed", "15000 refunded elsewhere")
				}
				b.WantMoney(id, 15000, "refunded")
				if l := b.Level("mug"); l.OnHand != 100 {
					t.Errorf("%+v", l)
				}
				b.WantSums("in the end", 0, 0)
			})
		})
	}
}

func TestConcurrentCancelsAfterAnExternalRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("2 mug") // 27000
		b.refundInConsole(id, 7000)
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		shops.Concurrently(8, func(i int) {
			a, err := b.CancelOrder(instances[i%2], paymentbed.Key(), id)
			if err := paymentbed.Outcome(a, err); err != nil && !errors.Is(err, order.ErrTransition) &&
				!errors.Is(err, ports.ErrProviderRejected) && !errors.Is(err, payment.ErrRefundInProgress) {
				t.Errorf("cancel %d: %v", i, err)
			}
		})
		if o := b.OrderOf(id); o.Status != order.Canceled {
			t.Errorf("it is %s", o.Status)
		}
		b.WantMoney(id, 27000, "refunded")
		b.WantSums("in the end", 0, 0)
		if l := b.Level("mug"); l.OnHand != 100 {
			t.Errorf("%+v", l)
		}
	})
}

func TestReturnRetriesAfterAnExternalRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("mug") // 12000 and 3000 of shipping
		r := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.Must(b.ReturnStep("receive", r))
		b.refundInConsole(id, 3000)
		b.Must(b.PayOut(b.Instance, r))
		b.WantReturn("paid out", r, "refunded", "returned")
		b.WantMoney(id, 15000, "refunded")
		b.WantSums("in the end", 0, 0)
	})
}

func TestRefusedReturnRefundReportsWhatIsLeft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.Must(b.ReturnStep("receive", r))
		b.refundInConsole(id, 5000)
		for range 2 {
			a, err := b.PayOut(b.Instance, r)
			paymentbed.Refused(t, "10000 are left", a, err, payment.ErrExceedsPaid)
			if fmt.Sprint(a.Fault.Data["left"]) != "10000" {
				t.Errorf("%v", a.Fault.Data)
			}
		}
		b.WantReturn("refused", r, "received", "return_processing")
		if got := b.RequestOf(r); got.RefundStatus != "failed" || !strings.Contains(got.RefundProblem, "10000 KRW") {
			t.Errorf("%+v", got)
		}
		b.wantRefunds(id, "12000 failed", "5000 refunded elsewhere")
		b.WantMoney(id, 5000, "partially_refunded")
		b.WantSums("in the end", 10000, 0)
	})
}

func TestWebhookRecordsAnExternalRefundOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.refundInConsole(id, 4000)
		b.refundInConsole(id, 1000)
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		shops.Concurrently(12, func(i int) {
			if err := b.refundWebhook(instances[i%2], "evt_"+strconv.Itoa(i), id); err != nil {
				t.Error(err)
			}
		})
		b.wantRefunds(id, "4000 refunded elsewhere", "1000 refunded elsewhere")
		b.WantMoney(id, 5000, "partially_refunded")
		if o := b.OrderOf(id); o.Status != order.Paid || b.Level("mug").OnHand != 99 {
			t.Errorf("it is %s, %+v", o.Status, b.Level("mug"))
		}
		b.WantSums("in the end", 10000, 0)
		if r, err := b.Refund(b.Instance, id, "k", 0); err != nil || r.Amount != paymentbed.KRW(10000) {
			t.Errorf("%+v %v", r, err)
		}
		b.wantRefunds(id, "4000 refunded elsewhere", "1000 refunded elsewhere", "10000 refunded")
	})
}

func TestUnsignedWebhookRecordsAnExternalRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.refundInConsole(id, 4000)
		u := b.Unsigned()
		b.Restart(u.Install)
		if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, ports.ProviderWebhook{Body: []byte(b.PaymentID(id))}); err != nil ||
			u.Asked.Load() != 0 {
			t.Errorf("a webhook about a booked payment: %d lookups, %v", u.Asked.Load(), err)
		}
		back := ports.ProviderWebhook{Body: []byte("back:" + b.PaymentID(id))}
		if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, back); err != nil || u.Asked.Load() != 1 {
			t.Errorf("%d lookups, %v", u.Asked.Load(), err)
		}
		b.WantMoney(id, 4000, "partially_refunded")
		if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, back); !errors.Is(err, fault.ErrUnavailable) || u.Asked.Load() != 1 {
			t.Errorf("once more at once: %d lookups, %v", u.Asked.Load(), err)
		}
	})
}

func TestReconcileRecordsAnExternalRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.refundInConsole(id, 4000)
		got := b.Must(b.Reconcile(b.ProviderRef(b.PaymentID(id))))
		if got.Text("order.paymentStatus") != "partially_refunded" || got.Text("order.refundedAmount") != "4000" ||
			got.Text("order.status") != "paid" || got.Text("requiresAttention") != "false" {
			t.Errorf("%v", got)
		}
		b.WantMoney(id, 4000, "partially_refunded")
	})
}

// misreportingProvider is a provider with changed answers to lookups.
type misreportingProvider struct {
	ports.Provider

	how func(p *ports.ProviderPayment)
}

func (m misreportingProvider) Lookup(
	ctx context.Context, conn ports.Connection, ref ports.PaymentRef,
) (ports.ProviderPayment, error) {
	p, err := m.Provider.Lookup(ctx, conn, ref)
	m.how(&p)
	return p, err
}

func TestMismatchedProviderPaymentIsNeverBooked(t *testing.T) {
	for name, how := range map[string]func(p *ports.ProviderPayment){
		"another amount":          func(p *ports.ProviderPayment) { p.Amount = paymentbed.KRW(15001) },
		"another currency":        func(p *ports.ProviderPayment) { p.Amount = money.Of(15000, "JPY") },
		"another account":         func(p *ports.ProviderPayment) { p.AccountKey = "somebody" },
		"another environment":     func(p *ports.ProviderPayment) { p.Environment = "live" },
		"another payment":         func(p *ports.ProviderPayment) { p.PaymentID = "Other12345" },
		"another provider's id":   func(p *ports.ProviderPayment) { p.ProviderID = "other" },
		"a refund of yen":         func(p *ports.ProviderPayment) { p.Refunds[0].Amount = money.Of(4000, "JPY") },
		"a refund of nothing":     func(p *ports.ProviderPayment) { p.Refunds[0].Amount = paymentbed.KRW(0) },
		"a refund of less":        func(p *ports.ProviderPayment) { p.Refunds[0].Amount = paymentbed.KRW(-1) },
		"more than was paid":      func(p *ports.ProviderPayment) { p.Refunds[0].Amount = paymentbed.KRW(15001) },
		"a refund without an id":  func(p *ports.ProviderPayment) { p.Refunds[0].ProviderID = "" },
		"a refund that failed":    func(p *ports.ProviderPayment) { p.Refunds[0].State = ports.RefundFailed },
		"an unknown refund":       func(p *ports.ProviderPayment) { p.Refunds[0].State = ports.RefundAbsent },
		"a refund without a word": func(p *ports.ProviderPayment) { p.Refunds[0].State = "" },
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.PaidOrder("mug")
				b.refundInConsole(id, 4000)
				b.Providers["sandbox"] = misreportingProvider{b.Providers["sandbox"], how}
				if err := b.refundWebhook(b.Instance, "evt_1", id); err != nil {
					t.Error(err)
				}
				if _, err := b.Refund(b.Instance, id, "k", 5000); !errors.Is(err, ports.ErrProviderRejected) {
					t.Errorf("%v", err)
				}
				b.wantRefunds(id, "5000 failed")
				if o := b.OrderOf(id); !o.Refunded.IsZero() || b.Balance(id) != 15000 {
					t.Errorf("%v refunded, the ledger has %d", o.Refunded, b.Balance(id))
				}
			})
		})
	}
}

// A refund of ours may have failed at the provider without being recorded yet.
func TestRefundRetriesAfterAnUnseenFailure(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		if _, err := b.Refund(b.Instance, id, "k1", 5000); err != nil {
			t.Fatal(err)
		}
		b.PostToBank("/sandbox/refunds", []byte(`{"paymentId":"`+b.PaymentID(id)+`","outcome":"fail"}`))
		r, err := b.Refund(b.Instance, id, "k2", 10000)
		if err != nil || r.RemainingBefore != paymentbed.KRW(15000) {
			t.Errorf("%+v %v", r, err)
		}
		b.wantRefunds(id, "5000 failed", "10000 failed", "10000 refunded")
		b.WantMoney(id, 10000, "partially_refunded")
		b.WantSums("in the end", 5000, 0)
	})
}

func TestPendingExternalRefundIsPolled(t *testing.T) {
	for decided, want := range map[string]struct {
		back         int64
		status, read string
	}{"succeed": {4000, "4000 refunded elsewhere", "partially_refunded"}, "fail": {0, "4000 failed", "paid"}} {
		t.Run(decided, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.PaidOrder("mug")
				b.BankFaults(`{"asyncRefundNext":1}`)
				b.refundAtBank(id, 4000)
				if err := b.refundWebhook(b.Instance, "evt_1", id); err != nil {
					t.Error(err)
				}
				b.wantRefunds(id, "4000 pending elsewhere")
				b.WantMoney(id, 0, "paid")
				b.WantSums("on its way", 15000, 0)
				b.FinishRefundsAtBank(id, decided)
				b.wantRefunds(id, want.status)
				b.WantMoney(id, want.back, want.read)
				b.WantSums("in the end", 15000-want.back, 0)
			})
		})
	}
}

func TestExternalRefundOfAnUnappliedPayment(t *testing.T) {
	for _, told := range []bool{true, false} {
		t.Run(map[bool]string{true: "and a webhook told", false: "and nobody told"}[told], func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				_, _, session := b.Superseded()
				id := session.Text("paymentSession.id")
				payID := b.Get(payment.Sessions, id).Text("paymentId")
				b.refundInConsoleByID(payID, 5000)
				if told {
					if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection,
						b.WebhookOf("Transaction.PartialCancelled", "evt_1", payID, b.Account)); err != nil {
						t.Error(err)
					}
					if s := b.Get(payment.Sessions, id); s.Text("status") != "requires_attention" {
						t.Errorf("a part of it: %v", s)
					}
					b.WantSums("a part of it", 0, 10000)
				}
				b.refundInConsoleByID(payID, 0)
				if told {
					if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection,
						b.WebhookOf("Transaction.Cancelled", "evt_2", payID, b.Account)); err != nil {
						t.Error(err)
					}
				}
				b.Must(b.Resolve(session, payment.ResolutionRefunded))
				if s := b.Get(payment.Sessions, id); s.Text("status") != "canceled" || s.Text("resolution") != "refunded" ||
					s.Text("note") != payment.NoteExternalRefund {
					t.Errorf("%v", s)
				}
				b.WantSums("in the end", 0, 0)
			})
		})
	}
}

func TestRefundRetryRecoversFromACrash(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.refundInConsole(id, 4000)
		paymentbed.MustCrash(t, func() { _, _ = b.Refund(b.NewInstanceFailingAt(refunds.FailRefundSent), id, "k", 5000) })
		if r, err := b.Refund(b.Instance, id, "k", 5000); err != nil || r.State != payment.RefundSucceeded {
			t.Errorf("%+v %v", r, err)
		}
		b.wantRefunds(id, "5000 failed", "4000 refunded elsewhere", "5000 refunded")
		b.WantMoney(id, 9000, "partially_refunded")
	})
}
