package payments_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// oneCart is a cart of a tenant of its own, with the checkouts and payment sessions that steps make of it. The
// first and the third session are widgets, the second is a custom one.
type oneCart struct {
	b         *bed
	cart      string   // that has the goods
	merged    bool     // they came from another one
	checkouts []string // in the order in which they were made
	sessions  []cartSession
}

type cartSession struct {
	id, checkout string
	amount       money.Money
	answer       paymentbed.Answer
	paymentKey   string // of a widget, whose buyer approved it
	custom       string // the provider's id; "" for a widget
}

// maxSessions is how many payment sessions one cart gets.
const maxSessions = 3

// cartStep is one thing that a buyer, the shop or a provider may do at any time.
type cartStep = shops.Step[*oneCart]

// coreSteps are the steps whose every ordering is tried; moreSteps take part in the random walks.
var (
	coreSteps = []cartStep{
		{Name: "check out", Run: (*oneCart).checkOut},
		{Name: "open", Run: (*oneCart).open},
		{Name: "release", Run: func(c *oneCart) { c.endHolder("release") }},
		{Name: "pay 1", Run: func(c *oneCart) { c.pay(0) }},
		{Name: "pay 2", Run: func(c *oneCart) { c.pay(1) }},
		{Name: "pay 3", Run: func(c *oneCart) { c.pay(2) }},
		{Name: "poll", Run: (*oneCart).poll},
		{Name: "merge", Run: (*oneCart).merge},
	}
	moreSteps = append([]cartStep{
		{Name: "cancel", Run: func(c *oneCart) { c.endHolder("cancel") }},
		{Name: "ship elsewhere", Run: (*oneCart).shipElsewhere},
		{Name: "sold out", Run: func(c *oneCart) { c.setStock(0) }},
		{Name: "restocked", Run: func(c *oneCart) { c.setStock(9) }},
		{Name: "place", Run: func(c *oneCart) { c.resolve(payment.ResolutionPlaced) }},
		{Name: "refund", Run: func(c *oneCart) { c.resolve(payment.ResolutionRefunded) }},
	}, coreSteps...)
)

func newOneCart(t *testing.T, near *bed) *oneCart {
	t.Helper()
	b := &bed{paymentbed.NewEmpty(t, near.Store)}
	b.Product("mug", "12000", "9", "")
	c := &oneCart{b: b, cart: b.Cart(nil, "mug")}
	c.checkOut()
	return c
}

// ok reports whether a step had an effect.
func ok(a idempotency.Response, err error) bool { return err == nil && a.Fault == nil }

func (c *oneCart) session(i int) payment.Session {
	return payment.SessionFrom(c.b.Get(payment.Sessions, c.sessions[i].id))
}

// checkOut makes a checkout. One that is made although a session may be paid breaks the rule.
func (c *oneCart) checkOut() {
	a, err := c.b.Checkouts.Create(c.b.T.Context(), c.b.Server(paymentbed.Key(), "checkouts.create", ""), c.b.CheckoutInput(c.cart))
	if !ok(a, err) {
		return
	}
	c.checkouts = append(c.checkouts, c.b.Must(a, err).Text("checkout.id"))
	for i := range c.sessions {
		if s := c.session(i); s.MayBePaid() {
			c.b.T.Errorf("a new checkout although session %d is %+v", i+1, s.State)
		}
	}
}

// merge moves the goods into another cart, once, as a login does. A merge although a session may be paid breaks the rule.
func (c *oneCart) merge() {
	if c.merged {
		return
	}
	into := c.b.Cart(nil, "mug")
	service := carts.New(carts.Service{
		Store: c.b.Store, Cache: memory.NewReceipts(1<<20, c.b.Now, c.b.Store), Vault: c.b.Vault, Sessions: c.b.Payments.Settler,
		Now: c.b.Now, NewID: shops.NewID,
	}, mailbox.Options{})
	a, err := service.Merge(c.b.T.Context(), c.b.Server(paymentbed.Key(), "carts.merge", ""), carts.MergeInput{Source: c.cart, Target: into})
	if !ok(a, err) {
		return
	}
	c.cart, c.merged = into, true
	for i := range c.sessions {
		if s := c.session(i); s.MayBePaid() {
			c.b.T.Errorf("the cart is merged although session %d is %+v", i+1, s.State)
		}
	}
}

// open opens the next session on the newest checkout.
func (c *oneCart) open() {
	if len(c.sessions) == maxSessions {
		return
	}
	s := cartSession{checkout: c.checkouts[len(c.checkouts)-1]}
	var a idempotency.Response
	var err error
	if len(c.sessions) == 1 {
		s.custom = "at-the-bank-" + string(c.b.Shop.ID)
		a, err = c.b.OpenCustom(s.checkout, s.custom)
	} else {
		in := paymentbed.WidgetSession(s.checkout)
		in.SuccessURL += fmt.Sprint(len(c.sessions)) // another action than that of an earlier session
		a, err = c.b.Payments.Sessions.Open(c.b.T.Context(), c.b.Server(paymentbed.Key(), "paymentSessions.create", ""), in)
	}
	if !ok(a, err) {
		return
	}
	s.answer = c.b.Must(a, err)
	s.id = s.answer.Text("paymentSession.id")
	s.amount = payment.SessionFrom(c.b.Get(payment.Sessions, s.id)).Amount
	if s.custom == "" {
		s.paymentKey = c.b.Approve(s.answer, "approve")
	}
	c.sessions = append(c.sessions, s)
}

// endHolder releases or cancels the session that holds the slot.
func (c *oneCart) endHolder(how string) {
	for i, s := range c.sessions {
		if !c.session(i).SlotHeld {
			continue
		}
		call := c.b.Server(paymentbed.Key(), "paymentSessions."+how, "")
		if how == "release" {
			_, _ = c.b.Payments.Sessions.Release(c.b.T.Context(), call, s.id, payments.ReleaseRequest{Note: "The shopper called."})
		} else {
			_, _ = c.b.Payments.Sessions.Cancel(c.b.T.Context(), call, s.id)
		}
	}
}

// pay is the buyer who pays on the open page of a session. Money that fits must become the order.
func (c *oneCart) pay(i int) {
	if i >= len(c.sessions) {
		return
	}
	s, t := c.sessions[i], c.b.T
	x := checkout.FromRecord(c.b.Get(checkout.Schema, s.checkout))
	fits := c.session(i).MayBePaid() && len(c.b.All(order.Schema)) == 0 && x.Totals.Total == s.amount &&
		(x.Status == checkout.PaymentPending || c.b.Level("mug").Available() > 0)
	if s.custom != "" {
		in := paymentbed.Captured(s.custom, "paid-"+s.custom, "event-"+s.custom)
		in.Captured = s.amount
		_, _ = c.b.ConfirmCustom(in)
	} else {
		if c.b.TryCaptureAtBank(s.answer, s.paymentKey) != http.StatusOK {
			return // the provider closed it
		}
		c.b.SettleSession(s.answer)
	}
	switch after := c.session(i); {
	case !after.Booked():
		t.Errorf("the money of session %d is not booked: %+v", i+1, after.State)
	case fits && after.Order == "":
		t.Errorf("the money of session %d fits and is not the order: %+v", i+1, after.State)
	}
}

func (c *oneCart) poll() { c.b.Poller.PollOnce(c.b.T.Context(), ports.ForTenant(c.b.Shop.ID)) }

// shipElsewhere changes what the newest checkout costs.
func (c *oneCart) shipElsewhere() {
	jeju := *paymentbed.Home
	jeju.PostalCode = "63000"
	_, _ = c.b.Checkouts.Update(c.b.T.Context(), c.b.Server(paymentbed.Key(), "checkouts.update", ""),
		checkouts.UpdateInput{Checkout: c.checkouts[len(c.checkouts)-1], Address: &jeju})
}

// setStock sets how much is on hand, unless that is reserved.
func (c *oneCart) setStock(n int64) {
	_ = c.b.Store.Atomically(c.b.T.Context(), ports.ForTenant(c.b.Shop.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, c.b.Shop.ID, tenant.Test, "", c.b.Variants["mug"], inventory.Level{OnHand: n, Tracked: true},
			ports.StockCause{})
	})
}

// resolve resolves the first session that requires attention.
func (c *oneCart) resolve(as payment.Resolution) {
	for i, s := range c.sessions {
		if c.session(i).Status == payment.StatusRequiresAttention {
			_, _ = c.b.Resolve(s.answer, as)
			return
		}
	}
}

// Check asserts what holds at any time: one order, one kept payment, one slot, and every other payment in the
// queue, to be refunded once there is an order.
func (c *oneCart) Check(path string) {
	t := c.b.T
	t.Helper()
	orders, kept, held, live := c.b.All(order.Schema), 0, "", 0
	for _, r := range c.b.All(payment.Sessions) {
		s := payment.SessionFrom(r)
		switch {
		case s.Order != "":
			kept++
		case len(orders) > 0 && s.SlotHeld:
			t.Errorf("%s: a session holds the slot of an ordered cart: %+v", path, s.State)
		case len(orders) > 0 && s.Booked() && s.Resolution == "" && s.Advice() != checkout.AdviceRefund:
			t.Errorf("%s: the advice is %q: %+v", path, s.Advice(), s.State)
		}
		if s.SlotHeld {
			held += s.ID
		}
	}
	for _, r := range c.b.All(checkout.Schema) {
		x := checkout.FromRecord(r)
		if x.IsLive() {
			live++
		}
		if x.SlotHeld && x.Session != held || x.Status == checkout.PaymentPending && !x.SlotHeld {
			t.Errorf("%s: checkout %s holds the slot by %s, sessions by %s", path, x.Status, x.Session, held)
		}
	}
	completed := c.b.Get(cart.Schema, c.cart).Text("status") == "completed"
	if len(orders) > 1 || kept != len(orders) || live > 1 || completed != (len(orders) == 1) || completed && live > 0 {
		t.Errorf("%s: %d orders, %d kept payments, %d live checkouts, cart completed %v", path, len(orders), kept, live, completed)
	}
	c.checkMoney(path)
}

// checkMoney asserts that all money is either the order's or waits for an operator.
func (c *oneCart) checkMoney(path string) {
	t := c.b.T
	t.Helper()
	for _, r := range c.b.All(payment.Transactions) {
		if r.Text("type") != "payment" || r.Text("order") != "" {
			continue
		}
		s := payment.SessionFrom(c.b.Get(payment.Sessions, r.Text("paymentSession")))
		if s.Status != payment.StatusRequiresAttention && s.Resolution == "" {
			t.Errorf("%s: unapplied money of a session that is %+v", path, s.State)
		}
	}
}

// State has every checkout, session and unit of stock.
func (c *oneCart) State() string {
	var b strings.Builder
	newest := c.checkouts[len(c.checkouts)-1]
	for _, id := range c.checkouts { // one without a session that another one replaced matters to nobody
		if x := checkout.FromRecord(c.b.Get(checkout.Schema, id)); id == newest || x.Session != "" {
			fmt.Fprint(&b, x.Status, x.SlotHeld, x.SupersededBy != "", x.AttentionCase.Reason, c.number(x.Session), ";")
		}
	}
	for i, s := range c.sessions {
		now := c.session(i)
		same := slices.IndexFunc(c.sessions, func(o cartSession) bool { return o.checkout == s.checkout })
		fmt.Fprintf(&b, "%+v order %v checkout of %d, newest %v;", now.State, now.Order != "", same, s.checkout == newest)
	}
	fmt.Fprintf(&b, "%+v, merged %v", c.b.Level("mug"), c.merged)
	return b.String()
}

func (c *oneCart) number(session string) int {
	return slices.IndexFunc(c.sessions, func(s cartSession) bool { return s.id == session })
}

// Every step is tried in every state that steps lead to, until there is no new state: so every ordering of
// any length was tried, with three sessions over any number of checkouts of one cart.
func TestEveryOrderingOfOneCartGivesOneOrder(t *testing.T) {
	t.Parallel()
	// A database of its own: in the shared one, a thousand walks queue for minutes behind the other tests' writes.
	near := newBed(t, shops.Open(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "shop.db")}))
	shops.Closure(t, coreSteps, func() *oneCart { return newOneCart(t, near) })
}

// Longer walks with everything else that may happen, on both databases.
func TestRandomWalksOfOneCartGiveOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		shops.InParallel(16, func(seed int) {
			random := rand.New(rand.NewPCG(7, uint64(seed)))
			path := make([]cartStep, 30)
			for i := range path {
				path[i] = moreSteps[random.IntN(len(moreSteps))]
			}
			shops.Take(newOneCart(t, b), path...)
		})
	})
}
