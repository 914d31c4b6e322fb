package payments_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// scenario is one approved payment in a tenant of its own, because a poll settles all payments of a tenant.
type scenario struct {
	b          *bed
	all        testservers.Inspector
	session    paymentbed.Answer
	paymentKey string
	id, cart   string // of the checkout and its cart
}

// begin makes a scenario in the database of near.
func begin(t *testing.T, near *bed, all testservers.Inspector) *scenario {
	t.Helper()
	b := &bed{paymentbed.NewEmpty(t, near.Store)}
	b.Product("thing", "10000", "9", "")
	b.Create(discount.Schema, `{"code":"ONCE","type":"percentage","value":10,"usageLimit":1}`)
	p := &scenario{b: b, all: all, cart: b.Cart([]string{"ONCE"}, "thing")}
	opened := b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), b.CheckoutInput(p.cart)))
	p.id, p.session = opened.Text("checkout.id"), b.Pay(opened.Text("checkout.id"))
	p.paymentKey = b.Approve(p.session, "approve")
	return p
}

// scenarioStep is one way in which we may learn about a payment. Each runs on a new instance without memory.
type scenarioStep struct {
	name string
	run  func(p *scenario, on *paymentbed.Instance)
}

func confirmStep(p *scenario, on *paymentbed.Instance) {
	a, err := on.Payments.Sessions.Confirm(p.b.T.Context(), p.b.Server(paymentbed.Key(), "paymentSessions.confirm", ""),
		paymentbed.Confirmation(p.session, p.paymentKey))
	if err != nil || a.Fault != nil {
		p.b.T.Errorf("the confirm is refused: %v %v", err, a.Fault)
	}
}

func webhookStep(event string) func(*scenario, *paymentbed.Instance) {
	return func(p *scenario, on *paymentbed.Instance) {
		orderID := p.session.Text("action.orderId")
		if err := on.Webhooks.HandleWebhook(p.b.T.Context(), p.b.Connection, p.b.paymentWebhook(event+orderID, orderID, p.b.Account)); err != nil {
			p.b.T.Error(err)
		}
	}
}

func crashStep(point string) func(*scenario, *paymentbed.Instance) {
	return func(p *scenario, _ *paymentbed.Instance) {
		paymentbed.MayCrash(func() { confirmStep(p, p.b.NewInstanceFailingAt(point)) })
	}
}

// facts are all steps. An event that is delivered twice has one id; "reversed" is an earlier event that
// arrives later.
var facts = []scenarioStep{
	{"redirect", func(p *scenario, on *paymentbed.Instance) {
		if _, err := on.Payments.Settler.Settle(p.b.T.Context(), p.b.Shop.ID, p.session.Text("paymentSession.id")); err != nil {
			p.b.T.Error(err)
		}
	}},
	{"webhook", webhookStep("evt_paid")},
	{"duplicate webhook", webhookStep("evt_paid")},
	{"reversed webhook", webhookStep("evt_ready")},
	{"poll", func(p *scenario, on *paymentbed.Instance) {
		on.Poller.PollOnce(p.b.T.Context(), ports.ForTenant(p.b.Shop.ID))
	}},
	{"confirm", confirmStep},
	{"crash after the provider call", crashStep(payments.FailConfirmed)},
	{"crash before the commit", crashStep(payments.FailBeforeCommit)},
}

// state is everything that a later step could depend on, in words that are the same for every scenario.
func (p *scenario) state() string {
	s := p.b.Get(payment.Sessions, p.session.Text("paymentSession.id"))
	x := p.b.Get(checkout.Schema, p.id)
	count := func(table, column string) string {
		return strings.Join(p.all.Rows("SELECT count(*) FROM "+table+" WHERE "+column+" = '"+p.id+"'"), "")
	}
	calls := p.all.Rows("SELECT DISTINCT substr(operation, 1, 7), outcome = 'declined' FROM provider_calls WHERE session = '" + s.ID() +
		"' ORDER BY 1, 2")
	return fmt.Sprint(s.Text("status"), " ", s.Text("observation"), " ", s.Bool("slotHeld"), " ", s.Text("reason"), " order ",
		s.Text("order") != "",
		" key ", s.Text("providerPaymentId") != "", " ", x.Text("status"), " ", p.b.Get(cart.Schema, p.cart).Text("status"),
		fmt.Sprintf(" %+v", p.level()), " reserved ", count("reservations", "holder"), " orders ", count("orders", "checkout"), " money ",
		count("ledger_entries", "checkout"), " uses ", p.all.Rows("SELECT placed FROM discount_uses WHERE holder = '"+p.id+"'"),
		" processed ", p.all.Rows("SELECT substr(event, 1, 6) FROM processed_webhooks WHERE event LIKE '%"+
			p.session.Text("action.orderId")+"' ORDER BY 1"),
		" calls ", calls)
}

func (p *scenario) level() ports.StockLevel { return p.b.Level("thing") }

// checkInvariants asserts what holds after every step: nothing exists twice, and a payment has its order,
// transaction and ledger entry. paid says whether they must exist.
func (p *scenario) checkInvariants(path []string, paid bool) {
	t := p.b.T
	t.Helper()
	one := func(text, query string) int {
		n := 0
		if _, err := fmt.Sscan(strings.Join(p.all.Rows(query), ""), &n); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return n
	}
	orders := p.all.Rows("SELECT id FROM orders WHERE checkout = '" + p.id + "'")
	want := len(orders)
	created := 0
	if want == 1 {
		created = one("events",
			"SELECT count(*) FROM events WHERE collection = 'orders' AND operation = 'create' AND record = '"+orders[0]+"'")
	}
	got := map[string]int{
		"orders create events": created, "transactions": one("transactions",
			"SELECT count(*) FROM transactions WHERE checkout = '"+p.id+"'"),
		"charges": one("charges",
			"SELECT count(*) FROM ledger_entries WHERE checkout = '"+p.id+"' AND type = 'charge' AND minor = 12000"),
		"movements":      one("movements", "SELECT count(*) FROM ledger_entries WHERE checkout = '"+p.id+"'"),
		"units taken":    int(9 - p.level().OnHand),
		"uses":           len(p.all.Rows("SELECT 1 FROM discount_uses WHERE placed AND holder = '" + p.id + "'")),
		"completed":      one("carts", "SELECT count(*) FROM carts WHERE status = 'completed' AND id = '"+p.cart+"'"),
		"units promised": 1 - int(p.level().Reserved), "fulfillment orders": one("work",
			`SELECT count(*) FROM fulfillment_orders WHERE "order" IN (SELECT id FROM orders WHERE checkout = '`+p.id+`')`),
	}
	if want > 1 || paid && want == 0 {
		t.Errorf("%d orders after %v", want, path)
	}
	for what, n := range got {
		if n != want {
			t.Errorf("%d %s with %d orders after %v", n, what, want, path)
		}
	}
}

func (p *scenario) apply(f scenarioStep) { f.run(p, p.b.NewInstance()) }

// Steps may come in any order and any number of times. Each is tried from every state that any of them leads
// to, until there is no new state: then every sequence of any length has been tried. A confirm ends each of
// them as one payment with one order, and nothing changes a paid session.
func TestEveryInterleavingPlacesOneOrder(t *testing.T) {
	for name, captured := range map[string]bool{"money moves with the confirm": false, "money moved before": true} {
		t.Run(name, func(t *testing.T) {
			onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
				begin := func() *scenario {
					p := begin(t, b, all)
					if captured {
						p.b.CaptureAtBank(p.session, p.paymentKey)
					}
					return p
				}
				states := map[string][]scenarioStep{begin().state(): nil}
				for fresh := [][]scenarioStep{nil}; len(fresh) > 0; {
					fresh = explore(begin, fresh, states)
				}
				t.Logf("%d states", len(states))
				if len(states) < 6 {
					t.Errorf("only the states %v", states)
				}
			})
		})
	}
}

// explore tries every step after each of paths, and returns the paths to new states.
func explore(begin func() *scenario, paths [][]scenarioStep, states map[string][]scenarioStep) (fresh [][]scenarioStep) {
	var mu sync.Mutex
	var all sync.WaitGroup
	places := make(chan struct{}, 4)
	for _, path := range paths {
		for _, f := range facts {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				p := begin()
				names, paid := p.walk(append(slices.Clip(path), f))
				p.checkInvariants(names, paid)
				state := p.state()
				mu.Lock()
				defer mu.Unlock()
				if _, known := states[state]; !known {
					states[state] = append(slices.Clip(path), f)
					fresh = append(fresh, states[state])
				}
			})
		}
	}
	all.Wait()
	return fresh
}

// walk runs steps one after another; paid says whether one of them was a complete confirm.
func (p *scenario) walk(path []scenarioStep) (names []string, paid bool) {
	for _, f := range path {
		p.apply(f)
		names, paid = append(names, f.name), paid || f.name == "confirm"
	}
	return names, paid
}

// The same without comparing states: all steps, each twice, shuffled.
func TestShuffledStepsPlaceOneOrder(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
		for seed := range uint64(6) {
			p := begin(t, b, all)
			path := append(slices.Clone(facts), facts...)
			rand.New(rand.NewPCG(5, seed)).Shuffle(len(path), func(i, j int) { path[i], path[j] = path[j], path[i] })
			for i := range path {
				p.apply(path[i])
				names, paid := []string{}, false
				for _, f := range path[:i+1] {
					names, paid = append(names, f.name), paid || f.name == "confirm"
				}
				p.checkInvariants(names, paid)
			}
		}
	})
}
