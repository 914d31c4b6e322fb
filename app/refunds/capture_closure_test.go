package refunds_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// oneAuthorization is an order of 15000 in a shop of its own, whose payment is authorized and captured on shipping, and what
// happens to it.
type oneAuthorization struct {
	*bed

	order, parcel string
	atBank        string // what the bank did without us: "released", "captured"
	looked        bool   // and we know
}

// authorizationStep is one thing that a provider, a shop or its operators may do at any time.
type authorizationStep = shops.Step[*oneAuthorization]

// authorizationSteps are the steps whose every ordering is tried; moreAuthorizationSteps take part in the random walks.
var (
	authorizationSteps = []authorizationStep{
		{Name: "the bank releases it", Run: func(x *oneAuthorization) { x.elsewhere("release", "released") }},
		{Name: "captured in the console", Run: func(x *oneAuthorization) { x.elsewhere("capture", "captured") }},
		{Name: "a webhook", Run: func(x *oneAuthorization) { x.told(x.order); x.looked = true }},
		{Name: "a poll", Run: func(x *oneAuthorization) { x.poll(); x.looked = true }},
		{Name: "a part is captured", Run: func(x *oneAuthorization) { _, _ = x.capture(x.Instance, paymentbed.Key(), x.order, 9000) }},
		{Name: "a cancel", Run: func(x *oneAuthorization) { _, _ = x.CancelOrder(x.Instance, paymentbed.Key(), x.order) }},
		{Name: "a refund", Run: func(x *oneAuthorization) { _, _ = x.Refund(x.Instance, x.order, "part", 5000) }},
		{Name: "dismissed", Run: func(x *oneAuthorization) { _, _ = x.decide(x.order, payment.ResolutionDismissed) }},
		{Name: "shipped", Run: (*oneAuthorization).send},
	}
	moreAuthorizationSteps = append([]authorizationStep{
		{Name: "all is captured", Run: func(x *oneAuthorization) { _, _ = x.capture(x.Instance, paymentbed.Key(), x.order, 0) }},
		{Name: "a capture whose answer is lost", Run: func(x *oneAuthorization) {
			x.BankFaults(`{"dropResponseNext":1}`)
			_, _ = x.capture(x.Instance, paymentbed.Key(), x.order, 8000)
			x.BankFaults(`{}`)
		}},
		{Name: "a cancel that does not arrive", Run: func(x *oneAuthorization) {
			x.BankFaults(`{"failNext":1}`)
			_, _ = x.CancelOrder(x.Instance, paymentbed.Key(), x.order)
			x.BankFaults(`{}`)
		}},
		{Name: "resolved by a refund", Run: func(x *oneAuthorization) { _, _ = x.decide(x.order, payment.ResolutionRefunded) }},
		{Name: "placed", Run: func(x *oneAuthorization) { _, _ = x.decide(x.order, payment.ResolutionPlaced) }},
	}, authorizationSteps...)
)

func newOneAuthorization(t *testing.T, near *bed) *oneAuthorization {
	t.Helper()
	b := &bed{paymentbed.NewEmpty(t, near.Store)}
	b.Product("mug", "12000", "9", "")
	b.captureLater(checkout.CaptureOnShipping)
	x := &oneAuthorization{bed: b, looked: true}
	x.order = b.PaidOrder("mug")
	x.parcel = b.pack(x.order, 1)
	return x
}

// elsewhere lets the bank release the payment, or capture all of it, without us, while it holds it.
func (x *oneAuthorization) elsewhere(outcome, became string) {
	if x.BankPayment(x.order).Status == "AUTHORIZED" {
		x.atConsole(x.order, outcome, 0)
		x.atBank, x.looked = became, false
	}
}

// send sends the goods. Those of an order on hold that leave break the rule.
func (x *oneAuthorization) send() {
	held := x.OrderOf(x.order).Hold
	if a, err := x.ship(x.parcel); paymentbed.Outcome(a, err) == nil && held != "" {
		x.T.Errorf("shipped while on hold because of %s", held)
	}
}

// Check asserts what holds at any time: order, ledger and transactions agree; an order that waits for nothing is not in the
// queue; and once we looked, the provider has the same money and holds nothing of a canceled order.
func (x *oneAuthorization) Check(path string) {
	t := x.T
	t.Helper()
	o, s := x.OrderOf(x.order), x.paymentOf(x.order)
	won, differences := x.Reconciliation()
	ours := 0
	for _, d := range differences {
		if !strings.HasPrefix(d, "payment "+s.ID) {
			ours++
		}
	}
	left := o.Paid.Minor - o.Refunded.Minor
	if ours > 0 || left < 0 || won.Orders != left || won.Ledger != left {
		t.Errorf("%s: %d are left, %+v; %v", path, left, won, differences)
	}
	if x.looked && len(differences) > 0 {
		t.Errorf("%s: the provider has other money: %v", path, differences)
	}
	if bank := x.BankPayment(x.order); o.Status == order.Canceled && (o.Authorization != nil || bank.Status == "AUTHORIZED" || left != 0) {
		t.Errorf("%s: canceled with %d left, %+v, %+v at the bank", path, left, o.Authorization, bank)
	}
	if held := s.IsHeld(); held != (o.Authorization != nil) || held && !o.Paid.IsZero() || !s.Booked() {
		t.Errorf("%s: %v paid, %+v held; the session is %+v", path, o.Paid, o.Authorization, s.State)
	}
	if lost := o.Paid.IsZero() && o.Authorization == nil && o.Status != order.Canceled && s.Resolution != payment.ResolutionDismissed; lost !=
		(o.Hold == order.HoldVoided) || lost != s.MoneyIsGone() {
		t.Errorf("%s: %s, on hold because of %q; the session is %+v", path, o.Status, o.Hold, s.State)
	}
}

// State has the order, its payment, and what the bank has of it.
func (x *oneAuthorization) State() string {
	o := x.OrderOf(x.order)
	part := false
	for _, r := range x.RefundsOf(x.order) {
		part = part || r.Text("refundKey") == "part" && r.Text("status") == "refunded"
	}
	return fmt.Sprintf("%s %v %v %v %s %v %v %+v; part %v; bank %s %v %+v", o.Status, o.Paid, o.Refunded, o.Authorization != nil, o.Hold, o.HasShipped(),
		o.Canceling(), x.paymentOf(x.order).State, part, x.atBank, x.looked, x.BankPayment(x.order))
}

// Every step is tried in every state that steps lead to, until there is no new state.
func TestEveryOrderingOfAnAuthorizedPaymentKeepsTheMoney(t *testing.T) {
	t.Parallel()
	near := &bed{paymentbed.New(t, shops.Open(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "shop.db")}))}
	shops.Closure(t, authorizationSteps, func() *oneAuthorization { return newOneAuthorization(t, near) })
}

// Longer walks, on both databases; at their end the poller finishes what is begun.
func TestRandomWalksOfAnAuthorizedPaymentKeepTheMoney(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		shops.InParallel(8, func(seed int) {
			random := rand.New(rand.NewPCG(22, uint64(seed)))
			path := make([]authorizationStep, 20)
			for i := range path {
				path[i] = moreAuthorizationSteps[random.IntN(len(moreAuthorizationSteps))]
			}
			x := newOneAuthorization(t, b)
			shops.Take(x, path...)
			for range 2 {
				x.Poller.PollOnce(t.Context(), ports.ForTenant(x.Shop.ID))
			}
			x.looked = true
			x.Check(fmt.Sprintf("seed %d, polled", seed))
			if x.OrderOf(x.order).Canceling() {
				t.Errorf("seed %d: still being canceled", seed)
			}
		})
	})
}
