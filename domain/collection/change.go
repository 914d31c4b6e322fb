package collection

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Operation is the kind of a change. Rule events-1.
type Operation string

// The operations.
const (
	Created Operation = "create"
	Updated Operation = "update"
	Deleted Operation = "delete"
)

// Change is one change of one record together with its event: storing it writes the row and appends the event
// in the same transaction. Make it with NewChange only. Rules events-1, events-2.
type Change struct {
	Schema    *Schema
	Operation Operation
	Before    Record // nil for create
	After     Record // nil for delete; its Sequence is Before's + 1
	EventID   string // UUIDv7
	At        time.Time
	Actor     tenant.Actor // who made the change; zero: whoever the store is told of (ports.WithActor)
	// Doc is After as AppendJSON encodes it for Staff, if the caller has those bytes already, or nil.
	// PreviousDoc is the Doc of the record's previous change, byte for byte, if the caller committed that
	// change and still has it, or nil. Neither may be modified.
	Doc, PreviousDoc []byte
	// EventEnvironment is the environment whose subscribers get the event of a change to a shared record,
	// such as that of its stock; empty means both.
	EventEnvironment string
	// ComputedField is a computed field that this change affects; "" for none.
	ComputedField string
}

// NewChange returns the change from before to after (nil: none) at now. It sets envelope fields of after in
// place: createdAt at create, updatedAt always, and the next recordSequence. It never changes before.
func NewChange(s *Schema, before, after Record, eventID string, now time.Time) Change {
	c := Change{Schema: s, Before: before, After: after, EventID: eventID, At: TruncateTime(now)}
	switch {
	case before == nil:
		c.Operation = Created
		after["createdAt"] = c.At
	case after == nil:
		c.Operation = Deleted
		return c
	default:
		c.Operation = Updated
		after["createdAt"] = before["createdAt"]
	}
	after["updatedAt"] = c.At
	s.completeTranslations(after)
	after.WithSequence(before.Sequence() + 1)
	return c
}

// ID is the id of the changed record.
func (c Change) ID() string { return c.Record().ID() }

// Record is the record as the change leaves it, or as it was before a delete.
func (c Change) Record() Record {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// Sequence is the recordSequence of this change; a delete has one too.
func (c Change) Sequence() int64 {
	if c.After != nil {
		return c.After.Sequence()
	}
	return c.Before.Sequence() + 1
}

// ContinuingFrom returns c, the create of an id whose record was deleted by change number last, with its
// numbers continuing after last.
func (c Change) ContinuingFrom(last int64) Change {
	c.After.WithSequence(last + 1)
	return c
}

// Environment is the record's environment, or else EventEnvironment; "" for shared collections.
func (c Change) Environment() string {
	if c.EventEnvironment != "" {
		return c.EventEnvironment
	}
	return c.Record().Text("environment")
}

// ChangedFields lists the names of top-level fields that differ, without updatedAt, in schema order; nil for
// create and delete. Of computed fields it can list only ComputedField.
func (c Change) ChangedFields() []string {
	if c.Operation != Updated {
		return nil
	}
	var names []string
	for _, part := range [][]Field{c.Schema.envelopeFields(), c.Schema.Fields} {
		for i := range part {
			f := &part[i]
			counts := f.Source == "" || f.Name == c.ComputedField
			if f.Name != "updatedAt" && counts && !Equal(c.Before[f.Name], c.After[f.Name]) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}
