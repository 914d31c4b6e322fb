package refunds_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// track switches stock tracking of a product on or off.
func (b *bed) track(name string, tracked bool) {
	b.T.Helper()
	b.Change(catalog.Variants, b.Variants[name], `{"trackInventory":`+strconv.FormatBool(tracked)+`}`)
	if l := b.Level(name); l.Tracked != tracked {
		b.T.Fatalf("%s: %+v", name, l)
	}
}

// drafted is an unpaid order of 3 mugs and a lamp from a draft.
func (b *bed) drafted() (id string) {
	b.T.Helper()
	wanted := b.Create(draft.Schema, `{"customerSnapshot":{"name":"Kim","email":"kim@example.com","phone":"010"},"shippingAddress":{"recipientName":"Kim","postalCode":"06000","address1":"Gangnam"},
		"lines":[{"variant":"`+b.Variants["mug"]+`","quantity":3},{"variant":"`+b.Variants["lamp"]+`","quantity":1}]}`)
	drafts := &drafts.Service{Store: b.Store, Idempotency: b.Idempotency, Now: b.Now, NewID: shops.NewID}
	return b.Must(drafts.Finalize(b.T.Context(), b.Server(paymentbed.Key(), "draftOrders.finalize", wanted), wanted)).Text("order.id")
}

// imported is an imported order of 3 mugs and a lamp.
func (b *bed) imported() (id string) {
	b.T.Helper()
	line := func(name, quantity string) any {
		return map[string]any{
			"variant": b.Variants[name], "title": name, "quantity": collection.JSONNumber(quantity),
			"unitPrice": collection.JSONNumber("9000"),
		}
	}
	done, err := b.orders().Import(b.T.Context(), b.Server("", "orders.import", ""), []any{map[string]any{
		"orderNumber": "OLD-" + paymentbed.Key(), "status": "paid", "email": "kim@example.com",
		"totalAmount": collection.JSONNumber("36000"), "lines": []any{line("mug", "3"), line("lamp", "1")},
	}})
	if err != nil || done.Created != 1 {
		b.T.Fatalf("%+v %v", done, err)
	}
	for _, r := range b.All(order.Schema) {
		if r.Text("source") == "api" && r.Text("status") == "paid" {
			id = r.ID()
		}
	}
	return id
}

// sales are the ways in which 3 mugs and a lamp are sold.
var sales = map[string]func(*bed) string{
	"paid": func(b *bed) string { return b.PaidOrder("3 mug", "lamp") },
	"paid, with a code": func(b *bed) string {
		session := b.Pay(b.CheckoutOf(b.Cart([]string{"TEN"}, "3 mug", "lamp")).Text("checkout.id"))
		return b.Must(b.Confirm(session, b.Approve(session, "approve"))).Text("order.id")
	},
	"to be paid later": func(b *bed) string {
		in := b.CheckoutInput(b.Cart(nil, "3 mug", "lamp"))
		return b.Must(b.Checkouts.Legacy(b.T.Context(), b.Server(paymentbed.Key(), "orders.checkout", ""), in)).Text("order.id")
	},
	"by an operator":    (*bed).drafted,
	"in another system": (*bed).imported,
}

// backs are the ways in which units are restocked: all 3 mugs and the lamp, or 2 mugs and the lamp.
var backs = map[string]struct {
	do    func(b *bed, id string)
	units int64
}{
	"canceled": {func(b *bed, id string) { b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id)) }, 3},
	"returned": {func(b *bed, id string) {
		b.Rewrite(order.Schema, id, "paidAmount", b.OrderOf(id).Total)
		b.Rewrite(order.Schema, id, "status", "delivered")
		b.Must(b.ReturnStep("receive", b.ApprovedReturn(b.ReturnInput(id, 2, 1))))
	}, 2},
}

// Exactly the units that the sale took are restocked, whatever is tracked by then.
func TestCancelRestocksWhatWasSold(t *testing.T) {
	words := map[bool]string{true: "tracked", false: "untracked"}
	for sale, sell := range sales {
		for way, back := range backs {
			t.Run(sale+", "+way, func(t *testing.T) {
				onBothDatabases(t, func(t *testing.T, b *bed) {
					b.Create(discount.Schema, `{"code":"TEN","type":"percentage","value":10}`)
					for _, then := range []bool{true, false} {
						for _, now := range []bool{true, false} {
							b.Change(catalog.Variants, b.Variants["mug"],
								fmt.Sprintf(`{"trackInventory":true,"stock":100,"expectedStock":%d}`, b.Level("mug").OnHand))
							b.track("mug", then)
							lamps, sold, lampSold := b.Level("lamp").OnHand, int64(0), int64(1)
							if then {
								sold = 3
							}
							if sale == "in another system" {
								sold, lampSold = 0, 0
							}
							id := sell(b)
							if l, lamp := b.Level("mug"), b.Level("lamp"); l.OnHand != 100-sold || lamp.OnHand != lamps-lampSold ||
								b.OrderOf(id).Lines[0].StockTaken != (sold > 0) {
								t.Errorf("sold %s: %+v, %+v, %+v", words[then], l, lamp, b.OrderOf(id).Lines[0])
							}
							b.track("mug", now)
							back.do(b, id)
							want := 100 - sold
							if sold > 0 {
								want += back.units
							}
							if l, lamp := b.Level("mug"), b.Level("lamp"); l.OnHand != want || l.Tracked != now || l.Reserved != 0 ||
								lamp.OnHand != lamps {
								t.Errorf("sold %s, %s while %s: %+v, want %d on hand; lamps: %+v",
									words[then], way, words[now], l, want, lamp)
							}
						}
					}
				})
			})
		}
	}
}

// Stock goes down by what sales took and up by what of that is restocked, in any order of sales, cancels,
// returns and changes of tracking.
func TestRestockFollowsTrackedUnitsOnly(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
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
				s.id = b.PaidOrder(strconv.FormatInt(s.units, 10) + " mug")
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
					b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), s.id))
				} else {
					back = 1 + choose.Int64N(s.units)
					b.Rewrite(order.Schema, s.id, "status", "delivered")
					b.Must(b.ReturnStep("receive", b.ApprovedReturn(b.ReturnInput(s.id, back))))
				}
				if s.taken {
					want += back
				}
				story = append(story, fmt.Sprint("back, kind ", kind, ": ", back, " of ", s.units))
			}
			if l := b.Level("mug"); l.OnHand != want {
				t.Fatalf("seed %d, %v: %+v, want %d on hand", seed, story, l, want)
			}
		}
	})
}

// Staff and the shop's server see whether units were taken; the buyer does not.
func TestTakenUnitsAreVisibleToStaffOnly(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.Checkout("gift")
		checkoutID := opened.Text("checkout.id")
		bought, err := b.Checkouts.CompleteFree(t.Context(),
			b.Guest(paymentbed.Key(), "checkouts.complete", opened.Text("checkoutToken")), checkoutID)
		id := b.Must(bought, err).Text("order.id")
		if id == "" || bytes.Contains(bought.Body.Bytes(), []byte("stockTaken")) {
			t.Errorf("the buyer reads %s", bought.Body)
		}
		canceled, err := b.CancelOrder(b.Instance, paymentbed.Key(), id)
		if b.Must(canceled, err); !bytes.Contains(canceled.Body.Bytes(), []byte(`"stockTaken":true`)) {
			t.Errorf("the shop reads %s", canceled.Body)
		}
	})
}
