package buying_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// purchase is one payment that the buyer has approved, in a shop of its own: a poll looks at all of a shop's.
type purchase struct {
	b          *bed
	all        testservers.Whole
	session    said
	paymentKey string
	id, cart   string // of the checkout and its cart
}

// begin makes a purchase on the database of near.
func begin(t *testing.T, near *bed, all testservers.Whole) *purchase {
	t.Helper()
	b := newShop(t, near.store)
	b.product("thing", "10000", "9", "")
	b.create(discount.Schema, `{"code":"ONCE","type":"percentage","value":10,"usageLimit":1}`)
	p := &purchase{b: b, all: all, cart: b.cart([]string{"ONCE"}, "thing")}
	opened := b.must(b.Create(t.Context(), b.server(key(), "checkouts.create", ""), b.newCheckout(p.cart)))
	p.id, p.session = opened.text("checkout.id"), b.pay(opened.text("checkout.id"))
	p.paymentKey = b.approve(p.session, "approve")
	return p
}

// fact is one way in which we may come to know of a payment. Each happens on a server of its own that remembers nothing.
type fact struct {
	name   string
	happen func(p *purchase, on *buying.Buying)
}

func confirms(p *purchase, on *buying.Buying) {
	a, err := on.Confirm(p.b.t.Context(), p.b.server(key(), "paymentSessions.confirm", ""), confirmation(p.session, p.paymentKey))
	if err != nil || a.Fault != nil {
		p.b.t.Errorf("the confirm is refused: %v %v", err, a.Fault)
	}
}

func hears(event string) func(*purchase, *buying.Buying) {
	return func(p *purchase, on *buying.Buying) {
		orderID := p.session.text("action.orderId")
		if err := on.Hear(p.b.t.Context(), p.b.connection, p.b.told(event+orderID, orderID, p.b.account)); err != nil {
			p.b.t.Error(err)
		}
	}
}

func crashes(point string) func(*purchase, *buying.Buying) {
	return func(p *purchase, on *buying.Buying) {
		on.Fail = func(at string) {
			if at == point {
				panic(crash{at})
			}
		}
		defer func() {
			if v := recover(); v != nil && v != (crash{point}) {
				panic(v)
			}
		}()
		confirms(p, on)
	}
}

// facts are all of them. An event that is delivered twice is one id; "reversed" is the event before it, which comes later.
var facts = []fact{
	{"redirect", func(p *purchase, on *buying.Buying) {
		if _, err := on.Settle(p.b.t.Context(), p.b.shop.ID, p.session.text("paymentSession.id")); err != nil {
			p.b.t.Error(err)
		}
	}},
	{"webhook", hears("evt_paid")},
	{"duplicate webhook", hears("evt_paid")},
	{"reversed webhook", hears("evt_ready")},
	{"poll", func(p *purchase, on *buying.Buying) { on.Sweep(p.b.t.Context(), ports.Of(p.b.shop.ID)) }},
	{"confirm", confirms},
	{"crash after the provider call", crashes(buying.FailConfirmed)},
	{"crash before the commit", crashes(buying.FailBeforeCommit)},
}

// state is all that a later fact could depend on, in words that are the same for every purchase.
func (p *purchase) state() string {
	s := p.b.get(payment.Sessions, p.session.text("paymentSession.id"))
	x := p.b.get(checkout.Schema, p.id)
	count := func(table, column string) string {
		return strings.Join(p.all.Rows("SELECT count(*) FROM "+table+" WHERE "+column+" = '"+p.id+"'"), "")
	}
	calls := p.all.Rows("SELECT DISTINCT substr(operation, 1, 7), outcome = 'declined' FROM provider_calls WHERE session = '" + s.ID() + "' ORDER BY 1, 2")
	return fmt.Sprint(s.Text("status"), " ", s.Text("observation"), " ", s.Bool("slotHeld"), " ", s.Text("reason"), " order ", s.Text("order") != "",
		" key ", s.Text("providerPaymentId") != "", " ", x.Text("status"), " ", p.b.get(cart.Schema, p.cart).Text("status"), fmt.Sprintf(" %+v", p.level()),
		" promised ", count("reservations", "holder"), " orders ", count("orders", "checkout"), " money ", count("money_movements", "checkout"),
		" uses ", p.all.Rows("SELECT placed FROM discount_uses WHERE holder = '"+p.id+"'"),
		" heard ", p.all.Rows("SELECT substr(event, 1, 6) FROM heard_events WHERE event LIKE '%"+p.session.text("action.orderId")+"' ORDER BY 1"), " calls ", calls)
}

func (p *purchase) level() ports.Level { return p.b.level("thing") }

// sound asserts what holds after every fact: nothing is there twice, and what belongs together is there together. paid
// says whether it must be there.
func (p *purchase) sound(path []string, paid bool) {
	t := p.b.t
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
		created = one("events", "SELECT count(*) FROM events WHERE collection = 'orders' AND operation = 'create' AND record = '"+orders[0]+"'")
	}
	got := map[string]int{
		"orders create events": created, "transactions": one("transactions", "SELECT count(*) FROM transactions WHERE checkout = '"+p.id+"'"),
		"charges":        one("charges", "SELECT count(*) FROM money_movements WHERE checkout = '"+p.id+"' AND type = 'charge' AND minor = 12000"),
		"movements":      one("movements", "SELECT count(*) FROM money_movements WHERE checkout = '"+p.id+"'"),
		"units taken":    int(9 - p.level().OnHand),
		"uses":           len(p.all.Rows("SELECT 1 FROM discount_uses WHERE placed AND holder = '" + p.id + "'")),
		"completed":      one("carts", "SELECT count(*) FROM carts WHERE status = 'completed' AND id = '"+p.cart+"'"),
		"units promised": 1 - int(p.level().Reserved), "fulfillment orders": one("work", `SELECT count(*) FROM fulfillment_orders WHERE "order" IN (SELECT id FROM orders WHERE checkout = '`+p.id+`')`),
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

func (p *purchase) happen(f fact) { f.happen(p, p.b.instance()) }

// Facts may come in any order and any number of times. From each state that any of them leads to, each is tried, until no new
// state shows: then every sequence there is, of whatever length, has been tried. A confirm ends each of them as one payment
// with one order, and nothing changes what is paid.
func TestEveryOrderOfFactsEndsInOneOrder(t *testing.T) {
	for name, captured := range map[string]bool{"money moves with the confirm": false, "money moved before": true} {
		t.Run(name, func(t *testing.T) {
			alone(t, func(t *testing.T, b *bed, all testservers.Whole) {
				begin := func() *purchase {
					p := begin(t, b, all)
					if captured {
						p.b.capture(p.session, p.paymentKey)
					}
					return p
				}
				states := map[string][]fact{begin().state(): nil}
				for fresh := [][]fact{nil}; len(fresh) > 0; {
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

// explore tries every fact after each of paths, and returns the paths to states that were not known.
func explore(begin func() *purchase, paths [][]fact, states map[string][]fact) (fresh [][]fact) {
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
				p.sound(names, paid)
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

// walk has facts happen one after another; paid says whether one of them was a whole confirm.
func (p *purchase) walk(path []fact) (names []string, paid bool) {
	for _, f := range path {
		p.happen(f)
		names, paid = append(names, f.name), paid || f.name == "confirm"
	}
	return names, paid
}

// The same again without the thought that states can be compared: all facts, each twice, shuffled.
func TestShuffledFactsEndInOneOrder(t *testing.T) {
	alone(t, func(t *testing.T, b *bed, all testservers.Whole) {
		for seed := range uint64(6) {
			p := begin(t, b, all)
			path := append(slices.Clone(facts), facts...)
			rand.New(rand.NewPCG(5, seed)).Shuffle(len(path), func(i, j int) { path[i], path[j] = path[j], path[i] })
			for i := range path {
				p.happen(path[i])
				names, paid := []string{}, false
				for _, f := range path[:i+1] {
					names, paid = append(names, f.name), paid || f.name == "confirm"
				}
				p.sound(names, paid)
			}
		}
	})
}
