// Package content is what every collection can do: list, count, get, create, update and delete, with access, audience,
// environment, related records and hooks. What a collection is comes from its schema alone.
//
// Decisions beyond the contract. An idempotency key is optional here. Invalid fields may be corrected under the same key;
// every other deterministic refusal, such as a missing record or a value that is taken, is final for it. A write to many records keeps which records it found, and each of them on its own, so that a repetition
// finishes what a crash interrupted and does nothing twice. Each record stands for itself: one that is refused is reported
// beside those that were written, with 500 as the most at once. An answer embeds at most 20 000 related records.
package content

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of generic use cases.
var (
	ErrOperated = fault.New(fault.MethodNotAllowed, "collection_operated", "Records of this collection are written by their own operations.")
	ErrNoDelete = fault.New(fault.MethodNotAllowed, "delete_not_supported", "Records of this collection cannot be deleted.")
	ErrTooMuch  = fault.New(fault.Invalid, "answer_too_large", "The answer would embed too many related records. Ask for a smaller depth or limit.")
)

// Content is the generic use cases over the collections of Registry.
type Content struct {
	Store     ports.Store
	Committer ports.Committer // shared commits; nil: every write is a transaction of its own
	Registry  *collection.Registry
	Hooks     map[string]Hooks // by slug; most collections need none
	Fold      collection.Fold
	Now       func() time.Time
	NewID     func() string
}

// Hooks is what a collection does besides what its schema says.
type Hooks struct {
	// Shape changes the input before it is read, once per request and outside of the transaction: it may be slow.
	Shape func(ctx context.Context, w *Write) error
	// Enter runs first in the transaction, before anything is locked. It may run more than once, as all that follow.
	Enter func(ctx context.Context, tx ports.Tx, w *Write) error
	// Within runs in the transaction before the record is stored, with After accepted and its links checked. It may run
	// more than once.
	Within func(ctx context.Context, tx ports.Tx, w *Write) error
	// Then runs in the transaction after the record is stored.
	Then func(ctx context.Context, tx ports.Tx, w *Write) error
	// Apart says that at a create, Within asks its transaction for nothing but records, and Then for nothing but to set
	// the units of variants that come with the record: both may run ahead of it, and again inside.
	Apart bool
	// Own names the fields that customers may change in their own record.
	Own []string
	// Accounts opens the accounts of users, and the records of other tenants, to Enter, Within and Then.
	Accounts bool
	// Beyond gets those of ids, of other tenants, that relations show to p all the same. In the answer to a write with
	// Accounts it asks its open transaction: the connections for that are few, and who holds one must not wait for another.
	Beyond func(ctx context.Context, open *ports.Tx, p tenant.Principal, ids []string) (map[string]collection.Record, error)
	// Dress gives records that are read what is not kept in them and only p may see; it changes none of them in place. It
	// may ask the store: in the transaction of a write Then does the same by Seen.
	Dress func(ctx context.Context, p tenant.Principal, records []collection.Record) ([]collection.Record, error)
	// Takes are the members of the input of a create that Shape takes out: they are no fields of the record.
	Takes []collection.Field
	// Reasons is what the hooks refuse besides invalid fields, for the documents of the API.
	Reasons []*fault.Error
}

// Write is one write of one record on its way to the store; hooks read and change it.
type Write struct {
	Principal tenant.Principal
	Schema    *collection.Schema
	ID        string // of the record, also of one to be made
	Create    bool
	Input     map[string]any      // as sent; nil for deletes
	Before    collection.Record   // nil for creates, and in Shape
	After     collection.Record   // nil for deletes, and in Shape
	Also      []collection.Change // further records to store with it
	EventID   string              // of the event of the record's change; set before Then
	Seen      collection.Record   // what the answer shows in the place of the record, if Then says so
	Note      any                 // what came along, or what Shape found out for the others, which may put another in its place
	Now       time.Time
	NewID     func() string

	ahead bool  // decided ahead of its transaction
	slugs *made // nil: nobody starts this write again
}

// made is what became of the slugs made for one write. The database compares them folded and has the last word: "STRASSE"
// is "straße" to it, although no record with exactly that slug is found.
type made struct {
	last    string
	refused map[string]bool
}

// refuse notes that the database did not take the slug made last.
func (m *made) refuse() { m.refused[m.last] = true }

// Change adds the step of another record to what is stored with w.
func (w *Write) Change(s *collection.Schema, before, after collection.Record) {
	w.Also = append(w.Also, collection.NewChange(s, before, after, w.NewID(), w.Now))
}

// New is an empty record of s in w's tenant and environment with an id, for hooks that make further records.
func (w *Write) New(s *collection.Schema) collection.Record {
	return newRecord(w.Principal, s, w.NewID())
}

func newRecord(p tenant.Principal, s *collection.Schema, id string) collection.Record {
	r := collection.Record{"id": id, "tenant": string(p.Tenant.ID)}
	if s.Environmented {
		r["environment"] = string(p.Environment)
	}
	return r
}

// computed reports whether s has fields that are computed at read.
func computed(s *collection.Schema) bool {
	for _, f := range s.Fields {
		if f.Source != "" {
			return true
		}
	}
	return false
}
