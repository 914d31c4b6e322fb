package refunds_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// disputing lets the provider report these disputes of every payment, and this money as gone.
func (b *bed) disputing() (report func(d payment.DisputeStatus, withdrawn, returned bool)) {
	var now atomic.Pointer[func(p *ports.ProviderPayment)]
	b.Providers["sandbox"] = misreportingProvider{b.Providers["sandbox"], func(p *ports.ProviderPayment) {
		if how := now.Load(); how != nil && p.State == ports.ProviderPaid {
			(*how)(p)
		}
	}}
	return func(d payment.DisputeStatus, withdrawn, returned bool) {
		how := func(p *ports.ProviderPayment) {
			p.Disputes = []payment.SeenDispute{{
				ProviderID: "dp_1", Status: d, Reason: "product_not_received", Amount: p.Amount,
				EvidenceDue: paymentbed.Start.Add(7 * 24 * time.Hour), OpenedAt: paymentbed.Start,
			}}
			if withdrawn {
				p.Gone = []payment.MoneyGone{{ProviderID: "dp_1", Amount: p.Amount, Cause: payment.CauseDispute, Returned: returned}}
			}
		}
		now.Store(&how)
	}
}

func (b *bed) wantDispute(when string, want payment.DisputeStatus) {
	b.T.Helper()
	all := b.All(payment.Disputes)
	if len(all) != 1 || all[0].Text("status") != string(want) || all[0].Text("reason") != "product_not_received" || all[0].Time("evidenceDue").IsZero() {
		b.T.Errorf("%s: %v, want one that is %s", when, all, want)
	}
}

func TestDisputeIsRecordedWithItsMoney(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		report := b.disputing()
		id := b.PaidOrder("mug")
		parcel := b.pack(id, 1)
		report(payment.DisputeNeedsResponse, true, false)
		two := b.NewInstance()
		two.Providers["sandbox"] = b.Providers["sandbox"]
		instances := []*paymentbed.Instance{b.Instance, two}
		shops.Concurrently(12, func(i int) {
			if err := b.refundWebhook(instances[i%2], paymentbed.Key(), id); err != nil {
				t.Error(err)
			}
		})
		b.wantDispute("opened", payment.DisputeNeedsResponse)
		b.wantReversed("opened", id, 15000, order.HoldDisputed, payment.ReasonDisputed, checkout.AdviceRespond)
		b.WantSums("opened", 0, 0)
		a, err := b.ship(parcel)
		paymentbed.Refused(t, "shipped", a, err, order.ErrOnHold)
		report(payment.DisputeUnderReview, true, false)
		b.told(id)
		b.wantDispute("answered", payment.DisputeUnderReview)
		report(payment.DisputeWon, true, true)
		b.told(id)
		b.wantDispute("won", payment.DisputeWon)
		b.wantReversed("won", id, 0, "", "", "")
		b.WantSums("won", 15000, 0)
		report(payment.DisputeNeedsResponse, true, true) // an older answer
		b.told(id)
		b.wantDispute("an older answer", payment.DisputeWon)
		b.Must(b.ship(parcel))
	})
}

func TestLostDisputeLeavesTheMoneyGone(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		report := b.disputing()
		id := b.PaidOrder("mug")
		b.Must(b.ship(b.pack(id, 1)))
		report(payment.DisputeNeedsResponse, true, false)
		b.told(id)
		report(payment.DisputeLost, true, false)
		b.told(id)
		b.wantDispute("lost", payment.DisputeLost)
		b.wantReversed("lost", id, 15000, order.HoldReversed, payment.ReasonReversedShipped, checkout.AdviceCollect)
		b.Must(b.decide(id, payment.ResolutionDismissed))
		b.told(id)
		b.wantReversed("dismissed", id, 15000, "", "", "")
		b.WantSums("dismissed", 0, 0)
	})
}

// An inquiry takes no money. It stops the order all the same, until an operator decides or it ends.
func TestInquiryAsksForAnAnswer(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		report := b.disputing()
		id := b.PaidOrder("mug")
		report(payment.DisputeNeedsResponse, false, false)
		b.told(id)
		b.wantReversed("asked", id, 0, order.HoldDisputed, payment.ReasonDisputed, checkout.AdviceRespond)
		b.WantSums("asked", 15000, 0)
		b.Must(b.decide(id, payment.ResolutionDismissed))
		b.told(id)
		b.wantReversed("dismissed", id, 0, "", "", "")
		report(payment.DisputeClosed, false, false)
		b.told(id)
		b.wantDispute("ended", payment.DisputeClosed)
		b.wantReversed("ended", id, 0, "", "", "")
		if s := b.paymentOf(id); s.Status != payment.StatusSucceeded {
			t.Errorf("%+v", s.State)
		}
	})
}

// Part of a payment is disputed, the rest may be refunded: the provider is told what is not refunded yet.
func TestRefundBesideAPartialDispute(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		was := b.Providers["sandbox"]
		id := b.PaidOrder("mug")
		b.Providers["sandbox"] = misreportingProvider{was, func(p *ports.ProviderPayment) {
			p.Disputes = []payment.SeenDispute{{ProviderID: "dp_1", Status: payment.DisputeLost, Amount: paymentbed.KRW(5000)}}
			p.Gone = []payment.MoneyGone{{ProviderID: "dp_1", Amount: paymentbed.KRW(5000), Cause: payment.CauseDispute}}
		}}
		b.told(id)
		b.WantSums("disputed", 10000, 0)
		if r, err := b.Refund(b.Instance, id, "k", 4000); err != nil || r.State != payment.RefundSucceeded {
			t.Errorf("%+v %v", r, err)
		}
		if _, err := b.Refund(b.Instance, id, "too much", 6001); err == nil {
			t.Error("more is refunded than there is")
		}
		if r, err := b.Refund(b.Instance, id, "the rest", 0); err != nil || r.Amount != paymentbed.KRW(6000) {
			t.Errorf("%+v %v", r, err)
		}
		b.WantSums("refunded", 0, 0)
	})
}

func TestDisputeOfAnUnappliedPaymentIsRecorded(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		report := b.disputing()
		_, _, session := b.Superseded()
		report(payment.DisputeNeedsResponse, true, false)
		id := session.Text("paymentSession.id")
		if err := b.Refunds.SyncRefunds(t.Context(), b.Shop.ID, id); err != nil {
			t.Fatal(err)
		}
		b.wantDispute("opened", payment.DisputeNeedsResponse)
		if s := payment.SessionFrom(b.Get(payment.Sessions, id)); s.Resolution != payment.ResolutionReversed {
			t.Errorf("%+v", s.State)
		}
		b.WantSums("opened", 0, 0)
		report(payment.DisputeWon, true, true)
		if err := b.Refunds.SyncRefunds(t.Context(), b.Shop.ID, id); err != nil {
			t.Fatal(err)
		}
		b.wantDispute("won", payment.DisputeWon)
		if s := payment.SessionFrom(b.Get(payment.Sessions, id)); s.Advice() != checkout.AdviceRefund {
			t.Errorf("%+v", s.State)
		}
		b.WantSums("won", 0, 15000)
	})
}
