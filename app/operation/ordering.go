package operation

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/ordering"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Ordering is what people do to orders besides canceling them, and how orders of other systems come in. Contract 9.
func Ordering(o *ordering.Ordering) []Operation {
	return []Operation{orderTransition(o), ordersImport(o)}
}

// statuses are the states an order can be in, as callers name them.
func statuses() []string {
	out := make([]string, len(order.Statuses))
	for i, s := range order.Statuses {
		out[i] = string(s)
	}
	return out
}

func orderTransition(o *ordering.Ordering) Operation {
	return Operation{
		Name: "orders.transition", GraphQL: "orderTransition", Summary: "Move an order by hand",
		Doc: "Takes one step of the order's states: pending to paid or failed, failed to pending, paid to preparing, preparing to shipped, shipped to delivered, delivered to confirmed. " +
			"From pending to paid records that the whole total was paid by hand. The goods follow: what is open leaves with an order that is called shipped, and is done with one that is called delivered. " +
			"To canceled does what canceling the order does, with the note as its reason. Return requests alone move what is being returned. " +
			"Admins, and secret keys that may write, take every step; editors those to preparing, shipped, delivered and confirmed.",
		Changes: true, Method: "POST", Path: "/orders/{id}/transitions", At: Root, Who: []tenant.Kind{tenant.User, tenant.SecretKey}, Key: KeyOptional,
		Params: []collection.Field{orderParam},
		Input: []collection.Field{
			{Name: "to", Kind: collection.Select, Options: statuses(), Required: true, Doc: "The state to go to."},
			{Name: "note", Kind: collection.Textarea, MaxLength: ordering.MaxNote, Doc: "What is to be remembered about it: the order keeps it as statusNote, and a payment by hand as its own note."},
		},
		Output:  []collection.Field{orderChanged},
		Reasons: reasons(providerReasons, []*fault.Error{order.ErrTransition, payment.ErrRefundBusy, ports.ErrMoneyKnown}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			step := ordering.Step{To: order.Status(in.Choice("to")), Note: strings.TrimSpace(in.Text("note"))}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return o.Take(ctx, call, in.Param("id"), step)
		},
	}
}

var importDone = []collection.Field{
	{Name: "created", Kind: collection.Integer, Required: true, Doc: "How many orders came in."},
	{Name: "unchanged", Kind: collection.Integer, Required: true, Doc: "How many were there already, told with the same content."},
	{Name: "errors", Kind: collection.Array, Doc: "Those that did not come in.", Fields: []collection.Field{
		{Name: "index", Kind: collection.Integer, Required: true, Doc: "The order's place in the list, from 0."},
		{Name: "message", Kind: collection.Text, Required: true, Doc: "What is wrong with it."},
	}},
}

func ordersImport(o *ordering.Ordering) Operation {
	return Operation{
		Name: "orders.import", GraphQL: "ordersImport", Summary: "Take orders of another system in",
		Doc: "Whole orders, named by their numbers, into the environment of the key. The same order again changes nothing; another one under a number that is taken is an error. Each comes in by itself: what is wrong with one keeps no other one out. " +
			"They take no stock, put none back when they are canceled or returned, and have no return policy. Those up to preparing have all of their goods still to be sent. For secret keys that may write; at most 500 orders in a call.",
		Changes: true, Method: "POST", Path: "/orders/import", At: Root, Who: []tenant.Kind{tenant.SecretKey},
		Input: []collection.Field{{Name: "orders", Kind: collection.Array, Required: true, Fields: order.Incoming.Fields, Doc: "The orders."}}, Whole: true,
		Output: importDone, Reasons: []*fault.Error{tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			rows, err := importRows(in.All())
			if err != nil {
				return once.Answer{}, err
			}
			done, err := o.Import(ctx, call, rows)
			rejected := make([]collection.Record, len(done.Rejected))
			for i, r := range done.Rejected {
				rejected[i] = collection.Record{"index": int64(r.Index), "message": r.Message}
			}
			return answer(importDone, collection.Record{"created": done.Created, "unchanged": done.Unchanged, "errors": rejected}, err)
		},
	}
}

// importRows is the list of an import. What is in it is read order by order. Errors: fault.ErrValidation.
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
