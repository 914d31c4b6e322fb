package collection

import "time"

// ChangeSet collects the changes that one transaction writes together.
type ChangeSet struct {
	Now   time.Time     // the time of every change
	NewID func() string // makes the ids of changes, and of records that callers add
	list  []Change
}

// NewChangeSet is an empty change set.
func NewChangeSet(now time.Time, newID func() string) *ChangeSet {
	return &ChangeSet{Now: now, NewID: newID}
}

// Put adds the step from before (nil: create) to after and returns the record as it will be read. When no
// field differs it adds nothing and returns before.
func (c *ChangeSet) Put(s *Schema, before, after Record) Record {
	ch := NewChange(s, before, after, c.NewID(), c.Now)
	if before != nil && len(ch.ChangedFields()) == 0 {
		return before
	}
	c.list = append(c.list, ch)
	return after
}

// Add adds changes that were made elsewhere.
func (c *ChangeSet) Add(changes ...Change) { c.list = append(c.list, changes...) }

// List is the changes in the order in which they were added.
func (c *ChangeSet) List() []Change { return c.list }
