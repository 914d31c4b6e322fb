package order_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	. "github.com/cartwright-dev/cartwright/domain/order"
)

// After any steps in any order: what is to be shipped is in one batch or can be put into one, what a batch had is in it or was
// released, and what changed in it is told until it is done.
func TestWorkIsInOneBatchAtMost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g := newOrderFulfillment(t, lines)
		i := slices.IndexFunc(g.FulfillmentOrders, func(w FulfillmentOrder) bool { return w.Type == ShippingFulfillmentOrder })
		work, had := g.FulfillmentOrders[i].ID, map[string]int{}
		tries := []string{
			"batch one", "batch two", "release one", "release two", "change", "pack a: 1 mug", "pack b", "ship a", "ship b", "cancel a", "cancel b",
		}
		known := map[string]bool{}
		for range rapid.IntRange(1, 40).Draw(r, "tries") {
			text := rapid.SampledFrom(tries).Draw(r, "try")
			if known[text] {
				continue // ids are given once
			}
			before := g
			next, err := batchStep(g, work, text)
			if err != nil {
				if states(next) != states(before) {
					r.Fatalf("%s was refused, and changed something", text)
				}
				continue
			}
			known[text] = text[:4] == "pack"
			switch text {
			case "batch one", "batch two":
				had[text[6:]]++
			case "release one", "release two":
				had[text[8:]]--
			}
			g = next
			checkBatch(r, g, work, had)
		}
	})
}

func batchStep(g OrderFulfillment, work, text string) (OrderFulfillment, error) {
	switch text {
	case "batch one", "batch two":
		return g.AddToBatch(work, text[6:])
	case "release one", "release two":
		return g.ReleaseFromBatch(work, text[8:])
	case "change":
		g.FulfillmentOrders = slices.Clone(g.FulfillmentOrders)
		for i := range g.FulfillmentOrders {
			g.FulfillmentOrders[i] = g.FulfillmentOrders[i].MarkChanged(AddressChanged)
		}
		return g, nil
	}
	return step(g, text)
}

func checkBatch(r *rapid.T, g OrderFulfillment, work string, had map[string]int) {
	w := g.FulfillmentOrders[slices.IndexFunc(g.FulfillmentOrders, func(w FulfillmentOrder) bool { return w.ID == work })]
	for _, batch := range []string{"one", "two"} {
		in := 0
		if w.CarrierBatch == batch {
			in = 1
		}
		if in != had[batch] {
			r.Fatalf("batch %s has had %d, and the work names %q", batch, had[batch], w.CarrierBatch)
		}
	}
	if w.CarrierBatch == "" && len(w.ChangedSinceExport) > 0 {
		r.Fatalf("something is told of what was not exported: %v", w.ChangedSinceExport)
	}
	if _, err := g.AddToBatch(work, "three"); w.CarrierBatch == "" && len(g.ToShip(work)) > 0 && err != nil {
		r.Fatalf("open work is lost: %v", err)
	}
	p := ProgressOf([]FulfillmentOrder{w})
	if p.Open+p.InProgress+p.Shipped+p.Canceled != 1 || p.Changed > p.Open+p.InProgress {
		r.Fatalf("the progress of one is %+v", p)
	}
}

// What is to be packed is what ships and is in no parcel, of an order that is paid; an order on hold waits.
func TestWhatIsToBePacked(t *testing.T) {
	t.Parallel()
	g := newOrderFulfillment(t, lines)
	i := slices.IndexFunc(g.FulfillmentOrders, func(w FulfillmentOrder) bool { return w.Type == ShippingFulfillmentOrder })
	work, manual := g.FulfillmentOrders[i].ID, g.FulfillmentOrders[1-i].ID
	all := g.ToShip(work)
	held, canceling, unpaid := g, g, g
	held.Order.Hold, canceling.Order.CancelKey, unpaid.Order.Status = HoldReversed, "key", Pending
	for name, c := range map[string]struct {
		g    OrderFulfillment
		work string
		want []Item
	}{
		"open": {g, work, all}, "on hold": {held, work, all}, "by hand": {g, manual, nil}, "unknown": {g, "nothing", nil},
		"being canceled": {canceling, work, nil}, "unpaid": {unpaid, work, nil},
	} {
		if got := c.g.ToPack(c.work); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	packed, err := step(g, "pack a: 1 mug")
	if err != nil {
		t.Fatal(err)
	}
	left := packed.ToPack(work)
	if countUnits(left) != countUnits(all)-1 {
		t.Errorf("after one unit was packed: %v of %v", left, all)
	}
	if packed, err = step(packed, "pack b"); err != nil || len(packed.ToPack(work)) > 0 {
		t.Errorf("after all was packed: %v, %v", packed.ToPack(work), err)
	}
	if opened, err := step(packed, "cancel b"); err != nil || !slices.Equal(opened.ToPack(work), left) {
		t.Errorf("after the second parcel was canceled: %v, %v", opened.ToPack(work), err)
	}
}

func countUnits(items []Item) (n int64) {
	for _, it := range items {
		n += it.Quantity
	}
	return n
}

func TestBatchesRefuseWhatIsNotOpen(t *testing.T) {
	t.Parallel()
	g := newOrderFulfillment(t, lines)
	work, manual := "", ""
	for _, w := range g.FulfillmentOrders {
		if w.Type == ShippingFulfillmentOrder {
			work = w.ID
		} else {
			manual = w.ID
		}
	}
	held, canceling, unpaid := g, g, g
	held.Order.Hold, canceling.Order.CancelKey, unpaid.Order.Status = HoldReversed, "key", Pending
	for name, c := range map[string]struct {
		g    OrderFulfillment
		work string
		want error
	}{
		"by hand": {g, manual, ErrNotOpen}, "on hold": {held, work, ErrNotOpen}, "being canceled": {canceling, work, ErrNotOpen},
		"unpaid": {unpaid, work, ErrNotOpen}, "open": {g, work, nil},
	} {
		if _, err := c.g.AddToBatch(c.work, "one"); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	in, err := g.AddToBatch(work, "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.AddToBatch(work, "two"); !errors.Is(err, ErrInBatch) {
		t.Error(err)
	}
	if _, err := in.ReleaseFromBatch(work, "two"); !errors.Is(err, ErrNotInBatch) {
		t.Error(err)
	}
	if _, err := in.Cancel().ReleaseFromBatch(work, "one"); !errors.Is(err, ErrBatchDone) {
		t.Error(err)
	}
}

// Units that are canceled after the export are told for as long as the rest is to be packed, and for nothing that was not exported.
func TestCanceledUnitsAreToldToPackers(t *testing.T) {
	t.Parallel()
	g := priced(newOrderFulfillment(t, lines), 0, 1001, 1000, 500)
	marks := func(g OrderFulfillment) []string {
		i := slices.IndexFunc(g.FulfillmentOrders, func(w FulfillmentOrder) bool { return w.ID == shippingWork })
		return g.FulfillmentOrders[i].ChangedSinceExport
	}
	dropped, err := drop(g, "1 mug")
	if err != nil || marks(dropped) != nil {
		t.Errorf("%v %v", marks(dropped), err)
	}
	g, err = g.AddToBatch(shippingWork, "one")
	if err != nil {
		t.Fatal(err)
	}
	if dropped, err = drop(g, "1 mug"); err != nil || !slices.Equal(marks(dropped), []string{LinesChanged}) {
		t.Errorf("%v %v", marks(dropped), err)
	}
	released, err := dropped.ReleaseFromBatch(shippingWork, "one")
	if err != nil || marks(released) != nil || !slices.Equal(marks(dropped), []string{LinesChanged}) {
		t.Errorf("%v %v", marks(released), err)
	}
	for status, want := range map[string][]string{
		FulfillmentOrderOpen: {AddressChanged, LinesChanged}, FulfillmentOrderClosed: nil, FulfillmentOrderCanceled: nil,
	} {
		w := FulfillmentOrder{CarrierBatch: "one", Status: status}
		if got := w.MarkChanged(LinesChanged).MarkChanged(AddressChanged).MarkChanged(LinesChanged); !slices.Equal(got.ChangedSinceExport, want) {
			t.Errorf("%s: %q", status, got.ChangedSinceExport)
		}
	}
}
