package operation

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// OrderManagement are the operations of operators on orders besides canceling, and the import of orders of
// other systems. Rules orders-1, orders-10.
func OrderManagement(o *orders.Service) []Operation {
	return []Operation{orderTransition(o), ordersImport(o)}
}

// orderStatuses are the statuses of an order in the API.
func orderStatuses() []string {
	out := make([]string, len(order.Statuses))
	for i, s := range order.Statuses {
		out[i] = string(s)
	}
	return out
}

func orderTransition(o *orders.Service) Operation {
	return Operation{
		Name: "orders.transition", GraphQL: "orderTransition", Summary: "Transition an order manually",
		Doc: "Takes one step of the order's states: pending to paid or failed, failed to pending, paid to preparing, preparing to shipped, shipped to delivered, delivered to confirmed. " +
			"From pending to paid records that the whole total was paid by hand. The goods follow: what is open leaves with an order that is called shipped, and is done with one that is called delivered. " +
			"To canceled does what canceling the order does, with the note as its reason. Return requests alone move what is being returned. " +
			"Admins, and secret keys that may write, take every step; editors those to preparing, shipped, delivered and confirmed.",
		Mutates: true, Method: "POST", Path: "/orders/{id}/transitions", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional,
		Params: []collection.Field{orderParam},
		Input: []collection.Field{
			{Name: "to", Kind: collection.Select, Options: orderStatuses(), Required: true, Doc: "The state to go to."},
			{Name: "note", Kind: collection.Textarea, MaxLength: orders.MaxNoteLength, Doc: "What is to be remembered about it: the order keeps it as statusNote, and a payment by hand as its own note."},
		},
		Output:  []collection.Field{updatedOrderMember},
		Reasons: joinReasons(providerReasons, []*fault.Error{order.ErrTransition, payment.ErrRefundInProgress, ports.ErrAlreadyRecorded}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			step := orders.Transition{To: order.Status(in.Choice("to")), Note: strings.TrimSpace(in.Text("note"))}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return o.Transition(ctx, call, in.Param("id"), step)
		},
	}
}

var importOutput = []collection.Field{
	{Name: "created", Kind: collection.Integer, Required: true, Doc: "Number of imported orders."},
	{Name: "unchanged", Kind: collection.Integer, Required: true, Doc: "Number of orders that already existed with the same content."},
	{Name: "errors", Kind: collection.Array, Doc: "Rejected orders.", Fields: []collection.Field{
		{Name: "index", Kind: collection.Integer, Required: true, Doc: "The order's place in the list, from 0."},
		{Name: "message", Kind: collection.Text, Required: true, Doc: "What is wrong with it."},
	}},
}

func ordersImport(o *orders.Service) Operation {
	return Operation{
		Name: "orders.import", GraphQL: "ordersImport", Summary: "Import orders from another system",
		Doc: "Whole orders, named by their numbers, into the environment of the key. The same order again changes nothing; another one under a number that is taken is an error. Each order is imported independently: an invalid one does not block the others. " +
			"They take no stock, put none back when they are canceled or returned, and have no return policy. Those up to preparing have all of their goods still to be sent. For secret keys that may write; at most 500 orders in a call.",
		Mutates: true, Method: "POST", Path: "/orders/import", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.SecretKey},
		Input: []collection.Field{{Name: "orders", Kind: collection.Array, Required: true, Fields: order.ImportSchema.Fields, Doc: "The orders."}}, RawInput: true,
		Output: importOutput, Reasons: []*fault.Error{tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			rows, err := importRows(in.Raw())
			if err != nil {
				return idempotency.Response{}, err
			}
			done, err := o.Import(ctx, call, rows)
			rejected := make([]collection.Record, len(done.Rejected))
			for i, r := range done.Rejected {
				rejected[i] = collection.Record{"index": int64(r.Index), "message": r.Message}
			}
			return respond(importOutput, collection.Record{"created": done.Created, "unchanged": done.Unchanged, "errors": rejected}, err)
		},
	}
}

// importRows is the list of orders of an import. Each order is parsed on its own. Errors:
// fault.ErrValidation.
func importRows(input map[string]any) ([]any, error) {
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if name != "orders" {
			return nil, fault.Invalidf(name, "This field does not exist.")
		}
	}
	rows, isList := input["orders"].([]any)
	switch {
	case input["orders"] == nil:
		return nil, fault.Invalidf("orders", "This field is required.")
	case !isList:
		return nil, fault.Invalidf("orders", "This field takes a list of objects.")
	}
	return rows, nil
}
