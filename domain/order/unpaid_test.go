package order_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
)

func TestUnpaidOrdersAreDue(t *testing.T) {
	t.Parallel()
	placed := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	unpaid := order.Order{Status: order.Pending, Source: order.Manual, Paid: money.Of(0, "KRW"), PlacedAt: placed}
	with := func(change func(*order.Order)) order.Order {
		o := unpaid
		change(&o)
		return o
	}
	for name, c := range map[string]struct {
		order order.Order
		hours int64
		after time.Duration
		due   bool
	}{
		"after its hours":              {unpaid, 24, 24 * time.Hour, true},
		"a moment before":              {unpaid, 24, 24*time.Hour - 1, false},
		"where they are kept":          {unpaid, 0, 9000 * time.Hour, false},
		"that failed":                  {with(func(o *order.Order) { o.Status = order.Failed }), 1, time.Hour, true},
		"of a checkout":                {with(func(o *order.Order) { o.Source = order.FromCheckout }), 1, time.Hour, true},
		"of another system":            {with(func(o *order.Order) { o.Source = order.FromAPI }), 1, time.Hour, false},
		"that is paid":                 {with(func(o *order.Order) { o.Status = order.Paid }), 1, time.Hour, false},
		"for which something was paid": {with(func(o *order.Order) { o.Paid = money.Of(1, "KRW") }), 1, time.Hour, false},
		"that is being canceled":       {with(func(o *order.Order) { o.CancelKey = "k" }), 1, time.Hour, false},
	} {
		if got := c.order.DueUnpaid(c.hours, placed.Add(c.after)); got != c.due {
			t.Errorf("an order %s: %v", name, got)
		}
	}
}
