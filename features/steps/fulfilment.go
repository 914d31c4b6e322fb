package steps

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

func (w *world) fulfilmentSteps() []definition {
	return []definition{
		{`^a paid order of (\d+) "([^"]*)" and (\d+) "([^"]*)"$`, w.makeMixedOrder},
		{`^an order of (\d+) "([^"]*)" that left in (\d+) parcels?$`, w.makeSentOrder},
		{`^an order of 1 "([^"]*)" and 1 "([^"]*)" whose parcel arrived$`, w.makeArrivedOrder},
		{`^the shop packs everything that ships$`, func(ctx context.Context) error { return w.pack(ctx, "shipping") }},
		{`^the shop packs what does not ship$`, func(ctx context.Context) error { return w.pack(ctx, "manual") }},
		{`^the shop packs (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return w.pack(ctx, "shipping", wish{n, name}) }},
		{`^"([^"]*)" packs everything that ships$`, w.packAs},
		{`^(\d+) operators each pack 1 "([^"]*)" at once$`, w.packTogether},
		{`^the shop ships the parcel by "([^"]*)" as "([^"]*)"$`, w.ship},
		{`^the shop ships the parcel without a carrier$`, func(ctx context.Context) error { return w.onParcel(ctx, w.parcel(), "ship", object{}) }},
		{`^the parcel arrives$`, func(ctx context.Context) error { return w.onParcel(ctx, w.parcel(), "deliver", object{}) }},
		{`^the (first|second) parcel arrives$`, w.arriveOne},
		{`^the shop unpacks the parcel$`, func(ctx context.Context) error { return w.onParcel(ctx, w.parcel(), "cancel", object{}) }},
		{`^the shop corrects the parcel's number to "([^"]*)"$`, func(ctx context.Context, number string) error {
			return w.onParcel(ctx, w.parcel(), "tracking", object{"trackingNumber": number})
		}},
		{`^the shop completes (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return w.completeWork(ctx, wish{n, name}) }},
		{`^the shop completes everything that does not ship$`, func(ctx context.Context) error { return w.completeWork(ctx) }},
		{`^the shop sends the same fulfilment again$`, func(ctx context.Context) error { return w.try(ctx, w.sent) }},
		{`^the fulfilment succeeds$`, w.succeeded},
		{`^the fulfilment is refused because "([^"]*)"$`, w.refused},
		{`^the parcel is "([^"]*)"$`, func(ctx context.Context, want string) error { return w.wantParcel(ctx, "status", want) }},
		{`^the parcel is followed by "([^"]*)" as "([^"]*)"$`, w.wantTracking},
		{`^the parcel holds (\d+) "([^"]*)"$`, w.wantInParcel},
		{`^there (?:is|are) (\d+) parcels?$`, w.wantParcels},
		{`^(\d+) "([^"]*)" of the order (?:is|are) fulfilled$`, w.wantFulfilled},
		{`^the (shipping|manual) work is "([^"]*)"$`, w.wantWork},
	}
}

// parcel is the one last made.
func (w *world) parcel() string {
	if len(w.parcels) == 0 {
		return ""
	}
	return w.parcels[len(w.parcels)-1]
}

// makeMixedOrder goes the whole way of a buyer with two goods in the cart.
func (w *world) makeMixedOrder(ctx context.Context, n int, name string, m int, other string) error {
	if err := w.makeCart(ctx, "", []wish{{n, name}, {m, other}}); err != nil {
		return err
	}
	return w.payCart(ctx)
}

// payCart checks the cart out and pays it.
func (w *world) payCart(ctx context.Context) error {
	if err := w.checkOut(ctx, true); err != nil {
		return err
	}
	if err := w.openPayment(ctx); err != nil {
		return err
	}
	if err := w.succeeded(); err != nil {
		return err
	}
	return w.payOpen(ctx)
}

func (w *world) makeSentOrder(ctx context.Context, n int, name string, parcels int) error {
	if err := w.makeOrder(ctx, n, name); err != nil {
		return err
	}
	for range parcels {
		if err := w.pack(ctx, "shipping", wish{n / parcels, name}); err != nil {
			return err
		}
		if err := w.ship(ctx, "cj", "123456789012"); err != nil {
			return err
		}
	}
	return w.succeeded()
}

func (w *world) makeArrivedOrder(ctx context.Context, name, other string) error {
	if err := w.makeMixedOrder(ctx, 1, name, 1, other); err != nil {
		return err
	}
	if err := w.pack(ctx, "shipping"); err != nil {
		return err
	}
	if err := w.ship(ctx, "cj", "123456789012"); err != nil {
		return err
	}
	if err := w.onParcel(ctx, w.parcel(), "deliver", object{}); err != nil {
		return err
	}
	return w.succeeded()
}

// workOf is the fulfillment order of a type that the last order made.
func (w *world) workOf(ctx context.Context, kind string) (any, error) {
	got, err := w.must(ctx, request{"GET", "/api/fulfillment-orders?where[type][equals]=" + kind + "&where[order][equals]=" + w.sold, nil, w.asOwner()})
	if err != nil {
		return nil, err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return nil, fmt.Errorf("the order has %d pieces of %s work", len(docs), kind)
	}
	return docs[0], nil
}

// orderLines are the lines of the last order by the name of the goods.
func (w *world) orderLines(ctx context.Context) (map[string]any, error) {
	got, err := w.must(ctx, request{"GET", "/api/orders/" + w.sold, nil, w.asOwner()})
	if err != nil {
		return nil, err
	}
	lines := map[string]any{}
	for _, l := range list(got.body, "lines") {
		for name, g := range w.goods {
			if g.variant == idOf(dig(l, "variant")) {
				lines[name] = l
			}
		}
	}
	return lines, nil
}

// units is a body with items; none leave them out.
func (w *world) units(ctx context.Context, wishes []wish) (object, error) {
	if len(wishes) == 0 {
		return object{}, nil
	}
	lines, err := w.orderLines(ctx)
	if err != nil {
		return nil, err
	}
	var items []any
	for _, want := range wishes {
		items = append(items, object{"orderLine": text(lines[want.name], "id"), "quantity": want.quantity})
	}
	return object{"items": items}, nil
}

// packing is the request for a parcel, made of the work of a type.
func (w *world) packing(ctx context.Context, kind string, wishes []wish) (request, error) {
	work, err := w.workOf(ctx, kind)
	if err != nil {
		return request{}, err
	}
	body, err := w.units(ctx, wishes)
	return request{"POST", "/api/fulfillment-orders/" + text(work, "id") + "/fulfillments", body, keyed(w.asOwner())}, err
}

func (w *world) pack(ctx context.Context, kind string, wishes ...wish) error {
	r, err := w.packing(ctx, kind, wishes)
	if err != nil {
		return err
	}
	return w.packBy(ctx, r)
}

func (w *world) packBy(ctx context.Context, r request) error {
	if err := w.try(ctx, r); err != nil || !w.got.ok() {
		return err
	}
	w.parcels = append(w.parcels, text(w.got.body, "fulfillment", "id"))
	return nil
}

// packAs is a member of the shop at work; members act in live unless they say otherwise.
func (w *world) packAs(ctx context.Context, name string) error {
	r, err := w.packing(ctx, "shipping", nil)
	if err != nil {
		return err
	}
	got, err := w.must(ctx, request{"POST", "/api/users/login", object{"email": w.emailOf(name), "password": "made up by " + w.shop.TenantID}, nil})
	if err != nil {
		return err
	}
	r.header = map[string]string{"Authorization": "Bearer " + text(got.body, "token"), "X-Environment": "test"}
	return w.packBy(ctx, r)
}

func (w *world) packTogether(ctx context.Context, n int, name string) error {
	r, err := w.packing(ctx, "shipping", []wish{{1, name}})
	if err != nil {
		return err
	}
	all := make([]request, n)
	for i := range all {
		all[i] = r
		all[i].header = keyed(w.asOwner())
	}
	return w.together(ctx, all)
}

func (w *world) ship(ctx context.Context, carrier, number string) error {
	return w.onParcel(ctx, w.parcel(), "ship", object{"carrier": carrier, "trackingNumber": number})
}

func (w *world) onParcel(ctx context.Context, id, what string, body object) error {
	return w.try(ctx, request{"POST", "/api/fulfillments/" + id + "/" + what, body, keyed(w.asOwner())})
}

func (w *world) arriveOne(ctx context.Context, which string) error {
	i := slices.Index([]string{"first", "second"}, which)
	if len(w.parcels) <= i {
		return fmt.Errorf("there are %d parcels", len(w.parcels))
	}
	if err := w.onParcel(ctx, w.parcels[i], "deliver", object{}); err != nil {
		return err
	}
	return w.succeeded()
}

func (w *world) completeWork(ctx context.Context, wishes ...wish) error {
	work, err := w.workOf(ctx, "manual")
	if err != nil {
		return err
	}
	body, err := w.units(ctx, wishes)
	if err != nil {
		return err
	}
	return w.try(ctx, request{"POST", "/api/fulfillment-orders/" + text(work, "id") + "/complete", body, keyed(w.asOwner())})
}

func (w *world) readParcel(ctx context.Context) (object, error) {
	got, err := w.must(ctx, request{"GET", "/api/fulfillments/" + w.parcel(), nil, w.asOwner()})
	return got.body, err
}

func (w *world) wantParcel(ctx context.Context, field, want string) error {
	got, err := w.readParcel(ctx)
	if err != nil {
		return err
	}
	return equal("the parcel's "+field, got[field], want)
}

func (w *world) wantTracking(ctx context.Context, carrier, number string) error {
	if err := w.wantParcel(ctx, "carrier", carrier); err != nil {
		return err
	}
	return w.wantParcel(ctx, "trackingNumber", number)
}

func (w *world) wantInParcel(ctx context.Context, n int, name string) error {
	got, err := w.readParcel(ctx)
	if err != nil {
		return err
	}
	lines, err := w.orderLines(ctx)
	if err != nil {
		return err
	}
	held := "0"
	for _, it := range list(got, "items") {
		if text(it, "orderLine") == text(lines[name], "id") {
			held = text(it, "quantity")
		}
	}
	return equal(name+" in the parcel", held, strconv.Itoa(n))
}

func (w *world) wantParcels(ctx context.Context, n int) error {
	got, err := w.must(ctx, request{"GET", "/api/fulfillments?where[order][equals]=" + w.sold, nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("the number of parcels", got.body["totalDocs"], strconv.Itoa(n))
}

func (w *world) wantFulfilled(ctx context.Context, n int, name string) error {
	lines, err := w.orderLines(ctx)
	if err != nil {
		return err
	}
	return equal(name+" fulfilled", dig(lines[name], "fulfilledQuantity"), strconv.Itoa(n))
}

func (w *world) wantWork(ctx context.Context, kind, want string) error {
	work, err := w.workOf(ctx, kind)
	if err != nil {
		return err
	}
	return equal("the "+kind+" work", dig(work, "status"), want)
}
