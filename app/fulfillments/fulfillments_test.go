package fulfillments_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMixedOrderIsShippedInPartsAndCompletedManually(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ctx, s := t.Context(), b.sell("2 mug, 3 lamp, 1 course")
		first := b.must(b.Create(ctx, b.staff("", ""), fulfillments.FulfillmentInput{
			FulfillmentOrder: s.byCarrier, Items: s.items("1 mug, 3 lamp"),
		}))
		if first["order"]["status"] != "preparing" || first["fulfillmentOrder"]["status"] != "in_progress" ||
			first["fulfillment"]["status"] != "pending" || first["fulfillment"]["carrier"] != nil {
			t.Errorf("%v", first)
		}
		if items, _ := first["fulfillment"]["items"].([]any); len(items) != 2 ||
			!reflect.DeepEqual(items[1], map[string]any{"orderLine": s.lines["lamp"], "quantity": 3.0}) {
			t.Errorf("%v", items)
		}
		id, _ := first["fulfillment"]["id"].(string)
		sent := b.must(b.Ship(ctx, b.staff("", ""), id, order.Tracking{Carrier: order.Lotte, Number: "7"}))
		if sent["order"]["fulfillmentStatus"] != "partial" || sent["fulfillment"]["trackingNumber"] != "7" ||
			sent["fulfillment"]["shippedAt"] != "2026-01-31T09:00:00.000Z" {
			t.Errorf("%v", sent)
		}
		rest := b.pack(s, "")
		b.must(b.Ship(ctx, b.staff("", ""), rest, order.Tracking{}))
		if got := b.must(b.Deliver(ctx, b.staff("", ""), id)); got["order"]["status"] != "shipped" ||
			got["fulfillmentOrder"]["status"] != "closed" {
			t.Errorf("%v", got)
		}
		b.must(b.Deliver(ctx, b.staff("", ""), rest))
		done := b.must(b.Complete(ctx, b.staff("", ""), s.byHand, nil))
		if done["order"]["status"] != "delivered" || done["order"]["fulfillmentStatus"] != "fulfilled" ||
			done["order"]["deliveredAt"] != "2026-01-31T09:00:00.000Z" || done["fulfillmentOrder"]["status"] != "closed" {
			t.Errorf("%v", done)
		}
		if _, there := done["fulfillment"]; there {
			t.Errorf("manual work shows a parcel: %v", done)
		}
	})
}

// Each change emits one event, and nothing else does: a record has as many events as changes.
func TestEveryChangeEmitsOneEvent(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ctx, s := t.Context(), b.sell("2 mug, 1 course")
		id := ""
		told := func(after string, ofOrder, ofWork, ofManual, ofParcel int64) {
			t.Helper()
			for schema, c := range map[*collection.Schema][]struct {
				id   string
				want int64
			}{
				order.Schema:            {{s.id, ofOrder}},
				order.FulfillmentOrders: {{s.byCarrier, ofWork}, {s.byHand, ofManual}},
				order.Fulfillments:      {{id, ofParcel}},
			} {
				for _, r := range c {
					if _, got := b.status(schema, r.id); got != r.want {
						t.Errorf("%s: %s had %d events, want %d", after, schema.Slug, got, r.want)
					}
				}
			}
		}
		id = b.pack(s, "1 mug")
		told("packed", 2, 2, 1, 1)
		_ = b.must(b.Track(ctx, b.staff("", ""), id, order.Tracking{Number: "8"}))
		told("corrected", 2, 2, 1, 2)
		_ = b.must(b.Track(ctx, b.staff("", ""), id, order.Tracking{Number: "8"}))
		told("corrected to the same", 2, 2, 1, 2)
		_ = b.must(b.Ship(ctx, b.staff("", ""), id, order.Tracking{}))
		told("shipped", 3, 3, 1, 3)
		other := b.pack(s, "")
		told("the rest is packed", 3, 3, 1, 3)
		_ = b.must(b.Cancel(ctx, b.staff("", ""), other))
		told("and unpacked", 3, 3, 1, 3)
		_ = b.must(b.Deliver(ctx, b.staff("", ""), id))
		told("delivered", 3, 3, 1, 4)
		_ = b.must(b.Complete(ctx, b.staff("", ""), s.byHand, nil))
		told("completed", 4, 3, 2, 4)
		if status, events := b.status(order.Fulfillments, other); status != "canceled" || events != 2 {
			t.Errorf("%s after %d events", status, events)
		}
	})
}

func TestConcurrentFulfillmentsTakeUnitsOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.sell("5 mug, 5 course")
		instances := []*fulfillments.Service{b.Service, b.instance()}
		var packed, completed atomic.Int64
		shops.Concurrently(40, func(i int) {
			f, keyed := instances[i%2], ""
			if i%3 == 0 {
				keyed = key()
			}
			var a idempotency.Response
			var err error
			made := &packed
			if i < 20 {
				a, err = f.Create(t.Context(), b.staff(keyed, "pack"),
					fulfillments.FulfillmentInput{FulfillmentOrder: s.byCarrier, Items: s.items("1 mug")})
			} else {
				made = &completed
				a, err = f.Complete(t.Context(), b.staff(keyed, "complete"), s.byHand, s.items("1 course"))
			}
			switch {
			case err == nil && a.Fault == nil:
				made.Add(1)
			case err == nil:
				refused(t, "one too many", a, err, order.ErrUnitsExceeded)
			case !errors.Is(err, order.ErrUnitsExceeded):
				t.Error(err)
			}
		})
		if packed.Load() != 5 || completed.Load() != 5 {
			t.Errorf("of 5 and 5 units %d were packed and %d completed", packed.Load(), completed.Load())
		}
		o := order.FromRecord(b.get(order.Schema, s.id))
		if o.Status != order.Preparing || o.Lines[0].Fulfilled != 0 || o.Lines[1].Fulfilled != 5 {
			t.Errorf("%+v", o)
		}
	})
}

func TestShipRacingCancelHasOneWinner(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.sell("2 mug")
		id := b.pack(s, "")
		instances := []*fulfillments.Service{b.Service, b.instance()}
		var won atomic.Int64
		shops.Concurrently(16, func(i int) {
			do := func() (idempotency.Response, error) { return instances[i%2].Cancel(t.Context(), b.staff("", ""), id) }
			if i%4 < 2 {
				do = func() (idempotency.Response, error) {
					return instances[i%2].Ship(t.Context(), b.staff("", ""), id, order.Tracking{})
				}
			}
			a, err := do()
			if err == nil {
				won.Add(1)
				return
			}
			refused(t, "too late", a, err, order.ErrFulfillmentTransition)
		})
		status, events := b.status(order.Fulfillments, id)
		o := order.FromRecord(b.get(order.Schema, s.id))
		if won.Load() != 1 || events != 2 || (status == "shipped") != (o.Lines[0].Fulfilled == 2) {
			t.Errorf("%d won; it is %s after %d events, the order %+v", won.Load(), status, events, o)
		}
	})
}

func TestTheSameKeyFulfillsOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ctx, s := t.Context(), b.sell("2 mug, 2 course")
		k := key()
		in := fulfillments.FulfillmentInput{FulfillmentOrder: s.byCarrier, Items: s.items("1 mug")}
		first, err := b.Create(ctx, b.staff(k, "pack"), in)
		again, err2 := b.instance().Create(ctx, b.staff(k, "pack"), in)
		if err != nil || err2 != nil || first.Body.String() != again.Body.String() || !again.Replayed ||
			again.Result != ports.ReceiptCreated {
			t.Errorf("%s %v\n%s %v", first.Body, err, again.Body, err2)
		}
		if _, err := b.Create(ctx, b.staff(k, "other"), in); !errors.Is(err, idempotency.ErrKeyReused) {
			t.Error(err)
		}
		answers := make([]string, 12)
		k = key()
		shops.Concurrently(len(answers), func(i int) {
			a, err := b.instance().Complete(ctx, b.staff(k, "complete"), s.byHand, s.items("1 course"))
			if err != nil && !errors.Is(err, idempotency.ErrInProgress) {
				t.Error(err)
			}
			answers[i] = a.Body.String()
		})
		for _, a := range answers {
			if a != "" && a != answers[0] && answers[0] != "" {
				t.Errorf("%s\n%s", a, answers[0])
			}
		}
		o := order.FromRecord(b.get(order.Schema, s.id))
		if o.Lines[1].Fulfilled != 1 {
			t.Errorf("%+v", o)
		}
		k = key()
		a, err := b.Complete(ctx, b.staff(k, "too many"), s.byHand, s.items("2 course"))
		refused(t, "a refusal", a, err, order.ErrUnitsExceeded)
		b.must(b.Complete(ctx, b.staff(key(), ""), s.byHand, nil))
		a, err = b.Complete(ctx, b.staff(k, "too many"), s.byHand, s.items("2 course"))
		refused(t, "the refusal again", a, err, order.ErrUnitsExceeded)
		if !a.Replayed || a.Fault.Data["open"] == nil {
			t.Errorf("%+v", a)
		}
	})
}

func TestRefusalsChangeNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ctx, s, other := t.Context(), b.sell("2 mug, 1 course"), b.sell("1 lamp")
		pack := func(items []order.Item) (idempotency.Response, error) {
			return b.Create(ctx, b.staff("", ""), fulfillments.FulfillmentInput{FulfillmentOrder: s.byCarrier, Items: items})
		}
		for name, c := range map[string]struct {
			do   func() (idempotency.Response, error)
			want error
		}{
			"too many":          {func() (idempotency.Response, error) { return pack(s.items("3 mug")) }, order.ErrUnitsExceeded},
			"a line of another": {func() (idempotency.Response, error) { return pack(other.items("1 lamp")) }, cart.ErrLineNotFound},
			"a manual line":     {func() (idempotency.Response, error) { return pack(s.items("1 mug, 1 course")) }, order.ErrNotShippable},
			"a line twice":      {func() (idempotency.Response, error) { return pack(s.items("1 mug, 1 mug")) }, fault.ErrValidation},
			"an empty list":     {func() (idempotency.Response, error) { return pack([]order.Item{}) }, fault.ErrValidation},
			"manual work shipped": {func() (idempotency.Response, error) {
				return b.Create(ctx, b.staff("", ""), fulfillments.FulfillmentInput{FulfillmentOrder: s.byHand})
			}, order.ErrNotShippable},
			"shipping work by hand": {
				func() (idempotency.Response, error) { return b.Complete(ctx, b.staff("", ""), s.byCarrier, nil) },
				order.ErrRequiresShipping,
			},
			"an unknown fulfillment order": {
				func() (idempotency.Response, error) { return b.Complete(ctx, b.staff("", ""), shops.NewID(), nil) }, ports.ErrNotFound,
			},
			"an unknown fulfillment": {
				func() (idempotency.Response, error) { return b.Deliver(ctx, b.staff("", ""), shops.NewID()) }, ports.ErrNotFound,
			},
			"an order, not its work": {
				func() (idempotency.Response, error) { return b.Complete(ctx, b.staff("", ""), s.id, nil) }, ports.ErrNotFound,
			},
		} {
			a, err := c.do()
			refused(t, name, a, err, c.want)
		}
		for _, id := range []string{s.byCarrier, s.byHand} {
			if status, events := b.status(order.FulfillmentOrders, id); status != "open" || events != 1 {
				t.Errorf("%s after %d events", status, events)
			}
		}
		if status, events := b.status(order.Schema, s.id); status != "paid" || events != 1 {
			t.Errorf("%s after %d events", status, events)
		}
	})
}

func TestFulfillmentAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.sell("9 course")
		try := func(change func(c *idempotency.Call)) error {
			c := b.staff("", "")
			change(&c)
			a, err := b.Complete(t.Context(), c, s.byHand, s.items("1 course"))
			if err == nil && a.Fault != nil {
				return a.Fault
			}
			return err
		}
		as := func(role tenant.Role) func(c *idempotency.Call) {
			return func(c *idempotency.Call) { c.Principal.Kind, c.Principal.Role = tenant.User, role }
		}
		for name, c := range map[string]struct {
			change func(c *idempotency.Call)
			reason string // "" is admitted
		}{
			"an admin":                   {as("tenant-admin"), ""},
			"an editor":                  {as("tenant-editor"), ""},
			"a platform admin":           {as("platform-admin"), ""},
			"a key with the write scope": {func(*idempotency.Call) {}, ""},
			"a viewer":                   {as("tenant-viewer"), "forbidden"},
			"a customer":                 {func(c *idempotency.Call) { c.Principal.Kind = "customer" }, "forbidden"},
			"a storefront":               {func(c *idempotency.Call) { c.Principal.Kind = "client-key" }, "forbidden"},
			"a read-only key":            {func(c *idempotency.Call) { c.Principal.CanWrite = false }, "forbidden"},
			"nobody":                     {func(c *idempotency.Call) { c.Principal.Kind = "anonymous" }, "unauthenticated"},
			"another environment":        {func(c *idempotency.Call) { c.Principal.Environment = "live" }, "not_found"},
			"another shop":               {func(c *idempotency.Call) { c.Principal.Tenant.ID = "another" }, "not_found"},
			"a tenant without commerce":  {func(c *idempotency.Call) { c.Principal.Tenant.CommerceEnabled = false }, "feature_disabled"},
			"a derived key":              {func(c *idempotency.Call) { c.Key = "complete-" + s.byHand }, "idempotency_key_derived"},
		} {
			err := try(c.change)
			if c.reason == "" && err != nil || c.reason != "" && (err == nil || !strings.Contains(fault.From(err).Reason, c.reason)) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if o := order.FromRecord(b.get(order.Schema, s.id)); o.Lines[0].Fulfilled != 4 {
			t.Errorf("%+v", o.Lines)
		}
	})
}

// A crash before the commit leaves everything unchanged: the next attempt starts from there.
func TestFailedWriteIsRolledBack(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.sell("1 mug")
		lost := errors.New("the plug was pulled")
		err := b.store.Atomically(t.Context(), ports.ForTenant(b.shop.ID), func(ctx context.Context, tx ports.Tx) error {
			found, err := fulfillments.LockGoods(ctx, tx, s.id)
			if err != nil {
				return err
			}
			next, err := found.CreateFulfillment(order.NewFulfillment{ID: shops.NewID(), FulfillmentOrder: s.byCarrier}, start)
			if err != nil {
				return err
			}
			changes, err := found.Changes(ctx, tx, next, start, shops.NewID)
			if err != nil {
				return err
			}
			if err := tx.Records.Write(ctx, changes...); err != nil {
				return err
			}
			return lost
		})
		if !errors.Is(err, lost) {
			t.Fatal(err)
		}
		if status, events := b.status(order.FulfillmentOrders, s.byCarrier); status != "open" || events != 1 {
			t.Errorf("%s after %d events", status, events)
		}
		b.pack(s, "")
	})
}
