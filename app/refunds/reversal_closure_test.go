package refunds_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// oneDeposit is an order of 15000 in a shop of its own, paid by a deposit, and what happens to it.
type oneDeposit struct {
	*bed

	order, parcel    string
	takeBack         func(ports.ProviderState)
	payAgain         func()
	reversed, looked bool // at the bank; and we were told since
	consoleRefund    bool
	disputes         *atomic.Pointer[ports.ProviderPayment]
}

// depositStep is one thing that a bank, a buyer or an operator may do at any time.
type depositStep = shops.Step[*oneDeposit]

// depositSteps are the steps whose every ordering is tried; moreDepositSteps take part in the random walks.
var (
	depositSteps = []depositStep{
		{Name: "the bank takes it back", Run: func(d *oneDeposit) {
			if d.disputes.Load() == nil {
				d.takeBack(ports.ProviderProcessing)
				d.reversed, d.looked = true, false
			}
		}},
		{Name: "the buyer pays again", Run: func(d *oneDeposit) { d.payAgain(); d.reversed, d.looked = false, false }},
		{Name: "a webhook", Run: func(d *oneDeposit) { d.told(d.order); d.looked = true }},
		{Name: "a refund", Run: func(d *oneDeposit) { _, _ = d.Refund(d.Instance, d.order, "part", 5000) }},
		{Name: "a cancel", Run: func(d *oneDeposit) { _, _ = d.CancelOrder(d.Instance, paymentbed.Key(), d.order) }},
		{Name: "dismissed", Run: func(d *oneDeposit) { _, _ = d.decide(d.order, payment.ResolutionDismissed) }},
		{Name: "resolved by a refund", Run: func(d *oneDeposit) { _, _ = d.decide(d.order, payment.ResolutionRefunded) }},
		{Name: "shipped", Run: (*oneDeposit).send},
	}
	moreDepositSteps = append([]depositStep{
		{Name: "a poll", Run: func(d *oneDeposit) { d.Poller.PollOnce(d.T.Context(), ports.ForTenant(d.Shop.ID)); d.looked = true }},
		{Name: "a refund in the console", Run: (*oneDeposit).refundElsewhere},
		{Name: "the buyer disputes it", Run: func(d *oneDeposit) { d.disputeIt() }},
		{Name: "the shop wins", Run: func(d *oneDeposit) { d.decideDispute(payment.DisputeWon) }},
		{Name: "the buyer wins", Run: func(d *oneDeposit) { d.decideDispute(payment.DisputeLost) }},
		{Name: "placed", Run: func(d *oneDeposit) { _, _ = d.decide(d.order, payment.ResolutionPlaced) }},
	}, depositSteps...)
)

func newOneDeposit(t *testing.T, near *bed) *oneDeposit {
	t.Helper()
	b := &bed{paymentbed.NewEmpty(t, near.Store)}
	b.Product("mug", "12000", "9", "")
	d := &oneDeposit{bed: b, looked: true}
	d.takeBack, d.payAgain = b.deposits()
	d.order = b.depositOrder()
	d.parcel = b.pack(d.order, 1)
	d.disputes = b.Providers["sandbox"].(depositBank).dispute
	return d
}

// disputeIt lets the buyer dispute, once, all that is not refunded, while the provider has it.
func (d *oneDeposit) disputeIt() {
	_, refunded := d.BankTotals(d.order)
	if left := 15000 - refunded; d.disputes.Load() == nil && !d.reversed && left > 0 {
		d.disputes.Store(&ports.ProviderPayment{
			Disputes: []payment.SeenDispute{{ProviderID: "dp_1", Status: payment.DisputeNeedsResponse, Amount: paymentbed.KRW(left)}},
			Gone:     []payment.MoneyGone{{ProviderID: "dp_1", Amount: paymentbed.KRW(left), Cause: payment.CauseDispute}},
		})
		d.looked = false
	}
}

// decideDispute ends the dispute, if it is open.
func (d *oneDeposit) decideDispute(as payment.DisputeStatus) {
	if was := d.disputes.Load(); was != nil && was.Disputes[0].Status.Open() {
		disputes, gone := slices.Clone(was.Disputes), slices.Clone(was.Gone)
		disputes[0].Status, gone[0].Returned = as, as == payment.DisputeWon
		d.disputes.Store(&ports.ProviderPayment{Disputes: disputes, Gone: gone})
		d.looked = false
	}
}

// refundElsewhere refunds 4000 at the provider, once, while that has the money.
func (d *oneDeposit) refundElsewhere() {
	if _, refunded := d.BankTotals(d.order); !d.reversed && d.disputes.Load() == nil && !d.consoleRefund && refunded+4000 <= 15000 {
		d.consoleRefund, d.looked = true, false
		d.refundInConsole(d.order, 4000)
	}
}

// send sends the goods. Those of an order on hold that leave break the rule.
func (d *oneDeposit) send() {
	held := d.OrderOf(d.order).Hold
	if a, err := d.ship(d.parcel); paymentbed.Outcome(a, err) == nil && held != "" {
		d.T.Errorf("shipped while on hold because of %s", held)
	}
}

// Check asserts what holds at any time: order, ledger and transactions agree, the order is on hold and its session in
// the queue exactly while the provider has the money and nobody decided otherwise; and once we were told, what the
// provider has agrees too.
func (d *oneDeposit) Check(path string) {
	t := d.T
	t.Helper()
	o, s := d.OrderOf(d.order), d.paymentOf(d.order)
	won, differences := d.Reconciliation()
	ours := slices.DeleteFunc(slices.Clone(differences), func(x string) bool { return strings.HasPrefix(x, "payment "+s.ID) })
	left := o.Paid.Minor - o.Refunded.Minor - o.Reversed.Minor
	if len(ours) > 0 || left < 0 || won.Orders != left || won.Ledger != left {
		t.Errorf("%s: %d are left, %+v; %v", path, left, won, differences)
	}
	if d.looked && len(differences) > 0 {
		t.Errorf("%s: the provider has other money: %v", path, differences)
	}
	gone, decided, canceled := o.Reversed.Minor > 0, s.Resolution == payment.ResolutionDismissed, o.Status == order.Canceled
	disputed := slices.ContainsFunc(d.All(payment.Disputes), func(r collection.Record) bool { return payment.DisputeFrom(r).Status.Open() })
	held, asked := !decided && (gone || disputed) && !canceled, !decided && (disputed || gone && !canceled)
	if (o.Hold != "") != held || s.MoneyIsGone() != asked {
		t.Errorf("%s: %d reversed of an order that is %s, on hold because of %q, its session %+v", path, o.Reversed.Minor, o.Status, o.Hold, s.State)
	}
	if !s.Booked() {
		t.Errorf("%s: the session is %+v", path, s.State)
	}
}

// State has the order, its payment, and what the bank has of it. Refunds that came to nothing, and money that was returned,
// are only history.
func (d *oneDeposit) State() string {
	o, part := d.OrderOf(d.order), false
	for _, r := range d.RefundsOf(d.order) {
		part = part || r.Text("refundKey") == "part" && r.Text("status") == "refunded"
	}
	_, atBank := d.BankTotals(d.order)
	return fmt.Sprintf("%s %v %v %v %s %v %+v; part %v; bank %v %v %v %v", o.Status, o.Paid, o.Refunded, o.Reversed, o.Hold, o.HasShipped(),
		d.paymentOf(d.order).State, part, d.reversed, d.looked, d.consoleRefund, atBank)
}

// Every step is tried in every state that steps lead to, until there is no new state.
func TestEveryOrderingOfAReversedDepositKeepsTheMoney(t *testing.T) {
	t.Parallel()
	near := &bed{paymentbed.New(t, shops.Open(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "shop.db")}))}
	shops.Closure(t, depositSteps, func() *oneDeposit { return newOneDeposit(t, near) })
}

// Longer walks, on both databases.
func TestRandomWalksOfAReversedDepositKeepTheMoney(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		shops.InParallel(8, func(seed int) {
			random := rand.New(rand.NewPCG(21, uint64(seed)))
			path := make([]depositStep, 30)
			for i := range path {
				path[i] = moreDepositSteps[random.IntN(len(moreDepositSteps))]
			}
			shops.Take(newOneDeposit(t, b), path...)
		})
	})
}
