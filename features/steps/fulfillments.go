package steps

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// fulfillmentSteps ships orders in parcels, which are fulfillments, and completes by hand what does not ship.
type fulfillmentSteps struct {
	*client

	catalog   *catalogSteps
	members   *memberSteps
	orders    *orderSteps
	purchases *purchaseSteps

	ids []string // of the parcels, oldest first
}

func newFulfillmentSteps(
	c *client, catalog *catalogSteps, members *memberSteps, orders *orderSteps, purchases *purchaseSteps,
) *fulfillmentSteps {
	return &fulfillmentSteps{client: c, catalog: catalog, members: members, orders: orders, purchases: purchases}
}

func (s *fulfillmentSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^an order of (\d+) "([^"]*)" shipped in (\d+) parcels?$`, s.createShipped},
		{`^an order of 1 "([^"]*)" and 1 "([^"]*)" whose parcel was delivered$`, s.createDelivered},
		{`^the shop packs everything that ships$`, func(ctx context.Context) error { return s.create(ctx, "shipping") }},
		{`^the shop packs what does not ship$`, func(ctx context.Context) error { return s.create(ctx, "manual") }},
		{`^the shop packs (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return s.create(ctx, "shipping", line{n, name})
		}},
		{`^"([^"]*)" packs everything that ships$`, s.createAs},
		{`^(\d+) operators each pack 1 "([^"]*)" at once$`, s.createConcurrently},
		{`^the shop ships the parcel with "([^"]*)" under the number "([^"]*)"$`, s.ship},
		{
			`^the shop ships the parcel without a carrier$`,
			func(ctx context.Context) error { return s.act(ctx, s.last(), "ship", object{}) },
		},
		{`^the parcel is delivered$`, func(ctx context.Context) error { return s.act(ctx, s.last(), "deliver", object{}) }},
		{`^the (first|second) parcel is delivered$`, s.deliverNth},
		{`^the shop cancels the parcel$`, func(ctx context.Context) error { return s.act(ctx, s.last(), "cancel", object{}) }},
		{`^the shop changes the parcel's tracking number to "([^"]*)"$`, func(ctx context.Context, number string) error {
			return s.act(ctx, s.last(), "tracking", object{"trackingNumber": number})
		}},
		{
			`^the shop completes (\d+) "([^"]*)"$`,
			func(ctx context.Context, n int, name string) error { return s.complete(ctx, line{n, name}) },
		},
		{`^the shop completes everything that does not ship$`, func(ctx context.Context) error { return s.complete(ctx) }},
		{`^the parcel is "([^"]*)"$`, func(ctx context.Context, want string) error { return s.wantField(ctx, "status", want) }},
		{`^the parcel has the carrier "([^"]*)" and the tracking number "([^"]*)"$`, s.wantTracking},
		{`^the parcel holds (\d+) "([^"]*)"$`, s.wantQuantity},
		{`^there (?:is|are) (\d+) parcels?$`, s.wantCount},
		{`^(\d+) "([^"]*)" of the order (?:is|are) fulfilled$`, s.wantFulfilled},
		{`^the (shipping|manual) fulfillment order is "([^"]*)"$`, s.wantFulfillmentOrder},
	}
}

// last is the id of the parcel last created.
func (s *fulfillmentSteps) last() string {
	if len(s.ids) == 0 {
		return ""
	}
	return s.ids[len(s.ids)-1]
}

func (s *fulfillmentSteps) createShipped(ctx context.Context, n int, name string, parcels int) error {
	if err := s.purchases.buy(ctx, n, name); err != nil {
		return err
	}
	for range parcels {
		if err := s.create(ctx, "shipping", line{n / parcels, name}); err != nil {
			return err
		}
		if err := s.ship(ctx, "cj", "123456789012"); err != nil {
			return err
		}
	}
	return s.wantSuccess()
}

func (s *fulfillmentSteps) createDelivered(ctx context.Context, name, other string) error {
	if err := s.purchases.buyTwo(ctx, 1, name, 1, other); err != nil {
		return err
	}
	if err := s.create(ctx, "shipping"); err != nil {
		return err
	}
	if err := s.ship(ctx, "cj", "123456789012"); err != nil {
		return err
	}
	if err := s.act(ctx, s.last(), "deliver", object{}); err != nil {
		return err
	}
	return s.wantSuccess()
}

// fulfillmentOrder is the current order's fulfillment order of a type, "shipping" or "manual".
func (s *fulfillmentSteps) fulfillmentOrder(ctx context.Context, fulfillmentType string) (any, error) {
	query := "where[type][equals]=" + fulfillmentType + "&where[order][equals]=" + s.orders.id
	got, err := s.must(ctx, request{"GET", "/api/fulfillment-orders?" + query, nil, s.asServer()})
	if err != nil {
		return nil, err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return nil, fmt.Errorf("the order has %d %s fulfillment orders", len(docs), fulfillmentType)
	}
	return docs[0], nil
}

// orderLines are the lines of the current order by the name of their product.
func (s *fulfillmentSteps) orderLines(ctx context.Context) (map[string]any, error) {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return nil, err
	}
	lines := map[string]any{}
	for _, l := range list(got.body, "lines") {
		for name, p := range s.catalog.products {
			if p.variant == idOf(valueAt(l, "variant")) {
				lines[name] = l
			}
		}
	}
	return lines, nil
}

// itemsBody is the body of a request for lines of the order; without lines it asks for everything.
func (s *fulfillmentSteps) itemsBody(ctx context.Context, wanted []line) (object, error) {
	if len(wanted) == 0 {
		return object{}, nil
	}
	lines, err := s.orderLines(ctx)
	if err != nil {
		return nil, err
	}
	var items []any
	for _, want := range wanted {
		items = append(items, object{"orderLine": text(lines[want.name], "id"), "quantity": want.quantity})
	}
	return object{"items": items}, nil
}

// createRequest creates a parcel of the fulfillment order of a type.
func (s *fulfillmentSteps) createRequest(ctx context.Context, fulfillmentType string, lines []line) (request, error) {
	order, err := s.fulfillmentOrder(ctx, fulfillmentType)
	if err != nil {
		return request{}, err
	}
	body, err := s.itemsBody(ctx, lines)
	return request{"POST", "/api/fulfillment-orders/" + text(order, "id") + "/fulfillments", body, keyed(s.asServer())}, err
}

func (s *fulfillmentSteps) create(ctx context.Context, fulfillmentType string, lines ...line) error {
	r, err := s.createRequest(ctx, fulfillmentType, lines)
	if err != nil {
		return err
	}
	return s.submit(ctx, r)
}

func (s *fulfillmentSteps) submit(ctx context.Context, r request) error {
	if err := s.try(ctx, r); err != nil || !s.got.ok() {
		return err
	}
	s.ids = append(s.ids, text(s.got.body, "fulfillment", "id"))
	return nil
}

func (s *fulfillmentSteps) createAs(ctx context.Context, name string) error {
	r, err := s.createRequest(ctx, "shipping", nil)
	if err != nil {
		return err
	}
	if r.header, err = s.members.logInToTest(ctx, name); err != nil {
		return err
	}
	return s.submit(ctx, r)
}

func (s *fulfillmentSteps) createConcurrently(ctx context.Context, n int, name string) error {
	r, err := s.createRequest(ctx, "shipping", []line{{1, name}})
	if err != nil {
		return err
	}
	all := make([]request, n)
	for i := range all {
		all[i] = r
		all[i].header = keyed(s.asServer())
	}
	return s.sendConcurrently(ctx, all)
}

func (s *fulfillmentSteps) ship(ctx context.Context, carrier, number string) error {
	return s.act(ctx, s.last(), "ship", object{"carrier": carrier, "trackingNumber": number})
}

func (s *fulfillmentSteps) act(ctx context.Context, id, what string, body object) error {
	return s.try(ctx, request{"POST", "/api/fulfillments/" + id + "/" + what, body, keyed(s.asServer())})
}

func (s *fulfillmentSteps) deliverNth(ctx context.Context, which string) error {
	i := slices.Index([]string{"first", "second"}, which)
	if len(s.ids) <= i {
		return fmt.Errorf("there are %d parcels", len(s.ids))
	}
	if err := s.act(ctx, s.ids[i], "deliver", object{}); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *fulfillmentSteps) complete(ctx context.Context, lines ...line) error {
	order, err := s.fulfillmentOrder(ctx, "manual")
	if err != nil {
		return err
	}
	body, err := s.itemsBody(ctx, lines)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/fulfillment-orders/" + text(order, "id") + "/complete", body, keyed(s.asServer())})
}

func (s *fulfillmentSteps) read(ctx context.Context) (object, error) {
	got, err := s.must(ctx, request{"GET", "/api/fulfillments/" + s.last(), nil, s.asServer()})
	return got.body, err
}

func (s *fulfillmentSteps) wantField(ctx context.Context, field, want string) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	return equal("the parcel's "+field, got[field], want)
}

func (s *fulfillmentSteps) wantTracking(ctx context.Context, carrier, number string) error {
	if err := s.wantField(ctx, "carrier", carrier); err != nil {
		return err
	}
	return s.wantField(ctx, "trackingNumber", number)
}

func (s *fulfillmentSteps) wantQuantity(ctx context.Context, n int, name string) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	lines, err := s.orderLines(ctx)
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

func (s *fulfillmentSteps) wantCount(ctx context.Context, n int) error {
	got, err := s.must(ctx, request{"GET", "/api/fulfillments?where[order][equals]=" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the number of parcels", got.body["totalDocs"], strconv.Itoa(n))
}

func (s *fulfillmentSteps) wantFulfilled(ctx context.Context, n int, name string) error {
	lines, err := s.orderLines(ctx)
	if err != nil {
		return err
	}
	return equal(name+" fulfilled", valueAt(lines[name], "fulfilledQuantity"), strconv.Itoa(n))
}

func (s *fulfillmentSteps) wantFulfillmentOrder(ctx context.Context, fulfillmentType, want string) error {
	order, err := s.fulfillmentOrder(ctx, fulfillmentType)
	if err != nil {
		return err
	}
	return equal("the "+fulfillmentType+" fulfillment order", valueAt(order, "status"), want)
}
