package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	fulfillmentParam   = collection.Field{Name: "id", Alias: "fulfillmentId", Kind: collection.Relation, To: order.Fulfillments.Slug, Doc: "The fulfillment."}
	workParam          = collection.Field{Name: "id", Alias: "fulfillmentOrderId", Kind: collection.Relation, To: order.FulfillmentOrders.Slug, Doc: "The fulfillment order."}
	fulfillmentChanged = collection.Field{Name: "fulfillment", Kind: collection.Relation, To: order.Fulfillments.Slug, Required: true, Doc: "The fulfillment as it is now."}
	workChanged        = collection.Field{Name: "fulfillmentOrder", Kind: collection.Relation, To: order.FulfillmentOrders.Slug, Required: true, Doc: "The fulfillment order as it is now."}

	trackingInput = []collection.Field{
		{Name: "carrier", Kind: collection.Select, Options: carrierNames(), Doc: "Who brings the parcel."},
		{Name: "trackingNumber", Kind: collection.Text, MaxLength: order.MaxTrackingNumber, Doc: "The carrier's number of the parcel."},
	}
	itemsInput = collection.Field{Name: "items", Kind: collection.Array, Fields: itemInputs(), Doc: "The units, each line once. Left out: all that is open."}
)

func carrierNames() []string {
	out := make([]string, len(order.Carriers))
	for i, c := range order.Carriers {
		out[i] = string(c)
	}
	return out
}

// itemInputs are the members of an item, both needed.
func itemInputs() []collection.Field {
	fields := append([]collection.Field(nil), order.ItemFields...)
	for i := range fields {
		fields[i].Required = true
	}
	return fields
}

// workReasons is why units are not taken.
var workReasons = []*fault.Error{tenant.ErrFeatureDisabled, order.ErrTransition, cart.ErrLineNotFound, order.ErrUnitsExceeded, ports.ErrFenced}

// Fulfillments is what editors, admins and the shop's server do to get goods to their buyers. Contract 9, Spec 3.4.
func Fulfillments(f *fulfilling.Fulfilling) []Operation {
	list := []Operation{
		createFulfillment(f), shipFulfillment(f),
		{
			Name: "fulfillments.deliver", GraphQL: "fulfillmentDeliver", Summary: "Say that a fulfillment arrived",
			Doc:  "The order is delivered with the last of its fulfillments, once all that does not ship is completed too.",
			Path: "/fulfillments/{id}/deliver", Run: onFulfillment(f.Deliver),
		},
		{
			Name: "fulfillments.cancel", GraphQL: "fulfillmentCancel", Summary: "Cancel a fulfillment that was not shipped",
			Doc:  "Its units are open again. What was shipped is not canceled: if it comes back it is a return.",
			Path: "/fulfillments/{id}/cancel", Run: onFulfillment(f.Cancel),
		},
		trackFulfillment(f), completeWork(f),
	}
	for i := range list {
		o := &list[i]
		o.Changes, o.Method, o.At, o.Key, o.Who = true, "POST", Root, KeyOptional, []tenant.Kind{tenant.User, tenant.SecretKey}
		if o.Output == nil {
			o.Output = []collection.Field{fulfillmentChanged, workChanged, orderChanged}
		}
		if o.Params == nil {
			o.Params = []collection.Field{fulfillmentParam}
			o.Reasons = []*fault.Error{tenant.ErrFeatureDisabled, order.ErrTransition, order.ErrFulfillmentTransition, ports.ErrFenced}
		}
	}
	return list
}

func createFulfillment(f *fulfilling.Fulfilling) Operation {
	return Operation{
		Name: "fulfillments.create", GraphQL: "fulfillmentCreate", Summary: "Make a fulfillment of what ships",
		Doc:    "Holds the units until it is shipped or canceled; an order that was paid is in preparation from then on. Lines that do not ship are refused. For editors and admins, and secret keys that may write.",
		Path:   "/fulfillment-orders/{id}/fulfillments",
		Params: []collection.Field{workParam}, Input: append([]collection.Field{itemsInput}, trackingInput...),
		Results: []ports.Result{ports.Created}, Reasons: append([]*fault.Error{order.ErrNotShippable}, workReasons...),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			n := fulfilling.NewFulfillment{Work: in.Param("id"), Items: readItems(in), Tracking: readTracking(in)}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return f.Create(ctx, call, n)
		},
	}
}

func shipFulfillment(f *fulfilling.Fulfilling) Operation {
	return Operation{
		Name: "fulfillments.ship", GraphQL: "fulfillmentShip", Summary: "Ship a fulfillment",
		Doc: "A carrier is needed, and a tracking number unless the carrier is other; they may have been given before, and are replaced by what is given now. " +
			"Its units are fulfilled from then on. The order is shipped with the last of its shipping units.",
		Path: "/fulfillments/{id}/ship", Input: trackingInput, Run: withTracking(f.Ship),
	}
}

func trackFulfillment(f *fulfilling.Fulfilling) Operation {
	return Operation{
		Name: "fulfillments.track", GraphQL: "fulfillmentTrack", Summary: "Correct carrier or tracking number of a fulfillment",
		Doc:  "Until it arrived. What is left out stays.",
		Path: "/fulfillments/{id}/tracking", Input: trackingInput,
		Run: withTracking(func(ctx context.Context, call once.Call, id string, t order.Tracking) (once.Answer, error) {
			if t == (order.Tracking{}) {
				return once.Answer{}, fault.Invalidf("trackingNumber", "Name a carrier, a tracking number, or both.")
			}
			return f.Track(ctx, call, id, t)
		}),
	}
}

func completeWork(f *fulfilling.Fulfilling) Operation {
	return Operation{
		Name: "fulfillmentOrders.complete", GraphQL: "fulfillmentOrderComplete", Summary: "Say that what does not ship is done",
		Doc:    "For the manual fulfillment order of digital goods, services and events. An order that ships nothing is delivered with its last unit, a mixed one once all that ships arrived too.",
		Path:   "/fulfillment-orders/{id}/complete",
		Params: []collection.Field{workParam}, Input: []collection.Field{itemsInput}, Output: []collection.Field{workChanged, orderChanged},
		Reasons: append([]*fault.Error{order.ErrRequiresShipping}, workReasons...),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			items := readItems(in)
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return f.Complete(ctx, call, in.Param("id"), items)
		},
	}
}

func onFulfillment(do func(context.Context, once.Call, string) (once.Answer, error)) func(context.Context, once.Call, *Input) (once.Answer, error) {
	return func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
		if err := in.Done(); err != nil {
			return once.Answer{}, err
		}
		return do(ctx, call, in.Param("id"))
	}
}

func withTracking(do func(context.Context, once.Call, string, order.Tracking) (once.Answer, error)) func(context.Context, once.Call, *Input) (once.Answer, error) {
	return func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
		t := readTracking(in)
		if err := in.Done(); err != nil {
			return once.Answer{}, err
		}
		return do(ctx, call, in.Param("id"), t)
	}
}

func readTracking(in *Input) order.Tracking {
	return order.Tracking{Carrier: order.Carrier(in.Choice("carrier")), Number: strings.TrimSpace(in.Text("trackingNumber"))}
}

// readItems reads units of lines, nil when they are left out.
func readItems(in *Input) (items []order.Item) {
	given := in.Objects("items", func(in *Input) {
		items = append(items, order.Item{OrderLine: in.Text("orderLine"), Quantity: in.Positive("quantity")})
	})
	if given && items == nil {
		items = []order.Item{}
	}
	return items
}
