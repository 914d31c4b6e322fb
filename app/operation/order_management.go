package operation

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/preview"
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

func orderTransition(o *orders.Service) Operation {
	return Operation{
		Name: "orders.transition", GraphQL: "orderTransition", Summary: "Transition an order manually",
		Doc: "Moves the order from pending to paid or failed, failed to pending, paid to preparing, preparing to shipped, shipped to delivered, or delivered to confirmed. " +
			"From pending to paid records a manual payment of the whole total. Fulfillments follow the order: marking it shipped ships its open units, marking it delivered completes them. " +
			"A transition to canceled cancels the order as orders.cancel does, with the note as its reason. Only return requests change the status of an order that is being returned. " +
			"Users need the permission orders:fulfill for a transition to preparing, shipped, delivered or confirmed, orders:cancel to canceled, and payments:record for the others.",
		Mutates: true, Method: "POST", Path: "/orders/{id}/transitions", Surfaces: Root,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional, Params: []collection.Field{orderParam},
		Input: []collection.Field{
			{Name: "to", Kind: collection.Select, Options: texts(order.Statuses), Required: true, Doc: "The new status."},
			{
				Name: "note", Kind: collection.Textarea, MaxLength: orders.MaxNoteLength,
				Doc: "Note to store: on the order as statusNote, and on a manual payment as its note.",
			},
			refundAccountInput("For a transition to canceled, as of orders.cancel."), outcomeInput("order"),
		},
		Output: []collection.Field{updatedOrderMember, preview.OutputField},
		Reasons: joinReasons(providerReasons, []*fault.Error{
			order.ErrTransition, order.ErrOnHold, payment.ErrRefundInProgress, payment.ErrRefundAccountRequired, ports.ErrAlreadyRecorded,
			tenant.ErrReauthenticate,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			step := orders.Transition{
				To: order.Status(in.Choice("to")), Note: strings.TrimSpace(in.Text("note")), Account: readRefundAccount(in), Preview: in.Boolean("preview"),
			}
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
		{Name: "index", Kind: collection.Integer, Required: true, Doc: "Index of the order in the list, from 0."},
		{Name: "message", Kind: collection.Text, Required: true, Doc: "What is wrong with it."},
	}},
}

func ordersImport(o *orders.Service) Operation {
	return Operation{
		Name: "orders.import", GraphQL: "ordersImport", Summary: "Import orders from another system",
		Doc: "Imports complete orders, identified by their numbers, into the environment of the caller. Importing the same order again changes nothing; a different order under a number that is taken is an error. Each order is imported independently: an invalid one does not block the others. " +
			"Imported orders take no stock, restock nothing when they are canceled or returned, and have no return policy. Up to the status preparing, all of their units are open. At most 500 orders per call. Users need the permission orders:import.",
		Mutates: true, Method: "POST", Path: "/orders/import", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Input: []collection.Field{
			{Name: "orders", Kind: collection.Array, Required: true, Fields: order.ImportSchema.Fields, Doc: "The orders."},
		},
		RawInput: true, Localized: true, Output: importOutput, Reasons: []*fault.Error{tenant.ErrFeatureDisabled},
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
