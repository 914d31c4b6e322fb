package order_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "github.com/cartwright-dev/cartwright/domain/order"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// drop cancels units of lines, "1 mug, 2 lamp".
func drop(g OrderFulfillment, list string) (OrderFulfillment, error) {
	c, err := g.PlanLineCancel(LineCancelRequest{Key: "k", Reason: "sold out", Items: units(list)}, money.HalfUp, later)
	if err != nil {
		return g, err
	}
	g.Order = g.Order.BeginLineCancel(c)
	return g.FinishLineCancel(later)
}

// priced is g with lines of these totals, and shipping.
func priced(g OrderFulfillment, shipping int64, totals ...int64) OrderFulfillment {
	g = snapshot(g)
	sum := krw(0)
	for i, total := range totals {
		l := &g.Order.Lines[i]
		l.Subtotal, l.Total = krw(total), krw(total)
		sum = sum.Plus(l.Total)
	}
	g.Order.Subtotal, g.Order.Shipping, g.Order.Total = sum, krw(shipping), sum.Plus(krw(shipping))
	g.Order.Paid, g.Order.Refunded = g.Order.Total, krw(0)
	return g
}

func TestCanceledLinesTakeTheirAmountsOff(t *testing.T) {
	t.Parallel()
	g := priced(newOrderFulfillment(t, lines), 3000, 1001, 1000, 500) // 2 mugs, 3 lamps, 2 places in a course
	for _, c := range []struct {
		drop                      string
		lines, shipping, due      int64
		fulfillment, manual, work string
	}{
		{drop: "1 mug", lines: 501, due: 5000, work: "paid open open"},
		{drop: "1 lamp", lines: 333, due: 4667, work: "paid open open"},
		{drop: "1 lamp, 1 course", lines: 584, due: 4083, work: "paid open open"},
		{drop: "1 mug, 1 lamp", lines: 833, shipping: 3000, due: 250, work: "paid canceled open"},
	} {
		next, err := drop(g, c.drop)
		if err != nil {
			t.Fatalf("%s: %v", c.drop, err)
		}
		done := next.Order.LineCancels[len(next.Order.LineCancels)-1]
		if got := done.Amount().Minus(done.Shipping); got != krw(c.lines) || done.Shipping != krw(c.shipping) {
			t.Errorf("%s: %v and %v for shipping", c.drop, got, done.Shipping)
		}
		if next.Order.Due() != krw(c.due) || states(next) != c.work {
			t.Errorf("%s: %v, %s", c.drop, next.Order.Due(), states(next))
		}
		g = next
	}
	if _, err := drop(g, "1 course"); !errors.Is(err, ErrWholeOrder) {
		t.Errorf("the last unit: %v", err)
	}
	done, err := step(g, "complete")
	if err != nil || states(done) != "delivered canceled closed" || done.Order.FulfillmentStatus() != "fulfilled" {
		t.Errorf("%s, %s: %v", states(done), done.Order.FulfillmentStatus(), err)
	}
}

// A gift that is left of an order for which nothing was paid is sent, and not canceled with it after a day.
func TestOrderThatComesToNothingIsPaid(t *testing.T) {
	t.Parallel()
	for _, unpaid := range []Status{Pending, Failed} {
		g := priced(newOrderFulfillment(t, lines), 0, 1001, 0, 500) // the lamps are a gift
		g.Order.Status, g.Order.Paid, g.Order.Hold = unpaid, krw(0), HoldVoided
		g, err := drop(g, "2 mug")
		if err != nil || g.Order.Status != unpaid || g.Order.Hold != HoldVoided {
			t.Fatalf("500 are left to be paid: %s, %s, %v", g.Order.Status, g.Order.Hold, err)
		}
		g, err = drop(g, "2 course")
		if err != nil || g.Order.Status != Paid || g.Order.Hold != "" || g.Order.PaymentStatus() != "paid" || !g.Order.Due().IsZero() {
			t.Errorf("%s: %s, %s, %s, %v: %v", unpaid, g.Order.Status, g.Order.Hold, g.Order.PaymentStatus(), g.Order.Due(), err)
		}
	}
}

func TestLinesThatLeftOrArePackedAreNotCanceled(t *testing.T) {
	t.Parallel()
	g := steps(t, newOrderFulfillment(t, lines), "pack a: 1 mug, 3 lamp", "complete: 1 course")
	for list, want := range map[string]error{
		"2 mug": ErrUnitsExceeded, "1 lamp": ErrUnitsExceeded, "2 course": ErrUnitsExceeded, "1 hat": cart.ErrLineNotFound,
	} {
		if _, err := drop(g, list); !errors.Is(err, want) {
			t.Errorf("%s: %v", list, err)
		}
	}
	for _, list := range []string{"0 mug", "1 mug, 1 mug"} {
		if _, err := drop(g, list); err == nil || !strings.Contains(err.Error(), "lines.") && !strings.Contains(err.Error(), "validation") {
			t.Errorf("%s: %v", list, err)
		}
	}
	shipped := steps(t, newOrderFulfillment(t, shippable), "pack a", "ship a")
	if _, err := drop(shipped, "1 mug"); !errors.Is(err, ErrTransition) {
		t.Errorf("shipped: %v", err)
	}
}

// What is left of an order may have left already.
func TestCancelOfTheRestCompletesWhatIsSent(t *testing.T) {
	t.Parallel()
	g := steps(t, newOrderFulfillment(t, shippable), "pack a: 1 mug", "ship a", "deliver a")
	g, err := drop(g, "1 mug")
	if err != nil || g.Order.Status != Preparing {
		t.Fatalf("%s %v", g.Order.Status, err)
	}
	g, err = drop(g, "3 lamp")
	if err != nil || g.Order.Status != Delivered || g.Order.DeliveredAt.IsZero() {
		t.Errorf("%s %v", states(g), err)
	}
}

// While the refund of canceled lines is under way, nothing else happens to the order; a refused one leaves it as it was.
func TestOrderWaitsForItsCanceledLines(t *testing.T) {
	t.Parallel()
	g := priced(newOrderFulfillment(t, lines), 0, 1001, 1000, 500)
	before := g.Order
	c, err := g.PlanLineCancel(LineCancelRequest{Key: "k", Items: units("1 mug")}, money.HalfUp, later)
	if err != nil {
		t.Fatal(err)
	}
	g.Order = g.Order.BeginLineCancel(c)
	for _, text := range []string{"pack a", "complete"} {
		if _, err := step(g, text); !errors.Is(err, ErrTransition) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := drop(g, "1 lamp"); !errors.Is(err, ErrTransition) {
		t.Errorf("a second one: %v", err)
	}
	if _, err := g.Order.BeginCancel("r", "k2", g.Order.CanceledBy, false); !errors.Is(err, ErrTransition) {
		t.Errorf("the whole order: %v", err)
	}
	if g.Order.Due() != before.Due() {
		t.Errorf("%v", g.Order.Due())
	}
	if g.Order = g.Order.StopLineCancel(); len(g.Order.LineCancels) != 0 {
		t.Errorf("%+v", g.Order.LineCancels)
	}
}

// However units are canceled, in whatever parts and order, their amounts add up: with what is kept to the total of each
// line, and with what is due to the total of the order. An order is never left without anything.
func TestCanceledAmountsAlwaysAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		totals := []int64{rapid.Int64Range(0, 5000).Draw(r, "mugs"), rapid.Int64Range(0, 7).Draw(r, "lamps"), rapid.Int64Range(0, 99999).Draw(r, "course")}
		g := priced(newOrderFulfillment(t, lines), rapid.Int64Range(0, 4000).Draw(r, "shipping"), totals...)
		tries := []string{"1 mug", "2 mug", "1 lamp", "1 mug, 1 lamp", "2 lamp, 1 course", "3 lamp", "1 course", "2 course", "pack", "complete: 1 course"}
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			text := rapid.SampledFrom(tries).Draw(r, "step")
			var next OrderFulfillment
			var err error
			switch {
			case text == "pack":
				next, err = step(g, "pack "+string(rune('a'+len(g.Fulfillments)))+": 1 mug")
			case strings.HasPrefix(text, "complete"):
				next, err = step(g, text)
			default:
				next, err = drop(g, text)
			}
			if err != nil {
				continue
			}
			g = next
			cancelsAddUp(r, g)
		}
	})
}

func cancelsAddUp(r *rapid.T, g OrderFulfillment) {
	o, kept, off := g.Order, int64(0), krw(0)
	for _, l := range o.Lines {
		kept += l.Kept()
		if l.Canceled > 0 {
			off = off.Plus(l.CanceledAmount)
		}
		switch {
		case l.Kept() < l.Fulfilled, l.CanceledAmount.Minor < 0, l.CanceledAmount.Minor > l.Total.Minor:
			r.Fatalf("%+v", l)
		case l.Kept() == 0 && l.CanceledAmount != l.Total:
			r.Fatalf("all of a line of %v came to %v", l.Total, l.CanceledAmount)
		}
		for _, w := range g.FulfillmentOrders {
			for _, work := range w.Lines {
				if work.OrderLine == l.ID && work.Quantity != l.Kept() {
					r.Fatalf("%d are to be fulfilled of %d", work.Quantity, l.Kept())
				}
			}
		}
	}
	if kept == 0 {
		r.Fatal("nothing is left")
	}
	if shipping := o.Shipping.Minus(o.KeptShipping()); o.Due() != o.Total.Minus(off).Minus(shipping) || o.Due().Minor < 0 {
		r.Fatalf("%v of %v are due, %v and %v for shipping were taken off", o.Due(), o.Total, off, shipping)
	}
}
