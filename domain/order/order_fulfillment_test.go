package order_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/fault"
	. "github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The fulfillment orders and lines of the orders below.
const (
	shippingWork, manualWork = "work-shipping", "work-manual"
	lamp, course             = "line-lamp", "line-course"
	tracked                  = "123456789012"
	lines                    = "2 mug, 3 lamp, 2 course"
	shippable, digital       = "2 mug, 3 lamp", "2 course"
)

var (
	later = now.Add(time.Hour)
	cj    = Tracking{Carrier: CJ, Number: tracked}
)

// newOrderFulfillment is a paid order of the wanted units, such as "2 mug, 1 course", with its fulfillment
// orders.
func newOrderFulfillment(t *testing.T, wanted string) OrderFulfillment {
	t.Helper()
	c := mixedCheckout()
	c.Lines = nil
	for _, it := range units(wanted) {
		c.Lines = append(c.Lines, sale.Line{
			ID: it.OrderLine, Variant: it.OrderLine, Quantity: it.Quantity, RequiresShipping: it.OrderLine != course,
			UnitPrice: krw(1), Subtotal: krw(1), Discount: krw(0), Total: krw(1),
		})
	}
	o, work := Place(c, "1", now, counter())
	o = o.WithStockTaken(c.Demands())
	named := map[string]string{}
	for i := range o.Lines {
		l := &o.Lines[i]
		named[l.ID], l.ID = l.Variant, l.Variant
	}
	for i := range work {
		work[i].ID = map[string]string{ShippingFulfillmentOrder: shippingWork, ManualFulfillmentOrder: manualWork}[work[i].Type]
		for j := range work[i].Lines {
			work[i].Lines[j].OrderLine = named[work[i].Lines[j].OrderLine]
		}
	}
	return OrderFulfillment{Order: o, FulfillmentOrders: work}
}

// units parses "2 mug, 1 course".
func units(text string) []Item {
	var items []Item
	for part := range strings.SplitSeq(text, ", ") {
		n, name, _ := strings.Cut(part, " ")
		items = append(items, Item{OrderLine: "line-" + name, Quantity: int64(n[0] - '0')})
	}
	return items
}

// step is one decision: "pack a: 1 mug", "ship a", "deliver a", "cancel a", "track a", "complete: 1 course",
// "complete", "call off".
func step(g OrderFulfillment, text string) (OrderFulfillment, error) {
	verb, rest, _ := strings.Cut(text, " ")
	what, list, named := strings.Cut(rest, ": ")
	verb, short := strings.CutSuffix(verb, ":")
	var items []Item
	switch {
	case named:
		items = units(list)
	case short:
		items = units(rest)
	}
	switch verb {
	case "pack":
		return g.CreateFulfillment(NewFulfillment{ID: what, FulfillmentOrder: shippingWork, Items: items, Tracking: cj}, later)
	case "ship":
		return g.Ship(what, Tracking{}, later)
	case "deliver":
		return g.Deliver(what, later)
	case "cancel":
		return g.CancelFulfillment(what, later)
	case "track":
		return g.UpdateTracking(what, Tracking{Number: "9"})
	case "complete":
		return g.CompleteItems(manualWork, items, later)
	case "call":
		return g.Cancel(), nil
	}
	panic(text)
}

func steps(t *testing.T, g OrderFulfillment, texts ...string) OrderFulfillment {
	t.Helper()
	for _, text := range texts {
		before := snapshot(g)
		next, err := step(g, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(g, before) {
			t.Errorf("%s changed what it was decided on", text)
		}
		g = next
	}
	return g
}

// snapshot is a deep copy of g.
func snapshot(g OrderFulfillment) OrderFulfillment {
	g.Order.Lines = slices.Clone(g.Order.Lines)
	g.FulfillmentOrders = slices.Clone(g.FulfillmentOrders)
	for i := range g.FulfillmentOrders {
		g.FulfillmentOrders[i].Lines = slices.Clone(g.FulfillmentOrders[i].Lines)
	}
	g.Fulfillments = slices.Clone(g.Fulfillments)
	return g
}

// states formats g: the statuses of the order, its fulfillment orders and its fulfillments.
func states(g OrderFulfillment) string {
	out := string(g.Order.Status)
	for _, w := range g.FulfillmentOrders {
		out += " " + w.Status
	}
	for _, f := range g.Fulfillments {
		out += " " + f.ID + ":" + string(f.State)
	}
	return out
}

func TestOrderStatusFollowsFulfillments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ of, steps, want string }{
		"a parcel is packed":   {shippable, "pack a: 1 mug", "preparing in_progress a:pending"},
		"everything is packed": {shippable, "pack a", "preparing in_progress a:pending"},
		"a part is shipped":    {shippable, "pack a: 2 mug/ship a", "preparing in_progress a:shipped"},
		"all is shipped":       {shippable, "pack a/ship a", "shipped closed a:shipped"},
		"all is shipped in parcels": {
			shippable, "pack a: 2 mug, 1 lamp/pack b/ship a/ship b", "shipped closed a:shipped b:shipped",
		},
		"a part arrives before the rest left": {shippable, "pack a: 2 mug/ship a/deliver a", "preparing in_progress a:delivered"},
		"one of two parcels arrives": {
			shippable, "pack a: 2 mug/pack b/ship a/ship b/deliver b", "shipped closed a:shipped b:delivered",
		},
		"all arrives": {
			shippable, "pack a: 2 mug/pack b/ship a/ship b/deliver b/deliver a", "delivered closed a:delivered b:delivered",
		},
		"a parcel is unpacked": {shippable, "pack a/cancel a", "preparing open a:canceled"},
		"one of two parcels is unpacked": {
			shippable, "pack a: 2 mug/pack b/ship a/cancel b", "preparing in_progress a:shipped b:canceled",
		},
		"a canceled parcel does not block delivery": {
			shippable, "pack a/cancel a/pack b/ship b/deliver b", "delivered closed a:canceled b:delivered",
		},
		"a unit is completed":              {digital, "complete: 1 course", "preparing in_progress"},
		"the last unit is completed":       {digital, "complete: 1 course/complete", "delivered closed"},
		"all is completed at once":         {digital, "complete", "delivered closed"},
		"mixed, completed first":           {lines, "complete", "preparing open closed"},
		"mixed, completed, then shipped":   {lines, "complete/pack a/ship a", "shipped closed closed a:shipped"},
		"mixed, completed, then delivered": {lines, "complete/pack a/ship a/deliver a", "delivered closed closed a:delivered"},
		"mixed, delivered, not completed":  {lines, "pack a/ship a/deliver a", "shipped closed open a:delivered"},
		"mixed, delivered, half completed": {lines, "pack a/ship a/deliver a/complete: 1 course", "shipped closed in_progress a:delivered"},
		"mixed, delivered, then completed": {lines, "pack a/ship a/deliver a/complete", "delivered closed closed a:delivered"},
		"mixed, shipped, then completed":   {lines, "pack a/ship a/complete", "shipped closed closed a:shipped"},
		"called off with a parcel waiting": {lines, "pack a: 1 mug/call off", "canceled canceled canceled a:canceled"},
		"called off with a parcel on its way": {
			lines, "pack a: 1 mug/ship a/pack b/complete/call off", "canceled canceled closed a:shipped b:canceled",
		},
	} {
		if got := states(steps(t, newOrderFulfillment(t, c.of), strings.Split(c.steps, "/")...)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestUnitsAreCountedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps      string
		mugs       int64 // fulfilled
		open, left string
	}{
		"nothing is done":        {"", 0, "2 mug, 3 lamp", "2 mug, 3 lamp"},
		"a parcel takes units":   {"pack a: 1 mug, 3 lamp", 0, "1 mug", "2 mug, 3 lamp"},
		"unpacked":               {"pack a: 1 mug, 3 lamp/cancel a", 0, "2 mug, 3 lamp", "2 mug, 3 lamp"},
		"shipped":                {"pack a: 1 mug/ship a", 1, "1 mug, 3 lamp", "1 mug, 3 lamp"},
		"delivered":              {"pack a: 1 mug/ship a/deliver a", 1, "1 mug, 3 lamp", "1 mug, 3 lamp"},
		"in parcels of one line": {"pack a: 1 mug/pack b: 1 mug/ship a", 1, "3 lamp", "1 mug, 3 lamp"},
	} {
		g := newOrderFulfillment(t, shippable)
		if c.steps != "" {
			g = steps(t, g, strings.Split(c.steps, "/")...)
		}
		if got := g.OpenItems(shippingWork); !slices.Equal(got, units(c.open)) {
			t.Errorf("%s: open are %v", name, got)
		}
		if done := g.FulfillmentOrders[0].Lines[0].Done; done != c.mugs || g.Order.Lines[0].Fulfilled != done {
			t.Errorf("%s: %d done, the order says %d", name, done, g.Order.Lines[0].Fulfilled)
		}
		var left []Item
		for _, d := range g.Order.UnfulfilledStock() {
			left = append(left, Item{d.Variant, d.Quantity})
		}
		slices.SortFunc(left, func(a, b Item) int { return strings.Compare(b.OrderLine, a.OrderLine) })
		if !slices.Equal(left, units(c.left)) {
			t.Errorf("%s: a cancel puts back %v", name, left)
		}
	}
}

func TestInvalidFulfillmentsAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of, before, step string
		want             error
	}{
		"more than was ordered":                 {lines, "", "pack a: 3 mug", ErrUnitsExceeded},
		"more than is open":                     {lines, "pack b: 1 mug", "pack a: 2 mug", ErrUnitsExceeded},
		"shipped units":                         {lines, "pack b: 2 mug/ship b", "pack a: 1 mug", ErrUnitsExceeded},
		"the rest, when nothing is open":        {lines, "pack b", "pack a", ErrUnitsExceeded},
		"a line that does not ship":             {lines, "", "pack a: 1 mug, 1 course", ErrNotShippable},
		"a line twice":                          {lines, "", "pack a: 1 mug, 1 mug", fault.ErrValidation},
		"no units":                              {lines, "", "pack a: 0 mug", fault.ErrValidation},
		"an unknown line":                       {shippable, "", "pack a: 1 course", cart.ErrLineNotFound},
		"a shipping line by hand":               {lines, "", "complete: 1 course, 1 mug", ErrRequiresShipping},
		"more than is to be completed":          {lines, "complete: 1 course", "complete: 2 course", ErrUnitsExceeded},
		"completed units":                       {lines, "complete", "complete", ErrUnitsExceeded},
		"an unknown line by hand":               {digital, "", "complete: 1 mug", cart.ErrLineNotFound},
		"a line by hand twice":                  {lines, "", "complete: 1 course, 1 course", fault.ErrValidation},
		"an unknown fulfillment order":          {shippable, "", "complete", fault.ErrNotFound},
		"an unknown shipping fulfillment order": {digital, "", "pack a", fault.ErrNotFound},
		"an unknown parcel":                     {lines, "", "ship a", fault.ErrNotFound},
		"an unknown parcel corrected":           {lines, "pack b", "track a", fault.ErrNotFound},
		"a parcel shipped twice":                {lines, "pack a: 1 mug/ship a", "ship a", ErrFulfillmentTransition},
		"a canceled parcel shipped":             {lines, "pack a/cancel a", "ship a", ErrFulfillmentTransition},
		"an unshipped parcel delivered":         {lines, "pack a", "deliver a", ErrFulfillmentTransition},
		"a parcel delivered twice":              {lines, "pack a: 1 mug/ship a/deliver a", "deliver a", ErrFulfillmentTransition},
		"a shipped parcel canceled":             {lines, "pack a: 1 mug/ship a", "cancel a", ErrFulfillmentTransition},
		"a delivered parcel corrected":          {lines, "pack a: 1 mug/ship a/deliver a", "track a", ErrFulfillmentTransition},
		"a canceled parcel corrected":           {lines, "pack a/cancel a", "track a", ErrFulfillmentTransition},
		"a parcel of a canceled order":          {lines, "call off", "pack a", ErrTransition},
		"a pending parcel of it shipped":        {lines, "pack a/call off", "ship a", ErrTransition},
		"a shipped parcel of it delivered":      {lines, "pack a: 1 mug/ship a/call off", "deliver a", ErrTransition},
		"a pending parcel of it canceled":       {lines, "pack a/call off", "cancel a", ErrTransition},
		"a shipped parcel of it corrected":      {lines, "pack a: 1 mug/ship a/call off", "track a", ErrTransition},
		"manual work of a canceled order":       {lines, "call off", "complete", ErrTransition},
		"a parcel of a delivered order":         {shippable, "pack a/ship a/deliver a", "pack b", ErrTransition},
		"manual work of a delivered order":      {digital, "complete", "complete", ErrTransition},
	} {
		g := newOrderFulfillment(t, c.of)
		if c.before != "" {
			g = steps(t, g, strings.Split(c.before, "/")...)
		}
		before := snapshot(g)
		got, err := step(g, c.step)
		if !errors.Is(err, c.want) || !reflect.DeepEqual(got, before) || !reflect.DeepEqual(g, before) {
			t.Errorf("%s: %v\n%+v\n%+v", name, err, got, before)
		}
	}
}

func TestOnlyPaidOrdersAreFulfilled(t *testing.T) {
	t.Parallel()
	for _, status := range Statuses {
		g := newOrderFulfillment(t, lines)
		g.Order.Status = status
		want := slices.Contains([]Status{Authorized, Paid, Preparing, Shipped}, status)
		for _, text := range []string{"pack a: 1 mug", "complete: 1 course"} {
			if _, err := step(g, text); (err == nil) != want || err != nil && !errors.Is(err, ErrTransition) {
				t.Errorf("%s, %s: %v", status, text, err)
			}
		}
	}
	g := steps(t, newOrderFulfillment(t, lines), "pack a: 1 mug", "pack b: 1 mug", "ship b")
	g.Order, _ = g.Order.BeginCancel("too late", "k1", tenant.Actor{}, true)
	for _, text := range []string{"pack c: 1 lamp", "ship a", "deliver b", "cancel a", "track a", "complete: 1 course"} {
		if _, err := step(g, text); !errors.Is(err, ErrTransition) || !strings.Contains(err.Error(), "being canceled") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
