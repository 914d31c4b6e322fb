package collection

import "time"

// Operation is what happened to a record. Spec 6.
type Operation string

// The operations.
const (
	Created Operation = "create"
	Updated Operation = "update"
	Deleted Operation = "delete"
)

// Change is one change of one record and, at once, its notification: storing it writes the row and appends the event
// in the same transaction. Make it with NewChange only. Spec 6, Contract 10.
type Change struct {
	Schema    *Schema
	Operation Operation
	Before    Record // nil for create
	After     Record // nil for delete; its Sequence is Before's + 1
	EventID   string // UUIDv7
	At        time.Time
	// Doc is After as AppendJSON shows it to Staff, when whoever made the change has those bytes already; nil: not made
	// yet. PreviousDoc is the Doc of the record's change before, byte for byte; nil unless whoever made the change knows it,
	// since they committed that one. Nobody changes them.
	Doc, PreviousDoc []byte
	// About is the environment that a change of a shared record is about, such as that of its stock; "" is both.
	About string
	// Tells is a computed field that is different after the change because of it; "" is none.
	Tells string
}

// NewChange describes the step from before to after (nil: none) at now. It stamps id-independent envelope fields on
// after: createdAt at create, updatedAt always, and the next recordSequence. It changes after in place, never before.
func NewChange(s *Schema, before, after Record, eventID string, now time.Time) Change {
	c := Change{Schema: s, Before: before, After: after, EventID: eventID, At: Instant(now)}
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
	after.WithSequence(before.Sequence() + 1)
	return c
}

// ID is the id of the changed record.
func (c Change) ID() string {
	if c.After != nil {
		return c.After.ID()
	}
	return c.Before.ID()
}

// Sequence is the recordSequence of this change; the delete of a record has one too.
func (c Change) Sequence() int64 {
	if c.After != nil {
		return c.After.Sequence()
	}
	return c.Before.Sequence() + 1
}

// Following is the create c of an id whose record was deleted by change last: the numbers of its events go on from there.
func (c Change) Following(last int64) Change {
	c.After.WithSequence(last + 1)
	return c
}

// Environment is the record's environment, or About; "" for shared collections.
func (c Change) Environment() string {
	if c.About != "" {
		return c.About
	}
	if c.After != nil {
		return c.After.Text("environment")
	}
	return c.Before.Text("environment")
}

// Changed lists the names of top-level fields that differ, without updatedAt, in schema order; nil for create and delete.
// Of computed fields only the one that the change tells counts.
func (c Change) Changed() []string {
	if c.Operation != Updated {
		return nil
	}
	var names []string
	for _, part := range [][]Field{c.Schema.head(), c.Schema.Fields} {
		for i := range part {
			f := &part[i]
			told := f.Source == "" || f.Name == c.Tells
			if f.Name != "updatedAt" && told && !Equal(c.Before[f.Name], c.After[f.Name]) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}
