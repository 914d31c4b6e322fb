package order_test

import (
	"testing"

	"pgregory.net/rapid"

	. "github.com/cartwright-dev/cartwright/domain/order"
)

// After any steps in any order: no unit is fulfilled twice, the units of the parcels agree with the
// fulfillment orders and the order, and the order's status agrees with its units.
func TestFulfilledUnitsAlwaysAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g := newOrderFulfillment(t, lines)
		tries := []string{
			"pack a: 1 mug", "pack b: 2 mug", "pack c: 1 mug, 2 lamp", "pack d: 3 lamp", "pack e", "pack f: 1 lamp, 1 course",
			"complete: 1 course", "complete", "ship a", "ship b", "ship c", "ship d", "ship e", "deliver a", "deliver b", "deliver c",
			"deliver d", "deliver e", "cancel a", "cancel b", "cancel c", "cancel d", "track e",
		}
		known := map[string]bool{}
		for range rapid.IntRange(1, 40).Draw(r, "tries") {
			text := rapid.SampledFrom(tries).Draw(r, "try")
			if len(text) > 5 && text[:4] == "pack" && known[text[5:6]] {
				continue // ids are given once
			}
			before := states(g)
			next, err := step(g, text)
			if err != nil {
				if states(next) != before {
					r.Fatalf("%s was refused, and changed %s to %s", text, before, states(next))
				}
				continue
			}
			if text[:4] == "pack" {
				known[text[5:6]] = true
			}
			g = next
			unitsAddUp(r, g)
		}
	})
}

func unitsAddUp(r *rapid.T, g OrderFulfillment) {
	left, waiting, arrived := map[string]int64{}, map[string]int64{}, int64(0)
	for _, f := range g.Fulfillments {
		for _, it := range f.Items {
			switch f.State {
			case FulfillmentPending:
				waiting[it.OrderLine] += it.Quantity
			case FulfillmentDelivered:
				arrived += it.Quantity
				left[it.OrderLine] += it.Quantity
			case FulfillmentShipped:
				left[it.OrderLine] += it.Quantity
			case FulfillmentCanceled:
			}
		}
	}
	ordered, fulfilled, shipping, sent := int64(0), int64(0), int64(0), int64(0)
	for i, l := range g.Order.Lines {
		ordered, fulfilled = ordered+l.Quantity, fulfilled+l.Fulfilled
		if l.RequiresShipping {
			shipping, sent = shipping+l.Quantity, sent+l.Fulfilled
			if l.Fulfilled != left[l.ID] {
				r.Fatalf("%s: %d fulfilled, %d left", l.ID, l.Fulfilled, left[l.ID])
			}
		}
		if l.Fulfilled+waiting[l.ID] > l.Quantity || l.Fulfilled < 0 {
			r.Fatalf("line %d of %d: %d fulfilled, %d wait", i, l.Quantity, l.Fulfilled, waiting[l.ID])
		}
	}
	if shipped := sent == shipping; (g.Order.Status == Shipped || g.Order.Status == Delivered) != shipped {
		r.Fatalf("%d of %d left, and it is %s", sent, shipping, g.Order.Status)
	}
	if done := fulfilled == ordered && arrived == shipping; (g.Order.Status == Delivered) != done || done == g.Order.DeliveredAt.IsZero() {
		r.Fatalf("%d of %d are fulfilled, %d of %d arrived, and it is %s", fulfilled, ordered, arrived, shipping, g.Order.Status)
	}
}
