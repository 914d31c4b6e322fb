package order_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	. "github.com/cartwright-dev/cartwright/domain/order"
)

func TestManualFulfillmentOrderIsNotShipped(t *testing.T) {
	t.Parallel()
	g := newOrderFulfillment(t, lines)
	if _, err := g.CreateFulfillment(NewFulfillment{ID: "a", FulfillmentOrder: manualWork}, now); !errors.Is(err, ErrNotShippable) {
		t.Error(err)
	}
	if _, err := g.CompleteItems(shippingWork, nil, now); !errors.Is(err, ErrRequiresShipping) {
		t.Error(err)
	}
	if _, err := g.CreateFulfillment(NewFulfillment{ID: "a", FulfillmentOrder: shippingWork, Items: []Item{}}, now); !errors.Is(err,
		fault.ErrValidation) {
		t.Error("an empty parcel", err)
	}
	if g.OpenItems("another") != nil {
		t.Error("an unknown fulfillment order has open units")
	}
}

func TestQuantityRefusalNamesOpenUnits(t *testing.T) {
	t.Parallel()
	_, err := step(steps(t, newOrderFulfillment(t, lines), "pack a: 1 lamp"), "pack b: 1 mug, 3 lamp")
	if f := fault.From(err); f.Data["orderLine"] != lamp || f.Data["requested"] != int64(3) || f.Data["open"] != int64(2) {
		t.Errorf("%+v", f)
	}
	_, err = step(newOrderFulfillment(t, lines), "pack a: 1 mug, 1 course")
	if f := fault.From(err); f.Data["orderLine"] != course {
		t.Errorf("%+v", f)
	}
}

func TestTrackingRules(t *testing.T) {
	t.Parallel()
	none := Tracking{}
	for name, c := range map[string]struct {
		packed, shipped Tracking
		field           string // the invalid field when it is packed, or shipped
		want            Tracking
	}{
		"given when it is packed":                      {cj, none, "", cj},
		"given when it is shipped":                     {none, cj, "", cj},
		"the number is added when it is shipped":       {Tracking{Carrier: Hanjin}, Tracking{Number: "7"}, "", Tracking{Hanjin, "7"}},
		"a later tracking number replaces the earlier": {cj, Tracking{Carrier: UPS, Number: "1Z"}, "", Tracking{UPS, "1Z"}},
		"delivered by the shop":                        {none, Tracking{Carrier: OtherCarrier}, "", Tracking{Carrier: OtherCarrier}},
		"no tracking":                                  {none, none, "carrier", none},
		"no number":                                    {Tracking{Carrier: EMS}, none, "trackingNumber", none},
		"a number without carrier":                     {Tracking{Number: "7"}, none, "carrier", none},
		"a number later, without carrier":              {none, Tracking{Number: "7"}, "carrier", none},
		"an unknown carrier":                           {Tracking{Carrier: "stork"}, none, "carrier", none},
		"the longest number": {
			none, Tracking{CJ, strings.Repeat("1", MaxTrackingNumber)}, "", Tracking{CJ, strings.Repeat("1", MaxTrackingNumber)},
		},
		"a longer number":           {none, Tracking{CJ, strings.Repeat("1", MaxTrackingNumber+1)}, "trackingNumber", none},
		"a space":                   {Tracking{CJ, "1 2"}, none, "trackingNumber", none},
		"a non-ASCII character":     {Tracking{CJ, "송장"}, none, "trackingNumber", none},
		"first and last characters": {Tracking{CJ, "!~"}, none, "", Tracking{CJ, "!~"}},
	} {
		g, err := newOrderFulfillment(t, shippable).CreateFulfillment(NewFulfillment{
			ID: "a", FulfillmentOrder: shippingWork, Tracking: c.packed,
		}, now)
		if err == nil {
			g, err = g.Ship("a", c.shipped, later)
		}
		if c.field != "" {
			if f := fault.From(err); !errors.Is(err, fault.ErrValidation) || f.Fields[0].Field != c.field {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := g.Fulfillments[0]; got.Tracking != c.want || !got.ShippedAt.Equal(later) || !got.DeliveredAt.IsZero() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTrackingIsEditableUntilDelivery(t *testing.T) {
	t.Parallel()
	g := steps(t, newOrderFulfillment(t, shippable), "pack a", "track a")
	if g.Fulfillments[0].Tracking != (Tracking{CJ, "9"}) {
		t.Errorf("%+v", g.Fulfillments[0])
	}
	g = steps(t, g, "ship a")
	g, err := g.UpdateTracking("a", Tracking{Carrier: Hanjin})
	if err != nil || g.Fulfillments[0].Tracking != (Tracking{Hanjin, "9"}) || states(g) != "shipped closed a:shipped" {
		t.Errorf("%+v %v", g.Fulfillments[0], err)
	}
	if _, err := g.UpdateTracking("a", Tracking{Number: "9 9"}); !errors.Is(err, fault.ErrValidation) {
		t.Error(err)
	}
}

func TestFulfillmentTimestamps(t *testing.T) {
	t.Parallel()
	g := steps(t, newOrderFulfillment(t, shippable), "pack a", "ship a")
	if !g.Order.DeliveredAt.IsZero() {
		t.Errorf("%+v", g.Order)
	}
	g = steps(t, g, "deliver a")
	if f := g.Fulfillments[0]; !f.DeliveredAt.Equal(later) || !f.ShippedAt.Equal(later) || !g.Order.DeliveredAt.Equal(later) {
		t.Errorf("%+v %+v", f, g.Order)
	}
	if g = steps(t, newOrderFulfillment(t, digital), "complete"); !g.Order.DeliveredAt.Equal(later) ||
		g.Order.FulfillmentStatus() != "fulfilled" {
		t.Errorf("%+v", g.Order)
	}
}

func TestFulfillmentsFollowManualTransition(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of, steps string
		from, to  Status
		want      string
	}{
		"prepared":                      {lines, "", Paid, Preparing, "preparing open open"},
		"shipped, nothing was packed":   {shippable, "", Preparing, Shipped, "shipped closed id1:shipped"},
		"shipped, one parcel is packed": {lines, "pack a: 1 mug", "", Shipped, "shipped closed open a:shipped id1:shipped"},
		"shipped, everything is packed": {lines, "pack a", "", Shipped, "shipped closed open a:shipped"},
		"shipped, though nothing ships": {digital, "", Preparing, Shipped, "shipped open"},
		"delivered":                     {lines, "pack a/ship a", "", Delivered, "delivered closed closed a:delivered"},
		"delivered, one was unpacked": {
			shippable, "pack a/cancel a/pack b/ship b", "", Delivered, "delivered closed a:canceled b:delivered",
		},
		"delivered, completed in part before": {
			lines, "complete: 1 course/pack a/ship a", "", Delivered, "delivered closed closed a:delivered",
		},
	} {
		g := newOrderFulfillment(t, c.of)
		if c.steps != "" {
			g = steps(t, g, strings.Split(c.steps, "/")...)
		}
		if c.from != "" {
			g.Order.Status = c.from
		}
		before := snapshot(g)
		got, err := g.MoveByHand(c.to, "by hand", later, counter())
		if err != nil || states(got) != c.want || got.Order.StatusNote != "by hand" || !reflect.DeepEqual(g, before) {
			t.Errorf("%s: %s %v", name, states(got), err)
		}
		if done := got.Order.FulfillmentStatus() == "fulfilled"; done != (c.to == Delivered || c.to == Shipped && c.of == shippable) {
			t.Errorf("%s: %s", name, got.Order.FulfillmentStatus())
		}
		if got.Order.DeliveredAt.IsZero() == (c.to == Delivered) {
			t.Errorf("%s: delivered at %v", name, got.Order.DeliveredAt)
		}
	}
	if _, err := newOrderFulfillment(t, lines).MoveByHand(Delivered, "", now, counter()); !errors.Is(err, ErrTransition) {
		t.Error("a step that is not in the table", err)
	}
}

func TestTheTransitionTableOfFulfillments(t *testing.T) {
	t.Parallel()
	want := map[FulfillmentState][]FulfillmentState{
		FulfillmentPending: {FulfillmentShipped, FulfillmentCanceled}, FulfillmentShipped: {FulfillmentDelivered},
	}
	for _, from := range FulfillmentStates {
		for _, to := range FulfillmentStates {
			err := Fulfillment{State: from}.CheckTransition(to)
			if allowed := slices.Contains(want[from], to); allowed != (err == nil) ||
				err != nil && !errors.Is(err, ErrFulfillmentTransition) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
	}
}

func TestFulfillmentRecordRoundTrip(t *testing.T) {
	t.Parallel()
	f := steps(t, newOrderFulfillment(t, shippable), "pack a", "ship a", "deliver a").Fulfillments[0]
	v := reflect.ValueOf(f)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves %s empty", v.Type().Field(i).Name)
		}
	}
	r := f.Record()
	if got := FulfillmentFrom(r); !reflect.DeepEqual(got, f) {
		t.Errorf("got %+v\nwant %+v", got, f)
	}
	for name := range r {
		if _, ok := Fulfillments.Field(name); !ok {
			t.Errorf("%s is not declared", name)
		}
	}
	bare := Fulfillment{ID: "a", State: FulfillmentPending}.Record()
	for _, name := range []string{"carrier", "trackingNumber", "shippedAt", "deliveredAt"} {
		if _, there := bare[name]; there {
			t.Errorf("%s is not null", name)
		}
	}
}
