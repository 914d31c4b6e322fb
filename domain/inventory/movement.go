package inventory

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// MovementKind is what changed a count of units on hand.
type MovementKind string

// The kinds of movement.
const (
	Initial  MovementKind = "initial"      // a variant was created with stock
	Adjusted MovementKind = "adjustment"   // units were added or removed
	Counted  MovementKind = "count"        // the units were counted
	Edited   MovementKind = "edit"         // the field stock was changed
	Imported MovementKind = "import"       // a catalog file was imported
	Sold     MovementKind = "sale"         // an order was placed
	Canceled MovementKind = "cancellation" // an order was canceled
	Returned MovementKind = "return"       // returned goods arrived
	Moved    MovementKind = "transfer"     // units went from one location to another; the count stays
)

// MovementKinds lists all kinds.
var MovementKinds = []string{
	string(Initial), string(Adjusted), string(Counted), string(Edited), string(Imported), string(Sold), string(Canceled), string(Returned),
	string(Moved),
}

// MaxReason is how many characters the reason of a movement has at most.
const MaxReason = 100

// Cause is who changes a count, and why.
type Cause struct {
	Kind                 MovementKind
	Reason               string // a few words; "": the kind
	Note                 string
	Order, ReturnRequest string       // ids, or ""
	From, Location       string       // ids of the locations that units came from and lie at; "": nowhere in particular, or nobody said
	Actor                tenant.Actor // zero: the server itself
	Movement             string       // id of the movement, which is then recorded even if the count stays; "": a new id
}

// Movement is one change of the units on hand of a variant in one environment.
type Movement struct {
	Cause

	Tenant           tenant.ID
	Environment      tenant.Environment
	Product, Variant string
	Before, After    int64 // units on hand
	Moved            int64 // units that a transfer moved; 0 for other kinds
}

// Record is m as a record of Movements. Its id is m.Movement.
func (m Movement) Record() collection.Record {
	r := collection.Record{
		"id": m.Movement, "tenant": string(m.Tenant), "environment": string(m.Environment), "kind": string(m.Kind), "reason": m.Reason,
		"delta": m.After - m.Before, "stockBefore": m.Before, "stockAfter": m.After,
		"actor": collection.ActorRecord(m.Actor),
	}
	if m.Reason == "" {
		r["reason"] = string(m.Kind)
	}
	if m.Kind == Moved {
		r["units"] = m.Moved
	}
	for name, v := range map[string]string{
		"product": m.Product, "variant": m.Variant, "note": m.Note, "order": m.Order, "returnRequest": m.ReturnRequest,
		"from": m.From, "location": m.Location,
	} {
		if v != "" {
			r[name] = v
		}
	}
	return r
}
