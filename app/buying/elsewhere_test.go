package buying_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// console is a person who gives money of an order back in the provider's console.
func (b *bed) console(orderID string, amount int64) {
	b.t.Helper()
	b.consoleOf(b.paymentID(orderID), amount)
}

func (b *bed) consoleOf(paymentID string, amount int64) {
	b.t.Helper()
	b.post("/sandbox/refunds", fmt.Appendf(nil, `{"paymentId":%q,"outcome":"console","amount":%d}`, paymentID, amount))
}

// wantRefunds compares what the books show of an order's refunds, in any order: "4000 refunded elsewhere".
func (b *bed) wantRefunds(orderID string, want ...string) {
	b.t.Helper()
	var got []string
	for _, r := range b.refunds(orderID) {
		m, _ := r.Money("amount")
		one := strconv.FormatInt(m.Minor, 10) + " " + r.Text("status")
		if r.Text("note") == payment.NoteElsewhere {
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
		b.t.Errorf("the books show %q, want %q", got, want)
	}
}

// toldBack is a webhook of the sandbox that tells of a refund of an order.
func (b *bed) toldBack(i *buying.Buying, event, orderID string) error {
	return i.Hear(b.t.Context(), b.connection, b.toldOf("Transaction.PartialCancelled", event, b.paymentID(orderID), b.account))
}

func TestARefundGoesOnAfterOneOfTheConsole(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug") // 15000
		b.console(id, 4000)
		r, err := b.refund(b.Buying, id, "k", 5000)
		if err != nil || r.State != payment.RefundSucceeded || r.Remaining != krw(11000) {
			t.Fatalf("%+v %v", r, err)
		}
		b.wantRefunds(id, "4000 refunded elsewhere", "5000 failed", "5000 refunded")
		b.wantMoney(id, 9000, "partially_refunded")
		b.console(id, 2000)
		_, err = b.refund(b.instance(), id, "k2", 4001)
		if f := fault.From(err); !errors.Is(err, payment.ErrExceedsPaid) || f.Data["left"] != "4000" || !strings.Contains(f.Message, "4000 KRW") {
			t.Errorf("%v", err)
		}
		b.wantMoney(id, 11000, "partially_refunded")
		b.wantRefunds(id, "4000 refunded elsewhere", "5000 failed", "5000 refunded", "4001 failed", "2000 refunded elsewhere")
		b.console(id, 0)
		_, err = b.refund(b.Buying, id, "the rest", 0)
		if f := fault.From(err); !errors.Is(err, payment.ErrExceedsPaid) || f.Message != "Nothing is left of what was paid." {
			t.Errorf("%v", err)
		}
		b.wantMoney(id, 15000, "refunded")
		if o := b.orderOf(id); o.Status != order.Paid {
			t.Errorf("the order is %s", o.Status)
		}
		b.wantSums("in the end", 0, 0)
	})
}

func TestACancelGoesOnAfterARefundOfTheConsole(t *testing.T) {
	for name, amount := range map[string]int64{"of a part": 4000, "of everything": 0} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.ordered("mug")
				b.console(id, amount)
				k := key()
				first, err := b.cancelOrder(b.Buying, k, id)
				if done := b.must(first, err); done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "refunded" {
					t.Errorf("%v", done)
				}
				if again, err := b.cancelOrder(b.instance(), k, id); err != nil || string(again.Body) != string(first.Body) {
					t.Errorf("%s %v", again.Body, err)
				}
				if amount > 0 {
					b.wantRefunds(id, "15000 failed", "4000 refunded elsewhere", "11000 refunded")
				} else {
					b.wantRefunds(id, "15000 failed", "15000 refunded elsewhere")
				}
				b.wantMoney(id, 15000, "refunded")
				if l := b.level("mug"); l.OnHand != 100 {
					t.Errorf("%+v", l)
				}
				b.wantSums("in the end", 0, 0)
			})
		})
	}
}

func TestCancelsAtOnceAfterARefundOfTheConsole(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("2 mug") // 27000
		b.console(id, 7000)
		instances := []*buying.Buying{b.Buying, b.instance()}
		shops.Together(8, func(i int) {
			a, err := b.cancelOrder(instances[i%2], key(), id)
			if err := outcome(a, err); err != nil && !errors.Is(err, order.ErrTransition) && !errors.Is(err, ports.ErrProviderRejected) && !errors.Is(err, payment.ErrRefundBusy) {
				t.Errorf("cancel %d: %v", i, err)
			}
		})
		if o := b.orderOf(id); o.Status != order.Canceled {
			t.Errorf("it is %s", o.Status)
		}
		b.wantMoney(id, 27000, "refunded")
		b.wantSums("in the end", 0, 0)
		if l := b.level("mug"); l.OnHand != 100 {
			t.Errorf("%+v", l)
		}
	})
}

func TestAReturnGoesOnAfterARefundOfTheConsole(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug") // 12000 and 3000 of shipping
		r := b.approved(b.wish(id, 1))
		b.must(b.step("receive", r))
		b.console(id, 3000)
		b.must(b.payOut(b.Buying, r))
		b.wantReturn("paid out", r, "refunded", "returned")
		b.wantMoney(id, 15000, "refunded")
		b.wantSums("in the end", 0, 0)
	})
}

func TestAReturnThatCannotBePaidOutSaysWhatIsLeft(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.must(b.step("receive", r))
		b.console(id, 5000)
		for range 2 {
			a, err := b.payOut(b.Buying, r)
			refused(t, "10000 are left", a, err, payment.ErrExceedsPaid)
			if a.Fault.Data["left"] != "10000" {
				t.Errorf("%v", a.Fault.Data)
			}
		}
		b.wantReturn("refused", r, "received", "return_processing")
		if got := b.requestOf(r); got.RefundStatus != "failed" || !strings.Contains(got.RefundProblem, "10000 KRW") {
			t.Errorf("%+v", got)
		}
		b.wantRefunds(id, "12000 failed", "5000 refunded elsewhere")
		b.wantMoney(id, 5000, "partially_refunded")
		b.wantSums("in the end", 10000, 0)
	})
}

func TestAWebhookTellsOfARefundOfTheConsoleOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.console(id, 4000)
		b.console(id, 1000)
		instances := []*buying.Buying{b.Buying, b.instance()}
		shops.Together(12, func(i int) {
			if err := b.toldBack(instances[i%2], "evt_"+strconv.Itoa(i), id); err != nil {
				t.Error(err)
			}
		})
		b.wantRefunds(id, "4000 refunded elsewhere", "1000 refunded elsewhere")
		b.wantMoney(id, 5000, "partially_refunded")
		if o := b.orderOf(id); o.Status != order.Paid || b.level("mug").OnHand != 99 {
			t.Errorf("it is %s, %+v", o.Status, b.level("mug"))
		}
		b.wantSums("in the end", 10000, 0)
		if r, err := b.refund(b.Buying, id, "k", 0); err != nil || r.Amount != krw(10000) {
			t.Errorf("%+v %v", r, err)
		}
		b.wantRefunds(id, "4000 refunded elsewhere", "1000 refunded elsewhere", "10000 refunded")
	})
}

func TestAnUnsignedWebhookTellsOfARefundOfTheConsole(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.console(id, 4000)
		u := b.signNothing(b.Buying)
		if err := b.Hear(t.Context(), b.connection, ports.Notice{Body: []byte(b.paymentID(id))}); err != nil || u.asked.Load() != 0 {
			t.Errorf("a word about a payment that is in the books: %d look-ups, %v", u.asked.Load(), err)
		}
		back := ports.Notice{Body: []byte("back:" + b.paymentID(id))}
		if err := b.Hear(t.Context(), b.connection, back); err != nil || u.asked.Load() != 1 {
			t.Errorf("%d look-ups, %v", u.asked.Load(), err)
		}
		b.wantMoney(id, 4000, "partially_refunded")
		if err := b.Hear(t.Context(), b.connection, back); !errors.Is(err, fault.ErrUnavailable) || u.asked.Load() != 1 {
			t.Errorf("once more at once: %d look-ups, %v", u.asked.Load(), err)
		}
	})
}

func TestReconcileLearnsOfARefundOfTheConsole(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.console(id, 4000)
		got := b.must(b.reconcile(b.elsewhere(b.paymentID(id))))
		if got.text("order.paymentStatus") != "partially_refunded" || got.text("order.refundedAmount") != "4000" || got.text("order.status") != "paid" || got.text("requiresAttention") != "false" {
			t.Errorf("%v", got)
		}
		b.wantMoney(id, 4000, "partially_refunded")
	})
}

// misread is a provider whose look-ups tell of something else.
type misread struct {
	ports.Provider

	how func(p *ports.ProviderPayment)
}

func (m misread) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := m.Provider.Lookup(ctx, conn, ref)
	m.how(&p)
	return p, err
}

func TestNothingIsBookedOnWhatIsNotExactlyOurs(t *testing.T) {
	for name, how := range map[string]func(p *ports.ProviderPayment){
		"another amount":          func(p *ports.ProviderPayment) { p.Amount = krw(15001) },
		"another currency":        func(p *ports.ProviderPayment) { p.Amount = money.Of(15000, "JPY") },
		"another account":         func(p *ports.ProviderPayment) { p.Account = "somebody" },
		"another environment":     func(p *ports.ProviderPayment) { p.Environment = "live" },
		"another payment":         func(p *ports.ProviderPayment) { p.PaymentID = "Other12345" },
		"another provider's id":   func(p *ports.ProviderPayment) { p.ProviderID = "other" },
		"a refund of yen":         func(p *ports.ProviderPayment) { p.Refunds[0].Amount = money.Of(4000, "JPY") },
		"a refund of nothing":     func(p *ports.ProviderPayment) { p.Refunds[0].Amount = krw(0) },
		"a refund of less":        func(p *ports.ProviderPayment) { p.Refunds[0].Amount = krw(-1) },
		"more than was paid":      func(p *ports.ProviderPayment) { p.Refunds[0].Amount = krw(15001) },
		"a refund without an id":  func(p *ports.ProviderPayment) { p.Refunds[0].ProviderID = "" },
		"a refund that failed":    func(p *ports.ProviderPayment) { p.Refunds[0].State = ports.RefundFailed },
		"a refund nobody knows":   func(p *ports.ProviderPayment) { p.Refunds[0].State = ports.RefundAbsent },
		"a refund without a word": func(p *ports.ProviderPayment) { p.Refunds[0].State = "" },
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.ordered("mug")
				b.console(id, 4000)
				b.Providers["sandbox"] = misread{b.Providers["sandbox"], how}
				if err := b.toldBack(b.Buying, "evt_1", id); err != nil {
					t.Error(err)
				}
				if _, err := b.refund(b.Buying, id, "k", 5000); !errors.Is(err, ports.ErrProviderRejected) {
					t.Errorf("%v", err)
				}
				b.wantRefunds(id, "5000 failed")
				if o := b.orderOf(id); !o.Refunded.IsZero() || b.balance(id) != 15000 {
					t.Errorf("%v went back, the books say %d", o.Refunded, b.balance(id))
				}
			})
		})
	}
}

// The books may also be behind with a refund of ours: it failed, and nobody told.
func TestARefundGoesOnAfterOneOfOursFailedUnheard(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		if _, err := b.refund(b.Buying, id, "k1", 5000); err != nil {
			t.Fatal(err)
		}
		b.post("/sandbox/refunds", []byte(`{"paymentId":"`+b.paymentID(id)+`","outcome":"fail"}`))
		r, err := b.refund(b.Buying, id, "k2", 10000)
		if err != nil || r.Remaining != krw(15000) {
			t.Errorf("%+v %v", r, err)
		}
		b.wantRefunds(id, "5000 failed", "10000 failed", "10000 refunded")
		b.wantMoney(id, 10000, "partially_refunded")
		b.wantSums("in the end", 5000, 0)
	})
}

func TestARefundOfTheConsoleThatTheBankDoesLaterIsFollowed(t *testing.T) {
	for decided, want := range map[string]struct {
		back         int64
		status, read string
	}{"succeed": {4000, "4000 refunded elsewhere", "partially_refunded"}, "fail": {0, "4000 failed", "paid"}} {
		t.Run(decided, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.ordered("mug")
				b.faults(`{"asyncRefundNext":1}`)
				b.refundBehindOurBack(id, 4000)
				if err := b.toldBack(b.Buying, "evt_1", id); err != nil {
					t.Error(err)
				}
				b.wantRefunds(id, "4000 pending elsewhere")
				b.wantMoney(id, 0, "paid")
				b.wantSums("on its way", 15000, 0)
				b.bankDecides(id, decided)
				b.wantRefunds(id, want.status)
				b.wantMoney(id, want.back, want.read)
				b.wantSums("in the end", 15000-want.back, 0)
			})
		})
	}
}

func TestMoneyOfNoOrderThatWentBackInTheConsole(t *testing.T) {
	for _, told := range []bool{true, false} {
		t.Run(map[bool]string{true: "and a webhook told", false: "and nobody told"}[told], func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				_, _, session := b.superseded()
				id := session.text("paymentSession.id")
				payID := b.get(payment.Sessions, id).Text("paymentId")
				b.consoleOf(payID, 5000)
				if told {
					if err := b.Hear(t.Context(), b.connection, b.toldOf("Transaction.PartialCancelled", "evt_1", payID, b.account)); err != nil {
						t.Error(err)
					}
					if s := b.get(payment.Sessions, id); s.Text("status") != "requires_attention" {
						t.Errorf("a part of it: %v", s)
					}
					b.wantSums("a part of it", 0, 10000)
				}
				b.consoleOf(payID, 0)
				if told {
					if err := b.Hear(t.Context(), b.connection, b.toldOf("Transaction.Cancelled", "evt_2", payID, b.account)); err != nil {
						t.Error(err)
					}
				}
				b.must(b.resolve(session, payment.Refunded))
				if s := b.get(payment.Sessions, id); s.Text("status") != "canceled" || s.Text("resolution") != "refunded" || s.Text("note") != payment.NoteElsewhere {
					t.Errorf("%v", s)
				}
				b.wantSums("in the end", 0, 0)
			})
		})
	}
}

func TestACrashBetweenARefusalAndTheNextTryHeals(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.console(id, 4000)
		died(t, func() { _, _ = b.refund(b.dying(buying.FailRefundSent), id, "k", 5000) })
		if r, err := b.refund(b.Buying, id, "k", 5000); err != nil || r.State != payment.RefundSucceeded {
			t.Errorf("%+v %v", r, err)
		}
		b.wantRefunds(id, "5000 failed", "4000 refunded elsewhere", "5000 refunded")
		b.wantMoney(id, 9000, "partially_refunded")
	})
}
