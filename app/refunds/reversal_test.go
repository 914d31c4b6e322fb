package refunds_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// depositBank is the bed's provider, whose payments are deposits that the bank takes back as long as state is set.
type depositBank struct {
	ports.Provider

	state   *atomic.Value                          // ports.ProviderState
	dispute *atomic.Pointer[ports.ProviderPayment] // the disputes and what is gone for them
}

func (d depositBank) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := d.Provider.Lookup(ctx, conn, ref)
	if state, _ := d.state.Load().(ports.ProviderState); state != "" && p.State == ports.ProviderPaid {
		p.State = state
	}
	if d := d.dispute.Load(); d != nil {
		p.Disputes, p.Gone = d.Disputes, d.Gone
	}
	return p, err
}

// Do implements ports.Provider: what the bank took back is not refunded.
func (d depositBank) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	state, _ := d.state.Load().(ports.ProviderState)
	taken := d.dispute.Load()
	if call.Operation == ports.OpRefund && (state != "" || taken != nil && len(taken.Gone) > 0 && !taken.Gone[0].Returned) {
		return ports.Outcome{}, ports.ErrProviderRejected.WithData("providerCode", "NOT_CANCELABLE_PAYMENT")
	}
	return d.Provider.Do(ctx, conn, call)
}

// deposits lets the bank take deposits back, and return them.
func (b *bed) deposits() (takeBack func(ports.ProviderState), payAgain func()) {
	d := depositBank{b.Providers["sandbox"], &atomic.Value{}, &atomic.Pointer[ports.ProviderPayment]{}}
	b.Providers["sandbox"] = d
	return func(s ports.ProviderState) { d.state.Store(s) }, func() { d.state.Store(ports.ProviderState("")) }
}

// depositOrder is the id of an order of one mug, paid by a deposit to a virtual account.
func (b *bed) depositOrder() string {
	b.T.Helper()
	return b.depositOrderOf("mug")
}

func (b *bed) depositOrderOf(lines string) string {
	b.T.Helper()
	was := b.Providers["sandbox"]
	b.Providers["sandbox"] = misreportingProvider{was, func(p *ports.ProviderPayment) {
		p.State = ports.ProviderProcessing
		p.Instructions = &payment.Instructions{BankCode: "20", Account: "X6505636518308", Amount: p.Amount}
	}}
	session := b.Pay(b.Checkout(lines).Text("checkout.id"))
	b.CaptureAtBank(session, b.Approve(session, "approve"))
	b.SettleSession(session) // the buyer is told where to pay
	b.Providers["sandbox"] = was
	b.SettleSession(session)
	return b.All(order.Schema)[0].ID()
}

// told delivers a webhook about the payment of an order.
func (b *bed) told(orderID string) {
	b.T.Helper()
	if err := b.refundWebhook(b.Instance, paymentbed.Key(), orderID); err != nil {
		b.T.Error(err)
	}
}

// paymentOf is the payment session of an order.
func (b *bed) paymentOf(orderID string) payment.Session {
	return payment.SessionFrom(b.Get(payment.Sessions, b.sessionOf(orderID)))
}

// decide is an operator's decision about the payment of an order.
func (b *bed) decide(orderID string, as payment.Resolution) (idempotency.Response, error) {
	return b.Resolve(b.Read([]byte(`{"paymentSession":{"id":"`+b.sessionOf(orderID)+`"}}`)), as)
}

// wantReversed asserts what is recorded of an order that cost 15000: how much of it is reversed, why it is on hold, and
// what operators are asked to do about its session.
func (b *bed) wantReversed(when, orderID string, reversed int64, hold string, reason string, advice checkout.Advice) {
	b.T.Helper()
	o, s := b.OrderOf(orderID), b.paymentOf(orderID)
	if o.Reversed.Minor != reversed || o.Hold != hold {
		b.T.Errorf("%s: the order has %v reversed and is on hold because of %q; want %d, %q", when, o.Reversed, o.Hold, reversed, hold)
	}
	if requires := s.Status == payment.StatusRequiresAttention; requires != (advice != "") || requires && s.Reason != reason || s.Advice() != advice {
		b.T.Errorf("%s: the session is %+v, suggested %q; want %q, %q", when, s.State, s.Advice(), reason, advice)
	}
}

func TestReversedDepositStopsTheOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		takeBack, payAgain := b.deposits()
		id := b.PaidOrder("mug")
		parcel := b.pack(id, 1)
		takeBack(ports.ProviderProcessing)
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		instances[1].Providers["sandbox"] = b.Providers["sandbox"]
		shops.Concurrently(12, func(i int) {
			if err := b.refundWebhook(instances[i%2], "evt_"+strconv.Itoa(i), id); err != nil {
				t.Error(err)
			}
		})
		b.wantReversed("taken back", id, 15000, order.HoldReversed, payment.ReasonReversed, checkout.AdviceCancel)
		b.WantSums("taken back", 0, 0)
		a, err := b.ship(parcel)
		paymentbed.Refused(t, "shipped", a, err, order.ErrOnHold)
		if _, err := b.Refund(b.Instance, id, "k", 1000); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("refunded money that is gone: %v", err)
		}
		if got := b.Get(order.Schema, id); got.Text("paymentStatus") != "reversed" || got.Text("status") != "preparing" || b.Level("mug").OnHand != 99 {
			t.Errorf("%v %+v", got, b.Level("mug"))
		}
		payAgain()
		shops.Concurrently(12, func(i int) {
			if err := b.refundWebhook(instances[i%2], "again_"+strconv.Itoa(i), id); err != nil {
				t.Error(err)
			}
		})
		b.wantReversed("paid again", id, 0, "", "", "")
		b.WantSums("paid again", 15000, 0)
		takeBack(ports.ProviderExpired)
		b.told(id)
		b.wantReversed("taken back twice", id, 15000, order.HoldReversed, payment.ReasonReversed, checkout.AdviceCancel)
		b.WantSums("taken back twice", 0, 0)
		payAgain()
		b.told(id)
		b.Must(b.ship(parcel))
		b.WantSums("in the end", 15000, 0)
	})
}

func TestReversalAfterShippingIsFlagged(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		takeBack, payAgain := b.deposits()
		id := b.PaidOrder("mug")
		b.Must(b.ship(b.pack(id, 1)))
		takeBack(ports.ProviderProcessing)
		b.told(id)
		b.wantReversed("taken back", id, 15000, order.HoldReversed, payment.ReasonReversedShipped, checkout.AdviceCollect)
		for _, as := range []payment.Resolution{payment.ResolutionPlaced, payment.ResolutionRefunded} {
			a, err := b.decide(id, as)
			paymentbed.Refused(t, "money that is gone is "+string(as), a, err, payment.ErrNotPaid)
		}
		b.Must(b.decide(id, payment.ResolutionDismissed))
		b.told(id)
		b.wantReversed("dismissed", id, 15000, "", "", "")
		b.WantSums("dismissed", 0, 0)
		payAgain()
		b.told(id)
		takeBack(ports.ProviderProcessing)
		b.told(id)
		b.wantReversed("taken back again", id, 15000, order.HoldReversed, payment.ReasonReversedShipped, checkout.AdviceCollect)
	})
}

func TestCanceledOrderOwesNothingOfAReversedPayment(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		takeBack, payAgain := b.deposits()
		id := b.PaidOrder("mug")
		takeBack(ports.ProviderProcessing)
		b.told(id)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantReversed("canceled", id, 15000, "", "", "")
		if o, s := b.OrderOf(id), b.paymentOf(id); o.Status != order.Canceled || s.Resolution != payment.ResolutionReversed {
			t.Errorf("%s, %+v", o.Status, s.State)
		}
		if l := b.Level("mug"); l.OnHand != 100 {
			t.Errorf("%+v", l)
		}
		b.wantRefunds(id)
		b.WantSums("canceled", 0, 0)
		payAgain() // the buyer did not know
		b.told(id)
		b.wantReversed("paid again", id, 0, "", payment.ReasonLate, checkout.AdviceRefund)
		b.WantSums("paid again", 15000, 0)
		a, err := b.decide(id, payment.ResolutionPlaced)
		paymentbed.Refused(t, "an order that was canceled", a, err, checkout.ErrNotOpen)
		b.Must(b.decide(id, payment.ResolutionRefunded))
		b.wantReversed("given back", id, 0, "", "", "")
		b.wantRefunds(id, "15000 refunded")
		b.WantMoney(id, 15000, "refunded")
		b.WantSums("in the end", 0, 0)
	})
}

func TestReversalOfAnUnappliedPaymentEndsItsCase(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		takeBack, payAgain := b.deposits()
		_, _, session := b.Superseded()
		sync := func() payment.Session {
			t.Helper()
			id := session.Text("paymentSession.id")
			if err := b.Refunds.SyncRefunds(t.Context(), b.Shop.ID, id); err != nil {
				t.Fatal(err)
			}
			return payment.SessionFrom(b.Get(payment.Sessions, id))
		}
		takeBack(ports.ProviderExpired)
		if s := sync(); s.Status != payment.StatusCanceled || s.Resolution != payment.ResolutionReversed {
			t.Errorf("taken back: %+v", s.State)
		}
		if queue := b.AttentionQueue(checkout.Schema); len(queue) != 0 {
			t.Errorf("checkouts require attention: %v", queue)
		}
		b.WantSums("taken back", 0, 0)
		payAgain()
		if s := sync(); s.Advice() != checkout.AdviceRefund || !s.Booked() {
			t.Errorf("paid again: %+v", s.State)
		}
		b.WantSums("paid again", 0, 15000)
		b.Must(b.Resolve(session, payment.ResolutionPlaced))
		b.WantSums("placed", 15000, 0)
		takeBack(ports.ProviderProcessing)
		if s := sync(); s.Reason != payment.ReasonReversed {
			t.Errorf("taken back from the order: %+v", s.State)
		}
		b.WantSums("taken back from the order", 0, 0)
	})
}

func TestInconclusiveLookupReversesNothing(t *testing.T) {
	for name, how := range map[string]func(p *ports.ProviderPayment){
		"absent":                func(p *ports.ProviderPayment) { p.State = ports.ProviderAbsent },
		"unknown":               func(p *ports.ProviderPayment) { p.State = ports.ProviderUnknown },
		"without a word":        func(p *ports.ProviderPayment) { p.State = "" },
		"another payment":       func(p *ports.ProviderPayment) { p.State, p.PaymentID = ports.ProviderProcessing, "Other12345" },
		"another amount":        func(p *ports.ProviderPayment) { p.State, p.Amount = ports.ProviderProcessing, paymentbed.KRW(15001) },
		"another account":       func(p *ports.ProviderPayment) { p.State, p.AccountKey = ports.ProviderProcessing, "somebody" },
		"another provider's id": func(p *ports.ProviderPayment) { p.State, p.ProviderID = ports.ProviderProcessing, "other" },
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.PaidOrder("mug")
				was := b.Providers["sandbox"]
				b.Providers["sandbox"] = misreportingProvider{was, how}
				b.told(id)
				b.Providers["sandbox"] = was
				b.wantReversed("afterwards", id, 0, "", "", "")
				b.WantSums("afterwards", 15000, 0)
			})
		})
	}
}

func TestRefundsAreNoReversal(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.refundInConsole(id, 0)
		b.Providers["sandbox"] = misreportingProvider{b.Providers["sandbox"], func(p *ports.ProviderPayment) { p.State = ports.ProviderCanceled }}
		b.told(id)
		b.wantReversed("refunded in full", id, 0, "", "", "")
		b.WantSums("refunded in full", 0, 0)
	})
}

func TestRefundOfReversedPaymentTellsWhatIsLeft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		takeBack, _ := b.deposits()
		id := b.PaidOrder("mug")
		takeBack(ports.ProviderProcessing)
		if _, err := b.Refund(b.Instance, id, "k", 0); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("%v", err)
		}
		b.wantReversed("afterwards", id, 15000, order.HoldReversed, payment.ReasonReversed, checkout.AdviceCancel)
	})
}

// Nobody tells of it: the booked deposit is looked at for a week, ever less.
func TestReversedDepositIsFoundWithoutAWebhook(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		takeBack, payAgain := b.deposits()
		id := b.depositOrder()
		poll := func(after time.Duration) {
			b.Advance(after)
			b.Poller.PollDue(t.Context(), ports.ForTenant(b.Shop.ID))
		}
		takeBack(ports.ProviderProcessing)
		poll(30 * time.Second)
		b.wantReversed("half a minute later", id, 0, "", "", "")
		poll(time.Minute)
		b.wantReversed("within two minutes", id, 15000, order.HoldReversed, payment.ReasonReversed, checkout.AdviceCancel)
		payAgain()
		poll(2 * time.Minute)
		b.wantReversed("paid again", id, 0, "", "", "")
		for range 40 {
			poll(12 * time.Hour)
		}
		takeBack(ports.ProviderProcessing)
		poll(12 * time.Hour)
		b.wantReversed("weeks later", id, 0, "", "", "")
	})
}

func TestReconciliationReportsAReversalThatIsNotRecorded(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		takeBack, payAgain := b.deposits()
		id := b.PaidOrder("mug")
		takeBack(ports.ProviderProcessing)
		if won, differences := b.Reconciliation(); len(differences) != 1 || won.Balanced(true) {
			t.Errorf("%+v %v", won, differences)
		}
		b.told(id)
		payAgain()
		if won, differences := b.Reconciliation(); len(differences) != 1 || won.Balanced(true) {
			t.Errorf("%+v %v", won, differences)
		}
	})
}

func TestHeldOrderIsNotMovedByHand(t *testing.T) {
	t.Parallel()
	o := order.Order{Status: order.Paid, Total: paymentbed.KRW(1), Paid: paymentbed.KRW(1), Tenant: tenant.ID("t")}.Follow(paymentbed.KRW(1), false, false)
	if _, err := o.MoveByHand(order.Preparing, "", paymentbed.Start); !errors.Is(err, order.ErrOnHold) {
		t.Errorf("%v", err)
	}
}
