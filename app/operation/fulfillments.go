package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	fulfillmentParam = collection.Field{
		Name: "id", Alias: "fulfillmentId", Kind: collection.Relation, RelationTo: order.Fulfillments.Slug, Doc: "The fulfillment.",
	}
	fulfillmentOrderParam = collection.Field{
		Name: "id", Alias: "fulfillmentOrderId", Kind: collection.Relation, RelationTo: order.FulfillmentOrders.Slug,
		Doc: "The fulfillment order.",
	}
	updatedFulfillmentMember = collection.Field{
		Name: "fulfillment", Kind: collection.Relation, RelationTo: order.Fulfillments.Slug, Required: true,
		Doc: "The fulfillment as it is now.",
	}
	updatedFulfillmentOrderMember = collection.Field{
		Name: "fulfillmentOrder", Kind: collection.Relation, RelationTo: order.FulfillmentOrders.Slug, Required: true,
		Doc: "The fulfillment order as it is now.",
	}

	trackingInput = []collection.Field{
		{Name: "carrier", Kind: collection.Select, Options: carrierNames(), Doc: "The carrier."},
		{Name: "trackingNumber", Kind: collection.Text, MaxLength: order.MaxTrackingNumber, Doc: "The carrier's tracking number."},
	}
	fulfillmentItemsInput = collection.Field{
		Name: "items", Kind: collection.Array, Fields: fulfillmentItemFields(),
		Doc: "The units, each line once; defaults to all open units.",
	}
)

func carrierNames() []string {
	out := make([]string, len(order.Carriers))
	for i, c := range order.Carriers {
		out[i] = string(c)
	}
	return out
}

// fulfillmentItemFields are the members of an item, both required.
func fulfillmentItemFields() []collection.Field {
	fields := append([]collection.Field(nil), order.ItemFields...)
	for i := range fields {
		fields[i].Required = true
	}
	return fields
}

// fulfillmentReasons are the refusals of units to fulfill.
var fulfillmentReasons = []*fault.Error{
	tenant.ErrFeatureDisabled, order.ErrTransition, order.ErrOnHold, cart.ErrLineNotFound, order.ErrUnitsExceeded, ports.ErrClaimLost,
}

// Fulfillments are the operations of editors, admins and the shop's server to deliver goods. Rules:
// features/fulfillment/RULES.md.
func Fulfillments(f *fulfillments.Service) []Operation {
	list := []Operation{
		createFulfillment(f), shipFulfillment(f),
		{
			Name: "fulfillments.deliver", GraphQL: "fulfillmentDeliver", Summary: "Mark a fulfillment as delivered",
			Doc:  "The order becomes delivered with its last fulfillment, once the lines that require no shipping are completed too.",
			Path: "/fulfillments/{id}/deliver", Run: byID(f.Deliver),
		},
		{
			Name: "fulfillments.cancel", GraphQL: "fulfillmentCancel", BeyondQuota: true, Summary: "Cancel a fulfillment that was not shipped",
			Doc:  "Its units become open again. A shipped fulfillment cannot be canceled; goods that come back are a return.",
			Path: "/fulfillments/{id}/cancel", Run: byID(f.Cancel),
		},
		trackFulfillment(f), completeFulfillmentOrder(f),
	}
	for i := range list {
		o := &list[i]
		o.Mutates, o.Method, o.Surfaces, o.KeyPolicy, o.AllowedKinds = true, "POST", Root, KeyOptional,
			[]tenant.Kind{tenant.User, tenant.SecretKey}
		if o.Output == nil {
			o.Output = []collection.Field{updatedFulfillmentMember, updatedFulfillmentOrderMember, updatedOrderMember}
		}
		if o.Params == nil {
			o.Params = []collection.Field{fulfillmentParam}
			o.Reasons = []*fault.Error{tenant.ErrFeatureDisabled, order.ErrTransition, order.ErrOnHold, order.ErrFulfillmentTransition, ports.ErrClaimLost}
		}
	}
	return list
}

func createFulfillment(f *fulfillments.Service) Operation {
	return Operation{
		Name: "fulfillments.create", GraphQL: "fulfillmentCreate", Summary: "Create a fulfillment",
		Doc:    "Holds the units until the fulfillment is shipped or canceled. A paid order becomes preparing. Lines that require no shipping are refused. For editors, admins, and secret keys with write access.",
		Path:   "/fulfillment-orders/{id}/fulfillments",
		Params: []collection.Field{fulfillmentOrderParam}, Input: append([]collection.Field{fulfillmentItemsInput}, trackingInput...),
		Results: []ports.ReceiptResult{ports.ReceiptCreated}, Reasons: append([]*fault.Error{order.ErrNotShippable}, fulfillmentReasons...),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			n := fulfillments.FulfillmentInput{
				FulfillmentOrder: in.Param("id"), Items: readOrderItems(in, "items"), Tracking: readTracking(in),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return f.Create(ctx, call, n)
		},
	}
}

func shipFulfillment(f *fulfillments.Service) Operation {
	return Operation{
		Name: "fulfillments.ship", GraphQL: "fulfillmentShip", Summary: "Ship a fulfillment",
		Doc: "A carrier is required, and a tracking number unless the carrier is other. Either may have been stored before; values sent now replace them. " +
			"The units become fulfilled. The order becomes shipped with the last of its units that require shipping.",
		Path: "/fulfillments/{id}/ship", Input: trackingInput, Run: withTracking(f.Ship),
	}
}

func trackFulfillment(f *fulfillments.Service) Operation {
	return Operation{
		Name: "fulfillments.track", GraphQL: "fulfillmentTrack", Summary: "Correct the carrier or tracking number of a fulfillment",
		Doc:  "Possible until the fulfillment is delivered. Omitted fields keep their value.",
		Path: "/fulfillments/{id}/tracking", Input: trackingInput,
		Run: withTracking(func(ctx context.Context, call idempotency.Call, id string, t order.Tracking) (idempotency.Response, error) {
			if t == (order.Tracking{}) {
				return idempotency.Response{}, fault.Invalidf("trackingNumber", "Name a carrier, a tracking number, or both.")
			}
			return f.Track(ctx, call, id, t)
		}),
	}
}

func completeFulfillmentOrder(f *fulfillments.Service) Operation {
	return Operation{
		Name: "fulfillmentOrders.complete", GraphQL: "fulfillmentOrderComplete", BeyondQuota: true, Summary: "Complete a manual fulfillment order",
		Doc:    "For the manual fulfillment order of digital goods, services and events. An order without shipping becomes delivered with its last unit, a mixed order once its shipped units are delivered too.",
		Path:   "/fulfillment-orders/{id}/complete",
		Params: []collection.Field{fulfillmentOrderParam}, Input: []collection.Field{fulfillmentItemsInput},
		Output:  []collection.Field{updatedFulfillmentOrderMember, updatedOrderMember},
		Reasons: append([]*fault.Error{order.ErrRequiresShipping}, fulfillmentReasons...),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			items := readOrderItems(in, "items")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return f.Complete(ctx, call, in.Param("id"), items)
		},
	}
}

func withTracking(
	do func(context.Context, idempotency.Call, string, order.Tracking) (idempotency.Response, error),
) func(context.Context, idempotency.Call, *Input) (idempotency.Response, error) {
	return func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		t := readTracking(in)
		if err := in.Done(); err != nil {
			return idempotency.Response{}, err
		}
		return do(ctx, call, in.Param("id"), t)
	}
}

func readTracking(in *Input) order.Tracking {
	return order.Tracking{Carrier: order.Carrier(in.Choice("carrier")), Number: strings.TrimSpace(in.Text("trackingNumber"))}
}

// readOrderItems parses units of lines, nil when missing.
func readOrderItems(in *Input, name string) (items []order.Item) {
	given := in.Objects(name, func(in *Input) {
		items = append(items, order.Item{OrderLine: in.Text("orderLine"), Quantity: in.PositiveInteger("quantity")})
	})
	if given && items == nil {
		items = []order.Item{}
	}
	return items
}
