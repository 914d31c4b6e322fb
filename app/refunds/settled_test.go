package refunds_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// wantTold asserts of how many movements of today the provider told, and what that comes to.
func (b *bed) wantTold(when string, movements, told, settled, fees int64) {
	b.T.Helper()
	figures, day := b.Store.Reports(), report.DayOf(b.Now(), time.UTC)
	state, err := figures.State(b.T.Context(), b.Shop.ID)
	if err != nil {
		b.T.Fatal(err)
	}
	rows, ok, err := figures.Sum(b.T.Context(), b.Shop.ID, tenant.Test, ports.ReportQuery{
		Version: state.Version, Live: []report.Bounds{report.BoundsOf(day, time.UTC)},
	})
	if err != nil || !ok {
		b.T.Fatalf("%s: %t, %v", when, ok, err)
	}
	var got report.Sums
	for _, r := range rows {
		got = got.Plus(r.Sums)
	}
	if got.Movements != movements || got.Told != told || got.Settled != settled || got.Fees != fees {
		b.T.Errorf("%s: %+v; want %d movements, %d told, %d settled, %d of fees", when, got, movements, told, settled, fees)
	}
}

// What a provider settles is recorded once, as it was told first: with the payment, by a look at it later, or by a webhook, and of
// refunds too, whoever made them. Rule reports-8.
func TestWhatIsSettledIsRecordedOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		was := b.Providers["sandbox"]
		b.Providers["sandbox"] = misreportingProvider{was, func(p *ports.ProviderPayment) {
			p.Settled, p.SettledLater = payment.Settled{}, p.State == ports.ProviderPaid
		}}
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.CaptureAtBank(session, b.Approve(session, "approve"))
		b.SettleSession(session)
		id := b.All(order.Schema)[0].ID()
		look := func() {
			b.Advance(2 * time.Minute)
			b.Poller.PollDue(t.Context(), ports.ForTenant(b.Shop.ID))
		}
		look()
		b.wantTold("before it is told", 1, 0, 0, 0)
		b.Providers["sandbox"] = was
		look()
		b.wantTold("looked at", 1, 1, 14550, 450)
		b.Providers["sandbox"] = misreportingProvider{was, func(p *ports.ProviderPayment) {
			p.Settled = payment.Settled{Net: paymentbed.KRW(1), Fee: paymentbed.KRW(1)}
		}}
		b.refundInConsole(id, 4000)
		shops.Concurrently(8, func(i int) {
			if err := b.refundWebhook(b.Instance, "evt_"+strconv.Itoa(i), id); err != nil {
				t.Error(err)
			}
		})
		b.wantTold("refunded elsewhere", 2, 2, 10550, 450)
		if _, err := b.Refund(b.Instance, id, "k", 5000); err != nil {
			t.Fatal(err)
		}
		b.wantTold("refunded by us", 3, 3, 5550, 450)
		b.WantSums("in the end", 6000, 0)
	})
}

// A payment is looked at until its provider told what it settles, and no longer.
func TestPaymentIsLookedAtUntilItsSettlementIsTold(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		was := b.Providers["sandbox"]
		b.wantTold("paid", 1, 1, 14550, 450)
		for name, how := range map[string]func(p *ports.ProviderPayment){
			"told":     func(*ports.ProviderPayment) {},
			"not told": func(p *ports.ProviderPayment) { p.Settled, p.SettledLater = payment.Settled{}, true },
		} {
			b.Providers["sandbox"] = misreportingProvider{was, how}
			over, err := b.Refunds.Watch(t.Context(), b.Shop.ID, b.sessionOf(id))
			if err != nil || over != (name == "told") {
				t.Errorf("%s: over %t, %v", name, over, err)
			}
		}
	})
}
