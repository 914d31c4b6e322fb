package buying_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/drafting"
	"github.com/cartwright-dev/cartwright/app/ordering"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// track has the units of a product counted, or not.
func (b *bed) track(name string, tracked bool) {
	b.t.Helper()
	b.change(catalog.Variants, b.variants[name], `{"trackInventory":`+strconv.FormatBool(tracked)+`}`)
	if l := b.level(name); l.Tracked != tracked {
		b.t.Fatalf("%s: %+v", name, l)
	}
}

// drafted is an order of 3 mugs and a lamp that an operator made, and that waits for its money.
func (b *bed) drafted() (id string) {
	b.t.Helper()
	b.content.Hooks[draft.Schema.Slug] = drafting.Hooks()
	wanted := b.create(draft.Schema, `{"customerSnapshot":{"name":"Kim","email":"kim@example.com","phone":"010"},"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"},
		"lines":[{"variant":"`+b.variants["mug"]+`","quantity":3},{"variant":"`+b.variants["lamp"]+`","quantity":1}]}`)
	drafts := &drafting.Drafting{Store: b.store, Once: b.Once, Now: b.now, NewID: shops.NewID}
	return b.must(drafts.Finalize(b.t.Context(), b.server(key(), "draftOrders.finalize", wanted), wanted)).text("order.id")
}

// imported is an order of 3 mugs and a lamp that another system sold.
func (b *bed) imported() (id string) {
	b.t.Helper()
	line := func(name, quantity string) any {
		return map[string]any{"variant": b.variants[name], "title": name, "quantity": collection.Numeral(quantity), "unitPrice": collection.Numeral("9000")}
	}
	orders := &ordering.Ordering{Store: b.store, Once: b.Once, Buying: b.Buying, Now: b.now, NewID: shops.NewID}
	done, err := orders.Import(b.t.Context(), b.server("", "orders.import", ""), []any{map[string]any{
		"orderNumber": "OLD-" + key(), "status": "paid", "email": "kim@example.com", "totalAmount": collection.Numeral("36000"), "lines": []any{line("mug", "3"), line("lamp", "1")},
	}})
	if err != nil || done.Created != 1 {
		b.t.Fatalf("%+v %v", done, err)
	}
	for _, r := range b.all(order.Schema) {
		if r.Text("source") == "api" && r.Text("status") == "paid" {
			id = r.ID()
		}
	}
	return id
}

// sales are the ways in which 3 mugs and a lamp are sold.
var sales = map[string]func(*bed) string{
	"paid": func(b *bed) string { return b.ordered("3 mug", "lamp") },
	"paid, with a code": func(b *bed) string {
		session := b.pay(b.of(b.cart([]string{"TEN"}, "3 mug", "lamp")).text("checkout.id"))
		return b.must(b.confirm(session, b.approve(session, "approve"))).text("order.id")
	},
	"to be paid later": func(b *bed) string {
		in := b.newCheckout(b.cart(nil, "3 mug", "lamp"))
		return b.must(b.CheckOut(b.t.Context(), b.server(key(), "orders.checkout", ""), in)).text("order.id")
	},
	"by an operator":    (*bed).drafted,
	"in another system": (*bed).imported,
}

// backs are the ways in which goods come back: all 3 mugs and the lamp, or 2 mugs and the lamp.
var backs = map[string]struct {
	do    func(b *bed, id string)
	units int64
}{
	"canceled": {func(b *bed, id string) { b.must(b.cancelOrder(b.Buying, key(), id)) }, 3},
	"returned": {func(b *bed, id string) {
		b.rewrite(order.Schema, id, "paidAmount", b.orderOf(id).Total)
		b.rewrite(order.Schema, id, "status", "delivered")
		b.must(b.step("receive", b.approved(b.wish(id, 2, 1))))
	}, 2},
}

// What the sale took is there again, and nothing else, whatever is tracked by the time it comes back.
func TestWhatTheSaleTookIsThereAgain(t *testing.T) {
	words := map[bool]string{true: "tracked", false: "untracked"}
	for sale, sell := range sales {
		for way, back := range backs {
			t.Run(sale+", "+way, func(t *testing.T) {
				both(t, func(t *testing.T, b *bed) {
					b.create(discount.Schema, `{"code":"TEN","type":"percentage","value":10}`)
					for _, then := range []bool{true, false} {
						for _, now := range []bool{true, false} {
							b.change(catalog.Variants, b.variants["mug"], `{"trackInventory":true,"stock":100}`)
							b.track("mug", then)
							lamps, sold, lampSold := b.level("lamp").OnHand, int64(0), int64(1)
							if then {
								sold = 3
							}
							if sale == "in another system" {
								sold, lampSold = 0, 0
							}
							id := sell(b)
							if l, lamp := b.level("mug"), b.level("lamp"); l.OnHand != 100-sold || lamp.OnHand != lamps-lampSold || b.orderOf(id).Lines[0].StockTaken != (sold > 0) {
								t.Errorf("sold %s: %+v, %+v, %+v", words[then], l, lamp, b.orderOf(id).Lines[0])
							}
							b.track("mug", now)
							back.do(b, id)
							want := 100 - sold
							if sold > 0 {
								want += back.units
							}
							if l, lamp := b.level("mug"), b.level("lamp"); l.OnHand != want || l.Tracked != now || l.Reserved != 0 || lamp.OnHand != lamps {
								t.Errorf("sold %s, %s while %s: %+v, want %d on hand; lamps: %+v", words[then], way, words[now], l, want, lamp)
							}
						}
					}
				})
			})
		}
	}
}

// The count of a variant goes down by what sales took and up by what of that came back, in any order of sales, cancels,
// returns and changes of tracking.
func TestTheCountFollowsWhatSalesTook(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		seed := rand.Uint64()
		choose := rand.New(rand.NewPCG(seed, 1))
		tracked, want := true, int64(100)
		type sold struct {
			id    string
			units int64
			taken bool
		}
		var open []sold
		var story []string
		for range 40 {
			kind := choose.IntN(4)
			switch {
			case kind == 0:
				tracked = !tracked
				b.track("mug", tracked)
				story = append(story, fmt.Sprint("tracked: ", tracked))
			case kind == 1 || len(open) == 0:
				s := sold{units: 1 + choose.Int64N(4), taken: tracked}
				s.id = b.ordered(strconv.FormatInt(s.units, 10) + " mug")
				if open = append(open, s); s.taken {
					want -= s.units
				}
				story = append(story, fmt.Sprint("sold: ", s.units))
			default:
				i := choose.IntN(len(open))
				s := open[i]
				open = append(open[:i], open[i+1:]...)
				back := s.units
				if kind == 2 {
					b.must(b.cancelOrder(b.Buying, key(), s.id))
				} else {
					back = 1 + choose.Int64N(s.units)
					b.rewrite(order.Schema, s.id, "status", "delivered")
					b.must(b.step("receive", b.approved(b.wish(s.id, back))))
				}
				if s.taken {
					want += back
				}
				story = append(story, fmt.Sprint("back, kind ", kind, ": ", back, " of ", s.units))
			}
			if l := b.level("mug"); l.OnHand != want {
				t.Fatalf("seed %d, %v: %+v, want %d on hand", seed, story, l, want)
			}
		}
	})
}

// The shop's people and its server see whether units were taken; the buyer does not.
func TestWhoSeesWhatASaleTook(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.checkout("gift")
		checkoutID := opened.text("checkout.id")
		bought, err := b.Complete(t.Context(), b.guest(key(), "checkouts.complete", opened.text("checkoutToken")), checkoutID)
		id := b.must(bought, err).text("order.id")
		if id == "" || bytes.Contains(bought.Body, []byte("stockTaken")) {
			t.Errorf("the buyer reads %s", bought.Body)
		}
		canceled, err := b.cancelOrder(b.Buying, key(), id)
		if b.must(canceled, err); !bytes.Contains(canceled.Body, []byte(`"stockTaken":true`)) {
			t.Errorf("the shop reads %s", canceled.Body)
		}
	})
}
